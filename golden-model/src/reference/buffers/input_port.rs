//! Section 5.5: an input port: its virtual channels over one flit memory.

use crate::bits::{is_set, low_bits, ones, rotated_up};
use crate::lock_step::{Block, Observed};
use crate::reference::arbiters::round_robin;
use crate::reference::buffers::VirtualChannel;
use crate::reference::buffers::memory::Memory;
use crate::reference::buffers::virtual_channel::VcInputs;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::{Config, Role, SignalDecl};

/// An input port; the public fields are its children and its registers.
#[derive(Clone, Debug)]
pub struct InputPort {
    ports: usize,
    pub vcs: Vec<VirtualChannel>,
    /// A memory for every word of a flit.
    pub flit_memory: Vec<Memory>,
    pub header_memory: Memory,
    pub in_credit_valid: bool,
    pub in_credit_vc: u8,
    pub dropped_packets: u32,
    pub framing_errors: u32,
    pub overflow_errors: u32,
    pub sleeping_link_flits: u32,
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
    pub in_power_state: u8,
    /// Output ports in `Active`.
    pub awake: u64,
    /// The destination of the virtual channel's packet exists.
    pub routable: u64,
    pub accept: u64,
    /// The port each virtual channel is granted, one-hot.
    pub grant: &'a [u64],
    /// The output VC of this port's grant, one-hot.
    pub grant_vc: u64,
    pub clear: bool,
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
    /// A packet that is granted an awake port in this cycle can be read from the next cycle on.
    pub ready: bool,
    /// The output port the flit is for, one-hot, and what goes with it.
    pub select: u64,
    pub select_vc: u64,
    pub select_head: bool,
    pub select_release: bool,
}

impl InputPort {
    /// An input port of this configuration's switch in its state after reset.
    pub fn new(config: &Config) -> Self {
        let vcs = config.switch.vcs;
        let places = config.switch.vc_depth().next_power_of_two();
        InputPort {
            ports: config.ports,
            vcs: vec![VirtualChannel::new(config); vcs],
            flit_memory: vec![Memory::new(vcs * places); config.switch.flit_words()],
            header_memory: Memory::new(vcs * places),
            in_credit_valid: false,
            in_credit_vc: 0,
            dropped_packets: 0,
            framing_errors: 0,
            overflow_errors: 0,
            sleeping_link_flits: 0,
            reading: 0,
            pointer: 1,
            pointer_bits: places.trailing_zeros(),
            rows: RegisterRows::default(),
        }
    }

