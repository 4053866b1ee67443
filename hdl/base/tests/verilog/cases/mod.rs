//! Small blocks, one construct each: what rust-hdl's own text gets wrong, and everything the kernels of the product rely on.
//!
//! `recordings` simulates all of them; `differential.rs` replays the recordings in Verilator and Icarus.

pub mod arrays;
pub mod enums;
pub mod hierarchy;
pub mod literals;
pub mod loops;
pub mod memories;
pub mod operators;
pub mod registers;
pub mod selection;
pub mod vectors;

use crate::common::bench::Recording;

/// All blocks, simulated.
pub fn recordings() -> Vec<Recording> {
    let mut all = vec![];
    all.extend(operators::recordings());
    all.extend(literals::recordings());
    all.extend(selection::recordings());
    all.extend(loops::recordings());
    all.extend(vectors::recordings());
    all.extend(arrays::recordings());
    all.extend(enums::recordings());
    all.extend(registers::recordings());
    all.extend(memories::recordings());
    all.extend(hierarchy::recordings());
    all
}
