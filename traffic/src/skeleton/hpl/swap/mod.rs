//! The row swaps of an update, which leave the panel's rows of U with all ranks of a column: HPL does both at once, by a
//! binary exchange (HPL_pdlaswp00T) or by spreading the rows and rolling them round (HPL_pdlaswp01T).

mod balance;
pub(super) mod exchange;
mod plan;
pub(super) mod spread;

pub(super) use plan::{Plan, Plans};
