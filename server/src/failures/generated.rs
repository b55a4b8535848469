//! Names of classes and methods that compilers and libraries make, and what they were made of.

/// What follows the name of the class that a proxy was made of.
const MADE_OF: [&str; 8] = ["$$EnhancerBy", "$$SpringCGLIB$$", "$$FastClassBy", "$EnhancerBy", "$ByteBuddy$", "$HibernateProxy$", "$MockitoMock$", "_$$_"];
/// Classes that only pass a call on.
const PASSED_ON: [&str; 3] = ["$$FastClassBy", "$$Lambda", "$$SpringCGLIB$$FastClass$$"];

/// The class and method of the source that a running method was made of. No class: generated code without a source of its
/// own, such as a proxy of an interface. No method: some method of the class, which only the line can tell.
pub fn original(class: &str, method: &str) -> (Option<String>, Option<String>) {
    let simple = class.rsplit('.').next().unwrap_or(class);
    let is_proxy = simple.strip_prefix("$Proxy").is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()));
    if is_proxy || PASSED_ON.iter().any(|it| class.contains(it)) {
        return (None, None);
    }
    let end = MADE_OF.iter().filter_map(|it| class.find(it)).min().unwrap_or(class.len());
    (Some(class[..end].to_owned()), method_of(method))
}

fn method_of(method: &str) -> Option<String> {
    if let Some(rest) = method.strip_prefix("lambda$") {
        // `lambda$place$3`; in older compilers a lambda in a lambda is `lambda$null$4`, and others write `lambda$5`.
        let name = rest.rsplit_once('$')?.0;
        return match name {
            "null" => None,
            "new" => Some("<init>".to_owned()),
            "static" => Some("<clinit>".to_owned()),
            name => Some(name.to_owned()),
        };
    }
    if let Some(rest) = method.strip_prefix("CGLIB$") {
        return rest.rsplit_once('$').map(|it| it.0.to_owned());
    }
    // `access$000`: what a class lets the classes in it do.
    if method.strip_prefix("access$").is_some_and(|it| it.bytes().all(|it| it.is_ascii_digit())) {
        return None;
    }
    Some(method.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(class: &str, method: &str) -> (String, String) {
        let (class, method) = original(class, method);
        (class.unwrap_or_default(), method.unwrap_or_default())
    }

    #[test]
    fn what_is_made_is_led_back_to_its_source() {
        let of = |class: &str, method: &str, expected: (&str, &str)| {
            assert_eq!(both(class, method), (expected.0.to_owned(), expected.1.to_owned()), "{class} {method}");
        };
        of("p.Orders", "place", ("p.Orders", "place"));
        of("p.Outer$Inner", "<init>", ("p.Outer$Inner", "<init>"));
        of("p.Orders$$EnhancerBySpringCGLIB$$6ab3f", "place", ("p.Orders", "place"));
        of("p.Orders$$SpringCGLIB$$0", "CGLIB$place$2", ("p.Orders", "place"));
        of("p.Orders$MockitoMock$1234", "place", ("p.Orders", "place"));
        of("p.Orders_$$_jvst1f_0", "place", ("p.Orders", "place"));
        of("p.Orders", "lambda$place$0", ("p.Orders", "place"));
        of("p.Orders", "lambda$new$1", ("p.Orders", "<init>"));
        of("p.Orders", "lambda$static$1", ("p.Orders", "<clinit>"));
        of("p.Orders", "lambda$null$4", ("p.Orders", ""));
        of("p.Orders", "lambda$5", ("p.Orders", ""));
        of("p.Orders", "access$100", ("p.Orders", ""));
        of("com.sun.proxy.$Proxy12", "rate", ("", ""));
        of("jdk.proxy2.$Proxy34", "rate", ("", ""));
        of("p.Orders$$FastClassBySpringCGLIB$$1", "invoke", ("", ""));
        of("p.Orders$$Lambda$14", "run", ("", ""));
        // Near misses: names that people may choose.
        of("p.$ProxyFactory", "make", ("p.$ProxyFactory", "make"));
        of("p.Door", "access$it", ("p.Door", "access$it"));
    }
}
