//! Files that nobody should trust. A target of its own: its process may take little memory, whatever a file says.

mod common;
mod dumpi;
mod files;
mod matrix;
mod mutated;
mod rank_file;
