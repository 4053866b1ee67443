//! Output side: the crossbar, credits of the next buffers, the links.

pub mod credit_counter;
pub mod crossbar;
pub mod crossing_receiver;
pub mod crossing_sender;
pub mod gray_counter;
pub mod link_crossing;
pub mod link_stage;
pub mod output_port;
pub mod synchroniser;

pub use credit_counter::CreditCounter;
pub use crossbar::Crossbar;
pub use crossing_receiver::CrossingReceiver;
pub use crossing_sender::CrossingSender;
pub use gray_counter::GrayCounter;
pub use link_crossing::LinkCrossing;
pub use link_stage::LinkStage;
pub use output_port::OutputPort;
pub use synchroniser::Synchroniser;

use powar_config::{Config, Sees};

/// Whether an output port shows its occupancy: to a mechanism that sees buffers or to a routing that sees it.
fn shows_occupancy(config: &Config, sees: Sees) -> bool {
    sees.buffers || config.routing_sees().occupancy
}

/// The sizes that the halves of a `link_crossing` share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CrossingSizes {
    vcs: usize,
    /// Of the place of an entry.
    place_bits: usize,
    /// Of a number of credits of a virtual channel: of 0 to the flits that its buffer holds.
    credit_bits: usize,
}

impl CrossingSizes {
    fn new(config: &Config) -> Self {
        let bits = |number: usize| number.ilog2() as usize + 1;
        CrossingSizes {
            vcs: config.switch.vcs,
            place_bits: bits(config.switch.crossing_entries - 1),
            credit_bits: bits(config.switch.vc_depth()),
        }
    }

    /// Of a number of entries, modulo twice as many as there are places.
    fn pointer_bits(self) -> usize {
        self.place_bits + 1
    }
}

/// Bits of a number of entries of the `link_crossing` of a configuration.
pub fn crossing_pointer_bits(config: &Config) -> usize {
    CrossingSizes::new(config).pointer_bits()
}
