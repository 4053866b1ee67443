//! `input_port`: an input port: its virtual channels over one flit memory.

use crate::bits::{self, is_set, low_bits, ones, rotated_up};
use crate::lock_step::{Block, Observed, Slots, declare};
use crate::reference::arbiters::round_robin;
use crate::reference::buffers::VirtualChannel;
use crate::reference::buffers::memory::Memory;
use crate::reference::buffers::virtual_channel::VcInputs;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{RST, choice, destination, fill, flag, flags, flit_word, header, phase, pointer, vc_number};
use powar_config::{Config, Habit, Owner, Phase, Role, Sees, SignalDecl, SignalSpec};

/// An input port; the public fields are its children and its registers.
#[derive(Clone, Debug)]
pub struct InputPort {
    ports: usize,
    /// The power mechanism sees `fill` and `leaving`.
    sees_buffers: bool,
    /// The routing sees `header`.
    sees_header: bool,
    pub vcs: Vec<VirtualChannel>,
    /// A memory for every word of a flit.
    pub flit_memory: Vec<Memory>,
    pub header_memory: Memory,
    pub in_credit_valid: bool,
    pub in_credit_vc: u8,
    /// The virtual channel whose packet is being read, one-hot.
    pub reading: u64,
    /// One-hot pointer among those that can start.
    pub pointer: u64,
    /// Bits of a pointer in a memory's address.
    pointer_bits: u32,
    rows: RegisterRows,
}

/// What an input port sees in a cycle. Vectors over virtual channels have one bit each.
#[derive(Clone, Copy, Debug)]
pub struct InputPortInputs<'a> {
    pub in_valid: bool,
    pub in_head: bool,
    pub in_vc: u8,
    /// The words of the flit, one a slot.
    pub in_flit: &'a [u64],
    /// Code of the phase of the port at the other end.
    pub in_phase: u8,
    /// Output ports that may send in this cycle.
    pub ready: u64,
    /// Those that will stay so for the next three cycles.
    pub steady: u64,
    /// The destination of the virtual channel's packet exists.
    pub routable: u64,
    pub accept: u64,
    /// The port each virtual channel is granted, one-hot.
    pub grant: &'a [u64],
    /// The output VC of this port's grant, one-hot.
    pub grant_vc: u64,
}

/// What goes wrong in a cycle: events that are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events {
    pub dropped_packet: bool,
    pub framing_error: bool,
    pub overflow_error: bool,
    pub closed_link_flit: bool,
}

impl Events {
    /// In the order of their counters.
    pub fn list(self) -> [bool; 4] {
        [self.dropped_packet, self.framing_error, self.overflow_error, self.closed_link_flit]
    }
}

/// What is read in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    able: u64,
    pick: u64,
    /// The virtual channels of which a flit is read: at most one.
    pub read: u64,
    /// That flit is a tail.
    last: u64,
    /// A packet that is granted a ready port in this cycle can be read from the next cycle on.
    pub can_read: bool,
    /// The output port the flit is for, one-hot, and what goes with it.
    pub select: u64,
    pub select_vc: u64,
    pub select_head: bool,
    pub select_release: bool,
}

impl InputPort {
    /// An input port of this configuration's switch in its state after reset, with what the power mechanism sees of it.
    pub fn new(config: &Config, sees: Sees) -> Self {
        let vcs = config.switch.vcs;
        let places = config.switch.vc_depth().next_power_of_two();
        InputPort {
            ports: config.ports,
            sees_buffers: sees.buffers,
            sees_header: config.routing_sees().header,
            vcs: vec![VirtualChannel::new(config, sees); vcs],
            flit_memory: vec![Memory::new(vcs * places); config.switch.flit_words()],
            header_memory: Memory::new(vcs * places),
            in_credit_valid: false,
            in_credit_vc: 0,
            reading: 0,
            pointer: 1,
            pointer_bits: places.trailing_zeros(),
            rows: RegisterRows::default(),
        }
    }

    fn vector(&self, property: impl Fn(usize, &VirtualChannel) -> bool) -> u64 {
        bits::vector(&self.vcs, property)
    }

    /// Virtual channels whose head packet is to be dropped.
    pub fn drop(&self, routable: u64) -> u64 {
        self.vector(|v, vc| vc.head_valid && (vc.malformed || !is_set(routable, v)))
    }

    /// Virtual channels whose head packet wants an output port.
    pub fn present(&self, routable: u64) -> u64 {
        self.vector(|_, vc| vc.head_valid) & !self.drop(routable)
    }

    /// Virtual channels that can hold a port from the next cycle on.
    pub fn can_take(&self, reading: &Reading) -> u64 {
        self.vector(|v, vc| vc.head_valid && (!vc.holding || is_set(reading.last, v)))
    }