    fn vector(&self, property: impl Fn(usize, &VirtualChannel) -> bool) -> u64 {
        self.vcs.iter().enumerate().fold(0, |vector, (v, vc)| vector | u64::from(property(v, vc)) << v)
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

    /// Which flit is read in this cycle.
    pub fn read(&self, awake: u64) -> Reading {
        let able = self.vector(|_, vc| vc.available() && (vc.dropping || vc.port & awake != 0));
        let pick = if self.reading != 0 { self.reading } else { round_robin(able, self.pointer, self.vcs.len()) };
        let read = pick & able;
        let last = self.vector(|v, vc| vc.last(is_set(read, v)));
        let of_read = |field: fn(&VirtualChannel) -> u64| ones(read).fold(0, |bits, v| bits | field(&self.vcs[v]));
        let select = of_read(|vc| vc.port);
        let sends = select != 0;
        Reading {
            able,
            pick,
            read,
            last,
            ready: (pick == 0 || last != 0) && able & !pick == 0,
            select,
            select_vc: if sends { of_read(|vc| vc.output_vc) } else { 0 },
            select_head: sends && of_read(|vc| vc.first.into()) != 0,
            select_release: sends && self.vector(|v, vc| vc.released(is_set(read, v))) != 0,
        }
    }

    /// Output of the flit memory: the words of the flit read in the cycle before.
    pub fn data(&self) -> impl Iterator<Item = u32> {
        self.flit_memory.iter().map(|memory| memory.output)
    }

    /// The edge with `rst`, which the memories don't know.
    pub fn reset(&mut self) {
        self.vcs.iter_mut().for_each(VirtualChannel::reset);
        (self.in_credit_valid, self.in_credit_vc) = (false, 0);
        self.clear_counters();
        (self.reading, self.pointer) = (0, 1);
    }

    fn clear_counters(&mut self) {
        (self.dropped_packets, self.framing_errors) = (0, 0);
        (self.overflow_errors, self.sleeping_link_flits) = (0, 0);
    }

    /// The clock edge; with `rst` only the memories pass it as always.
    pub fn clock(&mut self, rst: bool, inputs: &InputPortInputs) {
        let reading = self.read(inputs.awake);
        let drop = self.drop(inputs.routable);
        let seen: Vec<VcInputs> = (0..self.vcs.len())
            .map(|v| VcInputs {
                arrive: inputs.in_valid && usize::from(inputs.in_vc) == v,
                head: inputs.in_head,
                header: inputs.in_flit[0] as u32 & low_bits(26) as u32,
                fetched: self.header_memory.output,
                accept: is_set(inputs.accept, v),
                drop: is_set(drop, v),
                grant: inputs.grant[v],
                grant_vc: inputs.grant_vc,
                read: is_set(reading.read, v),
            })
            .collect();
        self.clock_memories(&seen, inputs.in_flit);
        if rst {
            return self.reset();
        }
        let with = |property: &dyn Fn(&VirtualChannel, &VcInputs) -> bool| {
            self.vcs.iter().zip(&seen).any(|(vc, inputs)| property(vc, inputs))
        };
        let dropped = inputs.accept & drop != 0;
        let unknown_vc = inputs.in_valid && usize::from(inputs.in_vc) >= self.vcs.len();
        let framing = with(&VirtualChannel::framing) || unknown_vc;
        let overflow = with(&|vc, inputs| vc.overflow(inputs.arrive));
        let sleeping = inputs.in_valid && inputs.in_power_state != 0;
        if inputs.clear {
            self.clear_counters();
        } else {
            for (counter, counts) in [
                (&mut self.dropped_packets, dropped),
                (&mut self.framing_errors, framing),
                (&mut self.overflow_errors, overflow),
                (&mut self.sleeping_link_flits, sleeping),
            ] {
                *counter = counter.wrapping_add(counts.into());
            }
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
            memory.clock(flit_read, flit_write.map(|address| (address, word as u32)));
        }
        self.header_memory.clock(header_read, header_write);
    }
}

impl Registers for InputPort {
    fn list(&self, rows: &mut RegisterRows) {
        let vcs = self.vcs.len();
        rows.one("in_credit_valid", 1, self.in_credit_valid);
        rows.one("in_credit_vc", 3, self.in_credit_vc);
        rows.one("dropped_packets", 32, self.dropped_packets);
        rows.one("framing_errors", 32, self.framing_errors);
        rows.one("overflow_errors", 32, self.overflow_errors);
        rows.one("sleeping_link_flits", 32, self.sleeping_link_flits);
        rows.one("reading", vcs, self.reading);
        rows.one("pointer", vcs, self.pointer);
        rows.child("vc", &self.vcs);
    }
}

impl Block for InputPort {
    fn signals(&self) -> Vec<SignalDecl> {
        let (n, v, w) = (self.ports, self.vcs.len(), self.flit_memory.len());
        let inputs = [
            ("rst", 1, 1),
            ("in_valid", 1, 1),
            ("in_head", 1, 1),
            ("in_vc", 1, 3),
            ("in_flit", w, 32),
            ("in_power_state", 1, 2),
            ("awake", 1, n),
            ("routable", 1, v),
            ("accept", 1, v),
            ("grant", v, n),
            ("grant_vc", 1, v),
            ("clear", 1, 1),
        ];
        let outputs = [
            ("destination", v, 16),
            ("present", 1, v),
            ("drop", 1, v),
            ("can_take", 1, v),
            ("ready", 1, 1),
            ("select", 1, n),
            ("select_vc", 1, v),
            ("select_head", 1, 1),
            ("select_release", 1, 1),
            ("data", w, 32),
            ("in_credit_valid", 1, 1),
            ("in_credit_vc", 1, 3),
            ("dropped_packets", 1, 32),
            ("framing_errors", 1, 32),
            ("overflow_errors", 1, 32),
            ("sleeping_link_flits", 1, 32),
        ];
        let declare = |role, list: &[(&str, usize, usize)]| {
            list.iter().map(|&(name, rows, width)| SignalDecl::new(role, name, rows, width)).collect::<Vec<_>>()
        };
        let mut signals = declare(Role::Input, &inputs);
        signals.extend(declare(Role::Output, &outputs));
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let (v, w) = (self.vcs.len(), self.flit_memory.len());
        let rest = &inputs[4 + w..];
        let seen = InputPortInputs {
            in_valid: inputs[1] == 1,
            in_head: inputs[2] == 1,
            in_vc: inputs[3] as u8,
            in_flit: &inputs[4..4 + w],
            in_power_state: rest[0] as u8,
            awake: rest[1],
            routable: rest[2],
            accept: rest[3],
            grant: &rest[4..4 + v],
            grant_vc: rest[4 + v],
            clear: rest[5 + v] == 1,
        };
        let reading = self.read(seen.awake);
        observed.rows(self.vcs.iter().map(|vc| vc.destination));
        observed.rows([self.present(seen.routable), self.drop(seen.routable), self.can_take(&reading)]);
        observed.put(reading.ready);
        observed.rows([reading.select, reading.select_vc]);
        observed.rows([reading.select_head, reading.select_release]);
        observed.rows(self.data());
        observed.put(self.in_credit_valid);
        observed.put(self.in_credit_vc);
        observed.rows([self.dropped_packets, self.framing_errors, self.overflow_errors, self.sleeping_link_flits]);
        let mut rows = std::mem::take(&mut self.rows);
        rows.read(self);
        rows.observe(observed);
        self.rows = rows;
        self.clock(inputs[0] == 1, &seen);
    }
}
