//! `reception`: the buffers of the link from the switch, and the stream out of them.

use super::{Entry, HeaderQueue, fetch, header_queue::HeaderQueueInputs};
use crate::bits::{is_set, low_bits, ones, rotated_up, vector};
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::arbiters::round_robin;
use crate::reference::buffers::VcQueue;
use crate::reference::buffers::memory::Memory;
use crate::reference::demonstrator::Beat;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{choice, count, destination, flag, flit_word, number, pointer, set, vc_number};
use powar_config::{Config, Habit, Meaning, Owner, SignalSpec};

/// The mark of a flit in the memory of its word 0.
const MARK: u32 = 32;

/// The receiver of a network interface; the public fields are its children and its registers.
#[derive(Clone, Debug)]
pub struct Reception {
    max_packet: u16,
    pub flits: Vec<VcQueue>,
    pub headers: Vec<HeaderQueue>,
    /// A memory for every word of a flit.
    pub flit_memory: Vec<Memory>,
    pub header_memory: Memory,
    /// Bits of a pointer in a memory's address.
    pointer_bits: u32,
    /// Flits of the packet on the link that are still to come, by virtual channel.
    pub arriving: Vec<u16>,
    /// Complete packets that have not started, by virtual channel.
    pub whole: Vec<u16>,
    /// Virtual channel of the packet that is read, one-hot.
    pub reading: u64,
    /// Flits of it that are still to be read.
    pub remaining: u16,
    /// One-hot pointer: where the search for the next packet starts.
    pub pointer: u64,
    /// Of the packet that is read.
    pub source: u16,
    pub last_bytes: u8,
    /// A beat of it that has left was marked.
    pub damaged: bool,
    pub tvalid: bool,
    pub tlast: bool,
    pub in_credit_valid: bool,
    pub in_credit_vc: u8,
}

inputs! {
    /// What the receiver sees in a cycle.
    #[derive(Clone, Copy, Debug)]
    pub struct ReceptionInputs<'a> of words: usize {
        pub in_valid: bool = flag("in_valid").of(Owner::InputLink).habit(Habit::Tide),
        pub in_head: bool = flag("in_head").of(Owner::InputLink),
        pub in_vc: u8 = vc_number("in_vc").of(Owner::InputLink),
        /// The words of the flit, one a slot.
        pub in_flit: &'a [u64] = flit_word("in_flit").rows(Owner::InputLink, words),
        pub tready: bool = flag("m_axis_tready").habit(Habit::Drought),
    }
}

/// What happens to the flit on the link. Vectors over virtual channels have one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Arrival {
    store: u64,
    starts: u64,
    ends: u64,
    /// It is a head flit of a length that there is.
    sound: bool,
    length: u16,
    /// A head mark inside a packet.
    mark: bool,
    framing: bool,
    overflow: bool,
}

/// What is read in a cycle, one-hot by virtual channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Reading {
    go: bool,
    start: u64,
    read: u64,
}

impl Reception {
    /// The receiver of a node at this configuration's switch, in its state after reset.
    pub fn new(config: &Config) -> Self {
        let (vcs, depth) = (config.switch.vcs, config.switch.vc_depth());
        let places = depth.next_power_of_two();
        Reception {
            max_packet: config.switch.max_packet_flits as u16,
            flits: vec![VcQueue::new(depth); vcs],
            headers: vec![HeaderQueue::new(config); vcs],
            flit_memory: vec![Memory::new(vcs * places); config.switch.flit_words()],
            header_memory: Memory::new(vcs * places),
            pointer_bits: places.trailing_zeros(),
            arriving: vec![0; vcs],
            whole: vec![0; vcs],
            reading: 0,
            remaining: 0,
            pointer: 1,
            source: 0,
            last_bytes: 0,
            damaged: false,
            tvalid: false,
            tlast: false,
            in_credit_valid: false,
            in_credit_vc: 0,
        }
    }

    fn vcs(&self) -> usize {
        self.flits.len()
    }

    fn arrival(&self, inputs: &ReceptionInputs) -> Arrival {
        let arrive = |v: usize| inputs.in_valid && usize::from(inputs.in_vc) == v;
        let store = vector(&self.flits, |v, flits| arrive(v) && !flits.full);
        let starts = store & vector(&self.arriving, |_, &arriving| arriving == 0);
        let length = Entry::of(inputs.in_flit[0] as u32).length;
        let sound = inputs.in_head && (2..=self.max_packet).contains(&length);
        let last = store & vector(&self.arriving, |_, &arriving| arriving == 1);
        let wrong = if starts != 0 { !sound } else { inputs.in_head };
        let unknown_vc = inputs.in_valid && usize::from(inputs.in_vc) >= self.vcs();
        Arrival {
            store,
            starts,
            ends: last | if sound { 0 } else { starts },
            sound,
            length,
            mark: inputs.in_head && starts == 0,
            framing: store != 0 && wrong || unknown_vc,
            overflow: (0..self.vcs()).any(arrive) && store == 0,
        }
    }

