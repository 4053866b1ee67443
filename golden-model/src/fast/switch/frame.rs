//! The event-driven switch under the lock-step harness.

use super::allocation::Allocation;
use super::behind::Behind;
use super::input_port::{InputPort, Lane, NO_PORT, Vc};
use super::routing::Route;
use super::software::errors;
use super::{BusInputs, Credits, Inputs, LinkFlit, Payload, Switch, Train};
use crate::bits::{is_set, ones, vector};
use crate::fast::frame::Frame;
use crate::fast::power::{Sideband, Signal};
use crate::lock_step::{Frames, take_behind_rst};
use crate::reference::switch::{StepwiseSwitch, SwitchInputs};
use anyhow::Result;
use powar_config::{Config, CycleModel, Deterministic, Layout, Phase};

/// The switch of a configuration as a [`CycleModel`] with the frame of [`StepwiseSwitch`]. Its place in the network is an
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
    trains: Vec<Train<[u32; K]>>,
    credits: Vec<Credits>,
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
        let switch = Switch::new(config, 0, 0)?;
        Ok(Twin::of(switch, &StepwiseSwitch::new(config)))
    }

    /// A switch that stands at its first cycle, with the signals of this one.
    ///
    /// # Panics
    /// As of [`Twin::new`].
    pub fn of(switch: Switch<[u32; K]>, reference: &StepwiseSwitch) -> Self {
        let (ports, words) = (switch.config.ports, switch.config.switch.flit_words());
        assert!(words <= K, "flits of {words} words don't fit into {K}");
        Twin {
            switch,
            layout: Layout::new(reference.signals()),
            trains: Vec::with_capacity(ports),
            credits: Vec::with_capacity(ports),
        }
    }
}

impl<const K: usize> CycleModel for Twin<K> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut [u64]) {
        let w = self.switch.config.switch.flit_words();
        let sizes = (&*self.switch.config, self.switch.power.sees);
        let (rst, seen): (_, SwitchInputs) = take_behind_rst(sizes, inputs);
        self.trains.clear();
        for port in ones(seen.in_valid) {
            let mut payload = [0; K];
            for (word, slot) in payload.iter_mut().zip(&seen.in_flit[port * w..(port + 1) * w]) {
                *word = *slot as u32;
            }
            self.trains.push(Train::of(LinkFlit {
                port: port as u8,
                vc: seen.in_vc[port] as u8,
                head: is_set(seen.in_head, port),
                // Codes that are no phase do not send either.
                phase: Phase::by_code(seen.in_phase[port] as u8).unwrap_or(Phase::Off),
                payload,
            }));
        }
        self.credits.clear();
        let credit = |port: usize| Credits { port: port as u8, vc: seen.out_credit_vc[port] as u8, credits: 1 };
        self.credits.extend(ones(seen.out_credit_valid).map(credit));
        self.switch.observe_and_step(rst, &seen, &self.trains, &self.credits, observed);
    }
}

/// A payload whose words are known, for the frame.
pub trait Words: Payload {
    /// The words of a flit.
    fn words(&self) -> &[u32];
}

impl<const K: usize> Words for [u32; K] {
    fn words(&self) -> &[u32] {
        self
    }
}

impl<P: Words> Switch<P> {
    /// A cycle under the lock-step harness: fills in the frame of [`StepwiseSwitch`], then steps. What comes in is that of its input frame, but for
    /// flits and credits: of these it is what begins.
    pub fn lock_step(&mut self, inputs: &[u64], trains: &[Train<P>], credits: &[Credits], observed: &mut [u64]) {
        let (rst, seen): (_, SwitchInputs) = take_behind_rst((&*self.config, self.power.sees), inputs);
        self.observe_and_step(rst, &seen, trains, credits, observed);
    }

    /// The same with an input frame that has been taken apart.
    fn observe_and_step(
        &mut self,
        rst: bool,
        seen: &SwitchInputs,
        trains: &[Train<P>],
        credits: &[Credits],
        observed: &mut [u64],
    ) {
        let neighbours = if self.power.sees.neighbours { self.news_of_neighbours(seen) } else { Vec::new() };
        self.move_to(seen.position, seen.stage);
        self.observe(observed);
        let bus = (seen.bus != BusInputs::default()).then_some(seen.bus);
        self.step(&Inputs { rst, trains, credits, neighbours: &neighbours, ring: seen.ring_in, bus });
    }

