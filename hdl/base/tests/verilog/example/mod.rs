//! A small design with everything in it: registers, an array of children, an enum, loops.

pub mod port_bank;
pub mod sleep_timer;
