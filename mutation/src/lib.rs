//! Mutation score of the golden model: a small error at a time is put into its sources, and the lock-step check must notice.
//!
//! All mutants are compiled at once into a copy of the workspace: each mutated place asks `powar_mutant` which one is on. [`rules`] say what is
//! changed, [`rewrite`] writes the text, [`workshop`] makes the copy and leaves out what does not compile, [`judge`] hunts.

pub mod equivalent;
pub mod judge;
pub mod report;
pub mod rewrite;
pub mod rules;
pub mod runner;
pub mod unit_tests;
pub mod verdict;
pub mod workshop;
