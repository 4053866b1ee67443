//! Wake hints: words that run ahead of packets and wake the ports of a path together.

pub mod hint_choice;
pub mod hint_monitor;
pub mod hint_receiver;
pub mod hint_registers;
pub mod hint_sender;
pub mod node_hints;
#[allow(clippy::module_inception)]
pub mod wake_hints;

pub use hint_choice::HintChoice;
pub use hint_monitor::HintMonitor;
pub use hint_receiver::HintReceiver;
pub use hint_registers::HintRegisters;
pub use hint_sender::HintSender;
pub use node_hints::NodeHints;
pub use wake_hints::WakeHints;

use super::ahead::{self, Ahead};
use crate::power::Entry;
use crate::power::mechanism::Builder;
use powar_config::mechanism::wake_hints::{HintValues, MECHANISM};
use powar_config::{Config, Mechanism};

/// The line in the list of mechanisms.
pub static ENTRY: Entry = Entry { mechanism: &MECHANISM, build: |config| Box::new(WakeHints::new(config)), blocks };

/// `ahead` and its blocks, and those of hints.
fn blocks(config: &Config) -> Vec<(String, Builder<'_>)> {
    let reset = HintValues::of(config);
    let mut blocks = blocks_of_hints(config, &MECHANISM, reset);
    let ahead: Builder = Box::new(move || Box::new(Ahead::with(config, &reset.ahead)));
    blocks.push((ahead::ENTRY.mechanism.name.into(), ahead));
    blocks.extend(ahead::blocks(config, reset.ahead));
    blocks
}

/// The blocks of hints in this mechanism, with these values after reset, and the one that sends them at a node.
pub(super) fn blocks_of_hints<'a>(
    config: &'a Config,
    mechanism: &'static Mechanism,
    reset: HintValues,
) -> Vec<(String, Builder<'a>)> {
    vec![
        ("hint_receiver".into(), Box::new(|| Box::new(HintReceiver::new()))),
        ("hint_choice".into(), Box::new(move || Box::new(HintChoice::new(config)))),
        ("hint_sender".into(), Box::new(|| Box::new(HintSender::new()))),
        ("hint_monitor".into(), Box::new(|| Box::new(HintMonitor::new()))),
        ("hint_registers".into(), Box::new(move || Box::new(HintRegisters::new(config.ports, mechanism, &reset)))),
        ("node_hints".into(), Box::new(|| Box::new(NodeHints::new()))),
    ]
}