    /// What the links show otherwise than in the cycle before.
    fn news_of_neighbours(&self, inputs: &SwitchInputs) -> Vec<Signal> {
        let mut now = Sideband { hint: inputs.in_hint, ..Sideband::default() };
        for (port, &phase) in inputs.in_phase.iter().enumerate() {
            now.phase.set(port, phase as u8);
        }
        ones(now.differences(&self.power.seen.around.neighbours)).map(|port| now.of(port)).collect()
    }

    /// Fills in the whole frame. Straight copies, because this is most of what a lock-step cycle costs.
    fn observe(&mut self, observed: &mut [u64]) {
        let (n, w, now) = (self.config.ports, self.config.switch.flit_words(), self.now);
        let mut frame = Frame::new(observed);
        let (valid, head) = self.flits_on_links();
        frame.put([valid, head]);
        let out_vc = frame.next(n);
        let out_phase = frame.next(n);
        let sideband = self.outputs.sideband;
        frame.put([sideband.hint]);
        let out_flit = frame.next(n * w);
        out_vc.fill(0);
        out_flit.fill(0);
        for (port, shown) in self.crossbar.shown().iter().enumerate() {
            let Some(place) = shown.place(now) else { continue };
            out_vc[port] = shown.train.vc.into();
            let payload = shown.train.flit(place).payload;
            for (slot, &word) in out_flit[port * w..(port + 1) * w].iter_mut().zip(payload.words()) {
                *slot = word.into();
            }
        }
        for (port, slot) in out_phase.iter_mut().enumerate() {
            *slot = sideband.phase.get(port).into();
        }
        let credit_valid = vector(&self.input.last, |_, run| run.was_read(now));
        frame.put([credit_valid]);
        let credit_vc = frame.next(n);
        for (slot, run) in credit_vc.iter_mut().zip(&self.input.last) {
            *slot = if run.was_read(now) { run.vc.into() } else { 0 };
        }
        frame.put([self.held(), self.grantable(), self.preferred(), self.ready()]);
        self.power.observe_phases(&mut frame);
        self.power.observe_ring(&mut frame);
        let held = self.bus.held;
        let waits = [held.aw_waits, held.w_waits, held.ar_waits].map(u64::from);
        frame.put(waits.map(|waits| 1 - waits));
        let answers = [self.bus.bvalid as u64, self.bus.bresp.into(), self.bus.rvalid as u64];
        let words = [self.bus.rresp.into(), self.bus.rdata.into()];
        frame.put(answers);
        frame.put(words);

        frame.put(answers);
        frame.put(words);
        frame.put([waits[0], held.aw_address.into()]);
        frame.put([waits[1], held.w_data.into(), held.w_strobes.into()]);
        frame.put([waits[2], held.ar_address.into()]);
        frame.put([self.bus.read.request as u64, self.bus.read.address.into()]);
        frame.put([self.bus.reading as u64, self.bus.constant.into(), self.bus.exists as u64]);
        let Switch { power, input, output, now, .. } = self;
        power.observe(*now, &mut frame, |port, slots| {
            slots.copy_from_slice(&errors(input, output, port).map(u64::from));
        });

        self.observe_inputs(&mut frame, credit_valid, credit_vc);
        self.observe_routes(&mut frame);
        self.observe_allocation(&mut frame);
        self.observe_crossbar(&mut frame);

        self.observe_openings(&mut frame);
        frame.fill(n, |port| u64::from(is_set(valid, port)));
        frame.fill(n, |port| u64::from(is_set(head, port)));
        frame.next(n).copy_from_slice(out_vc);
        frame.next(n * w).copy_from_slice(out_flit);
        frame.next(n).copy_from_slice(out_phase);
        frame.fill(n, |port| u64::from(is_set(sideband.hint, port)));
        self.observe_outputs(&mut frame);
        frame.end();
    }

