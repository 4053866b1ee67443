//! The switch power logic in rust-hdl, and the back end that writes it as Verilog.

pub mod blocks;
pub mod primitives;
pub mod rtl_block;
pub mod verilog;
