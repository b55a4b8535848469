//! References and services of frameworks that call other processes.

use super::{at, beans, document, sym, syms, xml};
use crate::wiring::{Framework, ScanKind, WiringFacts};

/// Framework, id, interface and bindings of each reference.
fn references(facts: &WiringFacts) -> Vec<(Framework, String)> {
    let line = |it: &crate::wiring::Reference| {
        let bindings: Vec<_> = it.bindings.iter().map(|it| it.as_str()).collect();
        format!("{} {} [{}]", it.id.map_or("-", |it| it.as_str()), it.interface.map_or("-", |it| it.as_str()), bindings.join(" "))
    };
    facts.references.iter().map(|it| (it.framework, line(it))).collect()
}

const URIS: [&str; 5] = [
    "http://sofastack.io/schema/sofaboot",
    "http://schema.alipay.com/sofa/schema/slite",
    "http://schema.alipay.com/sofa/schema/service",
    "http://img.alipay.net/dtd/schema/service",
    "http://example.com/what-a-company-calls-it",
];

#[test]
fn sofa_references() {
    for uri in URIS {
        let facts = xml(&format!(
            "<beans xmlns='http://www.springframework.org/schema/beans' xmlns:sofa='{uri}'>
            <sofa:reference id='a' interface='p.A'/>
            <sofa:reference id='b' interface='p.B' unique-id='u' jvm-first='false'><sofa:binding.bolt><sofa:global-attrs timeout='1' mock-mode='local' mock-bean='m'/>
            <sofa:method name='x' type='sync'/></sofa:binding.bolt><sofa:binding.rest/></sofa:reference>
            <sofa:reference id='c' interface='p.C' uniqueId='v'><sofa:binding.tr><sofa:vip url='x'/></sofa:binding.tr></sofa:reference>
            <sofa:reference id='d' interface='p.D'><sofa:binding.jvm/></sofa:reference></beans>"
        ));
        let sofa = |it: &str| (Framework::Sofa, it.to_owned());
        assert_eq!(references(&facts), [sofa("a p.A []"), sofa("b p.B [bolt rest]"), sofa("c p.C [tr]"), sofa("d p.D [jvm]")], "{uri}");
        assert_eq!(facts.references.iter().map(|it| it.unique_id).collect::<Vec<_>>(), [None, sym("u"), sym("v"), None]);
        assert_eq!((facts.references[1].jvm_first, facts.references[0].jvm_first, facts.references[1].mock), (Some(false), None, sym("m")));
        assert!(facts.beans.is_empty());
    }
    // Without any declaration, and under a prefix of its own with one.
    assert_eq!(xml("<beans><sofa:reference id='a' interface='p.A'/></beans>").references.len(), 1);
    assert_eq!(xml("<beans xmlns:s='http://sofastack.io/schema/sofaboot'><s:reference id='a' interface='p.A'/></beans>").references.len(), 1);
    assert_eq!(xml("<beans xmlns:s='http://example.com/s'><s:reference id='a' interface='p.A'/></beans>").references.len(), 0);
    assert_eq!(xml("<beans><reference id='a' interface='p.A'/></beans>").references.len(), 0);
}

#[test]
fn sofa_services() {
    let source = document(
        "<sofa:service ref='impl' interface='p.A' unique-id='u'><sofa:binding.bolt/></sofa:service>
        <sofa:service ref='old'><sofa:interface name='p.B'/></sofa:service><sofa:service ref='older'><sofa:interface> p.C </sofa:interface></sofa:service>
        <sofa:consumer id='c' group='g'><sofa:listener ref='onEvent'/></sofa:consumer>",
    );
    let facts = xml(&source);
    let services: Vec<_> = facts.services.iter().map(|it| (it.target, it.interface, it.unique_id, it.bindings.len())).collect();
    assert_eq!(services, [(sym("impl"), sym("p.A"), sym("u"), 1), (sym("old"), sym("p.B"), None, 0), (sym("older"), sym("p.C"), None, 0)]);
    assert_eq!(at(&source, facts.services[0].range), "<sofa:service ref='impl' interface='p.A' unique-id='u'>");
    assert_eq!((facts.entries[0].bean, facts.entries[0].method), (sym("onEvent"), None));
}

