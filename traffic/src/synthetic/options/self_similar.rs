//! What self-similar arrivals are told.

use anyhow::{Result, ensure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Bursts and silence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SelfSimilarOptions {
    /// Shape of the bursts' lengths; above 1 (or there were no mean) and below 2 (or there were no long-range dependence).
    pub alpha_on: f64,
    /// Shape of the lengths of silence, above 1 and below 2.
    pub alpha_off: f64,
    /// Length of a burst in the mean, cycles, 1 to 1e9.
    pub mean_on: f64,
    /// Flits a cycle in a burst, at least the load, at most 64.
    pub burst_load: f64,
}

impl Default for SelfSimilarOptions {
    /// H = 0.8, and bursts of 128 flits at the rate of one link: Alonso et al. report H above 0.7.
    fn default() -> Self {
        SelfSimilarOptions { alpha_on: 1.4, alpha_off: 1.4, mean_on: 128.0, burst_load: 1.0 }
    }
}

impl SelfSimilarOptions {
    /// The Hurst index of many sources together.
    pub fn hurst(&self) -> f64 {
        (3.0 - self.alpha_on.min(self.alpha_off)) / 2.0
    }

    /// Checks it for sources with so many flits a cycle in the mean; `table` is what they are options of.
    pub(crate) fn check(&self, load: f64, table: &str) -> Result<()> {
        for (field, alpha) in [("alpha_on", self.alpha_on), ("alpha_off", self.alpha_off)] {
            ensure!(
                (1.01..=1.99).contains(&alpha),
                "{table}.{field} is `{alpha}`, expected a number from 1.01 to 1.99"
            );
        }
        let SelfSimilarOptions { mean_on, burst_load, .. } = *self;
        ensure!((1.0..=1e9).contains(&mean_on), "{table}.mean_on is `{mean_on}`, expected 1 to 1000000000 cycles");
        ensure!(
            (load..=64.0).contains(&burst_load),
            "{table}.burst_load is `{burst_load}`, expected a number from {load}, the load, to 64"
        );
        Ok(())
    }
}
