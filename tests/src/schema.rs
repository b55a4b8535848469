//! Checks a JSON value against a schema, as far as generated schemas need it, and stricter: keys that the schema does
//! not name are errors, since a report must print nothing that is not described.

use serde_json::Value;

/// What is wrong with `value`, one message an error.
pub fn errors(schema: &Value, value: &Value) -> Vec<String> {
    let mut res = Vec::new();
    check(schema, schema, value, "$", &mut res);
    res
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str, res: &mut Vec<String>) {
    if let Some(target) = schema["$ref"].as_str() {
        let target = root.pointer(target.trim_start_matches('#')).unwrap_or_else(|| panic!("{target} is not in the schema"));
        check(root, target, value, at, res);
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[key].as_array() {
            let fits = |it: &Value| {
                let mut errors = Vec::new();
                check(root, it, value, at, &mut errors);
                errors.is_empty()
            };
            if !choices.iter().any(fits) {
                res.push(format!("{at}: {value} is none of the choices"));
            }
        }
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|it| has_type(value, it)) {
        res.push(format!("{at}: {value} is not of type {types:?}"));
    }
    if schema.get("const").is_some_and(|it| it != value) {
        res.push(format!("{at}: {value} is not {}", schema["const"]));
    }
    if schema["enum"].as_array().is_some_and(|it| !it.contains(value)) {
        res.push(format!("{at}: {value} is not one of {}", schema["enum"]));
    }
    if let (Some(min), Some(number)) = (schema["minimum"].as_i64(), value.as_i64())
        && number < min
    {
        res.push(format!("{at}: {number} is less than {min}"));
    }
    match value {
        Value::Array(items) if schema.get("items").is_some() => {
            for (idx, item) in items.iter().enumerate() {
                check(root, &schema["items"], item, &format!("{at}[{idx}]"), res);
            }
        }
        Value::Object(object) if schema["properties"].is_object() => {
            for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                if !object.contains_key(key) {
                    res.push(format!("{at}: {key} is missing"));
                }
            }
            for (key, value) in object {
                match schema["properties"].get(key) {
                    Some(inner) => check(root, inner, value, &format!("{at}.{key}"), res),
                    None => res.push(format!("{at}: {key} is not in the schema")),
                }
            }
        }
        _ => {}
    }
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other} is no type"),
    }
}

#[cfg(test)]
mod tests {
    use super::errors;
    use serde_json::json;

    #[test]
    fn finds_what_is_wrong() {
        let schema = json!({
            "type": "object",
            "properties": { "a": { "$ref": "#/$defs/A" }, "b": { "type": "array", "items": { "type": "string" } } },
            "required": ["a"],
            "$defs": { "A": { "anyOf": [{ "type": "null" }, { "type": "integer", "minimum": 1 }] } }
        });
        assert!(errors(&schema, &json!({ "a": 1, "b": ["x"] })).is_empty());
        assert!(errors(&schema, &json!({ "a": null })).is_empty());
        assert_eq!(errors(&schema, &json!({ "b": [] })), ["$: a is missing"]);
        assert_eq!(errors(&schema, &json!({ "a": 0 })), ["$.a: 0 is none of the choices"]);
        assert_eq!(errors(&schema, &json!({ "a": 1, "b": [2], "c": 3 })), ["$.b[0]: 2 is not of type [\"string\"]", "$: c is not in the schema"]);
    }
}
