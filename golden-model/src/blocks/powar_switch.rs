//! Section 5.13: the whole switch.

use super::{ControlRegisters, PortStatistics};
use powar_config::{Config, Deterministic, Role, SignalDecl};

/// The signals of the switch, in the order in which both implementations fill the observed frame.
///
/// The configuration must have passed [`Config::check_switch`].
pub fn signals(config: &Config) -> Vec<SignalDecl> {
    let n = config.ports;
    let (v, w) = (config.switch.vcs, config.switch.flit_words());
    let widest = config.groups.iter().map(|group| group.size).max();
    let mut signals = Vec::new();
    let mut declare = |role, path: &str, list: &[(&str, usize, usize)]| {
        signals.extend(
            list.iter().map(|&(name, rows, width)| SignalDecl::new(role, format!("{path}{name}"), rows, width)),
        );
    };
    declare(
        Role::Input,
        "",
        &[
            ("rst", 1, 1),
            ("position", 1, 16),
            ("stage", 1, 4),
            ("in_valid", 1, n),
            ("in_head", 1, n),
            ("in_vc", n, 3),
            ("in_power_state", n, 2),
            ("in_flit", n * w, 32),
            ("out_credit_valid", 1, n),
            ("out_credit_vc", n, 3),
            ("s_axi_awvalid", 1, 1),
            ("s_axi_awaddr", 1, 16),
            ("s_axi_wvalid", 1, 1),
            ("s_axi_wdata", 1, 32),
            ("s_axi_wstrb", 1, 4),
            ("s_axi_bready", 1, 1),
            ("s_axi_arvalid", 1, 1),
            ("s_axi_araddr", 1, 16),
            ("s_axi_rready", 1, 1),
        ],
    );
    declare(
        Role::Output,
        "",
        &[
            ("out_valid", 1, n),
            ("out_head", 1, n),
            ("out_vc", n, 3),
            ("out_power_state", n, 2),
            ("out_flit", n * w, 32),
            ("in_credit_valid", 1, n),
            ("in_credit_vc", n, 3),
            ("busy", 1, n),
            ("awake", 1, n),
            ("selectable", 1, n),
            ("full_power", 1, n),
            ("check", 1, 1),
            ("s_axi_awready", 1, 1),
            ("s_axi_wready", 1, 1),
            ("s_axi_arready", 1, 1),
            ("s_axi_bvalid", 1, 1),
            ("s_axi_bresp", 1, 2),
            ("s_axi_rvalid", 1, 1),
            ("s_axi_rresp", 1, 2),
            ("s_axi_rdata", 1, 32),
        ],
    );
    declare(
        Role::Register,
        "bus.",
        &[
            ("s_axi_bvalid", 1, 1),
            ("s_axi_bresp", 1, 2),
            ("s_axi_rvalid", 1, 1),
            ("s_axi_rresp", 1, 2),
            ("s_axi_rdata", 1, 32),
        ],
    );
    declare(Role::Register, "bus.registers.", &ControlRegisters::REGISTERS.map(|(name, width)| (name, 1, width)));
    declare(Role::Register, "power.", &[("busy", 1, n), ("timer.count", 1, 16)]);
    if let Some(widest) = widest {
        let groups = config.groups.len();
        declare(
            Role::Register,
            "power.group.",
            &[
                ("flit_counter.count", groups, 24),
                ("threshold_comparator.on_limit", groups, 24),
                ("threshold_comparator.off_limit", groups, 24),
                ("selectable_ports.selectable", groups, widest),
                ("selectable_ports.n_selectable", groups, 7),
            ],
        );
    }
    declare(
        Role::Register,
        "power.fsm.",
        &[("state", n, 2), ("refreshing", n, 1), ("wake_pending", n, 1), ("count", n, 24)],
    );
    declare(Role::Register, "power.statistics.", &PortStatistics::NAMES.map(|name| (name, n, 32)));
    declare(
        Role::Register,
        "input_port.",
        &[
            ("in_credit_valid", n, 1),
            ("in_credit_vc", n, 3),
            ("dropped_packets", n, 32),
            ("framing_errors", n, 32),
            ("overflow_errors", n, 32),
            ("sleeping_link_flits", n, 32),
            ("reading", n, v),
            ("pointer", n, v),
        ],
    );
    declare(
        Role::Register,
        "input_port.vc.",
        &[
            ("first", n * v, 1),
            ("head_valid", n * v, 1),
            ("malformed", n * v, 1),
            ("destination", n * v, 16),
            ("length", n * v, 10),
            ("holding", n * v, 1),
            ("port", n * v, n),
            ("output_vc", n * v, v),
            ("dropping", n * v, 1),
            ("remaining", n * v, 10),
            ("arriving", n * v, 10),
            ("fetching", n * v, 1),
        ],
    );
    for queue in ["input_port.vc.flits.", "input_port.vc.headers."] {
        declare(
            Role::Register,
            queue,
            &[("write_pointer", n * v, 12), ("read_pointer", n * v, 12), ("count", n * v, 13)],
        );
    }
    declare(
        Role::Register,
        "allocator.selector.",
        &[("choice", n * v, n), ("choice_adaptive", n * v, 1), ("rrp", n * v, n)],
    );
    if config.deterministic == Deterministic::Set {
        declare(Role::Register, "allocator.selector.", &[("drp", n * v, n)]);
    }
    declare(Role::Register, "allocator.", &[("vc_arbiter.pointer", n, v), ("port_arbiter.pointer", n, n)]);
    declare(Role::Register, "crossbar.", &[("select", n, n), ("select_vc", n, v), ("select_head", 1, n)]);
    declare(
        Role::Register,
        "output_port.",
        &[
            ("out_valid", n, 1),
            ("out_head", n, 1),
            ("out_vc", n, 3),
            ("out_flit", n * w, 32),
            ("out_power_state", n, 2),
            ("power_state_early", n, 2),
            ("credit_errors", n, 32),
            ("credit.credits", n * v, 13),
            ("vc_allocator.pointer", n, v),
        ],
    );
    signals
}
