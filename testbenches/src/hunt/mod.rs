//! What brings an error in a block to light: its stimuli, and how long they are looked at. Deliberate faults and mutants are looked for
//! with it, and coverage is measured under it.

mod search;

use crate::dut::verilator::Verilator;
use crate::expected_routing::ExpectedRouting;
use crate::random::Random;
use crate::stimulus::{
    CrossingClocks, CrossingLoad, CrossingTraffic, HardlyReading, LinkOptions, LinkTraffic, NodeTraffic, Scenario,
    SerialCommands, Stimulus, TrafficKind,
};
use crate::twins::{DEMONSTRATOR, SWITCH};
use anyhow::Result;
use powar_config::{Config, Layout};
use powar_hdl::verilog::Design;
use powar_tools::{Progress, Tools};
use std::path::PathBuf;

pub use crate::dut::lockstep_top::{FAULT, TOP};
pub use search::{Caught, hunt, hunt_to_the_end};

/// Cycles a fault is looked for under each of [`scenarios`].
pub const CYCLES: u64 = 15_000;
/// For how long one that takes a long wait or a high count to show is looked for, with [`Patient`](crate::stimulus::Patient): values of
/// signals that are compared, so that a small block runs for millions of cycles and a large one takes no longer.
pub const PATIENCE: u64 = 240_000_000;
/// Cycles for which a block is told of waits of ten million: enough for forty of them.
pub const TO_THE_END: u64 = 400_000_000;
/// Like [`CYCLES`], of a whole demonstrator, which is told what to do bit by bit.
pub const DEMONSTRATOR_CYCLES: u64 = 100_000;

/// The stimuli that must bring a fault to light.
pub fn scenarios() -> [Scenario; 6] {
    let lively = Scenario::lively(1);
    [
        lively.clone(),
        // Resets in the middle of everything.
        Scenario { seed: 2, reset_every: 12, hold: 20, ..lively.clone() },
        // Long undisturbed runs under load: counters get far.
        Scenario { seed: 3, reset_every: 0, density: 200, longest: 60, hold: 1000, ..lively.clone() },
        // Collisions.
        Scenario { seed: 4, hot_ports: Some(2), density: 90, longest: 4, hold: 10, ..lively.clone() },
        // Software that writes all the time, so that every bit of every word comes, and few requests.
        Scenario { seed: 5, density: 12, longest: 6, hold: 8, ..lively.clone() },
        // Resets in the middle of what takes a hundred cycles.
        Scenario { seed: 6, reset_every: 150, ..lively },
    ]
}

/// What must bring a fault of this block to light: random inputs, for the whole switch traffic on its links, for a demonstrator commands on
/// its serial line.
///
/// # Errors
/// A layout that is not that of the block.
pub fn stimuli(config: &Config, block: &str, layout: &Layout) -> Result<Vec<Box<dyn Stimulus + Send>>> {
    if block == DEMONSTRATOR {
        return Ok(vec![
            Box::new(SerialCommands::busy(config, layout, 1)),
            Box::new(SerialCommands::busy(config, layout, 2)),
        ]);
    }
    if block != SWITCH {
        let random = |scenario: &Scenario| Box::new(scenario.stimulus(config, layout)) as Box<dyn Stimulus + Send>;
        let hardly = HardlyReading::new(config, layout).map(|stimulus| Box::new(stimulus) as _);
        let around = NodeTraffic::new(config, block, layout, 6).map(|stimulus| Box::new(stimulus) as _);
        return Ok(scenarios()
            .iter()
            .map(random)
            .chain(hardly)
            .chain(around)
            .chain(crossing(config, block, layout))
            .collect());
    }
    let options = [
        LinkOptions::lively(TrafficKind::Uniform, 0.3, 2),
        LinkOptions::rough(TrafficKind::Uniform, 0.8, 3),
        LinkOptions::rough(TrafficKind::HotSpot, 0.9, 4),
    ];
    let traffic = |options: LinkOptions| {
        let routing = ExpectedRouting::any(config, &mut Random::new(options.seed))?;
        Ok(Box::new(LinkTraffic::new(config, &routing, layout, options)?) as Box<dyn Stimulus + Send>)
    };
    options.into_iter().map(traffic).collect()
}

/// Two clocks that come close to each other and go apart, for a block that has two.
fn crossing(config: &Config, block: &str, layout: &Layout) -> Option<Box<dyn Stimulus + Send>> {
    let load = CrossingLoad { reset_every: 4000, ..CrossingLoad::LIVELY };
    let clocks = CrossingClocks::new([5, 5], 0).with_jitter(1).with_stops(400, 40);
    let traffic =
        || Box::new(CrossingTraffic::new(config, layout, clocks.clone(), load, 1)) as Box<dyn Stimulus + Send>;
    (block == "link_crossing").then(traffic)
}

/// The same of a design with things wrong in it that are on while `lockstep_top.fault` ([`FAULT`]) has their numbers, of a block with this layout.
///
/// # Errors
/// The signals are not those of the layout; a tool fails.
pub fn spoilt_library(design: &Design, layout: &Layout, tools: &Tools, progress: &Progress) -> Result<PathBuf> {
    // Choices between expressions of unequal width, and bits that only a sound design reads.
    let library = Verilator::library(design, layout, true)?.argument("-Wno-WIDTH").argument("-Wno-UNUSED");
    Ok(library.argument("-Wno-fatal").build(tools, progress)?)
}
