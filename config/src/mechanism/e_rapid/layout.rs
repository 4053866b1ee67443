//! Boards, wavelengths and ports of a switch, and how links between boards are numbered.

use crate::Shape;
use crate::topology::{Boards, digit_bits};

/// The sizes of a network `boards-BxD`, and where the board stands in packed addresses. Link k = (o - 1) B + w of a board is wavelength w to the
/// board o further; its port is D + k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// B: boards, and wavelengths to each, 2..=8.
    pub boards: usize,
    /// D: nodes on a board, ports 0..D.
    pub nodes: usize,
    /// Lowest bit of the board's number in a packed address.
    pub low: usize,
    /// Bits that it has.
    pub bits: usize,
}

impl Layout {
    /// That of a configuration, if its topology is one of boards.
    pub fn of<'a>(shape: impl Into<Shape<'a>>) -> Option<Layout> {
        let &Boards { boards, nodes } = shape.into().topology?.of()?;
        Some(Layout { boards, nodes, low: digit_bits(nodes), bits: digit_bits(boards) })
    }

    /// L: links of a board to others, B (B - 1).
    pub fn links(&self) -> usize {
        self.boards * (self.boards - 1)
    }

    /// The board of a switch or node with this packed address.
    pub fn board(&self, position: u16) -> usize {
        usize::from(position) >> self.low & ((1 << self.bits) - 1)
    }

    /// Whether link k is the one that its board has after reset.
    pub fn is_first(&self, link: usize) -> bool {
        let (further, wavelength) = (link / self.boards + 1, link % self.boards);
        wavelength == Boards { boards: self.boards, nodes: self.nodes }.assigned_wavelength(further)
    }
}