    /// Which links have a flit, and which a head flit.
    fn flits_on_links(&self) -> (u64, u64) {
        let shown = self.crossbar.shown();
        (self.on_links(self.now), vector(shown, |_, shown| shown.train.head && shown.place(self.now) == Some(0)))
    }

    /// The input ports, with what has been read of them.
    fn observe_inputs(&self, frame: &mut Frame, credit_valid: u64, credit_vc: &[u64]) {
        let (ports, n, now) = (&self.input.ports, self.config.ports, self.now);
        frame.fill(n, |port| u64::from(is_set(self.input.can_read, port)));
        column(frame, &self.input.last, |run| u64::from(run.head && run.begin == now));
        column(frame, &self.input.last, |run| u64::from(run.was_read(now) && run.releases <= now));
        frame.fill(n, |port| u64::from(is_set(credit_valid, port)));
        frame.next(n).copy_from_slice(credit_vc);
        column(frame, ports, |port| port.reading.into());
        // The virtual channel of which a flit was read in the cycle before: it has its credit now.
        frame.fill(n, |port| u64::from(is_set(credit_valid, port)) << credit_vc[port]);
        column(frame, ports, |port| port.pointer.into());

        self.observe_flags(frame, |port| port.head_valid);
        self.observe_flags(frame, |port| port.malformed);
        self.observe_vcs(frame, |vc| vc.destination.into());
        self.observe_vcs(frame, |vc| vc.length.into());
        if self.input.router.sees().header {
            self.observe_vcs(frame, |vc| vc.user.into());
        }
        self.observe_flags(frame, |port| port.holding);
        let numbers: [usize; 64] = std::array::from_fn(|port| port);
        by_vc(frame, self.input.vcs, &numbers[..n], |&port, vc| u64::from(self.input.can_take(port) >> vc & 1));
        self.observe_lanes(frame, |lane| one_hot(lane.port));
        self.observe_flags(frame, |port| port.dropping);
        self.observe_lanes(frame, |lane| lane.first.into());
        let before = self.before;
        by_vc(frame, self.input.vcs, &numbers[..n], |&port, vc| {
            let (input, lane) = (&ports[port], &self.input.lanes[self.input.channel(port, vc)]);
            let ready = u64::from(input.dropping >> vc & 1) | is_among(before.ready, lane.port);
            u64::from(input.holding >> vc & 1) & ready
        });
        self.observe_lanes(frame, |lane| is_among(before.steady, lane.port));
        self.observe_lanes(frame, |lane| lane.flits.remaining(now).into());
        self.observe_lanes(frame, |lane| lane.flits.arriving(now).into());
        self.observe_flags(frame, |port| port.fetching);
        self.observe_queues(frame);
    }

    /// The queues of flits and of headers.
    fn observe_queues(&self, frame: &mut Frame) {
        let (depth, now) = (self.input.depth, self.now);
        let at = |moves| self.input.pointers.after(moves);
        self.observe_lanes(frame, |lane| at(lane.flits.pushes(now)));
        self.observe_lanes(frame, |lane| at(lane.flits.pops(now)));
        self.observe_lanes(frame, |lane| at(lane.flits.pushes(now) + 1));
        self.observe_lanes(frame, |lane| at(lane.flits.pops(now) + 1));
        self.observe_lanes(frame, |lane| u64::from(lane.flits.count(now) == depth));
        self.observe_lanes(frame, |lane| u64::from(lane.flits.count(now) != 0));
        if self.power.sees.buffers | !self.input.behind.is_empty() {
            self.observe_lanes(frame, |lane| lane.flits.count(now).into());
        }
        self.observe_vcs(frame, |vc| at(vc.headers.pushes()));
        self.observe_vcs(frame, |vc| at(vc.headers.pops()));
        self.observe_vcs(frame, |vc| at(vc.headers.pushes() + 1));
        self.observe_vcs(frame, |vc| at(vc.headers.pops() + 1));
        self.observe_vcs(frame, |vc| u64::from(vc.headers.count() == depth));
        self.observe_vcs(frame, |vc| u64::from(!vc.headers.is_empty()));
    }

