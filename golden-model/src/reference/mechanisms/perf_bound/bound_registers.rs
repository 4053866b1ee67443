//! `bound_registers`: what software sets of the thresholds that ports choose.

use crate::reference::power::ControlRegisters;
use powar_config::mechanism::perf_bound::PerfBoundValues;

/// The words of the bound; POWAR's are in the registers of the `powar` beside them.
pub type BoundRegisters = ControlRegisters<PerfBoundValues>;
