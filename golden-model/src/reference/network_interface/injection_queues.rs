//! `injection_queues`: from the stream of a node to a queue of complete packets for each virtual channel.

use super::{Entry, HeaderQueue, PacketQueue, fetch, header_queue, packet_queue};
use crate::bits::{is_set, low_bits, ones, vector};
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::buffers::memory::Memory;
use crate::reference::routing::vc_of_destination;
use crate::register_rows::{RegisterRows, Registers};
use header_queue::HeaderQueueInputs;
use packet_queue::PacketQueueInputs;
use powar_config::signal::{choice, count, destination, flag, flags, flit_word, header, number};
use powar_config::{Config, Habit, Meaning, Owner, SignalSpec};

/// The queues towards the link; the public fields are their children and their registers.
#[derive(Clone, Debug)]
pub struct InjectionQueues {
    words: usize,
    /// Beats of the longest packet.
    most_beats: u16,
    pub queues: Vec<PacketQueue>,
    pub headers: Vec<HeaderQueue>,
    /// A memory for every word of a beat.
    pub beat_memory: Vec<Memory>,
    pub header_memory: Memory,
    /// Bits of a pointer in a memory's address.
    pointer_bits: u32,
    /// A beat is in the input register.
    pub beat_valid: bool,
    pub beat_data: Vec<u64>,
    pub beat_last: bool,
    /// Its bytes are not kept as they should be.
    pub beat_wrong: bool,
    /// None of its bytes is kept.
    pub beat_none: bool,
    /// Bytes that are kept, less one.
    pub beat_bytes: u8,
    /// Destination of its packet, and its virtual channel, one-hot.
    pub destination: u16,
    pub vc: u64,
    /// The next beat is the first of its packet.
    pub opening: bool,
    /// Beats taken of the packet before this one.
    pub beats: u16,
    /// The packet is refused, for its length or for its bytes.
    pub too_long: bool,
    pub spoilt: bool,
}

inputs! {
    /// What the queues see in a cycle. Vectors over virtual channels have one bit each; of no virtual channels they are
    /// not there.
    #[derive(Clone, Copy, Debug)]
    pub struct QueuesInputs<'a> of (words, vcs): (usize, usize) {
        pub tvalid: bool = flag("s_axis_tvalid").habit(Habit::Tide),
        /// The words of the beat, one a slot.
        pub tdata: &'a [u64] = SignalSpec { rows: words, meaning: Meaning::Data, ..flit_word("s_axis_tdata") },
        /// A bit a byte.
        pub tkeep: u64 = SignalSpec::new("s_axis_tkeep", 4 * words, Meaning::ByteEnables).habit(Habit::Usual),
        pub tlast: bool = flag("s_axis_tlast"),
        pub tdest: u16 = destination("s_axis_tdest"),
        /// The packet in the head register starts, one-hot.
        pub start: u64 = choice("start", vcs).only_after(&[&["waiting"]]).only_if(vcs != 0),
        /// The oldest beat is read, one-hot.
        pub read: u64 = choice("read", vcs).only_after(&[&["waiting"]]).only_if(vcs != 0),
    }
}

/// What becomes of the beat in the input register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fate {
    take: bool,
    store: bool,
    commit: bool,
    discard: bool,
    excess: bool,
    bad: bool,
    blank: bool,
}

/// Packets that are refused in a cycle, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    pub long: bool,
    pub keep: bool,
    pub empty: bool,
}

impl InjectionQueues {
    /// The queues of a node at this configuration's switch, in their state after reset.
    pub fn new(config: &Config) -> Self {
        let (vcs, words) = (config.switch.vcs, config.switch.flit_words());
        let places = config.switch.vc_depth().next_power_of_two();
        InjectionQueues {
            words,
            most_beats: config.switch.max_packet_flits as u16 - 1,
            queues: vec![PacketQueue::new(config); vcs],
            headers: vec![HeaderQueue::new(config); vcs],
            beat_memory: vec![Memory::new(vcs * places); words],
            header_memory: Memory::new(vcs * places),
            pointer_bits: places.trailing_zeros(),
            beat_valid: false,
            beat_data: vec![0; words],
            beat_last: false,
            beat_wrong: false,
            beat_none: false,
            beat_bytes: 0,
            destination: 0,
            vc: 0,
            opening: true,
            beats: 0,
            too_long: false,
            spoilt: false,
        }
    }

