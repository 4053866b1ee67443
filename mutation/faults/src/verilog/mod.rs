//! Faults of the emitted Verilog, such as a person makes: `>` for `>=`, the wrong slice, a reset forgotten.

mod allocation;
mod bus;
mod controller;
mod counters;
mod crossing;
mod demonstrator;
mod demonstrator_top;
mod input;
mod links_off;
mod network_interface;
mod output;
mod power;
mod routing;
mod selection;
mod short_packets;
mod switch;
mod virtual_channel;

use powar_testbenches::test_switches::TestSwitch::{self, FatTree, Trunks};

/// One wrong expression.
pub struct VerilogFault {
    /// The block whose module it is in, and which is put under the lock-step check.
    pub block: &'static str,
    /// What is wrong.
    pub name: &'static str,
    /// A piece of the module's text that occurs once.
    pub find: &'static str,
    /// The expression in it that is changed; occurs once in it.
    pub right: &'static str,
    /// What it is changed to.
    pub wrong: &'static str,
    /// The switch that it shows at.
    pub switch: TestSwitch,
}

pub(crate) const fn fault_at(
    switch: TestSwitch,
    block: &'static str,
    name: &'static str,
    find: &'static str,
    right: &'static str,
    wrong: &'static str,
) -> VerilogFault {
    VerilogFault { block, name, find, right, wrong, switch }
}

pub(crate) const fn fault(
    block: &'static str,
    name: &'static str,
    find: &'static str,
    right: &'static str,
    wrong: &'static str,
) -> VerilogFault {
    fault_at(FatTree, block, name, find, right, wrong)
}

/// A fault of a selector whose deterministic set may hold several ports.
const fn set_fault(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(Trunks, "selector", name, find, right, wrong)
}

/// Those of the blocks of every switch, by part of the design.
pub(crate) const SHARED: &[&[VerilogFault]] = &[
    selection::FAULTS,
    power::FAULTS,
    counters::FAULTS,
    controller::FAULTS,
    input::FAULTS,
    virtual_channel::FAULTS,
    output::FAULTS,
    allocation::FAULTS,
    routing::FAULTS,
    links_off::FAULTS,
    bus::FAULTS,
    demonstrator::FAULTS,
    demonstrator_top::FAULTS,
    switch::FAULTS,
    network_interface::FAULTS,
    crossing::FAULTS,
    short_packets::FAULTS,
];
