//! `input_port`: an input port: its virtual channels over one flit memory.

use crate::bits::{self, is_set, low_bits, ones, rotated_up};
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::arbiters::round_robin;
use crate::reference::buffers::VirtualChannel;
use crate::reference::buffers::memory::Memory;
use crate::reference::buffers::virtual_channel::VcInputs;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{
    OnlyAfter, choice, count, destination, fill, flag, flags, flit_word, header, phase, pointer, vc_number,
};
use powar_config::{Config, Habit, Owner, Phase, Sees};

/// An input port; the public fields are its children and its registers.
#[derive(Clone, Debug)]
pub struct InputPort {
    ports: usize,
    /// The power mechanism sees `fill` and `leaving`.
    sees_buffers: bool,
    /// The routing sees `header`; it has a table.
    sees_header: bool,
    has_table: bool,
    /// Of a switch for short packets; and one that routes the packet behind the one that waits.
    short_packets: bool,
    next_routes: bool,
    pub vcs: Vec<VirtualChannel>,
    /// A memory for every word of a flit.
    pub flit_memory: Vec<Memory>,
    pub header_memory: Memory,
    /// A packet can be read two cycles from now.
    pub can_read: bool,
    /// The virtual channel of which a flit was read in the cycle before, one-hot.
    pub sent: u64,
    /// It is a head flit of a packet that is not being dropped; the output port is released with it.
    pub select_head: bool,
    pub select_release: bool,
    pub in_credit_valid: bool,
    pub in_credit_vc: u8,
    /// The virtual channel whose packet is being read, one-hot.
    pub reading: u64,
    /// One-hot pointer among those that can start.
    pub pointer: u64,
    /// Bits of a pointer in a memory's address.
    pointer_bits: u32,
}

