//! `depth_registers`: what software sets of the depths of all ports.

use crate::reference::power::ControlRegisters;
use powar_config::mechanism::depths::DepthsValues;

/// The words of depth; POWAR's are in the registers of the `powar` beside them.
pub type DepthRegisters = ControlRegisters<DepthsValues>;
