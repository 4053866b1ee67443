//! The golden model: the switch power logic as plain Rust, cycle by cycle.
//!
//! It is written from `docs/microarchitecture.md` alone and knows nothing of the RTL, so that an error in either shows
//! up as a difference between the two.
//!
//! * [`blocks`]: every block of the page's sections 3 and 5, transcribed literally; slow and obvious.
//! * [`controller`]: the power controller again, event-driven and fast, for simulations of whole networks.
//! * [`lock_step`]: the blocks as named signals, for the lock-step harness.
//! * [`register_rows`]: the registers of a composed block, by path.
//! * [`switch`]: the whole switch, event-driven and fast, for the same purpose.
//! * [`network`]: whole networks of such switches.
//! * [`power_model`]: from the time ports were powered to power and energy, relative and in watts.

pub mod bits;
pub mod blocks;
pub mod controller;
pub mod lock_step;
pub mod network;
pub mod power_model;
pub mod register_rows;
pub mod switch;