    fn read(&self, tready: bool) -> Reading {
        let go = !self.tvalid || tready;
        if !go {
            return Reading::default();
        }
        if self.remaining != 0 {
            return Reading { go, start: 0, read: self.reading };
        }
        let able = vector(&self.headers, |v, header| header.valid && self.whole[v] != 0);
        let start = round_robin(able, self.pointer, self.vcs());
        Reading { go, start, read: start }
    }

    /// The flit in the memory's output came with a head mark inside its packet.
    fn marked(&self) -> bool {
        is_set(self.flit_memory[0].output, MARK as usize)
    }

    /// The words of the beat on the stream.
    pub fn tdata(&self) -> impl Iterator<Item = u64> {
        self.flit_memory.iter().map(|memory| memory.output & low_bits(32))
    }

    /// A bit a byte of that beat.
    pub fn tkeep(&self) -> u64 {
        let bytes = 4 * self.flit_memory.len();
        let kept = if self.tlast { bytes.min(usize::from(self.last_bytes) + 1) } else { bytes };
        low_bits(kept)
    }

    /// What is in the packet that ends with that beat may be wrong.
    pub fn tuser(&self) -> bool {
        self.tvalid && self.tlast && (self.damaged || self.marked())
    }

    /// Events of this cycle: packet and flit received, framing error, overflow.
    pub fn events(&self, inputs: &ReceptionInputs) -> [bool; 4] {
        let (reading, arrival) = (self.read(inputs.tready), self.arrival(inputs));
        let any = reading.read != 0;
        [any && self.remaining == 1, any, arrival.framing, arrival.overflow]
    }

    /// The clock edge; with `rst` only the memories pass it as always.
    pub fn clock(&mut self, rst: bool, inputs: &ReceptionInputs) {
        let (arrival, reading) = (self.arrival(inputs), self.read(inputs.tready));
        let wants = vector(&self.headers, |v, header| header.wants(is_set(reading.start, v)));
        let (fetch, fetched) = (fetch(wants), self.header_memory.output as u32);
        let damaged = self.damaged || self.marked();
        self.clock_memories(&arrival, &reading, fetch, inputs.in_flit);
        if rst {
            return self.reset();
        }
        for v in 0..self.vcs() {
            let starts = is_set(arrival.starts, v);
            if starts {
                self.arriving[v] = if arrival.sound { arrival.length - 1 } else { 0 };
            } else if is_set(arrival.store, v) {
                self.arriving[v] -= 1;
            }
            let (ends, start) = (is_set(arrival.ends, v), is_set(reading.start, v));
            self.whole[v] = self.whole[v] + u16::from(ends) - u16::from(start);
            self.flits[v].clock(is_set(arrival.store, v), is_set(reading.read, v));
        }
        self.damaged = reading.start == 0 && if self.tvalid && inputs.tready { damaged } else { self.damaged };
        if reading.go {
            (self.tvalid, self.tlast) = (self.remaining != 0, self.remaining == 1);
        }
        if let Some(v) = ones(reading.start).next() {
            let Entry { address, length, last_bytes } = Entry::of(self.headers[v].entry);
            (self.source, self.last_bytes) = (address, last_bytes);
            self.remaining = length.saturating_sub(1);
            self.reading = reading.start;
            self.pointer = rotated_up(reading.start, self.vcs());
        } else if reading.read != 0 {
            self.remaining -= 1;
        }
        self.in_credit_valid = reading.read != 0;
        self.in_credit_vc = ones(reading.read).next().unwrap_or(0) as u8;
        for (v, header) in self.headers.iter_mut().enumerate() {
            header.clock(&HeaderQueueInputs {
                push: is_set(arrival.starts, v),
                fetch: is_set(fetch, v),
                fetched,
                take: is_set(reading.start, v),
            });
        }
    }

