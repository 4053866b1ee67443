//! The event-driven switch under the lock-step harness.

use super::input_ports::{InputPort, Lane, NO_PORT, Vc};
use super::{BusInputs, Credit, Inputs, LinkFlit, Switch, state_of};
use crate::bits::{is_set, ones};
use crate::fast::controller::frame::{Frame, observe_power, observe_statistics};
use crate::reference::power::PortStatistics;
use crate::reference::switch;
use anyhow::Result;
use powar_config::{Config, CycleModel, Deterministic, Layout, PowerState};

/// The switch of a configuration as a [`CycleModel`] with the frame of [`switch::signals`]. Its place in the network is an
/// input.
///
/// # Errors
/// A configuration that is not one of a switch ([`Config::check`], [`Config::check_switch`]).
pub fn twin(config: &Config) -> Result<Box<dyn CycleModel + Send>> {
    // Shorter flits are carried in the next larger array.
    Ok(match config.switch.flit_words() {
        0..=1 => Box::new(Twin::<1>::new(config)?),
        2 => Box::new(Twin::<2>::new(config)?),
        3..=4 => Box::new(Twin::<4>::new(config)?),
        5..=8 => Box::new(Twin::<8>::new(config)?),
        _ => Box::new(Twin::<16>::new(config)?),
    })
}

/// A switch whose flits have up to `K` words, under the harness.
#[derive(Clone, Debug)]
pub struct Twin<const K: usize> {
    /// The switch itself.
    pub switch: Switch<[u32; K]>,
    layout: Layout,
    /// What comes in in a cycle; kept from cycle to cycle for their memory.
    flits: Vec<LinkFlit<[u32; K]>>,
    credits: Vec<Credit>,
}

impl<const K: usize> Twin<K> {
    /// A switch after reset.
    ///
    /// # Errors
    /// Like [`Switch::new`].
    ///
    /// # Panics
    /// If a flit of the configuration has more than `K` words.
    pub fn new(config: &Config) -> Result<Self> {
        let words = config.switch.flit_words();
        assert!(words <= K, "flits of {words} words don't fit into {K}");
        Ok(Twin {
            switch: Switch::new(config, 0, 0)?,
            layout: Layout::new(switch::signals(config)),
            flits: Vec::with_capacity(config.ports),
            credits: Vec::with_capacity(config.ports),
        })
    }
}

impl<const K: usize> CycleModel for Twin<K> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut [u64]) {
        let (n, w) = (self.switch.config.ports, self.switch.config.switch.flit_words());
        let (first, rest) = inputs.split_at(5);
        let (in_vc, rest) = rest.split_at(n);
        let (in_power_state, rest) = rest.split_at(n);
        let (in_flit, rest) = rest.split_at(n * w);
        let (out_credit_vc, axi) = rest[1..].split_at(n);
        self.flits.clear();
        for port in ones(first[3]) {
            let mut payload = [0; K];
            for (word, slot) in payload.iter_mut().zip(&in_flit[port * w..(port + 1) * w]) {
                *word = *slot as u32;
            }
            self.flits.push(LinkFlit {
                port: port as u8,
                vc: in_vc[port] as u8,
                head: is_set(first[4], port),
                power_state: PowerState::ALL[in_power_state[port] as usize],
                payload,
            });
        }
        self.credits.clear();
        self.credits.extend(ones(rest[0]).map(|port| Credit { port: port as u8, vc: out_credit_vc[port] as u8 }));
        let bus = BusInputs::from_slots(axi);
        self.switch.move_to(first[1] as u16, first[2] as u8);
        self.switch.observe(&bus, observed);
        let bus = (bus != BusInputs::default()).then_some(bus);
        self.switch.step(&Inputs { rst: first[0] == 1, flits: &self.flits, credits: &self.credits, bus });
    }
}

