//! Deliberate faults that the lock-step check must catch: a check that has never failed proves nothing.
//!
//! [`golden`] spoils the golden model and runs it against the sound RTL; [`verilog`] spoils the emitted Verilog and runs it
//! against the sound golden model. `tests/faults.rs` runs them all.

pub mod golden;
mod hunt;
mod splice;
pub mod verilog;

use crate::stimulus::Scenario;
use powar_config::{Config, Deterministic, Group, presets};
use std::collections::BTreeMap;

pub use hunt::{Caught, hunt};
pub use splice::with_faults;

/// Cycles a fault is looked for under each of [`scenarios`].
pub const CYCLES: u64 = 15_000;

/// The stimuli that must bring a fault to light.
pub fn scenarios() -> [Scenario; 4] {
    let lively = Scenario::lively(1);
    [
        lively.clone(),
        // Resets in the middle of everything.
        Scenario { seed: 2, reset_every: 12, hold: 20, ..lively.clone() },
        // Long undisturbed runs under load: counters get far.
        Scenario { seed: 3, reset_every: 0, density: 200, longest: 60, hold: 1000, ..lively.clone() },
        // Collisions.
        Scenario { seed: 4, hot_ports: Some(2), density: 90, longest: 4, hold: 10, ..lively },
    ]
}

/// The 8-port switch that the faults are tried at.
///
/// It is the shipped fat-tree; where the deterministic set is to hold several ports, a torus-like one of two trunks.
pub fn config(deterministic: Deterministic) -> Config {
    let fat_tree = presets::by_name("fat-tree-4").expect("the preset is shipped");
    match deterministic {
        Deterministic::Single => fat_tree,
        Deterministic::Set => Config {
            name: "two-trunks".into(),
            deterministic,
            groups: vec![Group { first: 0, size: 4 }, Group { first: 4, size: 4 }],
            topology: None,
            ..fat_tree
        },
    }
}

/// Faults of a block in the catalogues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// In its golden model.
    pub golden: usize,
    /// In its Verilog.
    pub verilog: usize,
}

/// How many faults there are, by block.
pub fn summary() -> BTreeMap<&'static str, Count> {
    let mut counts: BTreeMap<&'static str, Count> = BTreeMap::new();
    for fault in golden::FAULTS {
        counts.entry(fault.block).or_default().golden += 1;
    }
    for fault in verilog::faults() {
        counts.entry(fault.block).or_default().verilog += 1;
    }
    counts
}
