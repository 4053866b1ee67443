//! E-RAPID: boards joined by wavelengths, which go to who waits for them, at a rate and voltage by what waits.

pub mod control_registers;
#[allow(clippy::module_inception)]
pub mod e_rapid;
pub mod link_controller;
pub mod queue_monitor;
pub mod reconfiguration_controller;
pub mod ring_station;

pub use control_registers::ControlRegisters;
pub use e_rapid::ERapid;
pub use link_controller::LinkController;
pub use queue_monitor::QueueMonitor;
pub use reconfiguration_controller::ReconfigurationController;
pub use ring_station::RingStation;

use crate::power::Entry;
use crate::power::mechanism::Builder;
use powar_config::Config;
use powar_config::mechanism::e_rapid::{ERapidValues, Layout, MECHANISM};

/// The line in the list of mechanisms.
pub static ENTRY: Entry = Entry { mechanism: &MECHANISM, build: |config| Box::new(ERapid::new(config)), blocks };

/// Boards of a checked configuration.
fn layout(config: &Config) -> Layout {
    Layout::of(config).expect("boards, in a configuration that has been checked")
}

fn blocks(config: &Config) -> Vec<(String, Builder<'_>)> {
    let boards = layout(config).boards;
    vec![
        (control_registers::NAME.into(), Box::new(move || Box::new(ControlRegisters::new(&ERapidValues::of(config))))),
        ("queue_monitor".into(), Box::new(|| Box::new(QueueMonitor::new()))),
        ("link_controller".into(), Box::new(|| Box::new(LinkController::new(true)))),
        ("ring_station".into(), Box::new(move || Box::new(RingStation::new(boards)))),
        ("reconfiguration_controller".into(), Box::new(move || Box::new(ReconfigurationController::new(boards)))),
    ]
}
