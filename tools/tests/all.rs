//! Tools of others: found, installed, run, and the files they read.

mod atomic_file;
mod install;
mod ipxact;
mod systemrdl;
mod verilated_library;
