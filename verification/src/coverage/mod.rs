//! Coverage: what of a block's Verilog the stimuli of the lock-step suite run and change, and what they don't, by name.
//!
//! ```text
//! counts       Verilator's counts, read from its file
//! item         what is counted, under names that configurations share
//! selection    which block in which configuration
//! measure      a block run under all its stimuli
//! words        what is not covered, in words
//! section      all of it as a section of the report, and the table of docs/coverage-of-rtl.md
//! ```

mod counts;
mod item;
mod measure;
mod section;
mod selection;
mod words;

pub use item::{Item, ItemKind};
pub use measure::{Covered, Effort, measure_coverage};
pub use section::{coverage_section, coverage_table};
pub use selection::{CoverageOf, coverage_selection};
