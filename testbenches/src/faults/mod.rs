//! Deliberate faults that the lock-step check must catch: a check that has never failed proves nothing.
//!
//! [`golden`] spoils the golden model and runs it against the sound RTL; [`verilog`] spoils the emitted Verilog and runs it
//! against the sound golden model.

pub mod golden;

