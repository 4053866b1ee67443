//! Synthesis, placement and what is written for other tools. Each needs tools under `target/`.

mod area;
mod bitstream;
mod constant_comparisons;
mod constant_sums;
mod constraints;
mod hops;
mod ice40;
mod measure;
mod support;
mod vivado;
mod wide_multiplexers;
