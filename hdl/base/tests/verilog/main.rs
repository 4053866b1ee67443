//! Tests of the Verilog back end, in one program because they share blocks and tools.

// The kernels under test are clumsy on purpose: each shows one construct.
#![allow(
    clippy::collapsible_if,
    clippy::match_single_binding,
    clippy::nonminimal_bool,
    clippy::precedence,
    clippy::reversed_empty_ranges,
    unused_variables
)]

mod cases;
mod common;
mod differential;
mod equivalence;
mod example;
mod golden;
mod memories;
mod naming;
mod refusals;
mod regressions;
