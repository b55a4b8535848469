//! What a viewer shows of each code.

use crate::codes;
use serde_json::{Value, json};

/// A code as a viewer shows it.
struct Rule {
    code: &'static str,
    name: &'static str,
    short: &'static str,
    why: &'static str,
    mend: &'static str,
}

const RULES: [Rule; 7] = [
    Rule {
        code: codes::MOCKING_POINT,
        name: "MockingPoint",
        short: "A method whose result depends on more than its parameters.",
        why: "Called again with the same arguments it may do something else: a replay takes another branch, and a test that passes today fails tomorrow.",
        mend: "Nothing may be wrong. Record and answer the call in replay, and mock it in tests. To do without, pass the state in: a clock, a seeded \
               generator or the value itself.",
    },
    Rule {
        code: codes::LOST_SIDE_EFFECT,
        name: "LostSideEffect",
        short: "A mocking point that writes to objects of its caller.",
        why: "In replay the call is answered from the record, so the method does not run and the write does not happen.",
        mend: "Extract what reads the state into a method of its own. That one becomes the mocking point, and the write is done in replay too.",
    },
    Rule {
        code: codes::MODIFIED_FIELD,
        name: "ModifiedField",
        short: "A static field, or a field of a shared object, that is modified while the service runs.",
        why: "Whoever reads it depends on what happened before. Replay starts with another value than production had, and tests depend on their order.",
        mend: "Methods that read it are mocking points: treat them so, or move the state out of the field. If it should never change, take away what \
               changes it.",
    },
    Rule {
        code: codes::NEVER_MODIFIED_FIELD,
        name: "NeverModifiedField",
        short: "A field that looks like state and is none.",
        why: "Nobody has to record or reset it.",
        mend: "Make it final where that compiles, and remove a modifier that nothing calls.",
    },
    Rule {
        code: codes::UNMOCKABLE_SOURCE,
        name: "UnmockableSource",
        short: "A read of state in a constructor, an initialiser or `main`.",
        why: "Nobody can answer it from the record there, and a test cannot mock it: only who makes the object, or reads the field that keeps the value.",
        mend: "Pass the value in, or extract the read into a method of its own. Where it is read once at the start and kept, nothing may be wrong.",
    },
    Rule {
        code: codes::CARRIER_FIELD,
        name: "CarrierField",
        short: "A field that carries state which was written to it.",
        why: "Whoever reads the field reads that state, so a method that returns it or branches on it is a mocking point.",
        mend: "Nothing may be wrong. Pass the value in where the field is written, or leave the field out of what is compared. Only editors show it.",
    },
    Rule {
        code: codes::UNRESOLVED_CONFIGURATION,
        name: "UnresolvedConfiguration",
        short: "Something in `mockpoint.toml` or `lombok.config` that means nothing.",
        why: "It is passed over, so the findings are not what the file asks for. In this report it is a notification of the run.",
        mend: "Write the key, the value or the name as it is meant, or take it out.",
    },
];

/// Our tool with its rules.
pub(super) fn driver() -> Value {
    let rules: Vec<Value> = RULES.iter().map(rule).collect();
    let mut res = json!({ "name": env!("CARGO_PKG_NAME"), "semanticVersion": env!("CARGO_PKG_VERSION"), "rules": rules });
    let repository = env!("CARGO_PKG_REPOSITORY");
    if !repository.is_empty() {
        res["informationUri"] = json!(repository);
    }
    res
}

fn rule(it: &Rule) -> Value {
    let text = format!("{}\n\nWhy it matters: {}\n\nHow to mend it: {}", it.short, it.why, it.mend);
    let markdown = format!("{}\n\n**Why it matters.** {}\n\n**How to mend it.** {}", it.short, it.why, it.mend);
    let mut res = json!({
        "id": it.code,
        "name": it.name,
        "shortDescription": { "text": it.short },
        "fullDescription": { "text": format!("{} {}", it.short, it.why) },
        "help": { "text": text, "markdown": markdown },
        "defaultConfiguration": { "level": level(it.code) },
    });
    if let Some(page) = codes::documentation(it.code) {
        res["helpUri"] = json!(page);
    }
    res
}

/// The place of a code among the rules.
pub(super) fn index(code: &str) -> usize {
    RULES.iter().position(|it| it.code == code).unwrap_or_default()
}

/// How serious a code is unless the project says otherwise.
pub(super) fn level(code: &str) -> &'static str {
    match code {
        codes::LOST_SIDE_EFFECT | codes::UNRESOLVED_CONFIGURATION => "warning",
        codes::NEVER_MODIFIED_FIELD => "none",
        _ => "note",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_a_rule() {
        for code in codes::ALL {
            assert_eq!(RULES[index(code)].code, code);
        }
    }
}
