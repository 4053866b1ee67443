//! Every block of `docs/microarchitecture/`, transcribed literally: slow and obvious.
//!
//! Every clocked block has the same shape: its registers are public fields holding the values of the cycle under way,
//! plain methods are its outputs in this cycle, `clock` is the rising edge that ends it, and `reset` is that edge with
//! `rst` = 1.

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
pub mod routing;
pub mod switch;