inputs! {
    /// What an input port sees in a cycle. Vectors over virtual channels have one bit each.
    #[derive(Clone, Copy, Debug)]
    pub struct InputPortInputs<'a> of block: &InputPort {
        pub in_valid: bool = flag("in_valid").of(Owner::InputLink).habit(Habit::Tide),
        pub in_head: bool = flag("in_head").of(Owner::InputLink),
        pub in_vc: u8 = vc_number("in_vc").of(Owner::InputLink),
        /// The words of the flit, one a slot.
        pub in_flit: &'a [u64] = flit_word("in_flit").rows(Owner::InputLink, block.flit_memory.len()),
        /// Code of the phase of the port at the other end.
        pub in_phase: u8 = phase("in_phase").of(Owner::InputLink).habit(Habit::Usual),
        /// Output ports that may send in this cycle.
        pub ready: u64 = flags("ready", Owner::Port, block.ports),
        /// Those that will stay so for the next four cycles.
        pub steady: u64 = flags("steady", Owner::Port, block.ports).habit(Habit::Usual),
        /// The virtual channel whose packet has been granted a port, or is dropped, one-hot.
        // A virtual channel is accepted where it has something to be accepted, and holds no port.
        pub accept: u64 = choice("accept", block.vcs.len()).only_after(acceptable(block.next_routes)),
        /// The port it has been granted, one-hot.
        // A packet that is accepted and not dropped is granted some port.
        pub grant: u64 = choice("grant", block.ports).habit(Habit::Usual),
        /// It is dropped.
        pub drop: bool = flag("drop").habit(Habit::Drought),
        /// The port was ready, steady in the cycle before.
        pub grant_ready: bool = flag("grant_ready").habit(Habit::Usual),
        pub grant_steady: bool = flag("grant_steady").habit(Habit::Usual),
        /// With next routes: the virtual channels whose route register can take an answer, and row v: the length of the
        /// packet that is accepted there. Without: 0 and no rows.
        pub has_place: u64 =
            flags("has_place", Owner::InputVc, block.vcs.len()).habit(Habit::Usual).only_if(block.next_routes),
        pub accepted_length: &'a [u64] =
            count("accepted_length", 10).rows(Owner::InputVc, block.vcs.len()).only_if(block.next_routes),
    }
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
            has_table: config.routing_sees().table,
            short_packets: config.switch.short_packets(),
            next_routes: config.next_routes(),
            vcs: vec![VirtualChannel::new(config, sees); vcs],
            flit_memory: vec![Memory::new(vcs * places); config.switch.flit_words()],
            header_memory: Memory::new(vcs * places),
            can_read: false,
            sent: 0,
            select_head: false,
            select_release: false,
            in_credit_valid: false,
            in_credit_vc: 0,
            reading: 0,
            pointer: 1,
            pointer_bits: places.trailing_zeros(),
        }
    }

    fn vector(&self, property: impl Fn(usize, &VirtualChannel) -> bool) -> u64 {
        bits::vector(&self.vcs, property)
    }

    /// Virtual channels with a packet in the head register.
    pub fn head_valid(&self) -> u64 {
        self.vector(|_, vc| vc.head_valid)
    }

    /// Those whose packet there must be dropped, whatever its destination.
    pub fn malformed(&self) -> u64 {
        self.vector(|_, vc| vc.malformed)
    }

    /// The virtual channel whose packet leaves the head register for the route register, one-hot: one a cycle, since the header memory is read for one.
    pub fn taken(&self, has_place: u64, accept: u64) -> u64 {
        let waits = self.head_valid() & has_place;
        let first = if waits & accept != 0 { waits & accept } else { waits };
        first & first.wrapping_neg()
    }

    /// Virtual channels that can hold a port two cycles from now.
    pub fn can_take(&self) -> u64 {
        self.vector(|_, vc| vc.can_take)
    }

    /// Which flit is read in this cycle.
    pub fn read(&self, inputs: &InputPortInputs) -> Reading {
        let able = self.vector(|v, vc| vc.able(&self.vc_inputs(v, inputs, 0)));
        let pick = if self.reading != 0 { self.reading } else { round_robin(able, self.pointer, self.vcs.len()) };
        Reading { able, pick, read: pick & able }
    }

    /// The output port that the flit which was read in the cycle before is for, one-hot; 0 if there is none.
    pub fn select(&self) -> u64 {
        ones(self.sent).fold(0, |ports, v| ports | self.vcs[v].port)
    }

    /// Row v: whether virtual channel v's head register takes a header at the end of the cycle, if there is no reset, and with which
    /// destination.
    pub fn loads(&self, inputs: &InputPortInputs) -> Vec<(bool, u16)> {
        let of_vc = |(v, vc): (usize, &VirtualChannel)| {
            let inputs = self.vc_inputs(v, inputs, 0);
            (vc.loads(&inputs), vc.next_destination(&inputs))
        };
        self.vcs.iter().enumerate().map(of_vc).collect()
    }

    /// A packet is accepted that lets go of its output port in this cycle.
    pub fn at_once(&self, inputs: &InputPortInputs) -> bool {
        let read = self.read(inputs).read;
        self.vcs.iter().enumerate().any(|(v, vc)| vc.at_once(&self.vc_inputs(v, inputs, read)))
    }

    /// Flits in the buffer.
    pub fn fill(&self) -> u64 {
        self.vcs.iter().map(|vc| u64::from(vc.flits.count.unwrap_or(0))).sum()
    }

    /// What goes wrong in this cycle.
    pub fn events(&self, inputs: &InputPortInputs) -> Events {
        let with = |property: &dyn Fn(&VirtualChannel, &VcInputs) -> bool| {
            self.vcs.iter().enumerate().any(|(v, vc)| property(vc, &self.vc_inputs(v, inputs, 0)))
        };
        let unknown_vc = inputs.in_valid && usize::from(inputs.in_vc) >= self.vcs.len();
        let sends = [Phase::On as u8, Phase::Draining as u8].contains(&inputs.in_phase);
        Events {
            dropped_packet: inputs.accept != 0 && inputs.drop,
            framing_error: with(&VirtualChannel::framing) || unknown_vc,
            overflow_error: with(&|vc, inputs| vc.overflow(inputs.arrive)),
            closed_link_flit: inputs.in_valid && !sends,
        }
    }

    /// Output of the flit memory: the words of the flit read two cycles before.
    pub fn data(&self) -> impl Iterator<Item = u64> {
        self.flit_memory.iter().map(|memory| memory.later)
    }

    /// The edge with `rst`, which the memories don't know.
    pub fn reset(&mut self) {
        self.vcs.iter_mut().for_each(VirtualChannel::reset);
        (self.can_read, self.sent, self.select_head, self.select_release) = (false, 0, false, false);
        (self.in_credit_valid, self.in_credit_vc) = (false, 0);
        (self.reading, self.pointer) = (0, 1);
    }

    /// What virtual channel v sees in a cycle in which those of `read` are read.
    fn vc_inputs(&self, v: usize, inputs: &InputPortInputs, read: u64) -> VcInputs {
        let &InputPortInputs { drop, grant, grant_ready, grant_steady, ready, steady, .. } = inputs;
        VcInputs {
            arrive: inputs.in_valid && usize::from(inputs.in_vc) == v,
            head: inputs.in_head,
            header: inputs.in_flit[0] as u32 & low_bits(self.vcs[v].header_bits()) as u32,
            fetched: self.header_memory.output,
            accept: is_set(inputs.accept, v),
            taken: is_set(self.taken(inputs.has_place, inputs.accept), v),
            accepted_length: inputs.accepted_length.get(v).copied().unwrap_or(0) as u16,
            drop,
            grant,
            grant_ready,
            grant_steady,
            ready,
            steady,
            read: is_set(read, v),
        }
    }

    /// The clock edge; with `rst` only the memories pass it as always.
    pub fn clock(&mut self, rst: bool, inputs: &InputPortInputs) {
        let Reading { able, pick, read } = self.read(inputs);
        let seen: Vec<VcInputs> = (0..self.vcs.len()).map(|v| self.vc_inputs(v, inputs, read)).collect();
        self.clock_memories(&seen, inputs.in_flit);
        if rst {
            return self.reset();
        }
        if self.reading == 0 && pick != 0 {
            self.pointer = rotated_up(pick, self.vcs.len());
        }
        let any = |property: fn(&VirtualChannel, &VcInputs) -> bool| self.vector(|v, vc| property(vc, &seen[v])) != 0;
        let (last, ends) = (any(VirtualChannel::last), any(VirtualChannel::ends));
        (self.select_head, self.select_release) = (any(VirtualChannel::starts_out), any(VirtualChannel::released));
        self.reading = if last { 0 } else { pick };
        self.can_read = (pick == 0 || ends) && able & !pick == 0;
        self.sent = read;
        self.in_credit_valid = read != 0;
        self.in_credit_vc = ones(read).next().unwrap_or(0) as u8;
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
        let header_read = find(&|vc, inputs| vc.fetch(inputs).then_some(vc.headers.read_pointer));
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
        rows.one(flag("can_read"), self.can_read);
        rows.one(flag("select_head"), self.select_head);
        rows.one(flag("select_release"), self.select_release);
        rows.one(flag("in_credit_valid").of(Owner::InputLink).known_as("credit_valid"), self.in_credit_valid);
        rows.one(vc_number("in_credit_vc").of(Owner::InputLink).known_as("credit_vc"), self.in_credit_vc);
        rows.one(choice("reading", vcs), self.reading);
        rows.one(choice("sent", vcs), self.sent);
        rows.one(pointer("pointer", vcs), self.pointer);
        rows.owners(Owner::InputVc, "vc", &self.vcs);
    }
}

