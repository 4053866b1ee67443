//! Alonso's mechanism and its blocks.

mod link_fsm;
mod link_group;
mod mechanism;
mod verilog;

use powar_config::{Config, Phase};

/// The same phase in so many cycles.
fn stay(phase: Phase, cycles: usize) -> Vec<u64> {
    vec![phase as u64; cycles]
}

/// The 4-port switch of a 2-ary 3-tree. A check period is 20 cycles; a link takes 6 to come on and 4 to go off.
fn tree() -> Config {
    config(
        r#"
        name = "tree"
        ports = 4
        deterministic = "single"
        groups = [{ first = 2, size = 2 }]
        [topology]
        kind = "fat-tree"
        k = 2
        n = 3
        "#,
    )
}

/// The 6-port switch of a ring with trunks of two links, likewise.
fn torus() -> Config {
    config(
        r#"
        name = "torus"
        ports = 6
        deterministic = "set"
        groups = [{ first = 0, size = 2 }, { first = 2, size = 2 }, { first = 4, size = 2 }]
        [topology]
        kind = "torus"
        dimensions = [3]
        trunk = 2
        "#,
    )
}

fn config(network: &str) -> Config {
    let rest = r#"
        [switch]
        vcs = 2
        buffer_flits = 32
        max_packet_flits = 8
        flit_bits = 32
        [mechanism]
        kind = "alonso"
        check_period = "32ns"
        turn_on = "9.6ns"
        turn_off = "6.4ns"
    "#;
    Config::from_toml(&format!("{network}{rest}")).expect("in range")
}
