//! Namespaces that wire things together, by their URI or by the prefix that everyone gives them.

/// A namespace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ns {
    /// Spring's own elements; elements without any namespace are these too, as in the time of DTDs.
    Beans,
    Context,
    Util,
    /// Properties as attributes.
    P,
    /// Constructor arguments as attributes.
    C,
    Aop,
    Tx,
    Task,
    Lang,
    Jee,
    Jdbc,
    Rabbit,
    Jms,
    /// Listener containers of Spring Data Redis.
    RedisListener,
    MyBatis,
    /// Spring Data, with its module.
    Data(&'static str),
    Sofa,
    Dubbo,
    Hsf,
    Motan,
    JaxWs,
    JaxRs,
    Other,
}

/// URI, usual prefix, namespace.
const TABLE: &[(&str, &str, Ns)] = &[
    ("http://www.springframework.org/schema/beans", "beans", Ns::Beans),
    ("http://www.springframework.org/schema/context", "context", Ns::Context),
    ("http://www.springframework.org/schema/util", "util", Ns::Util),
    ("http://www.springframework.org/schema/p", "p", Ns::P),
    ("http://www.springframework.org/schema/c", "c", Ns::C),
    ("http://www.springframework.org/schema/aop", "aop", Ns::Aop),
    ("http://www.springframework.org/schema/tx", "tx", Ns::Tx),
    ("http://www.springframework.org/schema/task", "task", Ns::Task),
    ("http://www.springframework.org/schema/lang", "lang", Ns::Lang),
    ("http://www.springframework.org/schema/jee", "jee", Ns::Jee),
    ("http://www.springframework.org/schema/jdbc", "jdbc", Ns::Jdbc),
    ("http://www.springframework.org/schema/rabbit", "rabbit", Ns::Rabbit),
    ("http://www.springframework.org/schema/jms", "jms", Ns::Jms),
    ("http://www.springframework.org/schema/redis", "redis", Ns::RedisListener),
    ("http://mybatis.org/schema/mybatis-spring", "mybatis", Ns::MyBatis),
    ("http://www.springframework.org/schema/data/jpa", "jpa", Ns::Data("jpa")),
    ("http://www.springframework.org/schema/data/mongo", "mongo", Ns::Data("mongo")),
    ("http://www.springframework.org/schema/data/redis", "", Ns::Data("redis")),
    ("http://www.springframework.org/schema/data/cassandra", "cassandra", Ns::Data("cassandra")),
    ("http://www.springframework.org/schema/data/elasticsearch", "elasticsearch", Ns::Data("elasticsearch")),
    ("http://www.springframework.org/schema/data/solr", "solr", Ns::Data("solr")),
    ("http://www.springframework.org/schema/data/neo4j", "neo4j", Ns::Data("neo4j")),
    ("http://www.springframework.org/schema/data/couchbase", "couchbase", Ns::Data("couchbase")),
    ("http://www.springframework.org/schema/data/jdbc", "", Ns::Data("jdbc")),
    // Open source, then three of Alipay's, the newest first.
    ("http://sofastack.io/schema/sofaboot", "sofa", Ns::Sofa),
    ("http://schema.alipay.com/sofa/schema/slite", "sofa", Ns::Sofa),
    ("http://schema.alipay.com/sofa/schema/service", "sofa", Ns::Sofa),
    ("http://img.alipay.net/dtd/schema/service", "sofa", Ns::Sofa),
    ("http://dubbo.apache.org/schema/dubbo", "dubbo", Ns::Dubbo),
    ("http://code.alibabatech.com/schema/dubbo", "dubbo", Ns::Dubbo),
    ("http://www.taobao.com/hsf", "hsf", Ns::Hsf),
    ("http://api.weibo.com/schema/motan", "motan", Ns::Motan),
    ("http://cxf.apache.org/jaxws", "jaxws", Ns::JaxWs),
    ("http://cxf.apache.org/jaxrs", "jaxrs", Ns::JaxRs),
    ("http://cxf.apache.org/jaxrs-client", "jaxrs-client", Ns::JaxRs),
];

/// The namespace of a URI that is bound to `prefix`, which is empty for the default one.
pub(super) fn of_uri(uri: &str, prefix: &str) -> Ns {
    let uri = uri.trim();
    let uri = uri.strip_suffix('/').unwrap_or(uri);
    match TABLE.iter().find(|it| it.0 == uri) {
        Some(it) => it.2,
        // Companies have URIs of their own for what they call `sofa` and the like. `p` may be anything.
        None => Some(of_prefix(prefix)).filter(|it| matches!(it, Ns::Sofa | Ns::Dubbo | Ns::Hsf | Ns::Motan)).unwrap_or(Ns::Other),
    }
}

/// The namespace that a prefix means if nothing is said about it.
pub(super) fn of_prefix(prefix: &str) -> Ns {
    match prefix {
        "" => Ns::Beans,
        prefix => TABLE.iter().find(|it| it.1 == prefix).map_or(Ns::Other, |it| it.2),
    }
}

#[cfg(test)]
mod tests {
    use super::{Ns, of_prefix, of_uri};

    #[test]
    fn uris_and_prefixes() {
        assert_eq!(of_uri("http://www.springframework.org/schema/p", "prop"), Ns::P);
        assert_eq!(of_uri(" http://www.springframework.org/schema/beans/ ", ""), Ns::Beans);
        assert_eq!(of_uri("http://example.com/person", "p"), Ns::Other);
        assert_eq!(of_uri("http://example.com/rpc", "sofa"), Ns::Sofa);
        assert_eq!(of_uri("http://example.com/rpc", "rpc"), Ns::Other);
        assert_eq!(of_prefix("dubbo"), Ns::Dubbo);
        assert_eq!(of_prefix("xsi"), Ns::Other);
        assert_eq!(of_prefix(""), Ns::Beans);
    }
}
