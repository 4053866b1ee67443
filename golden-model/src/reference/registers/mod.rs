//! Configuration and status from outside.

pub mod register_bus;

pub use register_bus::RegisterBus;
