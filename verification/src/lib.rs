//! Properties beside the blocks: found, bound to the emitted Verilog, proved, and reported.
//!
//! ```text
//! library      the property files, which are part of the binary
//! manifest     what stands beside a block's properties: engine, designs, promises, faults
//! source       the little of SystemVerilog that is read here: ports, parameters, labels, signals
//! binding      a block's Verilog with its properties in it
//! inside       registers of the blocks within a block, to be bound as well
//! values       what their parameters are in a configuration
//! plan         which block is proved in which configuration
//! proof        one of these proofs: Yosys, then ABC or an SMT solver
//! abc          ABC within Yosys, for proofs and for mutants
//! faults       faults that the properties must find
//! equality     golden model and Verilog in every state that a block can reach
//! mutants      blocks with one small thing wrong, by rule, and what notices
//! report       what came of all of them: JSON, Markdown, a page
//! job          what one proof is given, in a folder of its own
//! parallel     the same with each of many, as many at once as are wanted
//! section      what a report has beside proofs
//! without      blocks that have none, and why
//! table        what is proved and what is not, for the page about it
//! coverage     not proofs: what of a block's Verilog the lock-step suite runs and changes
//! campaign     not proofs: lock-step on configurations drawn at random, for hours
//! ```

mod abc;
mod binding;
pub mod campaign;
pub mod coverage;
mod equality;
mod faults;
mod inside;
mod job;
mod library;
mod manifest;
mod mutants;
mod page;
mod parallel;
mod plan;
mod proof;
mod report;
mod report_files;
mod report_markdown;
mod section;
mod solver;
mod source;
mod table;
mod values;
mod without;

pub use equality::{HELD, compare_by_table};
pub use faults::{find_fault, try_faults};
pub use library::{Library, Properties};
pub use manifest::{Broken, Engine, Manifest, Promise};
pub use mutants::{Chosen, Draw, Effort, Fate, Judged, Place, Score, choose_mutants, mutation_section, try_mutants};
pub use plan::{LeftOut, Plan, Proof, Scope, Selected, block_of};
pub use proof::{Cover, Outcome, Property, Verdict, Violation};
pub use report::{BlockReport, PromiseReport, Report, ToolUsed, Wave, prove_all};
pub use report_markdown::{how_far, outcome_line, summary};
pub use section::{Section, Table};
pub use solver::LIMIT;
pub use table::{not_proved, promises, proved};
pub use without::WITHOUT;