#[test]
fn dubbo() {
    for uri in ["http://dubbo.apache.org/schema/dubbo", "http://code.alibabatech.com/schema/dubbo"] {
        let facts = xml(&format!(
            "<beans xmlns='http://www.springframework.org/schema/beans' xmlns:d='{uri}'>
            <d:reference id='a' interface='p.A' version='1.0' group='g' mock='return null' injvm='true'/>
            <d:reference id='b' interface='p.B' protocol='REST, tri' generic='true' url='dubbo://h:1' mock='false' scope='local'>
            <d:method name='get' onreturn='notify.done' onthrow='notify.failed' oninvoke='x'/></d:reference>
            <d:consumer group='all' mock='p.M'><d:reference id='c' interface='p.C'/></d:consumer>
            <d:service interface='p.A' ref='impl' version='2'/><d:service interface='p.B' class='p.BImpl'><property name='dao' ref='d'/></d:service>
            <d:annotation package='p.x,p.y'/><d:registry address='zk'/></beans>"
        ));
        let dubbo = |it: &str| (Framework::Dubbo, it.to_owned());
        assert_eq!(references(&facts), [dubbo("a p.A [dubbo]"), dubbo("b p.B [rest tri]"), dubbo("c p.C [dubbo]")], "{uri}");
        let [a, b, c] = &facts.references[..] else { panic!("three references") };
        assert_eq!((a.version, a.group, a.mock, a.jvm_first, a.generic), (sym("1.0"), sym("g"), sym("return null"), Some(true), false));
        assert_eq!((b.url, b.mock, b.jvm_first, b.generic), (sym("dubbo://h:1"), None, Some(true), true));
        assert_eq!((c.group, c.mock, c.jvm_first), (sym("all"), sym("p.M"), None));
        assert_eq!((facts.services[0].target, facts.services[0].inner), (sym("impl"), None));
        assert_eq!((facts.services[1].class, facts.services[1].inner), (sym("p.BImpl"), Some(0)));
        assert_eq!((facts.beans[0].class, facts.beans[0].properties[0].name.as_str()), (sym("p.BImpl"), "dao"));
        assert_eq!((facts.scans[0].kind, &facts.scans[0].packages), (ScanKind::Dubbo, &syms(&["p.x", "p.y"])));
        let entries: Vec<_> = facts.entries.iter().map(|it| (it.bean, it.method)).collect();
        assert_eq!(entries, [(sym("notify"), sym("done")), (sym("notify"), sym("failed"))]);
    }
}

#[test]
fn hsf_and_motan() {
    let facts = beans(
        "<hsf:consumer id='a' interface='p.A' version='1.0.0' group='HSF'/><hsf:provider id='b' interface='p.B' ref='impl' version='1'/>
        <motan:referer id='c' interface='p.C'/><motan:service interface='p.D' ref='d'/><hsf:other id='x' interface='p.X'/>
        <bean id='e' class='com.taobao.hsf.app.spring.util.HSFSpringConsumerBean'><property name='interfaceName' value='p.E'/></bean>",
    );
    assert_eq!(references(&facts), [(Framework::Hsf, "a p.A [hsf]".to_owned()), (Framework::Motan, "c p.C [motan]".to_owned())]);
    assert_eq!((facts.references[0].version, facts.references[0].group), (sym("1.0.0"), sym("HSF")));
    let services: Vec<_> = facts.services.iter().map(|it| (it.framework, it.interface, it.target)).collect();
    assert_eq!(services, [(Framework::Hsf, sym("p.B"), sym("impl")), (Framework::Motan, sym("p.D"), sym("d"))]);
    assert_eq!(facts.beans.len(), 1);
}

#[test]
fn cxf() {
    let facts = beans("<jaxws:client id='a' serviceClass='p.A' address='http://h/a'/><jaxrs:client id='b' serviceClass='p.B'/>
        <jaxws:endpoint implementor='#impl'/><jaxws:endpoint implementor='p.Impl'/><jaxws:endpoint><jaxws:implementor><bean class='p.I'/></jaxws:implementor></jaxws:endpoint>
        <jaxrs:server><jaxrs:serviceBeans><ref bean='r1'/><bean class='p.R'/></jaxrs:serviceBeans><jaxrs:providers><ref bean='no'/></jaxrs:providers></jaxrs:server>");
    assert_eq!(references(&facts), [(Framework::Cxf, "a p.A [ws]".to_owned()), (Framework::Cxf, "b p.B [rest]".to_owned())]);
    let services: Vec<_> = facts.services.iter().map(|it| (it.target, it.class, it.inner)).collect();
    let expected = [(sym("impl"), None, None), (None, sym("p.Impl"), None), (None, None, Some(0)), (sym("r1"), None, None), (None, None, Some(1))];
    assert_eq!(services, expected);
}