    /// The memories' clock edge.
    fn clock_memories(&mut self, arrival: &Arrival, reading: &Reading, fetch: u64, flit: &[u64]) {
        let bits = self.pointer_bits;
        let address = |v: usize, pointer: u16| v << bits | usize::from(pointer);
        let flit_write = ones(arrival.store).next().map(|v| address(v, self.flits[v].write_pointer));
        let flit_read = ones(reading.read).next().map(|v| address(v, self.flits[v].read_pointer));
        let header_write = ones(arrival.starts).next().map(|v| address(v, self.headers[v].places.write_pointer));
        let header_read = ones(fetch).next().map(|v| address(v, self.headers[v].places.read_pointer));
        let entry = Entry {
            address: flit[1] as u16,
            length: if arrival.sound { arrival.length } else { 0 },
            last_bytes: (flit[1] >> 16) as u8 & 0x3f,
        };
        for (w, memory) in self.flit_memory.iter_mut().enumerate() {
            let mark = if w == 0 { u64::from(arrival.mark) << MARK } else { 0 };
            memory.clock(flit_read, flit_write.map(|address| (address, mark | flit[w])));
        }
        self.header_memory.clock(header_read, header_write.map(|address| (address, entry.packed().into())));
    }

    fn reset(&mut self) {
        self.flits.iter_mut().for_each(VcQueue::reset);
        self.headers.iter_mut().for_each(HeaderQueue::reset);
        self.arriving.fill(0);
        self.whole.fill(0);
        (self.reading, self.remaining, self.pointer) = (0, 0, 1);
        (self.source, self.last_bytes, self.damaged) = (0, 0, false);
        (self.tvalid, self.tlast) = (false, false);
        (self.in_credit_valid, self.in_credit_vc) = (false, 0);
    }
}

impl Registers for Reception {
    fn list(&self, rows: &mut RegisterRows) {
        let vcs = self.vcs();
        rows.one(flag("m_axis_tvalid"), self.tvalid);
        rows.one(flag("m_axis_tlast"), self.tlast);
        rows.one(flag("in_credit_valid").of(Owner::InputLink).known_as("credit_valid"), self.in_credit_valid);
        rows.one(vc_number("in_credit_vc").of(Owner::InputLink).known_as("credit_vc"), self.in_credit_vc);
        rows.many(count("arriving", 10).of(Owner::InputVc), self.arriving.iter().copied());
        rows.many(count("whole", 13).of(Owner::InputVc), self.whole.iter().copied());
        rows.one(set("complete", vcs), vector(&self.whole, |_, &whole| whole != 0));
        rows.one(choice("reading", vcs), self.reading);
        rows.one(count("remaining", 10), self.remaining);
        rows.one(flag("idle"), self.remaining == 0);
        rows.one(pointer("pointer", vcs), self.pointer);
        rows.one(destination("source"), self.source);
        rows.one(number("last_bytes", 6), self.last_bytes);
        rows.one(flag("damaged"), self.damaged);
        rows.child_of(Owner::InputVc, "flits", &self.flits);
        rows.child_of(Owner::InputVc, "headers", &self.headers);
    }
}

impl Reception {
    /// The beat on the stream, if there is one, and the node that sent it.
    pub fn beat(&self) -> Option<Beat> {
        let data = self.tdata().map(|word| word as u32).collect();
        self.tvalid.then(|| Beat { data, keep: self.tkeep(), last: self.tlast, node: self.source })
    }

    /// Lists the stream and the credits as outputs; of the network interface too.
    pub(super) fn show(&self, rows: &mut RegisterRows) {
        let (link, words) = (Owner::InputLink, self.flit_memory.len());
        rows.one(flag("m_axis_tvalid"), self.tvalid);
        rows.many(SignalSpec { meaning: Meaning::Data, ..flit_word("m_axis_tdata") }, self.tdata());
        rows.one(SignalSpec::new("m_axis_tkeep", 4 * words, Meaning::ByteEnables), self.tkeep());
        rows.one(flag("m_axis_tlast"), self.tlast);
        rows.one(destination("m_axis_tid"), self.source);
        rows.one(flag("m_axis_tuser"), self.tuser());
        rows.one(flag("in_credit_valid").of(link), self.in_credit_valid);
        rows.one(vc_number("in_credit_vc").of(link), self.in_credit_vc);
    }
}

inputs! {
    /// As inputs of the block.
    #[derive(Clone, Copy, Debug)]
    pub struct ReceptionFrame<'a> of block: &Reception {
        pub inputs: ReceptionInputs<'a> = block.flit_memory.len(),
    }
}

impl Block for Reception {
    type Inputs<'a> = ReceptionFrame<'a>;

    fn outputs(&self, seen: &ReceptionFrame, rows: &mut RegisterRows) {
        self.show(rows);
        let names = ["received_packet", "received_flit", "framing_error", "overflow_error"];
        names.into_iter().zip(self.events(&seen.inputs)).for_each(|(name, event)| rows.one(flag(name), event));
    }

    fn edge(&mut self, rst: bool, seen: &ReceptionFrame) {
        self.clock(rst, &seen.inputs);
    }
}
