//! GOAL traces, the text format of LogGOPSim: reading, replaying, writing.
mod flights;
mod index;
mod labels;
mod lanes;
mod lexer;
mod maker;
mod matching;
mod parse;
mod program;
mod progress;
mod stall;
mod trace;
mod write;

pub use trace::GoalTrace;
pub use write::{After, Operation, Writer, Written};
