//! The golden model: the switch power logic as plain Rust, cycle by cycle.
//!
//! It is written from `docs/microarchitecture/` alone and knows nothing of the RTL, so that an error in either shows
//! up as a difference between the two.
//!
//! * [`mod@reference`]: every block of the pages, transcribed literally; slow and obvious.
//! * [`fast`]: controller and switch again, event-driven, for simulations of whole networks.
//! * [`port_counts`]: what both count of a port.
//! * [`twins`]: all of them as the lock-step harness sees them, by name; [`lock_step`] and [`register_rows`] say how.
//! * [`places`]: the order of the places of a queue.
//! * [`network`]: whole networks of such switches.
//! * [`deadlock_freedom`]: whether packets of a network can block each other for ever, from its routing units.
//! * [`power_model`]: from the time ports were powered to power and energy, relative and in watts.

pub mod bits;
pub mod deadlock_freedom;
pub mod fast;
pub mod lock_step;
pub mod network;
pub mod places;
pub mod port_counts;
pub mod power_model;
pub mod reference;
pub mod register_rows;
pub mod twins;