impl<const K: usize> Switch<[u32; K]> {
    /// Fills in the whole frame. Straight copies, because this is most of what a lock-step cycle costs.
    fn observe(&self, bus: &BusInputs, observed: &mut [u64]) {
        let (n, w) = (self.config.ports, self.config.switch.flit_words());
        let mut frame = Frame::new(observed);
        let (valid, head) = self.flits_on_links();
        frame.put([valid, head]);
        let out_vc = frame.next(n);
        let out_power_state = frame.next(n);
        let out_flit = frame.next(n * w);
        out_vc.fill(0);
        out_flit.fill(0);
        for flit in &self.outputs.flits {
            let port = usize::from(flit.port);
            out_vc[port] = flit.vc.into();
            for (slot, word) in out_flit[port * w..(port + 1) * w].iter_mut().zip(flit.payload) {
                *slot = word.into();
            }
        }
        for (port, slot) in out_power_state.iter_mut().enumerate() {
            *slot = state_of(self.states_on_links, port) as u64;
        }
        let credit_valid = self.outputs.credits.iter().fold(0, |vector, credit| vector | 1 << credit.port);
        frame.put([credit_valid]);
        let credit_vc = frame.next(n);
        credit_vc.fill(0);
        for credit in &self.outputs.credits {
            credit_vc[usize::from(credit.port)] = credit.vc.into();
        }
        frame.put([self.busy, self.awake(), self.selectable(), self.full_power()]);
        let write_ready = u64::from(self.bus.write_ready(bus));
        frame.put([u64::from(self.flits.is_check(self.now)), write_ready, write_ready]);
        frame.put([u64::from(self.bus.read_ready(bus))]);
        let of_bus = [self.bus.bvalid as u64, self.bus.bresp.into(), self.bus.rvalid as u64];
        let of_reads = [self.bus.rresp.into(), self.bus.rdata.into()];
        frame.put(of_bus);
        frame.put(of_reads);

        frame.put(of_bus);
        frame.put(of_reads);
        frame.put(self.registers.contents().map(u64::from));
        observe_power(&mut frame, self.busy, &self.power, &self.flits, self.now);
        observe_statistics(&self.power, &self.flits, self.now, frame.next(PortStatistics::NAMES.len() * n));

        frame.fill(n, |port| u64::from(is_set(credit_valid, port)));
        frame.next(n).copy_from_slice(credit_vc);
        self.observe_inputs(&mut frame);
        self.observe_allocation(&mut frame);

        frame.fill(n, |port| u64::from(is_set(valid, port)));
        frame.fill(n, |port| u64::from(is_set(head, port)));
        frame.next(n).copy_from_slice(out_vc);
        frame.next(n * w).copy_from_slice(out_flit);
        frame.next(n).copy_from_slice(out_power_state);
        frame.fill(n, |port| state_of(self.states_early, port) as u64);
        frame.fill(n, |port| self.output.errors[port].into());
        let ports: [usize; 64] = std::array::from_fn(|port| port);
        by_vc(&mut frame, self.input.vcs, &ports[..n], |&port, vc| self.output.credits(port, vc) as u64);
        frame.fill(n, |port| self.output.vc_pointer[port].into());
        frame.end();
    }

    /// Which links have a flit, and which a head flit.
    fn flits_on_links(&self) -> (u64, u64) {
        let add = |(valid, head): (u64, u64), flit: &LinkFlit<_>| {
            (valid | 1 << flit.port, head | u64::from(flit.head) << flit.port)
        };
        self.outputs.flits.iter().fold((0, 0), add)
    }

    /// The input ports, from their error counters on.
    fn observe_inputs(&self, frame: &mut Frame) {
        let (ports, errors, depth) = (&self.input.ports, &self.input.errors, self.input.depth);
        column(frame, errors, |of| of.dropped_packets.into());
        column(frame, errors, |of| of.framing_errors.into());
        column(frame, errors, |of| of.overflow_errors.into());
        column(frame, errors, |of| of.sleeping_link_flits.into());
        column(frame, ports, |port| port.reading.into());
        column(frame, ports, |port| port.pointer.into());

        self.observe_lanes(frame, |lane| lane.link.head.into());
        self.observe_flags(frame, |port| port.head_valid);
        self.observe_flags(frame, |port| port.malformed);
        self.observe_vcs(frame, |vc| vc.route.destination.into());
        self.observe_vcs(frame, |vc| vc.length.into());
        self.observe_flags(frame, |port| port.holding);
        self.observe_lanes(frame, |lane| one_hot(lane.link.port));
        self.observe_lanes(frame, |lane| lane.output_vc().into());
        self.observe_flags(frame, |port| port.dropping);
        self.observe_lanes(frame, |lane| lane.flits.remaining.into());
        self.observe_lanes(frame, |lane| lane.flits.arriving.into());
        self.observe_flags(frame, |port| port.fetching);
        self.observe_lanes(frame, |lane| lane.flits.write(depth));
        self.observe_lanes(frame, |lane| lane.flits.read(depth));
        self.observe_lanes(frame, |lane| lane.flits.count().into());
        self.observe_vcs(frame, |vc| vc.headers.write(depth));
        self.observe_vcs(frame, |vc| vc.headers.read(depth));
        self.observe_vcs(frame, |vc| vc.headers.count.into());
    }

