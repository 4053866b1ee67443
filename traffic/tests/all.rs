//! Traffic: synthetic, programs, traces of every format.

mod any_bytes;
mod any_vef;
mod bad_input;
mod bad_vef;
mod closed_loop;
mod collectives;
mod common;
mod convert;
mod goal;
mod goal_bad;
mod goal_files;
mod goal_model;
mod jobs;
mod log_version_2;
mod mpi_programs;
mod paper_mixes;
mod shipped;
mod skeleton;
mod synthetic;
mod tiny_logs;
mod tiny_vef;
mod vef_programs;
mod vef_round_trip;
