//! Whole networks: latencies, the plain model that steps everything, and what must be reported.

mod equality;
mod latency;
mod plain;
mod reports;
mod workloads;
