//! How signals get through the cells of a chip, and which wires between cells are none of the chip's routing.

use std::fmt::Debug;

/// What must be known of a family's cells to count hops.
#[derive(Debug)]
pub(crate) struct Ways {
    /// Does an output of a cell of this kind follow an input in the same cycle? Kind, input, output. What follows no input is a register's,
    /// and an input that nothing follows is one too.
    pub(crate) follows: fn(&str, &str, &str) -> bool,
    /// Is the wire from an output to an input laid inside of a slice, or from one slice to the next? Kind and pin of both.
    pub(crate) is_inside: fn((&str, &str), (&str, &str)) -> bool,
    /// Is the pin a clock? It has wires of its own.
    pub(crate) is_clock: fn(&str) -> bool,
    /// Carry cells: kind, and the pins through which they are a chain.
    pub(crate) carry: Carry,
}

/// A family's carry cells.
#[derive(Debug)]
pub(crate) struct Carry {
    pub(crate) kind: &'static str,
    /// To the next cell.
    pub(crate) out: &'static str,
    /// From the one before.
    pub(crate) from: &'static str,
}
