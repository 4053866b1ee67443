//! Where the signals that monitors look at lie in the frames of a switch.

use anyhow::{Context, Result};
use powar_config::{Config, Layout, Role};

pub(crate) struct Signals {
    pub ports: usize,
    pub vcs: usize,
    pub words: usize,
    pub rst: usize,
    pub in_valid: usize,
    pub in_head: usize,
    pub in_vc: usize,
    pub in_flit: usize,
    pub in_power_state: usize,
    pub out_credit_valid: usize,
    pub out_credit_vc: usize,
    pub out_valid: usize,
    pub out_head: usize,
    pub out_vc: usize,
    pub out_flit: usize,
    pub out_power_state: usize,
    pub in_credit_valid: usize,
    pub in_credit_vc: usize,
    pub busy: usize,
    /// Registers, one row a port, or one a port and virtual channel.
    pub count: usize,
    pub credits: usize,
    pub credit_errors: usize,
    pub dropped_packets: usize,
    pub framing_errors: usize,
    pub overflow_errors: usize,
    pub sleeping_link_flits: usize,
    pub clear: usize,
}

impl Signals {
    pub fn new(config: &Config, layout: &Layout) -> Result<Self> {
        let find =
            |slot: Option<usize>, name: &str| slot.with_context(|| format!("{name}: the switch has no such signal"));
        let input = |name: &str| find(layout.input(name), name);
        let output = |name: &str| find(layout.observed(Role::Output, name), name);
        let register = |name: &str| find(layout.observed(Role::Register, name), name);
        Ok(Signals {
            ports: config.ports,
            vcs: config.switch.vcs,
            words: config.switch.flit_words(),
            rst: input("rst")?,
            in_valid: input("in_valid")?,
            in_head: input("in_head")?,
            in_vc: input("in_vc")?,
            in_flit: input("in_flit")?,
            in_power_state: input("in_power_state")?,
            out_credit_valid: input("out_credit_valid")?,
            out_credit_vc: input("out_credit_vc")?,
            out_valid: output("out_valid")?,
            out_head: output("out_head")?,
            out_vc: output("out_vc")?,
            out_flit: output("out_flit")?,
            out_power_state: output("out_power_state")?,
            in_credit_valid: output("in_credit_valid")?,
            in_credit_vc: output("in_credit_vc")?,
            busy: output("busy")?,
            count: register("input_port.vc.flits.count")?,
            credits: register("output_port.credit.credits")?,
            credit_errors: register("output_port.credit_errors")?,
            dropped_packets: register("input_port.dropped_packets")?,
            framing_errors: register("input_port.framing_errors")?,
            overflow_errors: register("input_port.overflow_errors")?,
            sleeping_link_flits: register("input_port.sleeping_link_flits")?,
            clear: register("bus.registers.clear_statistics")?,
        })
    }
}

impl super::Frame<'_> {
    /// Bit `port` of an input vector.
    pub(crate) fn input_bit(&self, slot: usize, port: usize) -> bool {
        self.inputs[slot] >> port & 1 == 1
    }

    /// Bit `port` of an observed vector.
    pub(crate) fn bit(&self, slot: usize, port: usize) -> bool {
        self.observed[slot] >> port & 1 == 1
    }

    /// The words of the flit on an input link.
    pub(crate) fn flit_in(&self, port: usize) -> &[u64] {
        let words = self.signals.words;
        &self.inputs[self.signals.in_flit + port * words..][..words]
    }

    /// The words of the flit on an output link.
    pub(crate) fn flit_out(&self, port: usize) -> &[u64] {
        let words = self.signals.words;
        &self.observed[self.signals.out_flit + port * words..][..words]
    }

    /// The virtual channel of the flit on an input link, if there is one and the channel exists.
    pub(crate) fn arrival(&self, port: usize) -> Option<usize> {
        let vc = self.inputs[self.signals.in_vc + port] as usize;
        (self.input_bit(self.signals.in_valid, port) && vc < self.signals.vcs).then_some(vc)
    }
}
