//! `deep_registers`: what software sets of the depths of all ports.

use crate::reference::power::ControlRegisters;
use powar_config::mechanism::hints_depths::HintsDepthsValues;

/// The words of depth; those of Wake hints are in the other registers beside them.
pub type DeepRegisters = ControlRegisters<HintsDepthsValues>;