/// Outputs without which no packet is accepted. Whether there is one a route register knows, if it holds routes of more
/// than one.
const fn acceptable(next_routes: bool) -> OnlyAfter {
    if next_routes { &[&["!vc.holding"]] } else { &[&["head_valid"], &["!vc.holding"]] }
}

impl Block for InputPort {
    type Inputs<'a> = InputPortInputs<'a>;

    fn outputs(&self, seen: &InputPortInputs, rows: &mut RegisterRows) {
        let (n, v, link) = (self.ports, self.vcs.len(), Owner::InputLink);
        if self.next_routes {
            rows.one(choice("taken", v), self.taken(seen.has_place, seen.accept));
            rows.many(count("length", 10).of(Owner::InputVc), self.vcs.iter().map(|vc| vc.length));
        }
        if self.short_packets {
            rows.one(flag("at_once"), self.at_once(seen));
        }
        rows.many(destination("destination").of(Owner::InputVc), self.vcs.iter().map(|vc| vc.destination));
        if self.sees_header {
            rows.many(header("header", 32).of(Owner::InputVc), self.vcs.iter().map(VirtualChannel::header_shown));
        }
        if self.has_table {
            let loads = self.loads(seen);
            rows.one(flags("loads", Owner::InputVc, v), bits::vector(&loads, |_, (loads, _)| *loads));
            let destinations = loads.into_iter().map(|(_, destination)| destination);
            rows.many(destination("next_destination").of(Owner::InputVc), destinations);
        }
        rows.one(flags("head_valid", Owner::InputVc, v), self.head_valid());
        rows.one(flags("malformed", Owner::InputVc, v), self.malformed());
        rows.one(flags("can_take", Owner::InputVc, v), self.can_take());
        rows.one(flag("can_read"), self.can_read);
        rows.one(choice("select", n), self.select());
        rows.one(flag("select_head"), self.select_head);
        rows.one(flag("select_release"), self.select_release);
        rows.many(flit_word("data"), self.data());
        rows.one(flag("in_credit_valid").of(link), self.in_credit_valid);
        rows.one(vc_number("in_credit_vc").of(link), self.in_credit_vc);
        if self.sees_buffers {
            rows.one(fill("fill"), self.fill());
            rows.one(flag("leaving"), self.read(seen).read != 0);
        }
        let names = ["dropped_packet", "framing_error", "overflow_error", "closed_link_flit"];
        names.into_iter().zip(self.events(seen).list()).for_each(|(name, event)| rows.one(flag(name), event));
    }

    fn edge(&mut self, rst: bool, seen: &InputPortInputs) {
        self.clock(rst, seen);
    }
}
