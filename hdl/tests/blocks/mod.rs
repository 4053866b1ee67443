//! The lists of blocks, what is computed for the board, and mutants of the blocks' Verilog.

mod board;
mod lists;
mod mutants;
mod pll;
