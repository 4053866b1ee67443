//! Deliberate faults of E-RAPID's mechanism.

mod golden;

use crate::faults::golden::GoldenFault;

pub(super) const GOLDEN: &[GoldenFault] = golden::FAULTS;