    fn fate(&self) -> Fate {
        let excess = self.beats == self.most_beats;
        let blank = self.beat_last && self.beat_none && self.beats == 0;
        let bad = self.beat_wrong && !blank;
        let (refuse, given_up) = (excess || bad || blank, self.too_long || self.spoilt);
        let full = vector(&self.queues, |v, queue| is_set(self.vc, v) && queue.full()) != 0;
        let take = self.beat_valid && (given_up || refuse || !full);
        let store = take && !given_up && !refuse;
        let discard = self.beat_valid && !given_up && refuse;
        Fate { take, store, commit: store && self.beat_last, discard, excess, bad, blank }
    }

    /// A beat of the stream can be taken.
    pub fn tready(&self) -> bool {
        !self.beat_valid || self.fate().take
    }

    /// Virtual channels with a complete packet in the head register.
    pub fn waiting(&self) -> u64 {
        vector(&self.headers, |_, header| header.valid)
    }

    /// Header of that packet.
    pub fn header(&self) -> impl Iterator<Item = u32> {
        self.headers.iter().map(|header| header.entry)
    }

    /// The words of the beat read in the cycle before.
    pub fn flit(&self) -> Vec<u64> {
        self.beat_memory.iter().map(|memory| memory.output).collect()
    }

    /// A complete packet waits that does not start in this cycle.
    pub fn pending(&self, start: u64) -> bool {
        vector(&self.headers, |v, header| header.holds(is_set(start, v))) != 0
    }

    /// The packet whose last beat is taken is refused.
    pub fn refused(&self) -> Refused {
        let fate = self.fate();
        let over = fate.take && self.beat_last;
        let long = self.too_long || fate.excess;
        Refused {
            long: over && long,
            keep: over && !long && (self.spoilt || fate.bad),
            empty: over && !long && fate.blank,
        }
    }

    /// The clock edge; with `rst` only the memories pass it as always.
    pub fn clock(&mut self, rst: bool, inputs: &QueuesInputs) {
        let fate = self.fate();
        let accept = inputs.tvalid && self.tready();
        let wants = vector(&self.headers, |v, header| header.wants(is_set(inputs.start, v)));
        let fetch = fetch(wants);
        let fetched = self.header_memory.output as u32;
        self.clock_memories(&fate, fetch, inputs.read);
        if rst {
            return self.reset();
        }
        let vc = self.vc;
        let of_vc = |v: usize, what: bool| what && is_set(vc, v);
        for (v, queue) in self.queues.iter_mut().enumerate() {
            queue.clock(&PacketQueueInputs {
                store: of_vc(v, fate.store),
                commit: of_vc(v, fate.commit),
                discard: of_vc(v, fate.discard),
                beats: self.beats,
                read: is_set(inputs.read, v),
            });
        }
        for (v, header) in self.headers.iter_mut().enumerate() {
            header.clock(&HeaderQueueInputs {
                push: of_vc(v, fate.commit),
                fetch: is_set(fetch, v),
                fetched,
                take: is_set(inputs.start, v),
            });
        }
        if fate.take {
            let last = self.beat_last;
            self.too_long = !last && (self.too_long || fate.excess);
            self.spoilt = !last && (self.spoilt || fate.bad);
            self.beats = match (last, fate.excess) {
                (true, _) => 0,
                (false, true) => self.beats,
                (false, false) => self.beats + 1,
            };
        }
        self.beat_valid = accept || (self.beat_valid && !fate.take);
        if accept {
            self.load(inputs);
        }
    }

