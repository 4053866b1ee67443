//! Faults of each power mechanism's own blocks: a file or folder each, and their list.

mod ahead;
mod alonso;
mod depths;
mod e_rapid;
mod hints_depths;
mod perf_bound;
mod powar;
mod soteriou_peh;
mod timetable;
mod wake_hints;

use crate::golden::GoldenFault;
use crate::verilog::VerilogFault;

/// A mechanism's faults.
pub(crate) struct Entry {
    pub golden: &'static [GoldenFault],
    pub verilog: &'static [&'static [VerilogFault]],
}

/// Every mechanism.
pub(crate) static ALL: [&Entry; 10] = [
    &powar::ENTRY,
    &alonso::ENTRY,
    &timetable::ENTRY,
    &soteriou_peh::ENTRY,
    &e_rapid::ENTRY,
    &ahead::ENTRY,
    &wake_hints::ENTRY,
    &depths::ENTRY,
    &perf_bound::ENTRY,
    &hints_depths::ENTRY,
];
