//! Where the signals that monitors look at lie in the frames of a switch.

use crate::link_slots::LinkSlots;
use anyhow::Result;
use powar_config::{Config, Layout, Role};

pub(crate) struct Signals {
    pub ports: usize,
    pub vcs: usize,
    pub words: usize,
    pub links: LinkSlots,
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
        let register = |name: &str| layout.slot(Role::Register, name);
        Ok(Signals {
            ports: config.ports,
            vcs: config.switch.vcs,
            words: config.switch.flit_words(),
            links: LinkSlots::new(layout)?,
            busy: layout.slot(Role::Output, "busy")?,
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
        &self.inputs[self.signals.links.in_flit + port * words..][..words]
    }

    /// The words of the flit on an output link.
    pub(crate) fn flit_out(&self, port: usize) -> &[u64] {
        let words = self.signals.words;
        &self.observed[self.signals.links.out_flit + port * words..][..words]
    }

    /// The virtual channel of the flit on an input link, if there is one and the channel exists.
    pub(crate) fn arrival(&self, port: usize) -> Option<usize> {
        let vc = self.inputs[self.signals.links.in_vc + port] as usize;
        (self.input_bit(self.signals.links.in_valid, port) && vc < self.signals.vcs).then_some(vc)
    }
}
