//! RTL blocks in rust-hdl's simulation, and the lists of them.

mod blocks;
mod power;