    /// Which flit is read in this cycle, with the output ports that are ready and steady.
    pub fn read(&self, ready: u64, steady: u64) -> Reading {
        let able = self.vector(|_, vc| vc.available() && (vc.dropping || vc.port & ready != 0));
        let pick = if self.reading != 0 { self.reading } else { round_robin(able, self.pointer, self.vcs.len()) };
        let read = pick & able;
        let last = self.vector(|v, vc| vc.last(is_set(read, v)));
        let of_read = |field: fn(&VirtualChannel) -> u64| ones(read).fold(0, |bits, v| bits | field(&self.vcs[v]));
        let select = of_read(|vc| vc.port);
        let sends = select != 0;
        // A port that may stop being ready is held until the tail.
        let releases =
            |v: usize, vc: &VirtualChannel| vc.released(is_set(read, v)) && (is_set(last, v) || vc.port & steady != 0);
        Reading {
            able,
            pick,
            read,
            last,
            can_read: (pick == 0 || last != 0) && able & !pick == 0,
            select,
            select_vc: if sends { of_read(|vc| vc.output_vc) } else { 0 },
            select_head: sends && of_read(|vc| vc.first.into()) != 0,
            select_release: sends && self.vector(releases) != 0,
        }
    }

    /// Flits in the buffer.
    pub fn fill(&self) -> u64 {
        self.vcs.iter().map(|vc| u64::from(vc.flits.count)).sum()
    }

    /// What goes wrong in this cycle.
    pub fn events(&self, inputs: &InputPortInputs) -> Events {
        let drop = self.drop(inputs.routable);
        let seen = self.vc_inputs(inputs);
        let with = |property: &dyn Fn(&VirtualChannel, &VcInputs) -> bool| {
            self.vcs.iter().zip(&seen).any(|(vc, inputs)| property(vc, inputs))
        };
        let unknown_vc = inputs.in_valid && usize::from(inputs.in_vc) >= self.vcs.len();
        let sends = [Phase::On as u8, Phase::Draining as u8].contains(&inputs.in_phase);
        Events {
            dropped_packet: inputs.accept & drop != 0,
            framing_error: with(&VirtualChannel::framing) || unknown_vc,
            overflow_error: with(&|vc, inputs| vc.overflow(inputs.arrive)),
            closed_link_flit: inputs.in_valid && !sends,
        }
    }

    /// Output of the flit memory: the words of the flit read in the cycle before.
    pub fn data(&self) -> impl Iterator<Item = u64> {
        self.flit_memory.iter().map(|memory| memory.output)
    }

    /// The edge with `rst`, which the memories don't know.
    pub fn reset(&mut self) {
        self.vcs.iter_mut().for_each(VirtualChannel::reset);
        (self.in_credit_valid, self.in_credit_vc) = (false, 0);
        (self.reading, self.pointer) = (0, 1);
    }

    /// What each virtual channel sees in a cycle.
    fn vc_inputs(&self, inputs: &InputPortInputs) -> Vec<VcInputs> {
        let reading = self.read(inputs.ready, inputs.steady);
        let drop = self.drop(inputs.routable);
        let of_vc = |v: usize| VcInputs {
            arrive: inputs.in_valid && usize::from(inputs.in_vc) == v,
            head: inputs.in_head,
            header: inputs.in_flit[0] as u32 & low_bits(self.vcs[v].header_bits()) as u32,
            fetched: self.header_memory.output,
            accept: is_set(inputs.accept, v),
            drop: is_set(drop, v),
            grant: inputs.grant[v],
            grant_vc: inputs.grant_vc,
            read: is_set(reading.read, v),
        };
        (0..self.vcs.len()).map(of_vc).collect()
    }

    /// The clock edge; with `rst` only the memories pass it as always.
    pub fn clock(&mut self, rst: bool, inputs: &InputPortInputs) {
        let reading = self.read(inputs.ready, inputs.steady);
        let seen = self.vc_inputs(inputs);
        self.clock_memories(&seen, inputs.in_flit);
        if rst {
            return self.reset();
        }
        if self.reading == 0 && reading.pick != 0 {
            self.pointer = rotated_up(reading.pick, self.vcs.len());
        }
        self.reading = if reading.last != 0 { 0 } else { reading.pick };
        self.in_credit_valid = reading.read != 0;
        self.in_credit_vc = ones(reading.read).next().unwrap_or(0) as u8;
        for (vc, inputs) in self.vcs.iter_mut().zip(&seen) {
            vc.clock(inputs);
        }
    }

