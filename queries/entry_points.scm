; Methods that a framework calls: nothing in the workspace needs to call them for them to run.
; Captures: @entry is the name of the method.

(method_declaration
  (modifiers
    [
      (marker_annotation name: [(identifier) @_annotation (scoped_identifier name: (identifier) @_annotation)])
      (annotation name: [(identifier) @_annotation (scoped_identifier name: (identifier) @_annotation)])
    ])
  name: (identifier) @entry
  (#any-of? @_annotation
    ; Web handlers: Spring, JAX-RS, Micronaut, Struts.
    "RequestMapping" "GetMapping" "PostMapping" "PutMapping" "DeleteMapping" "PatchMapping" "MessageMapping"
    "SubscribeMapping" "ExceptionHandler" "InitBinder" "ModelAttribute" "QueryMapping" "MutationMapping"
    "SchemaMapping" "GET" "POST" "PUT" "DELETE" "PATCH" "HEAD" "OPTIONS" "Get" "Post" "Put" "Delete" "Patch"
    "Action" "ReadOperation" "WriteOperation" "DeleteOperation" "WebMethod" "OnMessage" "OnOpen" "OnClose" "OnError"
    ; Messages and events.
    "KafkaListener" "KafkaHandler" "RabbitListener" "RabbitHandler" "JmsListener" "StreamListener" "SqsListener"
    "PulsarListener" "RocketMQMessageListener" "EventListener" "TransactionalEventListener" "Subscribe" "Incoming"
    "ServiceActivator" "EventHandler" "CommandHandler" "QueryHandler" "NacosConfigListener" "ApolloConfigChangeListener"
    ; Schedules and jobs.
    "Scheduled" "Schedules" "Schedule" "XxlJob" "Async" "Job" "ElasticJobConf"
    ; Remote procedures, management, aspects.
    "GrpcMethod" "DubboService" "ManagedOperation" "ManagedAttribute" "ServerEndpoint"
    "Around" "Before" "After" "AfterReturning" "AfterThrowing"
    ; The end of a bean, while requests may still run: as for a `destroy-method`.
    "PreDestroy"))

; What ends an extension of SOFA.
(method_declaration
  name: (identifier) @entry @_interface_method
  parameters: (formal_parameters (formal_parameter type: (type_identifier) @_extension))
  (#eq? @_extension "Extension")
  (#any-of? @_interface_method "unregisterExtension"))

; Methods that run once, before the first request: @start_up. They initialise and do not modify.

(method_declaration
  (modifiers
    [
      (marker_annotation name: [(identifier) @_annotation (scoped_identifier name: (identifier) @_annotation)])
      (annotation name: [(identifier) @_annotation (scoped_identifier name: (identifier) @_annotation)])
    ])
  name: (identifier) @start_up
  (#any-of? @_annotation "PostConstruct" "Bean" "Produces" "Initialized" "OnStartup"))

(class_declaration
  interfaces: (super_interfaces (type_list [(type_identifier) @_interface (generic_type (type_identifier) @_interface)]))
  body: (class_body (method_declaration name: (identifier) @start_up))
  (#any-of? @_interface "InitializingBean" "CommandLineRunner" "ApplicationRunner" "ServletContextInitializer" "WebApplicationInitializer"
    "BeanFactoryPostProcessor" "BeanDefinitionRegistryPostProcessor" "EnvironmentPostProcessor" "ApplicationContextInitializer"
    "SmartInitializingSingleton" "BeanPostProcessor")
  (#any-of? @start_up "afterPropertiesSet" "run" "onStartup" "postProcessBeanFactory" "postProcessBeanDefinitionRegistry"
    "postProcessEnvironment" "initialize" "afterSingletonsInstantiated" "postProcessBeforeInitialization"
    "postProcessAfterInitialization"))

; A superclass may be what implements InitializingBean. (Files are searched for words of lists whose capture begins with
; `_interface`: without one no pattern that goes by the head of a class is tried.)
(method_declaration
  name: (identifier) @start_up @_interface_method
  parameters: (formal_parameters) @_none
  (#eq? @_none "()")
  (#any-of? @_interface_method "afterPropertiesSet"))

; Spring's support classes call these once, when the container hands over its context; what is in the parentheses depends on
; the class that declares them.
(method_declaration
  name: (identifier) @start_up @_interface_support
  (#any-of? @_interface_support "initApplicationContext" "initServletContext"))

; SOFA calls this of what an extension point names, by reflection, when the context starts.
(method_declaration
  name: (identifier) @start_up @_interface_method
  parameters: (formal_parameters (formal_parameter type: (type_identifier) @_extension))
  (#eq? @_extension "Extension")
  (#any-of? @_interface_method "registerExtension"))

; Methods that a container calls to hand something over: @injected.

(method_declaration
  (modifiers
    [
      (marker_annotation name: [(identifier) @_annotation (scoped_identifier name: (identifier) @_annotation)])
      (annotation name: [(identifier) @_annotation (scoped_identifier name: (identifier) @_annotation)])
    ])
  name: (identifier) @injected
  (#any-of? @_annotation "Autowired" "Resource" "Inject" "Value" "PersistenceContext" "EJB"))

(class_declaration
  interfaces: (super_interfaces (type_list (type_identifier) @_interface))
  body: (class_body (method_declaration name: (identifier) @injected))
  (#any-of? @_interface "ApplicationContextAware" "EnvironmentAware" "BeanFactoryAware" "ResourceLoaderAware" "MessageSourceAware"
    "ApplicationEventPublisherAware" "ServletContextAware" "BeanNameAware")
  (#any-of? @injected "setApplicationContext" "setEnvironment" "setBeanFactory" "setResourceLoader" "setMessageSource"
    "setApplicationEventPublisher" "setServletContext" "setBeanName"))
