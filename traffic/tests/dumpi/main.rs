//! DUMPI traces as the text of `dumpi2ascii`: hand-written ones against what must come out.

mod bad;
mod communicators;
mod fuzz;
#[path = "../common/mutation.rs"]
mod mutation;
mod point_to_point;
mod sizes;
mod text;
mod whole;
