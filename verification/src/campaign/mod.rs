//! The campaign: lock-step of the golden model and the emitted Verilog on configurations drawn at random, for hours.
//!
//! ```text
//! topologies   networks at random, of every kind
//! parameters   parameters of a mechanism at random
//! draw         a configuration at random, and a block of it
//! drive        what drives the block: drawn, made simpler, told to `powar check`
//! trial        one trial, all of which follows from the seed and its number
//! bench        a trial's Verilog, compiled and run beside the golden model
//! smaller      configurations that are smaller than one
//! shrink       a difference, made as small as it gets
//! finding      what is left of it in the folder of results
//! state        what has been done, kept after every trial
//! report       the same for people
//! run          all of it, with several trials at once
//! ```

mod bench;
mod draw;
mod drive;
mod finding;
mod parameters;
mod report;
mod run;
mod shrink;
mod smaller;
mod state;
mod topologies;
mod trial;

pub use bench::{Failure, FailureKind, Spoil};
pub use drive::Drive;
pub use finding::Finding;
pub use report::{MARKDOWN, campaign_markdown, campaign_text};
pub use run::{Campaign, Until};
pub use state::{REPORT, State, Tally};
pub use trial::{Run, Trial};
