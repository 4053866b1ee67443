//! The controller and the switch again, event-driven: for simulations of whole networks, at the same cycles.

pub mod controller;
pub mod frame;
pub mod mechanisms;
pub mod power;
pub mod switch;
