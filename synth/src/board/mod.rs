//! The boards: one file each, and a line of [`BOARDS`].

mod arty_a7_100t;
mod ulx3s_85f;

use crate::Target;
use crate::pins::{self, Pins};
use anyhow::{Result, bail};
use std::fmt::Debug;

/// Every board that can be named.
const BOARDS: [&dyn Board; 2] = [&ulx3s_85f::ULX3S_85F, &arty_a7_100t::ARTY_A7_100T];

/// What makes a board's bitstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maker {
    /// nextpnr and ecppack, here. The constraints are an LPF file.
    Trellis,
    /// Vivado, where the reader has it: a script for it is written here. The constraints are an XDC file.
    Vivado,
}

/// A board with an FPGA.
pub trait Board: Debug + Sync {
    /// Its name, for `--board`.
    fn name(&self) -> &'static str;
    /// Its chip, package and speed grade.
    fn target(&self) -> Target;
    /// The pins and the clock, a file of `constraints/`: name and text.
    fn constraints(&self) -> (&'static str, &'static str);
    /// The clock input, as the constraints call it, and its rate in MHz.
    fn clock(&self) -> (&'static str, f64);
    /// The command that loads a bitstream `file` into the board.
    fn load(&self, file: &str) -> String;
    /// What makes its bitstream.
    fn maker(&self) -> Maker;
}

/// The pins that a board's constraints give a place to.
pub(crate) fn pins(board: &dyn Board) -> Pins {
    let (_, text) = board.constraints();
    match board.maker() {
        Maker::Trellis => pins::of_lpf(text),
        Maker::Vivado => pins::of_xdc(text),
    }
}

/// The board of a name.
///
/// # Errors
/// Names the boards there are.
pub fn board(name: &str) -> Result<&'static dyn Board> {
    match BOARDS.iter().find(|board| board.name() == name) {
        Some(&board) => Ok(board),
        None => bail!("board: \"{name}\" is unknown; one of {}", board_names().collect::<Vec<_>>().join(", ")),
    }
}

/// The boards' names, for messages and help texts.
pub fn board_names() -> impl Iterator<Item = &'static str> {
    BOARDS.iter().map(|board| board.name())
}

#[cfg(test)]
mod tests {
    use super::{BOARDS, board, pins};

    #[test]
    fn every_board_is_complete() {
        for board in BOARDS {
            let (name, text) = board.constraints();
            assert!(name.starts_with(board.name()), "{name}");
            let (clock, mhz) = board.clock();
            assert!(pins(board).contains(clock) && mhz > 0.0, "{clock}");
            assert!(
                text.contains(&format!("{mhz:.1}")) || text.contains(&format!("{:.2}", 1000.0 / mhz)),
                "{name}: {mhz} MHz"
            );
            assert!(board.load("x.bit").ends_with("x.bit"));
        }
    }

    #[test]
    fn an_unknown_board_is_named_with_those_there_are() {
        let error = board("icebreaker").unwrap_err().to_string();
        assert_eq!(error, "board: \"icebreaker\" is unknown; one of ulx3s-85f, arty-a7-100t");
    }
}
