//! Whole networks under synthetic traffic and MPI programs: run time, latency, throughput, energy.

pub mod check_rate;
mod idle;
mod instructions;
mod link_utilisation;
mod outcome;
pub mod peers;
pub mod rate;
mod run;
mod series;
mod simulation;

pub use idle::IdleLinks;
pub use outcome::{LatencySummary, LinkUtilisation, Outcome, Power, Progress, Worked};
pub use run::{
    jobs_workload, simulate, simulate_on, simulate_on_threads, synthetic_on, synthetic_workload, trace_workload,
};
pub use series::Interval;
pub use simulation::{IDEAL, Interfaces, JobsOptions, Simulation, TraceOptions, Traffic};
