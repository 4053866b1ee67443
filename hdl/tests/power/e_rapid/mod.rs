//! E-RAPID's mechanism and its blocks.

mod link_controller;
mod mechanism;
mod reconfiguration_controller;
mod registers;
mod ring_station;
mod verilog;

use powar_config::mechanism::Chosen;
use powar_config::mechanism::e_rapid::ERapidParameters;
use powar_config::units::Nanoseconds;
use powar_config::{Config, Phase};
use powar_hdl::mechanisms::e_rapid::{ENTRY, ERapid};
use powar_hdl::rtl_block::RtlBlock;

/// The same phase in so many cycles.
fn stay(phase: Phase, cycles: usize) -> Vec<u64> {
    vec![phase as u64; cycles]
}

/// The switch of a board: its nodes, then links. A cycle takes 1 ns; a window is 256 cycles, a change of level 5.
fn boards(boards: usize, nodes: usize, policy: &str) -> Config {
    let text = format!(
        r#"
        name = "boards-{boards}x{nodes}"
        ports = {}
        deterministic = "single"
        cycle_ns = 1.0
        [topology]
        kind = "boards"
        boards = {boards}
        nodes = {nodes}
        "#,
        nodes + boards * (boards - 1)
    );
    let mut config = Config::from_toml(&text).expect("in range");
    config.mechanism = Chosen(Box::new(ERapidParameters {
        policy: policy.into(),
        window: Nanoseconds(256.0),
        dead_time: Nanoseconds(5.0),
        ..Default::default()
    }));
    config.check().expect("in range");
    config
}

/// One of the mechanism's blocks, or the whole mechanism.
fn block(config: &Config, name: &str) -> Box<dyn RtlBlock> {
    if name == ENTRY.mechanism.name {
        return Box::new(ERapid::new(config));
    }
    let (_, build) = (ENTRY.blocks)(config).into_iter().find(|(known, _)| known == name).expect("a block");
    build()
}
