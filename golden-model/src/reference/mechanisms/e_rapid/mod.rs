//! E-RAPID: wavelengths between boards go to who waits for them, at a rate and voltage by what waits (Kodi and Louri).

pub mod control_registers;
#[expect(clippy::module_inception, reason = "the mechanism's block has the mechanism's name")]
pub mod e_rapid;
pub mod link_controller;
pub mod queue_monitor;
pub mod reconfiguration_controller;
pub mod ring_station;

pub use control_registers::{ControlRegisters, RegistersWithCounts};
pub use e_rapid::ERapid;
pub use link_controller::LinkController;
pub use queue_monitor::QueueMonitor;
pub use reconfiguration_controller::{ReconfigurationController, State};
pub use ring_station::RingStation;

use super::{Entry, Twin, twin};
use crate::reference::power::CheckTimer;
use powar_config::Config;
use powar_config::mechanism::e_rapid::{ERapidValues, Layout};

/// The entry in the list of mechanisms.
pub static ENTRY: Entry = Entry { name: "e_rapid", build: |config| Box::new(ERapid::new(config)), blocks };

/// The blocks that `e_rapid` is built of.
fn blocks(config: &Config) -> Vec<(String, Twin)> {
    let boards = Layout::of(config).expect("a network of boards").boards;
    vec![
        ("check_timer".into(), twin(CheckTimer::new())),
        (
            "e_rapid_control_registers".into(),
            twin(RegistersWithCounts(ControlRegisters::new(ERapidValues::of(config)))),
        ),
        ("ring_station".into(), twin(RingStation::new(boards))),
        ("reconfiguration_controller".into(), twin(ReconfigurationController::new(boards))),
        ("queue_monitor".into(), twin(QueueMonitor::new())),
        ("link_controller".into(), twin(LinkController::new(true))),
    ]
}
