//! Whole networks under synthetic traffic and MPI programs: run time, latency, throughput, energy.

mod backlog;
mod channels;
pub mod check_rate;
mod connected_ports;
mod details;
pub mod energy;
mod idle;
mod inputs;
mod instructions;
mod lasting;
mod latency;
mod link_utilisation;
mod links;
mod notes;
mod outcome;
pub mod peers;
pub mod rate;
mod run;
mod series;
mod simulation;
mod warm_up;
mod warm_up_cycles;
mod workloads;

pub use details::Details;
pub use idle::IdleLinks;
pub use inputs::inputs;
pub use latency::{FlowLatency, FlowSummary, HistogramBin, LatencyOf, LatencySummary};
pub use links::{EndKind, Link, LinkEnd};
pub(crate) use notes::note_of_nothing_saved;
pub use outcome::{LinkUtilisation, Outcome, Power, Progress, Worked};
pub use run::{simulate, simulate_on, simulate_on_threads};
pub use series::{Interval, SPECIAL, Special};
pub use simulation::{IDEAL, Interfaces, JobsOptions, Simulation, TraceOptions, Traffic};
pub use warm_up::{WarmUpEnd, find_warm_up, settled};
pub use warm_up_cycles::AUTO_WARM_UP;
pub use workloads::{jobs_workload, synthetic_on, synthetic_workload, trace_workload};
