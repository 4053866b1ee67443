//! Skeletons: beside recorded programs, consistent among their ranks, constant in memory; their parameters.

mod calls;
mod machine;
mod recorded;

mod computed;
mod consistent;
mod graph500;
mod halo_fft;
mod hpl;
mod matrix;
mod memory;
mod parameters;
mod random_access;
