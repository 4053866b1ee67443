//! What each power policy saves and costs, on the golden model: at one switch and in whole networks; what a switch carries.

pub mod experiment;
pub mod golden_switch;
pub mod network;
pub mod network_files;
pub mod policy_comparison;
pub mod schema;
pub mod switch_measurement;
pub mod switch_view;
mod version;

pub use golden_switch::GoldenSwitch;
pub use policy_comparison::{Comparison, IdealRow, NetworkPower, PolicyRow, compare};
pub use switch_measurement::{Measurement, SwitchMeter, measure};
pub use switch_view::{packets_of_trace, switch_view};
pub use version::{set_version, version};
