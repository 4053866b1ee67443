//! What comes of mutants.

use serde::Serialize;

/// What came of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "verdict")]
pub enum Verdict {
    /// In lock-step.
    Killed {
        block: String,
        network: String,
        by: String,
    },
    /// No block's run comes to its place or shows it, but these tests of the golden model fail.
    Failed {
        tests: String,
    },
    Survived,
    /// No block's run comes to its place, and no test fails.
    NotReached,
}

impl Verdict {
    pub fn is_killed(&self) -> bool {
        matches!(self, Verdict::Killed { .. } | Verdict::Failed { .. })
    }
}
