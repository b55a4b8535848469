//! Spring's own elements and those that stand for beans.

use super::{at, beans, document, reference, sym, syms, text, xml};
use crate::intern::Sym;
use crate::wiring::{Aop, Autowire, BeanDef, ScanFilter, ScanKind, Value, WiringFacts, WiringKind};

fn one(elements: &str) -> BeanDef {
    let mut facts = beans(elements);
    assert_eq!(facts.beans.len(), 1);
    facts.beans.remove(0)
}

fn properties(bean: &BeanDef) -> Vec<(&'static str, Value)> {
    bean.properties.iter().map(|it| (it.name.as_str(), it.value.clone())).collect()
}

/// `bean.method` of each entry.
fn entries(facts: &WiringFacts) -> Vec<String> {
    let text = |it: Option<Sym>| it.map_or("-", Sym::as_str);
    facts.entries.iter().map(|it| format!("{}.{}", text(it.bean), text(it.method))).collect()
}

#[test]
fn attributes_of_a_bean() {
    let bean = one("<bean id='a' name='b,c; d' class=' p.Order ' parent='base' scope='request' factory-bean='f' factory-method='make' init-method='start'
        destroy-method='stop' lazy-init='true' primary='true' abstract='true' autowire='byName' autowire-candidate='false'><qualifier value='q'/></bean>");
    assert_eq!((bean.id, bean.names.clone()), (sym("a"), syms(&["b", "c", "d"])));
    assert_eq!((bean.class, bean.parent, bean.scope), (sym("p.Order"), sym("base"), sym("request")));
    assert_eq!((bean.factory_bean, bean.factory_method), (sym("f"), sym("make")));
    assert_eq!((bean.init_method, bean.destroy_method), (sym("start"), sym("stop")));
    assert!(bean.lazy && bean.primary && bean.is_abstract && !bean.autowire_candidate);
    assert_eq!((bean.autowire, bean.qualifiers), (Autowire::ByName, syms(&["q"])));
}

#[test]
fn a_plain_bean() {
    let bean = one("<bean class='p.Order'/>");
    assert_eq!((bean.name(), bean.class, bean.scope, bean.outer), (None, sym("p.Order"), None, None));
    assert!(!bean.lazy && !bean.primary && !bean.is_abstract && bean.autowire_candidate);
    assert_eq!(bean.autowire, Autowire::No);
    let named = one("<bean name='x y' class=''/>");
    assert_eq!((named.name(), named.class), (sym("x"), None));
    assert_eq!(named.all_names().collect::<Vec<_>>(), syms(&["x", "y"]));
}

#[test]
fn places() {
    let source = document("<bean id=\"a\"\n  class=\"p.A\"><property name='x' value='1'/></bean><bean id='b'/>");
    let facts = xml(&source);
    assert_eq!(at(&source, facts.beans[0].range), "<bean id=\"a\"\n  class=\"p.A\">");
    assert_eq!(at(&source, facts.beans[0].class_range), "p.A");
    assert_eq!(at(&source, facts.beans[0].properties[0].range), "<property name='x' value='1'/>");
    assert_eq!(at(&source, facts.beans[1].class_range), "<bean id='b'/>");
}

#[test]
fn a_bean_of_spring_1() {
    let facts = xml("<!DOCTYPE beans PUBLIC \"-//SPRING//DTD BEAN//EN\" \"http://www.springframework.org/dtd/spring-beans.dtd\">
        <beans default-autowire='byName'><bean id='a' class='p.A' singleton='false'><property name='dao'><ref local='orderDao'/></property></bean>
        <bean id='b' singleton='true'/></beans>");
    assert_eq!((facts.problems, facts.kind), (vec![], WiringKind::Spring));
    assert_eq!((facts.beans[0].scope, facts.beans[0].autowire), (sym("prototype"), Autowire::ByName));
    assert_eq!(properties(&facts.beans[0]), [("dao", reference("orderDao"))]);
    assert_eq!(facts.beans[1].scope, None);
}

#[test]
fn values() {
    let bean = one("<bean id='a'>
        <property name='a' value=' x '/><property name='b' ref='r'/><property name='c'><value> v </value></property>
        <property name='d'><description>d</description><ref bean='r2'/></property><property name='e'><null/></property>
        <property name='f'><idref bean='r3'/></property><property name='g' value=''/><property name='h'/>
        <property name='i'><list><value>1</value><ref bean='r4'/><list><null/></list></list></property>
        <property name='j'><map><entry key='k' value='v'/><entry key-ref='kr' value-ref='vr'/><entry><key><value>k2</value></key><set/></entry></map></property>
        <property name='k'><props><prop key='pk'>pv</prop></props></property>
        <property name='l'><value><![CDATA[a < b]]> &amp; c</value></property>
        <property name='m'><util:list><value>2</value></util:list></property>
        </bean>");
    let expected = [
        ("a", text(" x ")),
        ("b", reference("r")),
        ("c", text("v")),
        ("d", reference("r2")),
        ("e", Value::Null),
        ("f", text("r3")),
        ("g", text("")),
        ("h", Value::Unknown),
        ("i", Value::Many(vec![text("1"), reference("r4"), Value::Many(vec![Value::Null])])),
        ("j", Value::Map(vec![(text("k"), text("v")), (reference("kr"), reference("vr")), (text("k2"), Value::Many(vec![]))])),
        ("k", Value::Map(vec![(text("pk"), text("pv"))])),
        ("l", text("a < b & c")),
        ("m", Value::Many(vec![text("2")])),
    ];
    assert_eq!(properties(&bean), expected);
}

#[test]
fn inner_beans() {
    let facts = beans(
        "<bean id='a'><property name='x'><bean class='p.Inner'><property name='y'><list><bean class='p.Deep'/></list></property></bean></property>
        <constructor-arg><bean class='p.Other'/></constructor-arg></bean><bean id='z'/>",
    );
    let classes: Vec<_> = facts.beans.iter().map(|it| (it.name().or(it.class).map(Sym::as_str), it.outer)).collect();
    assert_eq!(classes, [(Some("a"), None), (Some("p.Inner"), Some(0)), (Some("p.Deep"), Some(1)), (Some("p.Other"), Some(0)), (Some("z"), None)]);
    assert_eq!(properties(&facts.beans[0]), [("x", Value::Inner(1))]);
    assert_eq!(properties(&facts.beans[1]), [("y", Value::Many(vec![Value::Inner(2)]))]);
    assert_eq!(facts.beans[0].constructor_args[0].value, Value::Inner(3));
    // In an element of another namespace it is a bean like others.
    let facts = beans("<mvc:interceptors><mvc:interceptor><mvc:mapping path='/**'/><bean class='p.Auth'/></mvc:interceptor></mvc:interceptors>");
    assert_eq!((facts.beans[0].class, facts.beans[0].outer), (sym("p.Auth"), None));
}

#[test]
fn constructor_arguments_and_methods() {
    let bean = one("<bean id='a'><constructor-arg index='1' type='int' value='5'/><constructor-arg name='dao' ref='d'/>
        <lookup-method name='next' bean='proto'/><lookup-method name='other'/><replaced-method name='run' replacer='r'/></bean>");
    let args: Vec<_> = bean.constructor_args.iter().map(|it| (it.index, it.name, it.ty, it.value.clone())).collect();
    assert_eq!(args, [(Some(1), None, sym("int"), text("5")), (None, sym("dao"), None, reference("d"))]);
    assert_eq!(bean.lookups.iter().map(|it| (it.method, it.bean)).collect::<Vec<_>>(), [(Sym::new("next"), sym("proto")), (Sym::new("other"), None)]);
    assert_eq!(bean.replaced, [(Sym::new("run"), Sym::new("r"))]);
}

#[test]
fn short_names() {
    let bean = one("<bean id='a' p:max-size='3' p:dao-ref='d' c:name='n' c:_0='zero' c:_1-ref='r' c:other-ref='o'/>");
    assert_eq!(properties(&bean), [("maxSize", text("3")), ("dao", reference("d"))]);
    let args: Vec<_> = bean.constructor_args.iter().map(|it| (it.index, it.name.map(Sym::as_str), it.value.clone())).collect();
    let expected = [(None, Some("name"), text("n")), (Some(0), None, text("zero")), (Some(1), None, reference("r")), (None, Some("other"), reference("o"))];
    assert_eq!(args, expected);
    // Another namespace under the same prefix.
    let facts = xml("<beans xmlns='http://www.springframework.org/schema/beans' xmlns:p='http://example.com/p'><bean id='a' p:x='1'/></beans>");
    assert_eq!(properties(&facts.beans[0]), []);
    // The same namespace under another prefix, declared behind its use.
    let facts = xml("<beans><bean id='a' q:x='1' xmlns:q='http://www.springframework.org/schema/p'/></beans>");
    assert_eq!(properties(&facts.beans[0]), [("x", text("1"))]);
    // No declaration at all.
    assert_eq!(properties(&xml("<beans><bean id='a' p:x='1'/></beans>").beans[0]), [("x", text("1"))]);
}

#[test]
fn defaults_and_profiles() {
    let facts = xml("<beans default-autowire='byType' default-lazy-init='true' default-init-method='init' default-destroy-method='close' profile='cloud'>
        <import resource='a.xml'/><bean id='a'/><bean id='b' autowire='no' lazy-init='false'/><bean id='c' autowire='default' lazy-init='default'/>
        <beans profile='dev, !test' default-init-method='go'><bean id='d'/></beans><bean id='e'/></beans>");
    let [a, b, c, d, e] = &facts.beans[..] else { panic!("five beans") };
    assert_eq!((a.autowire, a.lazy, a.default_init, a.default_destroy, a.init_method), (Autowire::ByType, true, sym("init"), sym("close"), None));
    assert_eq!((b.autowire, b.lazy), (Autowire::No, false));
    assert_eq!((c.autowire, c.lazy), (Autowire::ByType, true));
    assert_eq!((d.default_init, d.default_destroy), (sym("go"), sym("close")));
    assert_eq!((d.profiles.clone(), e.profiles.clone()), (syms(&["cloud", "dev, !test"]), syms(&["cloud"])));
    assert_eq!(facts.imports[0].profiles, syms(&["cloud"]));
}

#[test]
fn names_of_other_things() {
    let source = document(
        "<import resource='classpath*:spring/*.xml'/><alias name='a' alias='b'/><alias name='a'/>
        <context:property-placeholder location='classpath:a.properties, file:b.properties'/>",
    );
    let facts = xml(&source);
    assert_eq!(facts.imports[0].resource.as_str(), "classpath*:spring/*.xml");
    assert_eq!(at(&source, facts.imports[0].range), "classpath*:spring/*.xml");
    assert_eq!(facts.aliases, [(Sym::new("a"), Sym::new("b"))]);
    assert_eq!(facts.property_files.iter().map(|it| it.0.as_str()).collect::<Vec<_>>(), ["classpath:a.properties", "file:b.properties"]);
    assert!(!facts.annotation_config);
}

#[test]
fn component_scans() {
    let facts = beans(
        "<context:component-scan base-package='p.a, p.b;p.c\n p.d' use-default-filters='false'>
        <context:include-filter type='annotation' expression='p.Api'/><context:exclude-filter type='regex' expression='.*Test'/></context:component-scan>",
    );
    let scan = &facts.scans[0];
    assert_eq!((scan.kind, &scan.packages), (ScanKind::Component, &syms(&["p.a", "p.b", "p.c", "p.d"])));
    assert!(!scan.default_filters && facts.annotation_config);
    assert_eq!(scan.include, [ScanFilter { ty: Sym::new("annotation"), expression: Sym::new("p.Api") }]);
    assert_eq!(scan.exclude, [ScanFilter { ty: Sym::new("regex"), expression: Sym::new(".*Test") }]);
    let facts = beans("<context:component-scan base-package='p' annotation-config='false'/><context:component-scan/>");
    assert!(facts.scans.len() == 1 && facts.scans[0].default_filters && !facts.annotation_config);
    assert!(beans("<context:annotation-config/>").annotation_config);
}

#[test]
fn mapper_and_repository_scans() {
    let facts = beans(
        "<mybatis:scan base-package='p.dao' annotation='p.Dao' marker-interface='p.Mapper'/><jpa:repositories base-package='p.repo'/>
        <mongo:repositories base-package='p.mongo'/><mongo:mapping-converter base-package='p.no'/>",
    );
    let scans: Vec<_> = facts.mapper_scans.iter().map(|it| (it.module.as_str(), it.packages[0].as_str(), it.annotation, it.marker)).collect();
    assert_eq!(scans, [("mybatis", "p.dao", sym("p.Dao"), sym("p.Mapper")), ("jpa", "p.repo", None, None), ("mongo", "p.mongo", None, None)]);
}

#[test]
fn elements_that_are_beans() {
    let facts = beans(
        "<util:list id='l'><value>1</value><bean class='p.X'/></util:list><util:map id='m'><entry key='a' value='b'/></util:map>
        <util:properties id='p' location='classpath:x.properties'/><util:constant id='c' static-field='p.C.MAX'/>
        <task:executor id='e' pool-size='5'/><jee:jndi-lookup id='j' jndi-name='jdbc/ds' expected-type='javax.sql.DataSource'/>
        <lang:groovy id='g' script-source='a.groovy'><lang:property name='x' value='1'/></lang:groovy><tx:annotation-driven/>",
    );
    let short = |it: &BeanDef| (it.id.or(it.class).map_or("", Sym::as_str), it.class.map_or("", |it| it.as_str().rsplit('.').next().unwrap_or_default()));
    let expected = [
        ("l", "ListFactoryBean"),
        ("p.X", "X"),
        ("m", "MapFactoryBean"),
        ("p", "PropertiesFactoryBean"),
        ("c", "FieldRetrievingFactoryBean"),
        ("e", "ThreadPoolTaskExecutor"),
        ("j", "JndiObjectFactoryBean"),
        ("g", "GroovyScriptFactory"),
    ];
    assert_eq!(facts.beans.iter().map(short).collect::<Vec<_>>(), expected);
    assert_eq!(properties(&facts.beans[0]), [("sourceList", Value::Many(vec![text("1"), Value::Inner(1)]))]);
    assert_eq!(properties(&facts.beans[2]), [("sourceMap", Value::Map(vec![(text("a"), text("b"))]))]);
    assert_eq!(properties(&facts.beans[6]), [("jndiName", text("jdbc/ds")), ("expectedType", text("javax.sql.DataSource"))]);
    assert_eq!(properties(&facts.beans[7]), [("scriptSource", text("a.groovy")), ("x", text("1"))]);
}

#[test]
fn methods_that_frameworks_call() {
    let facts = beans("<task:scheduled-tasks><task:scheduled ref='job' method='run' cron='* * * * * *'/></task:scheduled-tasks>
        <aop:config><aop:pointcut id='pc' expression='x'/><aop:aspect id='as' ref='audit'><aop:before method='check' pointcut-ref='pc'/><aop:around method='time'/>
        <aop:after-throwing method='fail'/></aop:aspect><aop:advisor advice-ref='tx' pointcut-ref='pc'/></aop:config>
        <rabbit:listener-container><rabbit:listener ref='onOrder' method='handle'/><rabbit:listener ref='other'/></rabbit:listener-container>
        <jms:listener-container><jms:listener destination='q' ref='onJms' method='on'/></jms:listener-container>
        <int:service-activator ref='act' method='go'/>");
    assert_eq!(entries(&facts), ["job.run", "audit.check", "audit.time", "audit.fail", "onOrder.handle", "other.-", "onJms.on", "act.go"]);
    assert_eq!(facts.entries.iter().filter_map(|it| it.aop).collect::<Vec<_>>(), [Aop::Before, Aop::Around, Aop::After]);
    let facts = beans("<int:service-activator method='go'><bean class='p.X'/></int:service-activator>");
    assert_eq!((entries(&facts), facts.entries[0].inner), (vec!["-.go".to_owned()], Some(0)));
    // A reference without a method, a method without a bean, and what is Spring's own.
    let facts = beans(
        "<dubbo:service interface='p.X' ref='x'/><mvc:mapping method='GET'/><bean id='a'><lookup-method name='x' bean='y'/></bean>
        <aop:config><aop:aspect><aop:before method='check'/></aop:aspect></aop:config>",
    );
    assert_eq!(entries(&facts), [""; 0]);
}

#[test]
fn another_default_namespace() {
    let facts = xml("<b:beans xmlns:b='http://www.springframework.org/schema/beans' xmlns='http://www.springframework.org/schema/security'>
        <http><intercept-url pattern='/**' method='GET'/></http><b:bean id='a' class='p.A'><b:property name='x' value='1'/></b:bean><bean id='no'/></b:beans>");
    assert_eq!(facts.beans.len(), 1);
    assert_eq!(properties(&facts.beans[0]), [("x", text("1"))]);
}
