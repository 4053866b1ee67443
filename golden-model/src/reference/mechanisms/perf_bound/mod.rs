//! PerfBound: POWAR whose ports choose their threshold by themselves, so that what sleeping costs is near a bound.

pub mod bound_registers;
pub mod gap_histogram;
pub mod idle_threshold;
#[expect(clippy::module_inception, reason = "the mechanism's block has the mechanism's name")]
pub mod perf_bound;
pub mod window_search;

pub use bound_registers::BoundRegisters;
pub use gap_histogram::GapHistogram;
pub use idle_threshold::IdleThreshold;
pub use perf_bound::PerfBound;
pub use window_search::WindowSearch;

use super::powar::{self, Powar};
use super::{Entry, Twin, twin};
use crate::reference::power::mechanism::MechanismBlock;
use powar_config::Config;
use powar_config::mechanism::perf_bound::PerfBoundValues;

/// The entry in the list of mechanisms.
pub static ENTRY: Entry = Entry { name: "perf_bound", build: |config| Box::new(PerfBound::new(config)), blocks };

/// `powar` with all of its own, and four.
fn blocks(config: &Config) -> Vec<(String, Twin)> {
    let reset = PerfBoundValues::of(config);
    let mechanism = Box::new(Powar::with(config, reset.powar));
    let mut twins = vec![
        ("gap_histogram".into(), twin(GapHistogram::new())),
        ("idle_threshold".into(), twin(IdleThreshold::new())),
        ("window_search".into(), twin(WindowSearch::new())),
        ("bound_registers".into(), twin(BoundRegisters::new(reset))),
        (powar::ENTRY.name.into(), twin(MechanismBlock::new(config.ports, mechanism))),
    ];
    twins.extend(powar::blocks(config, reset.powar));
    twins
}