    /// The route registers.
    fn observe_routes(&self, frame: &mut Frame) {
        self.observe_flags(frame, |port| port.valid);
        self.observe_flags(frame, |port| port.drop);
        let sets = |set: fn(&Route) -> u64| {
            move |switch: &Self, port: usize, vc: usize| {
                let input = &switch.input.ports[port];
                let moves = input.valid & !input.drop;
                set(&switch.input.channels[switch.input.channel(port, vc)].route) * u64::from(moves >> vc & 1)
            }
        };
        let numbers: [usize; 64] = std::array::from_fn(|port| port);
        for set in [sets(|route| route.adaptive), sets(|route| route.deterministic)] {
            by_vc(frame, self.input.vcs, &numbers[..self.config.ports], |&port, vc| set(self, port, vc));
        }
        self.observe_vcs(frame, |vc| vc.route.adaptive_vcs.into());
        self.observe_vcs(frame, |vc| vc.route.deterministic_vcs.into());
        if !self.input.behind.is_empty() {
            self.observe_next_routes(frame);
        }
        if let Some(table) = &self.input.router.table {
            // No header that has come to the head register is without a length.
            let bits = table.address_bits();
            self.observe_vcs(frame, |vc| u64::from(vc.length != 0 && u32::from(vc.destination) >> bits == 0));
            let loader = &table.loader;
            frame.put([loader.read_data.into(), loader.write.into(), loader.row.into()]);
            frame.fill(loader.word.len(), |place| loader.word[place].into());
            frame.fill(loader.node_ports.len(), |place| loader.node_ports[place].into());
        }
        if self.power.sees.routes.looks_up() {
            frame.put([self.lookup.exists.into()]);
        }
    }

    /// What route registers hold beside the routes of packets that wait.
    fn observe_next_routes(&self, frame: &mut Frame) {
        let of_vcs = |frame: &mut Frame, value: &dyn Fn(&Behind, usize) -> u64| {
            by_vc(frame, self.input.vcs, &self.input.behind, |behind, vc| value(behind, vc & 7));
        };
        let moves = |behind: &Behind, vc: usize| u64::from((behind.valid & !behind.drop) >> vc & 1);
        of_vcs(frame, &|behind, vc| behind.current[vc].length.into());
        of_vcs(frame, &|behind, vc| u64::from(behind.valid >> vc & 1));
        of_vcs(frame, &|behind, vc| u64::from(behind.drop >> vc & 1));
        of_vcs(frame, &|behind, vc| behind.next[vc].route.adaptive * moves(behind, vc));
        of_vcs(frame, &|behind, vc| behind.next[vc].route.deterministic * moves(behind, vc));
        of_vcs(frame, &|behind, vc| behind.next[vc].route.adaptive_vcs.into());
        of_vcs(frame, &|behind, vc| behind.next[vc].route.deterministic_vcs.into());
        of_vcs(frame, &|behind, vc| behind.next[vc].packet.length.into());
    }

    /// The allocator.
    fn observe_allocation(&self, frame: &mut Frame) {
        let (ports, vcs, n) = (&self.input.ports, self.input.vcs, self.config.ports);
        let allocation = &self.allocation;
        let Allocation { picked, granted, accepted, arbiters, .. } = allocation;
        let of_those = |frame: &mut Frame, inputs: u64, value: &dyn Fn(&InputPort) -> u64| {
            frame.fill(n, |i| if is_set(inputs, i) { value(&ports[i]) } else { 0 });
        };
        let moved = granted.ports & !granted.drop & !granted.stale;
        let wish_among = |outputs: u64| {
            ones(moved).fold(0, |inputs, i| inputs | is_among(outputs, allocation.grant_of(&ports[i]).wish) << i)
        };
        of_those(frame, *accepted, &|port| allocation.grant_of(port).vc().into());
        of_those(frame, *accepted, &|port| one_hot(allocation.grant_of(port).wish));
        frame.put([granted.drop, wish_among(self.before.ready), wish_among(self.before.steady)]);

        frame.put([*accepted]);
        of_those(frame, picked.ports, &|port| allocation.pick_of(port).vc().into());
        frame.put([picked.stale, picked.adaptive]);
        frame.put([picked.drop]);
        of_those(frame, picked.ports & !picked.stale, &|port| one_hot(allocation.pick_of(port).wish));
        frame.put([self.before.ready, granted.adaptive]);
        of_those(frame, *accepted, &|port| allocation.grant_of(port).vcs.into());

        by_vc(frame, vcs, ports, |port, vc| port.missed >> (8 * vc) & 0xff);
        by_vc(frame, vcs, ports, |port, vc| u64::from(port.choosing >> vc & 1) << (port.choice[vc & 7] & 63));
        self.observe_flags(frame, |port| port.choice_adaptive);
        // Registers go round.
        let pointer = |pointer: u8| one_hot(if usize::from(pointer) == n { 0 } else { pointer });
        self.observe_vcs(frame, |vc| pointer(vc.rrp));
        if self.config.deterministic == Deterministic::Set {
            self.observe_vcs(frame, |vc| pointer(vc.drp));
        }
        column(frame, ports, |port| port.arbiter_pointer.into());
        frame.fill(n, |port| pointer(arbiters[port].pointer));
    }