    /// The memories' clock edge. No two virtual channels read or write the same memory in one cycle.
    fn clock_memories(&mut self, seen: &[VcInputs], flit: &[u64]) {
        let bits = self.pointer_bits;
        let of_vcs = || self.vcs.iter().zip(seen).enumerate();
        let place = |v: usize, pointer: u16| v << bits | usize::from(pointer);
        let find = |wanted: &dyn Fn(&VirtualChannel, &VcInputs) -> Option<u16>| {
            of_vcs().find_map(|(v, (vc, inputs))| wanted(vc, inputs).map(|pointer| place(v, pointer)))
        };
        let flit_read = find(&|vc, inputs| inputs.read.then_some(vc.flits.read_pointer));
        let flit_write = find(&|vc, inputs| vc.store(inputs.arrive).then_some(vc.flits.write_pointer));
        let header_read = find(&|vc, inputs| vc.fetch(inputs.accept).then_some(vc.headers.read_pointer));
        let header_write = of_vcs()
            .find(|(_, (vc, inputs))| vc.keep(inputs))
            .map(|(v, (vc, inputs))| (place(v, vc.headers.write_pointer), vc.entry(inputs)));
        for (memory, &word) in self.flit_memory.iter_mut().zip(flit) {
            memory.clock(flit_read, flit_write.map(|address| (address, word)));
        }
        self.header_memory.clock(header_read, header_write);
    }
}

impl Registers for InputPort {
    fn list(&self, rows: &mut RegisterRows) {
        let vcs = self.vcs.len();
        rows.one(flag("in_credit_valid").of(Owner::InputLink).known_as("credit_valid"), self.in_credit_valid);
        rows.one(vc_number("in_credit_vc").of(Owner::InputLink).known_as("credit_vc"), self.in_credit_vc);
        rows.one(choice("reading", vcs), self.reading);
        rows.one(pointer("pointer", vcs), self.pointer);
        rows.owners(Owner::InputVc, "vc", &self.vcs);
    }
}

impl Block for InputPort {
    fn signals(&self) -> Vec<SignalDecl> {
        let (n, v, w) = (self.ports, self.vcs.len(), self.flit_memory.len());
        let link = Owner::InputLink;
        let inputs = [
            RST,
            flag("in_valid").of(link).habit(Habit::Tide),
            flag("in_head").of(link),
            vc_number("in_vc").of(link),
            flit_word("in_flit").rows(link, w),
            phase("in_phase").of(link).habit(Habit::Usual),
            flags("ready", Owner::Port, n),
            flags("steady", Owner::Port, n).habit(Habit::Usual),
            flags("routable", Owner::InputVc, v).habit(Habit::Usual),
            // A virtual channel is accepted where it has something to be accepted, and can take a port.
            choice("accept", v).only_after(&[&["present", "drop"], &["can_take"]]),
            choice("grant", n).rows(Owner::InputVc, v),
            choice("grant_vc", v),
        ];
        let to_routing =
            [destination("destination"), header("header", 32)].map(|signal| signal.rows(Owner::InputVc, v));
        let outputs = [
            flags("present", Owner::InputVc, v),
            flags("drop", Owner::InputVc, v),
            flags("can_take", Owner::InputVc, v),
            flag("can_read"),
            choice("select", n),
            choice("select_vc", v),
            flag("select_head"),
            flag("select_release"),
            SignalSpec { rows: w, ..flit_word("data") },
            flag("in_credit_valid").of(link),
            vc_number("in_credit_vc").of(link),
        ];
        let to_mechanism = [fill("fill"), flag("leaving")];
        let events = ["dropped_packet", "framing_error", "overflow_error", "closed_link_flit"];
        let mut signals = declare(Role::Input, inputs);
        signals.extend(declare(Role::Output, to_routing.into_iter().take(1 + usize::from(self.sees_header))));
        signals.extend(declare(Role::Output, outputs));
        signals.extend(declare(Role::Output, to_mechanism.into_iter().filter(|_| self.sees_buffers)));
        signals.extend(declare(Role::Output, events.map(flag)));
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let (v, w) = (self.vcs.len(), self.flit_memory.len());
        let mut slots = Slots(inputs);
        let rst = slots.bit();
        let seen = InputPortInputs {
            in_valid: slots.bit(),
            in_head: slots.bit(),
            in_vc: slots.one() as u8,
            in_flit: slots.rows(w),
            in_phase: slots.one() as u8,
            ready: slots.one(),
            steady: slots.one(),
            routable: slots.one(),
            accept: slots.one(),
            grant: slots.rows(v),
            grant_vc: slots.one(),
        };
        let reading = self.read(seen.ready, seen.steady);
        observed.rows(self.vcs.iter().map(|vc| vc.destination));
        if self.sees_header {
            observed.rows(self.vcs.iter().map(VirtualChannel::header_shown));
        }
        observed.rows([self.present(seen.routable), self.drop(seen.routable), self.can_take(&reading)]);
        observed.put(reading.can_read);
        observed.rows([reading.select, reading.select_vc]);
        observed.rows([reading.select_head, reading.select_release]);
        observed.rows(self.data());
        observed.put(self.in_credit_valid);
        observed.put(self.in_credit_vc);
        if self.sees_buffers {
            observed.rows([self.fill(), u64::from(reading.read != 0)]);
        }
        observed.rows(self.events(&seen).list());
        let mut rows = std::mem::take(&mut self.rows);
        rows.read(self);
        rows.observe(observed);
        self.rows = rows;
        self.clock(rst, &seen);
    }
}