    /// Allocator and crossbar.
    fn observe_allocation(&self, frame: &mut Frame) {
        let (ports, vcs) = (&self.input.ports, self.input.vcs);
        let n = ports.len();
        by_vc(frame, vcs, ports, |port, vc| port.missed >> (8 * vc) & 0xff);
        by_vc(frame, vcs, ports, |port, vc| u64::from(port.choosing >> vc & 1) << (port.choice[vc & 7] & 63));
        self.observe_flags(frame, |port| port.choice_adaptive);
        self.observe_vcs(frame, |vc| one_hot(vc.rrp));
        if self.config.deterministic == Deterministic::Set {
            self.observe_vcs(frame, |vc| one_hot(vc.drp));
        }
        column(frame, ports, |port| port.arbiter_pointer.into());
        frame.fill(n, |port| one_hot(self.allocation.pointer[port]));

        let (select, select_vc) = (frame.next(n), frame.next(n));
        select.fill(0);
        select_vc.fill(0);
        let mut select_head = 0;
        for (flit, port, vc) in self.input.select(&self.outputs.credits) {
            select[port] = one_hot(flit.port);
            select_vc[port] = vc.into();
            select_head |= u64::from(flit.head) << port;
        }
        frame.put([select_head]);
    }

    /// A flag that the input ports hold as a mask over their VCs, row by row.
    fn observe_flags(&self, frame: &mut Frame, mask: impl Fn(&InputPort) -> u8) {
        by_vc(frame, self.input.vcs, &self.input.ports, |port, vc| u64::from(mask(port) >> vc & 1));
    }

    /// What VCs hold for their packets.
    fn observe_vcs(&self, frame: &mut Frame, value: impl Fn(&Vc) -> u64) {
        let (ports, _) = self.input.channels.as_chunks::<8>();
        by_vc(frame, self.input.vcs, ports, |vcs, vc| value(&vcs[vc & 7]));
    }

    /// What VCs hold for their flits.
    fn observe_lanes(&self, frame: &mut Frame, value: impl Fn(&Lane) -> u64) {
        let (ports, _) = self.input.lanes.as_chunks::<8>();
        by_vc(frame, self.input.vcs, ports, |lanes, vc| value(&lanes[vc & 7]));
    }
}

/// A signal with a row for each VC of each port.
#[inline]
fn by_vc<T>(frame: &mut Frame, vcs: usize, ports: &[T], value: impl Fn(&T, usize) -> u64) {
    let slots = frame.next(ports.len() * vcs);
    // Rows whose length the compiler knows are written at once.
    match vcs {
        1 => rows::<1, T>(slots, ports, value),
        2 => rows::<2, T>(slots, ports, value),
        4 => rows::<4, T>(slots, ports, value),
        8 => rows::<8, T>(slots, ports, value),
        _ => {
            for (slots, port) in slots.chunks_exact_mut(vcs).zip(ports) {
                slots.iter_mut().enumerate().for_each(|(vc, slot)| *slot = value(port, vc));
            }
        }
    }
}

/// The same with so many VCs.
#[inline]
fn rows<const VCS: usize, T>(slots: &mut [u64], ports: &[T], value: impl Fn(&T, usize) -> u64) {
    for (slots, port) in slots.as_chunks_mut::<VCS>().0.iter_mut().zip(ports) {
        *slots = std::array::from_fn(|vc| value(port, vc));
    }
}

/// A signal with a row for each of some things.
#[inline]
fn column<T>(frame: &mut Frame, things: &[T], value: impl Fn(&T) -> u64) {
    for (slot, thing) in frame.next(things.len()).iter_mut().zip(things) {
        *slot = value(thing);
    }
}

/// A port's number as a vector; [`NO_PORT`] is 0.
#[inline]
fn one_hot(port: u8) -> u64 {
    // Written without a branch: nobody could predict it.
    u64::from(port != NO_PORT) << (port & 63)
}
