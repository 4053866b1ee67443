//! `link_crossing`: its two clocks in lock-step, and that nothing is lost between any two.

mod lockstep;
mod lossless;
