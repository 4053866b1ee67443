//! The switch power logic in rust-hdl, and the back end that writes it as Verilog.

pub mod primitives;
pub mod verilog;
