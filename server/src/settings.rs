//! What a user can ask for.

use crate::terms::World;
use schemars::JsonSchema;
use serde::Deserialize;

/// Which reading of the paper (`semantics.md` §11).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default, JsonSchema, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// With the refinements that go beyond the paper.
    #[default]
    Refined,
    /// The paper's own rules, so that figures can be compared.
    Paper,
}

/// Which rows of the catalogue are sources.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default, JsonSchema, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// Rows worth reading by default.
    #[default]
    Core,
    /// Also implicit locale and charset, hash order, identity.
    OptIn,
}

/// The settings of one analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Settings {
    /// The reading.
    pub precision: Precision,
    /// Who may call.
    pub world: World,
    /// The rows.
    pub tier: Tier,
}
