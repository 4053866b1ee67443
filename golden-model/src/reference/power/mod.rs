//! What every power mechanism has around it.

pub mod port_statistics;

pub use port_statistics::PortStatistics;
