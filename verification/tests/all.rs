//! Proofs, coverage, campaigns and mutants of the shipped blocks.

mod campaign;
mod coverage;
mod library;
mod mutants;
mod proofs;
mod sampled_mutants;