    /// Takes a beat into the input register.
    fn load(&mut self, inputs: &QueuesInputs) {
        let bytes = 4 * self.words;
        let keep = inputs.tkeep;
        // Bytes that are kept from byte 0 on without a hole.
        let hole = keep & keep.wrapping_add(1) != 0;
        let none = keep == 0;
        let all = keep == low_bits(bytes);
        self.beat_data.copy_from_slice(inputs.tdata);
        self.beat_last = inputs.tlast;
        self.beat_none = none;
        self.beat_wrong = if inputs.tlast { hole || none } else { !all };
        self.beat_bytes = ones(keep & !(keep >> 1)).fold(0, |number, b| number | b as u8);
        if self.opening {
            self.destination = inputs.tdest;
            self.vc = 1 << vc_of_destination(inputs.tdest, self.queues.len());
        }
        self.opening = inputs.tlast;
    }

    fn reset(&mut self) {
        self.queues.iter_mut().for_each(PacketQueue::reset);
        self.headers.iter_mut().for_each(HeaderQueue::reset);
        self.beat_data.fill(0);
        (self.beat_valid, self.beat_last, self.beat_wrong, self.beat_none) = (false, false, false, false);
        (self.beat_bytes, self.destination, self.vc, self.opening) = (0, 0, 0, true);
        (self.beats, self.too_long, self.spoilt) = (0, false, false);
    }
}

impl Registers for InjectionQueues {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(flag("beat_valid"), self.beat_valid);
        rows.many(flit_word("beat_data"), self.beat_data.iter().copied());
        rows.one(flag("beat_last"), self.beat_last);
        rows.one(flag("beat_wrong"), self.beat_wrong);
        rows.one(flag("beat_none"), self.beat_none);
        rows.one(number("beat_bytes", 6), self.beat_bytes);
        rows.one(destination("destination"), self.destination);
        rows.one(choice("vc", self.queues.len()), self.vc);
        rows.one(flag("opening"), self.opening);
        rows.one(count("beats", 10), self.beats);
        rows.one(flag("too_long"), self.too_long);
        rows.one(flag("spoilt"), self.spoilt);
        rows.child_of(Owner::OutputVc, "queue", &self.queues);
        rows.child_of(Owner::OutputVc, "headers", &self.headers);
    }
}

inputs! {
    /// As inputs of the block.
    #[derive(Clone, Copy, Debug)]
    pub struct QueuesFrame<'a> of block: &InjectionQueues {
        pub inputs: QueuesInputs<'a> = (block.words, block.queues.len()),
    }
}

impl Block for InjectionQueues {
    type Inputs<'a> = QueuesFrame<'a>;

    fn outputs(&self, seen: &QueuesFrame, rows: &mut RegisterRows) {
        let Refused { long, keep, empty } = self.refused();
        rows.one(flag("s_axis_tready"), self.tready());
        rows.one(flags("waiting", Owner::OutputVc, self.queues.len()), self.waiting());
        rows.many(header("header", header_queue::ENTRY_BITS).of(Owner::OutputVc), self.header());
        rows.many(flit_word("flit"), self.flit());
        rows.one(flag("pending"), self.pending(seen.inputs.start));
        rows.one(flag("refused_long"), long);
        rows.one(flag("refused_keep"), keep);
        rows.one(flag("refused_empty"), empty);
    }

    fn edge(&mut self, rst: bool, seen: &QueuesFrame) {
        self.clock(rst, &seen.inputs);
    }
}

impl InjectionQueues {
    /// The memories' clock edge.
    fn clock_memories(&mut self, fate: &Fate, fetch: u64, read: u64) {
        let bits = self.pointer_bits;
        let address = |v: usize, pointer: u16| v << bits | usize::from(pointer);
        let writes = ones(self.vc).next();
        let beat_write = writes.filter(|_| fate.store).map(|v| address(v, self.queues[v].place));
        let beat_read = ones(read).next().map(|v| address(v, self.queues[v].read_pointer));
        let header_write = writes.filter(|_| fate.commit).map(|v| address(v, self.headers[v].places.write_pointer));
        let header_read = ones(fetch).next().map(|v| address(v, self.headers[v].places.read_pointer));
        let entry = Entry { address: self.destination, length: self.beats + 2, last_bytes: self.beat_bytes };
        for (memory, &word) in self.beat_memory.iter_mut().zip(&self.beat_data) {
            memory.clock(beat_read, beat_write.map(|address| (address, word)));
        }
        self.header_memory.clock(header_read, header_write.map(|address| (address, entry.packed().into())));
    }
}
