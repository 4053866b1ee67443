//! Whole networks: latencies, the plain model that steps everything, and what must be reported.

mod alonso;
mod bundles;
mod busy_awake_port;
mod e_rapid;
mod equality;
mod hints_depths;
mod idle_gaps;
mod latency;
mod perf_bound;
mod plain;
mod reports;
mod sleep_depth;
mod soteriou_peh;
mod streams;
mod threads;
mod wait_budget;
mod wake_hints;
mod workloads;
