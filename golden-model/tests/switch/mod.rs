//! The block-by-block switch against section 5 of the microarchitecture page: cases worked out by hand, and what must hold
//! whatever well-behaved neighbours do.

mod bench;
mod hand_worked;
mod invariants;
