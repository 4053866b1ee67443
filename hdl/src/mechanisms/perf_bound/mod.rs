//! PerfBound: POWAR whose ports choose their threshold by themselves, so that what sleeping costs is near a bound.

pub mod bound_registers;
pub mod gap_histogram;
pub mod idle_threshold;
#[allow(clippy::module_inception)]
pub mod perf_bound;
pub mod window_search;

pub use bound_registers::BoundRegisters;
pub use gap_histogram::GapHistogram;
pub use idle_threshold::IdleThreshold;
pub use perf_bound::PerfBound;
pub use window_search::WindowSearch;

use super::powar::{self, Powar};
use crate::power::Entry;
use crate::power::mechanism::Builder;
use powar_config::Config;
use powar_config::mechanism::perf_bound::{MECHANISM, PerfBoundValues};

/// The line in the list of mechanisms.
pub static ENTRY: Entry = Entry { mechanism: &MECHANISM, build: |config| Box::new(PerfBound::new(config)), blocks };

/// `powar` and its blocks, and the four of the bound.
fn blocks(config: &Config) -> Vec<(String, Builder<'_>)> {
    let reset = PerfBoundValues::of(config);
    let mut blocks: Vec<(String, Builder)> = vec![
        ("gap_histogram".into(), Box::new(|| Box::new(GapHistogram::new()))),
        ("idle_threshold".into(), Box::new(|| Box::new(IdleThreshold::new()))),
        ("window_search".into(), Box::new(|| Box::new(WindowSearch::new()))),
        ("bound_registers".into(), Box::new(move || Box::new(BoundRegisters::new(&reset)))),
        (powar::ENTRY.mechanism.name.into(), Box::new(move || Box::new(Powar::with(config, &reset.powar)))),
    ];
    blocks.extend(powar::blocks(config, reset.powar));
    blocks
}
