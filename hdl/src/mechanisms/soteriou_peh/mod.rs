//! Soteriou and Peh: links go off and on with the load of a router, or after an idle time and on demand.

pub mod age_monitor;
pub mod control_registers;
pub mod link_choice;
pub mod load_predictor;
pub mod on_off_fsm;
#[allow(clippy::module_inception)]
pub mod soteriou_peh;
pub mod window_sums;

pub use age_monitor::AgeMonitor;
pub use control_registers::ControlRegisters;
pub use link_choice::LinkChoice;
pub use load_predictor::LoadPredictor;
pub use on_off_fsm::OnOffFsm;
pub use soteriou_peh::SoteriouPeh;
pub use window_sums::WindowSums;

use crate::power::Entry;
use crate::power::mechanism::Builder;
use powar_config::Config;
use powar_config::mechanism::soteriou_peh::{MECHANISM, SoteriouPehValues, links};

/// The line in the list of mechanisms.
pub static ENTRY: Entry = Entry { mechanism: &MECHANISM, build: |config| Box::new(SoteriouPeh::new(config)), blocks };

fn blocks(config: &Config) -> Vec<(String, Builder<'_>)> {
    let size = links(config);
    vec![
        (
            control_registers::NAME.into(),
            Box::new(move || Box::new(ControlRegisters::new(&SoteriouPehValues::of(config)))),
        ),
        ("window_sums".into(), Box::new(move || Box::new(WindowSums::new(size)))),
        ("load_predictor".into(), Box::new(|| Box::new(LoadPredictor::new(config.switch.buffer_flits)))),
        ("age_monitor".into(), Box::new(|| Box::new(AgeMonitor::new()))),
        ("link_choice".into(), Box::new(move || Box::new(LinkChoice::new(size)))),
        ("on_off_fsm".into(), Box::new(|| Box::new(OnOffFsm::new()))),
    ]
}
