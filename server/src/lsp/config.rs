//! The settings that a client sends, and asking for them.

use super::session::Event;
use crate::config::Run;
use crate::settings::{Precision, Tier};
use crate::verdict::World;
use serde_json::Value;
use std::sync::mpsc::Sender;
use std::time::Duration;
use tower_lsp::Client;
use tower_lsp::lsp_types::ConfigurationItem;

/// The section of the client's settings that is ours.
const SECTION: &str = "mockpoint";

/// How long the client may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Asks the client for our settings; they come as an event. Must be called within a tokio runtime.
pub(super) fn pull(client: Client, events: Sender<Event>) {
    tokio::spawn(async move {
        let item = ConfigurationItem { scope_uri: None, section: Some(SECTION.to_owned()) };
        match tokio::time::timeout(PATIENCE, client.configuration(vec![item])).await {
            Ok(Ok(answer)) => {
                if let Some(settings) = answer.into_iter().next().filter(|it| !it.is_null()) {
                    // Nobody is there to take it once the session has ended.
                    let _ = events.send(Event::Settings(settings));
                }
            }
            Ok(Err(err)) => tracing::warn!("the client gives no settings: {err}"),
            Err(_) => tracing::warn!("the client does not answer what our settings are"),
        }
    });
}

/// `base` with what `value` says. The settings may lie in a section of their own or be all there is; what is missing
/// or unknown leaves `base` as it is.
pub(super) fn read(base: Run, value: &Value) -> Run {
    let value = value.get(SECTION).unwrap_or(value);
    let mut res = base;
    choose(value, "precision", &mut res.precision, &[("refined", Precision::Refined), ("paper", Precision::Paper)]);
    let worlds = [("application", World::Application), ("library", World::Library), ("with-tests", World::WithTests)];
    choose(value, "world", &mut res.world, &worlds);
    choose(value, "tier", &mut res.tier, &[("core", Tier::Core), ("opt-in", Tier::OptIn)]);
    res
}

fn choose<T: Copy>(settings: &Value, name: &str, slot: &mut Option<T>, values: &[(&str, T)]) {
    let Some(value) = settings.get(name).filter(|it| !it.is_null()) else { return };
    match values.iter().find(|it| Some(it.0) == value.as_str()) {
        Some(found) => *slot = Some(found.1),
        None => tracing::warn!("the setting {name} cannot be {value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn settings() {
        let base = Run::default();
        let res = read(base, &json!({ "precision": "paper", "world": "with-tests", "tier": "opt-in" }));
        assert_eq!(res, Run { precision: Some(Precision::Paper), world: Some(World::WithTests), tier: Some(Tier::OptIn), jobs: None });
        assert_eq!(read(base, &json!({ "mockpoint": { "world": "library" } })).world, Some(World::Library));
        assert_eq!(read(res, &json!({ "precision": 3, "world": null, "other": [] })), res);
        for odd in [json!(null), json!([]), json!("paper"), json!(1)] {
            assert_eq!(read(res, &odd), res);
        }
    }
}
