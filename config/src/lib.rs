//! What the RTL and the golden model share, and nothing more: the configuration, the power mechanisms as data, the register
//! map, port-level types, units, the way a cycle-accurate model shows its signals to the lock-step harness, and the interface
//! between the nodes of a network and whatever carries their messages.
//!
//! Behaviour is never shared: both models follow `docs/microarchitecture/` on their own.

pub mod config;
pub mod cycle_model;
pub mod document;
mod group;
pub mod mechanism;
pub mod nearest;
pub mod network_names;
pub mod phase;
pub mod prefix;
pub mod presets;
pub mod registers;
mod ring_format;
pub mod routing;
mod seen;
mod setting;
mod shape;
pub mod signal;
pub mod switch;
mod table;
pub mod topology;
pub mod u_max;
pub mod units;
pub mod workload;

pub use config::Config;
pub use cycle_model::{CycleModel, Layout};
pub use group::Group;
pub use mechanism::powar::{PowarParameters, PowarValues};
pub use mechanism::{Chosen, Draw, Mechanism, NodeHint, Parameters, Residency, Routes, Sees};
pub use phase::Phase;
pub use prefix::Prefix;
pub use routing::{Routing, RoutingSees};
pub use setting::Setting;
pub use shape::{Deterministic, Shape};
pub use signal::{Habit, Meaning, Owner, Role, SignalDecl, SignalSpec};
pub use switch::SwitchConfig;
pub use topology::Topology;
pub use workload::{Foretold, Message, Workload};
