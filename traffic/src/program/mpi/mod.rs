//! Programs that are calls of MPI, rank by rank: what the ranks do and what they wait for.

pub(crate) mod exchange;
mod logs;
mod rank;
mod records;

pub(crate) use logs::LogProgram;
