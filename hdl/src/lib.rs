//! The switch power logic in rust-hdl. What its blocks are made of, and the back end that writes them as Verilog, is the crate `powar-hdl-base`, whose
//! modules and macros are here under the same names.

pub mod allocation;
pub mod arbiters;
pub mod buffers;
pub mod controller;
pub mod demonstrator;
pub mod links;
pub mod mechanisms;
pub mod network_interface;
pub mod power;
pub mod registers;
pub mod registry;
pub mod routing;
pub mod switch;

pub use powar_hdl_base::{block, dff_setup, port_bundle};
pub use powar_hdl_base::{primitives, rtl_block, verilog};

/// The page is compiled with the documentation, so that its example stays right.
#[cfg(doctest)]
#[doc = include_str!("../../docs/rust-hdl-subset.md")]
struct SubsetPage;
