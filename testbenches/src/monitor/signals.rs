//! Where the signals that monitors look at lie in the frames of a switch.

use crate::link_slots::LinkSlots;
use anyhow::{Context, Result};
use powar_config::{Config, Layout, Mechanism, Role, registers};

pub(crate) struct Signals {
    pub ports: usize,
    pub vcs: usize,
    pub words: usize,
    pub mechanism: &'static Mechanism,
    pub links: LinkSlots,
    /// Outputs: vectors of the ports, and a row a port.
    pub held: usize,
    pub ready: usize,
    pub phase: usize,
    pub level: usize,
    /// Registers, one row a port and virtual channel.
    pub write_pointer: usize,
    pub read_pointer: usize,
    pub full: usize,
    pub credits: usize,
    /// The prescalers of the counters, `counters` rows a port, and the bits of them that are used.
    pub prescalers: usize,
    pub counters: usize,
    pub mask: u64,
    pub clear: usize,
    /// The word that was asked for last, and its answer.
    pub read_address: usize,
    pub read_done: usize,
    pub read_data: usize,
}

impl Signals {
    pub fn new(config: &Config, layout: &Layout) -> Result<Self> {
        let register = |name: &str| layout.slot(Role::Register, name);
        let output = |name: &str| layout.slot(Role::Output, name);
        let counters = registers::counters(config.mechanism()).count();
        Ok(Signals {
            ports: config.ports,
            vcs: config.switch.vcs,
            words: config.switch.flit_words(),
            mechanism: config.mechanism(),
            links: LinkSlots::new(layout)?,
            held: output("held")?,
            ready: output("ready")?,
            phase: output("phase")?,
            level: output("level")?,
            write_pointer: register("input_port.vc.flits.write_pointer")?,
            read_pointer: register("input_port.vc.flits.read_pointer")?,
            full: register("input_port.vc.flits.full")?,
            credits: register("output_port.credit.credits")?,
            prescalers: register("power.counters.prescaler")?,
            counters,
            mask: registers::prescaler_mask(counters).into(),
            clear: register("power.clear")?,
            read_address: register("bus.read_address")?,
            read_done: register("power.read_done")?,
            read_data: register("power.read_data")?,
        })
    }

    /// The place of a counter among those of a port.
    pub fn counter(&self, name: &str) -> Result<usize> {
        let place = registers::counters(self.mechanism).position(|(counter, _)| counter == name);
        place.with_context(|| format!("{name}: ports have no such counter"))
    }
}

impl super::ObservedCycle<'_> {
    /// Bit `port` of an input vector.
    pub(crate) fn input_bit(&self, slot: usize, port: usize) -> bool {
        self.inputs[slot] >> port & 1 == 1
    }

    /// Bit `port` of an observed vector.
    pub(crate) fn bit(&self, slot: usize, port: usize) -> bool {
        self.observed[slot] >> port & 1 == 1
    }

    /// The prescaler of a counter of a port, by its place.
    pub(crate) fn counter(&self, port: usize, place: usize) -> u64 {
        self.observed[self.signals.prescalers + port * self.signals.counters + place]
    }

    /// The prescalers of all ports.
    pub(crate) fn counters(&self) -> &[u64] {
        &self.observed[self.signals.prescalers..][..self.signals.ports * self.signals.counters]
    }

    /// The counters are cleared in this cycle.
    pub(crate) fn clears(&self) -> bool {
        self.observed[self.signals.clear] == 1
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
