//! What drives the inputs of both models.

pub mod crossing_clocks;
pub mod crossing_traffic;
pub mod hardly_reading;
pub(crate) mod hint_lane;
pub mod link_traffic;
pub mod node_traffic;
pub mod scenario;
pub mod serial_commands;
pub(crate) mod software;
pub mod switch_traffic;

pub use crossing_clocks::CrossingClocks;
pub use crossing_traffic::{CrossingLoad, CrossingTraffic};
pub use hardly_reading::HardlyReading;
pub use link_traffic::{LinkOptions, LinkTraffic, TrafficKind};
pub use node_traffic::NodeTraffic;
pub use scenario::{Patient, Scenario};
pub use serial_commands::SerialCommands;
pub use switch_traffic::{RegisterWrite, SwitchTraffic};

/// A source of input frames.
pub trait Stimulus {
    /// Fills the input frame of `cycle`. `last` is the golden model's observed frame of the cycle before (zeros at
    /// first), so that a loop can be closed: a request is held until it is seen to be granted.
    fn drive(&mut self, cycle: u64, last: &[u64], inputs: &mut [u64]);
}

impl<S: Stimulus + ?Sized> Stimulus for Box<S> {
    fn drive(&mut self, cycle: u64, last: &[u64], inputs: &mut [u64]) {
        (**self).drive(cycle, last, inputs);
    }
}
