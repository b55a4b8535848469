//! Java that is printed: packages, names of types as code spells them, values to answer with.

/// The package of a class by its binary name.
pub fn package(binary: &str) -> &str {
    binary.rsplit_once('.').map_or("", |it| it.0)
}

/// Its name without the package, nested ones joined by `_`: a part of a name of a class.
pub fn flat(binary: &str) -> String {
    binary.rsplit('.').next().unwrap_or(binary).replace('$', "_")
}

/// The first lines of a file: what made it, and its package.
pub fn head(binary: &str, what: &str) -> String {
    let package = package(binary);
    let package = if package.is_empty() { String::new() } else { format!("package {package};\n\n") };
    format!("// Made by mockpoint export: {what}\n{package}")
}

/// The path of a test class beside a class.
pub fn path(binary: &str, name: &str) -> String {
    let folder = package(binary).replace('.', "/");
    if folder.is_empty() { format!("{name}.java") } else { format!("{folder}/{name}.java") }
}

/// What a method of this type gives before anyone says otherwise.
pub fn nothing(ty: &str) -> &'static str {
    match ty {
        "boolean" => "false",
        "char" => "'\\0'",
        "byte" => "(byte) 0",
        "short" => "(short) 0",
        "int" => "0",
        "long" => "0L",
        "float" => "0f",
        "double" => "0d",
        _ => "null",
    }
}

/// A name for a variable of a type: its simple name with a small letter, and `$` and a keyword avoided.
pub fn variable(ty: &str) -> String {
    let simple = ty.rsplit(['.', '$']).next().unwrap_or(ty);
    // A name in capitals (UUID, URL) becomes small as a whole.
    if simple.chars().all(|it| !it.is_lowercase()) {
        return format!("{}Mock", simple.to_lowercase());
    }
    let mut chars = simple.chars();
    let first: String = chars.next().into_iter().flat_map(char::to_lowercase).collect();
    format!("{first}{}Mock", chars.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!((package("a.b.C$D"), package("C")), ("a.b", ""));
        assert_eq!(flat("a.b.C$D"), "C_D");
        assert_eq!(
            (variable("java.util.UUID"), variable("a.OrderMapper"), variable("a.C$Part")),
            ("uuidMock".into(), "orderMapperMock".into(), "partMock".into())
        );
        assert_eq!((path("a.b.C", "CTest"), path("C", "CTest")), ("a/b/CTest.java".into(), "CTest.java".into()));
    }
}
