//! The golden model: the switch power logic as plain Rust, cycle by cycle.
