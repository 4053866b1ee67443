//! Soteriou and Peh: links go off and on with the load of a router, or after an idle time and on demand.

pub mod age_monitor;
pub mod control_registers;
pub mod link_choice;
pub mod load_predictor;
pub mod on_off_fsm;
#[expect(clippy::module_inception, reason = "the mechanism's block has the mechanism's name")]
pub mod soteriou_peh;
pub mod window_sums;

pub use age_monitor::AgeMonitor;
pub use control_registers::ControlRegisters;
pub use link_choice::LinkChoice;
pub use load_predictor::LoadPredictor;
pub use on_off_fsm::OnOffFsm;
pub use soteriou_peh::SoteriouPeh;
pub use window_sums::WindowSums;

use super::{Entry, Twin, twin};
use crate::reference::power::CheckTimer;
use powar_config::Config;
use powar_config::mechanism::soteriou_peh::{SoteriouPehValues, links};

/// The entry in the list of mechanisms.
pub static ENTRY: Entry = Entry { name: "soteriou_peh", build: |config| Box::new(SoteriouPeh::new(config)), blocks };

/// The blocks that `soteriou_peh` is built of.
fn blocks(config: &Config) -> Vec<(String, Twin)> {
    let size = links(config);
    vec![
        ("check_timer".into(), twin(CheckTimer::new())),
        ("soteriou_peh_control_registers".into(), twin(ControlRegisters::new(SoteriouPehValues::of(config)))),
        ("window_sums".into(), twin(WindowSums::new(size))),
        ("load_predictor".into(), twin(LoadPredictor::new(config.switch.buffer_flits))),
        ("age_monitor".into(), twin(AgeMonitor::new())),
        ("link_choice".into(), twin(LinkChoice::new(size))),
        ("on_off_fsm".into(), twin(OnOffFsm::new())),
    ]
}