    /// The crossbar.
    fn observe_crossbar(&self, frame: &mut Frame) {
        let [valid, head] = frame.next(2) else { unreachable!("two slots") };
        (*valid, *head) = (0, 0);
        let source = frame.next(self.config.ports);
        // What follows a train's first flit is in the crossbar when the flit before it is on the link.
        for (port, (slot, shown)) in source.iter_mut().zip(self.crossbar.shown()).enumerate() {
            let follows = shown.place(self.now + 1).is_some();
            *slot = if follows { shown.source.into() } else { 0 };
            *valid |= u64::from(follows) << port;
        }
        for train in &self.crossbar.crossing {
            *valid |= 1 << train.port;
            *head |= u64::from(train.head) << train.port;
            source[usize::from(train.port)] = train.vc.into();
        }
    }

    /// What output ports show the allocator.
    fn observe_openings(&self, frame: &mut Frame) {
        let (n, vcs) = (self.config.ports, self.input.vcs);
        let room: [u64; 8] = std::array::from_fn(|vc| self.output.room_shown(vc, self.now));
        let of_port =
            |ports: u64, port: usize| (0..vcs).fold(0, |set, vc| set | u64::from(is_set(ports & room[vc], port)) << vc);
        let ports = self.choosable();
        frame.fill(n, |port| of_port(ports.open, port));
        frame.fill(n, |port| u64::from(is_set(ports.preferred, port)));
        if self.power.sees.wanted {
            frame.fill(n, |port| of_port(u64::MAX, port));
        }
    }

    /// The output ports behind their links' registers.
    fn observe_outputs(&self, frame: &mut Frame) {
        let n = self.config.ports;
        let early: [Sideband; 3] = std::array::from_fn(|before| match self.now.checked_sub(1 + before as u64) {
            Some(cycle) => self.delay.shown_in(cycle, &self.outputs.sideband),
            None => self.outputs.sideband,
        });
        frame.fill(3 * n, |row| early[row % 3].phase.get(row / 3).into());
        frame.fill(3 * n, |row| u64::from(is_set(early[row % 3].hint, row / 3)));
        frame.fill(n, |port| self.output.choices(port).0.into());
        frame.fill(n, |port| self.output.choices(port).1.into());
        frame.fill(n, |port| self.output.chosen(port)[0].into());
        frame.fill(n, |port| self.output.chosen(port)[1].into());
        let numbers: [usize; 64] = std::array::from_fn(|port| port);
        by_vc(frame, self.input.vcs, &numbers[..n], |&port, vc| self.output.credits(port, vc, self.now) as u64);
        frame.fill(n, |port| self.output.chosen(port)[2].into());
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

/// Whether a port is among some; [`NO_PORT`] is not.
#[inline]
fn is_among(ports: u64, port: u8) -> u64 {
    u64::from(ports & one_hot(port) != 0)
}

/// A port's number as a vector; [`NO_PORT`] is 0.
#[inline]
fn one_hot(port: u8) -> u64 {
    // Branch-free: unpredictable.
    u64::from(port != NO_PORT) << (port & 63)
}
