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

use powar_config::SwitchConfig;

/// Widths that the two halves of a `link_crossing` share.
struct CrossingSizes {
    vcs: usize,
    /// Bits of the place of an entry.
    place_bits: usize,
    /// Bits of a number of entries, modulo twice as many as there are.
    pointer_bits: usize,
    /// Bits of a number of credits of a virtual channel, of which as many may be on their way as its buffer has flits.
    credit_bits: usize,
}

impl CrossingSizes {
    fn new(config: &SwitchConfig) -> Self {
        let place_bits = config.crossing_entries.ilog2() as usize;
        let credit_bits = config.vc_depth().ilog2() as usize + 1;
        CrossingSizes { vcs: config.vcs, place_bits, pointer_bits: place_bits + 1, credit_bits }
    }
}

/// The width of a pointer into the queue of a `link_crossing`, for the registry.
pub(crate) fn crossing_pointer_bits(config: &SwitchConfig) -> usize {
    CrossingSizes::new(config).pointer_bits
}
