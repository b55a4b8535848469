//! Every form, each with something close to it that must not count.

mod broken;
mod mappers;
mod rpc;
mod spring;

use super::{Value, WiringFacts, read};
use crate::intern::Sym;
use crate::java::decls::Range;
use std::path::Path;

/// The facts of an XML file.
fn xml(text: &str) -> WiringFacts {
    read(Path::new("x.xml"), text.as_bytes().to_vec()).expect("a file of ours").0
}

/// The facts of elements in `<beans>` with the usual namespaces, which must not be broken.
fn beans(elements: &str) -> WiringFacts {
    let facts = xml(&document(elements));
    assert_eq!(facts.problems, []);
    facts
}

fn document(elements: &str) -> String {
    let spring = "http://www.springframework.org/schema";
    let mut res = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<beans xmlns=\"{spring}/beans\" xmlns:mongo=\"{spring}/data/mongo\"");
    for name in ["context", "util", "p", "c", "aop", "tx", "task", "lang", "jee", "mvc", "rabbit", "jms"] {
        res += &format!(" xmlns:{name}=\"{spring}/{name}\"");
    }
    res += " xmlns:jpa=\"http://www.springframework.org/schema/data/jpa\" xmlns:mybatis=\"http://mybatis.org/schema/mybatis-spring\"";
    res += " xmlns:sofa=\"http://sofastack.io/schema/sofaboot\" xmlns:dubbo=\"http://dubbo.apache.org/schema/dubbo\"";
    res += " xmlns:hsf=\"http://www.taobao.com/hsf\" xmlns:int=\"http://www.springframework.org/schema/integration\"";
    res += " xmlns:jaxws=\"http://cxf.apache.org/jaxws\" xmlns:jaxrs=\"http://cxf.apache.org/jaxrs\">\n";
    res + elements + "\n</beans>\n"
}

fn sym(text: &str) -> Option<Sym> {
    Some(Sym::new(text))
}

fn syms(texts: &[&str]) -> Vec<Sym> {
    texts.iter().map(|it| Sym::new(it)).collect()
}

fn text(text: &str) -> Value {
    Value::Text(Sym::new(text))
}

fn reference(bean: &str) -> Value {
    Value::Ref(Sym::new(bean))
}

fn at(text: &str, range: Range) -> &str {
    &text[range.start as usize..range.end as usize]
}
