//! DUMPI traces as the text of `dumpi2ascii`: hand-written ones against what must come out.

mod bad;
mod communicators;
mod fuzz;
use crate::common::mutation;
mod point_to_point;
mod sizes;
mod text;
mod whole;
