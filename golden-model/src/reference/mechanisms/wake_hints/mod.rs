//! Wake hints: Ahead, whose ports are woken by words that run ahead of packets.

pub mod hint_choice;
pub mod hint_monitor;
pub mod hint_receiver;
pub mod hint_registers;
pub mod hint_sender;
pub mod lanes;
pub mod node_hints;
#[expect(clippy::module_inception, reason = "the mechanism's block has the mechanism's name")]
pub mod wake_hints;

pub use hint_choice::HintChoice;
pub use hint_monitor::HintMonitor;
pub use hint_receiver::HintReceiver;
pub use hint_registers::HintRegisters;
pub use hint_sender::HintSender;
pub use lanes::Lanes;
pub use node_hints::NodeHints;
pub use wake_hints::WakeHints;

use super::ahead::{self, Ahead};
use super::{Entry, Twin, twin};
use crate::reference::power::mechanism::MechanismBlock;
use powar_config::Config;
use powar_config::mechanism::wake_hints::HintValues;

/// The entry in the list of mechanisms.
pub static ENTRY: Entry = Entry { name: "wake_hints", build: |config| Box::new(WakeHints::new(config)), blocks };

/// The blocks that `wake_hints` is built of: `ahead` with all of its own, and five; and the one that it brings into network interfaces.
fn blocks(config: &Config) -> Vec<(String, Twin)> {
    let reset = HintValues::of(config);
    let mechanism = Box::new(Ahead::with(config, reset.ahead));
    let mut twins = of_lanes(config, reset);
    twins.push((ahead::ENTRY.name.into(), twin(MechanismBlock::new(config.ports, mechanism))));
    twins.extend(ahead::blocks(config, reset.ahead));
    twins
}

/// The blocks that lanes bring into a mechanism, with these values after reset, and into network interfaces.
pub(super) fn of_lanes(config: &Config, reset: HintValues) -> Vec<(String, Twin)> {
    vec![
        ("hint_receiver".into(), twin(HintReceiver::new())),
        ("hint_choice".into(), twin(HintChoice::new(config))),
        ("hint_sender".into(), twin(HintSender::new())),
        ("hint_monitor".into(), twin(HintMonitor::new())),
        ("hint_registers".into(), twin(HintRegisters::new(config.ports, config.mechanism(), reset))),
        ("node_hints".into(), twin(NodeHints::new())),
    ]
}
