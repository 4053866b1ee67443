//! The switch power logic in rust-hdl, and the back end that writes it as Verilog.

pub mod allocation;
pub mod arbiters;
pub mod buffers;
pub mod controller;
pub mod demonstrator;
pub mod links;
pub mod mechanisms;
pub mod network_interface;
pub mod power;
pub mod primitives;
pub mod registers;
pub mod registry;
pub mod routing;
pub mod rtl_block;
pub mod switch;
pub mod verilog;
