//! Experiments: their files, what runs and what is kept, tables and figures.

mod alonso;
mod files;
mod outputs;
mod runs;
mod support;
mod u_max;
