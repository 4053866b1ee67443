//! What RTL blocks are made of in rust-hdl, how they show their signals, and the back end that writes them as Verilog.

pub mod primitives;
pub mod rtl_block;
pub mod set_up;
pub mod verilog;
