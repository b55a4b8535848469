//! Elements of other namespaces that stand for a bean, and the class of that bean.

use crate::intern::Sym;
use crate::wiring::namespaces::Ns;
use crate::wiring::xml::{Element, Tree, cut};
use crate::wiring::{Property, Value};

/// Namespace, element, class of the bean that Spring makes of it.
const CLASSES: &[(Ns, &str, &str)] = &[
    (Ns::Util, "list", "org.springframework.beans.factory.config.ListFactoryBean"),
    (Ns::Util, "set", "org.springframework.beans.factory.config.SetFactoryBean"),
    (Ns::Util, "map", "org.springframework.beans.factory.config.MapFactoryBean"),
    (Ns::Util, "properties", "org.springframework.beans.factory.config.PropertiesFactoryBean"),
    (Ns::Util, "constant", "org.springframework.beans.factory.config.FieldRetrievingFactoryBean"),
    (Ns::Util, "property-path", "org.springframework.beans.factory.config.PropertyPathFactoryBean"),
    (Ns::Lang, "groovy", "org.springframework.scripting.groovy.GroovyScriptFactory"),
    (Ns::Lang, "bsh", "org.springframework.scripting.bsh.BshScriptFactory"),
    (Ns::Lang, "std", "org.springframework.scripting.support.StandardScriptFactory"),
    (Ns::Task, "executor", "org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor"),
    (Ns::Task, "scheduler", "org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler"),
    (Ns::Tx, "advice", "org.springframework.transaction.interceptor.TransactionInterceptor"),
    (Ns::Jee, "jndi-lookup", "org.springframework.jndi.JndiObjectFactoryBean"),
    (Ns::Jee, "local-slsb", "org.springframework.ejb.access.LocalStatelessSessionProxyFactoryBean"),
    (Ns::Jee, "remote-slsb", "org.springframework.ejb.access.SimpleRemoteStatelessSessionProxyFactoryBean"),
    (Ns::Jdbc, "embedded-database", "org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseFactoryBean"),
    (Ns::Rabbit, "template", "org.springframework.amqp.rabbit.core.RabbitTemplate"),
    (Ns::Rabbit, "admin", "org.springframework.amqp.rabbit.core.RabbitAdmin"),
    (Ns::Rabbit, "connection-factory", "org.springframework.amqp.rabbit.connection.CachingConnectionFactory"),
    (Ns::Data("mongo"), "template", "org.springframework.data.mongodb.core.MongoTemplate"),
    (Ns::Data("mongo"), "mongo-client", "org.springframework.data.mongodb.core.MongoClientFactoryBean"),
    (Ns::Data("mongo"), "db-factory", "org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory"),
    (Ns::Data("cassandra"), "template", "org.springframework.data.cassandra.core.CassandraTemplate"),
];

/// The class of the bean that an element stands for, unless it is a plain `<bean>` or none.
pub(super) fn class<'a>(tree: &'a Tree<'_>, element: usize) -> Option<&'a str> {
    let it = &tree.elements[element];
    match (it.ns, it.local) {
        // Dubbo's shorthand for a service with a bean of this class.
        (Ns::Dubbo, "service") => tree.get(element, "class"),
        _ => CLASSES.iter().find(|row| row.0 == it.ns && row.1 == it.local).map(|row| row.2),
    }
}

/// Whether an element is the collection that it stands for, if it is a value.
pub(super) fn is_collection(element: &Element<'_>) -> bool {
    element.ns == Ns::Util && matches!(element.local, "list" | "set" | "map" | "properties")
}

/// The attributes of such an element as properties: `expected-type` is `expectedType`, `factory-ref` refers to a bean.
pub(super) fn properties(tree: &Tree<'_>, element: usize) -> Vec<Property> {
    let it = &tree.elements[element];
    if it.ns == Ns::Dubbo {
        return Vec::new();
    }
    let own = tree.attributes(element).iter().filter(|it| it.ns == Ns::Beans && !is_of_beans(it.local));
    let property = own.map(|it| {
        let (name, value) = match it.local.strip_suffix("-ref") {
            Some(name) => (name, Value::Ref(Sym::new(it.value.trim()))),
            None => (it.local, Value::Text(Sym::new(cut(&it.value)))),
        };
        Property { name: Sym::new(&camel(name)), value, range: it.range }
    });
    property.collect()
}

/// Attributes that are the same on all elements for beans, and no properties.
fn is_of_beans(local: &str) -> bool {
    matches!(local, "id" | "name" | "scope" | "lazy-init" | "depends-on" | "init-method" | "destroy-method" | "autowire" | "autowire-candidate" | "primary")
}

/// `some-name` as `someName`.
pub(super) fn camel(name: &str) -> String {
    let mut res = String::with_capacity(name.len());
    let mut upper = false;
    for c in name.chars() {
        match c {
            '-' => upper = true,
            _ if upper => {
                res.extend(c.to_uppercase());
                upper = false;
            }
            _ => res.push(c),
        }
    }
    res
}
