; Methods that a framework calls, as far as neither their annotations nor the interfaces of their class say so: tables of the
; catalogue (`annotations.tsv`, `callbacks.tsv`) have those.
; Captures: @entry is the name of a method that is called while the service runs, @start_up that of one that runs once before the
; first request, so that it initialises and does not modify, @injected that of one which gets something handed over then.
; (Files are searched for words of lists whose capture begins with `_interface`: without one no pattern is tried.)

; What ends an extension of SOFA.
(method_declaration
  name: (identifier) @entry @_interface_method
  parameters: (formal_parameters (formal_parameter type: (type_identifier) @_extension))
  (#eq? @_extension "Extension")
  (#any-of? @_interface_method "unregisterExtension"))

; SOFA calls this of what an extension point names, by reflection, when the context starts.
(method_declaration
  name: (identifier) @start_up @_interface_method
  parameters: (formal_parameters (formal_parameter type: (type_identifier) @_extension))
  (#eq? @_extension "Extension")
  (#any-of? @_interface_method "registerExtension"))

; Observers of CDI's events. A method that is both is called before the first request.
(method_declaration
  name: (identifier) @entry
  parameters: (formal_parameters
    (formal_parameter
      (modifiers
        [
          (marker_annotation name: [(identifier) @_interface_parameter (scoped_identifier name: (identifier) @_interface_parameter)])
          (annotation name: [(identifier) @_interface_parameter (scoped_identifier name: (identifier) @_interface_parameter)])
        ])))
  (#any-of? @_interface_parameter "Observes" "ObservesAsync"))

(method_declaration
  name: (identifier) @start_up
  parameters: (formal_parameters
    (formal_parameter
      (modifiers (marker_annotation name: [(identifier) @_interface_parameter (scoped_identifier name: (identifier) @_interface_parameter)]))
      type: (type_identifier) @_event))
  (#any-of? @_interface_parameter "Observes")
  (#any-of? @_event "StartupEvent" "Startup" "ContainerInitialized" "AfterDeploymentValidation" "AfterBeanDiscovery" "BeforeBeanDiscovery"))

(method_declaration
  name: (identifier) @start_up
  parameters: (formal_parameters
    (formal_parameter
      (modifiers (annotation name: [(identifier) @_interface_parameter (scoped_identifier name: (identifier) @_interface_parameter)]))))
  (#any-of? @_interface_parameter "Initialized"))
