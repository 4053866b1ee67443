//! Soteriou and Peh's mechanism and its blocks.

mod mechanism;
mod on_off_fsm;
mod statistics;
mod verilog;

use powar_config::{Config, Phase};

/// The same phase in so many cycles.
fn stay(phase: Phase, cycles: usize) -> Vec<u64> {
    vec![phase as u64; cycles]
}

/// The 7-port switch of a mesh of 4 x 3 with three nodes at each. A window is 20 cycles, a transition 4, an idle time with four links on 6.
fn mesh(policy: &str) -> Config {
    with(
        policy,
        r#"
        name = "mesh"
        ports = 7
        deterministic = "single"
        [topology]
        kind = "mesh"
        dimensions = [4, 3]
        nodes = 3
        "#,
    )
}

/// The 5-port switch of a torus of 4 x 4, likewise.
fn torus(policy: &str) -> Config {
    with(
        policy,
        r#"
        name = "torus"
        ports = 5
        deterministic = "set"
        [topology]
        kind = "torus"
        dimensions = [4, 4]
        trunk = 1
        "#,
    )
}

/// A switch of three ports of any network.
fn any() -> Config {
    with("on-off-on-demand", "name = \"any\"\nports = 3\ndeterministic = \"single\"")
}

fn with(policy: &str, network: &str) -> Config {
    let rest = r#"
        [switch]
        vcs = 4
        buffer_flits = 40
        max_packet_flits = 4
        flit_bits = 32
        [mechanism]
        kind = "soteriou_peh"
        window = "32ns"
        t_trans = "6.4ns"
        idle = "9.6ns"
    "#;
    Config::from_toml(&format!("{network}{rest}policy = \"{policy}\"")).expect("in range")
}
