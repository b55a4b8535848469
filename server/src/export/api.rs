//! The interface of AREX by which a list is read and replaced. Nothing else in mockpoint speaks to anyone.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// An answer that takes longer does not come.
const PATIENCE: Duration = Duration::from_secs(30);

/// A dynamic class as AREX has it: what nobody filled in is null or missing.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
struct Stored {
    full_class_name: Option<String>,
    method_name: Option<String>,
    parameter_types: Option<String>,
    key_formula: Option<String>,
}

/// The list of an application in AREX.
pub struct List {
    /// `http://host:port/api/config/dynamicClass`.
    base: String,
    app: String,
    agent: ureq::Agent,
}

impl List {
    /// The list of an application behind `url`: a host with its port, or with a path in place of `/api`. An error says
    /// what is wrong with it.
    pub fn new(url: &str, app: &str) -> Result<List, String> {
        List::with_patience(url, app, PATIENCE)
    }

    fn with_patience(url: &str, app: &str, patience: Duration) -> Result<List, String> {
        let url = url.trim_end_matches('/');
        let Some(host) = url.strip_prefix("http://") else {
            return Err(format!("{url} does not begin with http://; for https, post the list with another program"));
        };
        let path = if host.contains('/') { "" } else { "/api" };
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(patience))
            // Where a redirect leads, a login mostly, is not where the list should go.
            .max_redirects(0)
            .http_status_as_error(false)
            .build();
        Ok(List { base: format!("{url}{path}/config/dynamicClass"), app: encoded(app), agent: config.into() })
    }

    /// What would change if `wanted`, a list as [`arex`](super::arex) prints it, took the place of what is there: a line each.
    pub fn difference(&self, wanted: &str) -> Result<Vec<String>, String> {
        let url = format!("{}/useResultAsList/appId/{}", self.base, self.app);
        let text = self.answer(&url, self.agent.get(&url).call())?;
        Ok(difference(&by_method(stored(&text, &url)?), &by_method(stored(wanted, "the export")?)))
    }

    /// Puts `wanted` in its place.
    pub fn replace(&self, wanted: &str) -> Result<(), String> {
        let url = format!("{}/replace/{}", self.base, self.app);
        let res = self.agent.post(&url).header("Content-Type", "application/json").send(wanted);
        let text = self.answer(&url, res)?;
        taken(&text).map_err(|what| format!("{url}: {what}; look there which list it has now"))
    }

    /// The text of an answer that is no error, neither of HTTP nor of AREX.
    fn answer(&self, url: &str, res: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Result<String, String> {
        let failed = |what: &dyn std::fmt::Display| format!("{url}: {what}");
        let mut res = res.map_err(|err| failed(&err))?;
        let text = res.body_mut().read_to_string().map_err(|err| failed(&err))?;
        if !res.status().is_success() {
            return Err(failed(&format!("answers {}", res.status())));
        }
        let status: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        let code = status["responseStatusType"]["responseCode"].as_i64().unwrap_or(0);
        if code != 0 {
            return Err(failed(&format!("answers with code {code}: {}", status["responseStatusType"]["responseDesc"])));
        }
        Ok(text)
    }
}

/// Whether an answer says that the list was taken. A page that somebody else answers with does not, and AREX itself answers
/// `false` where its database did not take it.
fn taken(text: &str) -> Result<(), String> {
    let answer: serde_json::Value = serde_json::from_str(text).map_err(|err| format!("not an answer of AREX: {err}"))?;
    let said = answer.get("body").unwrap_or(&answer);
    if *said == serde_json::Value::Bool(true) { Ok(()) } else { Err(format!("it was not taken: {said}")) }
}

/// A list, on its own or as the body of an answer.
fn stored(text: &str, from: &str) -> Result<Vec<Stored>, String> {
    let unreadable = |err: serde_json::Error| format!("{from}: not a list of dynamic classes: {err}");
    let mut value: serde_json::Value = serde_json::from_str(text).map_err(unreadable)?;
    if value.get("body").is_some() {
        value = value["body"].take();
    }
    // Of an application that has none the body may be null.
    if value.is_null() { Ok(Vec::new()) } else { serde_json::from_value(value).map_err(unreadable) }
}

/// Formulas by class, method and parameter types.
fn by_method(all: Vec<Stored>) -> BTreeMap<String, String> {
    let text = |it: Option<String>| it.unwrap_or_default();
    let key = |it: Stored| {
        let name = format!("{}.{}({})", text(it.full_class_name), text(it.method_name), text(it.parameter_types));
        (name, text(it.key_formula))
    };
    all.into_iter().map(key).collect()
}

fn difference(there: &BTreeMap<String, String>, wanted: &BTreeMap<String, String>) -> Vec<String> {
    let shown = |name: &str, formula: &str| if formula.is_empty() { name.to_owned() } else { format!("{name} {formula}") };
    let mut lines = Vec::new();
    for name in there.keys().chain(wanted.keys().filter(|it| !there.contains_key(*it))) {
        match (there.get(name), wanted.get(name)) {
            (Some(old), Some(new)) if old == new => {}
            (old, new) => {
                lines.extend(old.map(|it| (name, format!("- {}", shown(name, it)))));
                lines.extend(new.map(|it| (name, format!("+ {}", shown(name, it)))));
            }
        }
    }
    lines.sort_by_key(|it| it.0);
    lines.into_iter().map(|it| it.1).collect()
}

/// A text as a part of a path.
fn encoded(text: &str) -> String {
    let keep = |it: u8| it.is_ascii_alphanumeric() || b"-._~".contains(&it);
    text.bytes().map(|it| if keep(it) { char::from(it).to_string() } else { format!("%{it:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_http_and_a_path_of_its_own() {
        let base = |url| List::new(url, "a b/c").map(|it| (it.base, it.app));
        assert_eq!(base("http://host:80/"), Ok(("http://host:80/api/config/dynamicClass".into(), "a%20b%2Fc".into())));
        assert_eq!(base("http://host/webApi"), Ok(("http://host/webApi/config/dynamicClass".into(), "a%20b%2Fc".into())));
        assert!(base("https://host").is_err_and(|it| it.contains("http://")));
    }

    #[test]
    fn lists_and_bodies() {
        let n = |text| stored(text, "x").map(|it| it.len());
        assert_eq!(n("[{\"id\": \"1\", \"fullClassName\": \"p.A\", \"methodName\": null}]"), Ok(1));
        assert_eq!((n("{\"body\": null}"), n("{\"body\": [{}]}")), (Ok(0), Ok(1)));
        assert!(n("<html>").is_err() && n("{\"other\": 1}").is_err());
        assert_eq!((taken("true"), taken("{\"body\": true}")), (Ok(()), Ok(())));
        for text in ["", "<html>", "{}", "{\"body\": false}", "{\"body\": null}", "false"] {
            assert!(taken(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_server_that_hangs_is_left() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let url = format!("http://{}", listener.local_addr().expect("it has an address"));
        // The connection is made by the system; nobody reads from it.
        let list = List::with_patience(&url, "app", Duration::from_millis(200)).expect("a list");
        let said = list.difference("[]").expect_err("nobody answers");
        assert!(said.starts_with(&url) && said.contains("timeout"), "{said}");
    }
}
