//! `virtual_channel`: the control of one virtual channel of an input port.

use crate::bits::is_set;
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::buffers::VcQueue;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{OnlyAfter, choice, count, destination, fill, flag, flags, header, number};
use powar_config::{Config, Habit, Owner, Sees};

/// Places in a header and in an entry of the header memory: destination 15:0, length 25:16, the user's bits 31:26.
const LENGTH_LOW: u32 = 16;
const USER_LOW: u32 = 26;
/// Bits of a header that is kept without the user's bits, and with them.
const HEADER_WITHOUT_USER: usize = 26;
const HEADER: usize = 32;
/// Largest length that a header can tell.
const MAX_LENGTH: u16 = 0x3ff;

/// A packet whose flits that are still to be read are as many as this, all in the buffer, lets go of its output port if that is steady.
const LETS_GO: u16 = 5;
/// With so many its virtual channel and its input port may take the next packet, two cycles later.
const ENDS: u16 = 3;
/// A packet of so many at most lets go of its output port in the cycle in which it is granted, in a switch for short packets.
const AT_ONCE: u16 = 3;

/// A virtual channel's control; the public fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VirtualChannel {
    size: Size,
    pub flits: VcQueue,
    pub headers: VcQueue,
    /// A packet is in the head register.
    pub head_valid: bool,
    /// And must be dropped.
    pub malformed: bool,
    /// Its destination.
    pub destination: u16,
    /// Its length.
    pub length: u16,
    /// The user's bits of its header, 6; there if the routing sees the header, 0 otherwise.
    pub user: u8,
    /// An earlier packet is being read or waits for its port.
    pub holding: bool,
    /// The channel can hold another port two cycles from now.
    pub can_take: bool,
    /// The output port it holds, 0 if it is being dropped; stays until the next one.
    pub port: u64,
    /// It is being dropped.
    pub dropping: bool,
    /// The next flit to be read is a head flit.
    pub first: bool,
    /// It is being dropped, or its port was ready in the cycle before; not if there is none.
    pub go: bool,
    /// Its port was steady in the cycle before.
    pub port_steady: bool,
    /// Flits of it that are still to be read.
    pub remaining: u16,
    /// Flits of the packet on the link that are still to come.
    pub arriving: u16,
    /// The header memory's output is the next header.
    pub fetching: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    ports: usize,
    depth: usize,
    max_packet: u16,
    /// Bits of a header (H): 26, or 32 if the routing sees it.
    header_bits: usize,
    /// The power mechanism sees buffers.
    sees_buffers: bool,
    /// The routing sees a table.
    has_table: bool,
    /// Of a switch for short packets; and one that routes the packet behind the one that waits.
    short_packets: bool,
    next_routes: bool,
}

impl Size {
    /// The bits that a length has.
    fn length_bits(self) -> u16 {
        (self.max_packet + 1).next_power_of_two() - 1
    }

    /// The flits are counted: for the mechanism, or since packets that have left the head register may follow the one that is read.
    fn counts(self) -> bool {
        self.sees_buffers || self.next_routes
    }

    /// The routing sees the header.
    fn sees_header(self) -> bool {
        self.header_bits == HEADER
    }
}

inputs! {
    /// What a virtual channel sees in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct VcInputs of block: &VirtualChannel {
        /// A flit of this channel is on the link.
        pub arrive: bool = flag("arrive").habit(Habit::Tide),
        /// It is marked as head flit.
        pub head: bool = flag("head"),
        /// The low H bits of its word 0.
        pub header: u32 = header("header", block.size.header_bits),
        /// Output of the header memory, H + 1 bits.
        pub fetched: u64 = header("fetched", block.size.header_bits + 1),
        /// The packet in the head register has been granted a port, or is dropped; with next routes the one whose route is
        /// shown.
        pub accept: bool = flag("accept").habit(Habit::Frequent).only_after(acceptable(block.size.next_routes)),
        /// With next routes: the packet in the head register leaves it, and the length of the one that is accepted.
        pub taken: bool =
            flag("taken").habit(Habit::Frequent).only_after(&[&["head_valid"]]).only_if(block.size.next_routes),
        pub accepted_length: u16 = count("accepted_length", 10).only_if(block.size.next_routes),
        /// If so: it is dropped.
        pub drop: bool = flag("drop").habit(Habit::Drought),
        /// The port it has been granted, one-hot.
        // A packet that is accepted and not dropped is granted some port.
        pub grant: u64 = choice("grant", block.size.ports).habit(Habit::Usual),
        /// That port was ready, steady in the cycle before.
        pub grant_ready: bool = flag("grant_ready").habit(Habit::Usual),
        pub grant_steady: bool = flag("grant_steady").habit(Habit::Usual),
        /// Output ports that are ready, steady in this cycle.
        pub ready: u64 = flags("ready", Owner::Port, block.size.ports),
        pub steady: u64 = flags("steady", Owner::Port, block.size.ports).habit(Habit::Usual),
        /// The oldest flit is read.
        // With the first flit it can be as early as the grant.
        pub read: bool = flag("read").habit(Habit::Tide).only_after(&[&["able", "head_valid"]]),
    }
}

/// The packet that is being read, or can be from this cycle on: what the registers hold, or what is accepted in this cycle.
#[derive(Clone, Copy, Debug)]
struct Now {
    holding: bool,
    port: u64,
    dropping: bool,
    remaining: u16,
    first: bool,
    steady: bool,
}

impl VirtualChannel {
    /// A virtual channel of this configuration's switch in its state after reset; the mechanism sees so much.
    pub fn new(config: &Config, sees: Sees) -> Self {
        VirtualChannel::of(Size {
            ports: config.ports,
            depth: config.switch.vc_depth(),
            max_packet: config.switch.max_packet_flits as u16,
            header_bits: if config.routing_sees().header { HEADER } else { HEADER_WITHOUT_USER },
            sees_buffers: sees.buffers,
            has_table: config.routing_sees().table,
            short_packets: config.switch.short_packets(),
            next_routes: config.next_routes(),
        })
    }

    fn of(size: Size) -> Self {
        VirtualChannel {
            size,
            flits: if size.counts() { VcQueue::counting(size.depth) } else { VcQueue::new(size.depth) },
            headers: VcQueue::new(size.depth),
            head_valid: false,
            malformed: false,
            destination: 0,
            length: 0,
            user: 0,
            holding: false,
            can_take: true,
            port: 0,
            dropping: false,
            first: false,
            go: false,
            port_steady: false,
            remaining: 0,
            arriving: 0,
            fetching: false,
        }
    }

    /// The flit on the link goes to the flit memory.
    pub fn store(&self, arrive: bool) -> bool {
        arrive && !self.flits.full
    }

    /// The flit on the link finds the channel full.
    pub fn overflow(&self, arrive: bool) -> bool {
        arrive && self.flits.full
    }

    /// The head mark of the flit on the link is wrong.
    pub fn framing(&self, inputs: &VcInputs) -> bool {
        self.store(inputs.arrive) && if self.arriving == 0 { !inputs.head } else { inputs.head }
    }

    fn starts(&self, inputs: &VcInputs) -> bool {
        self.store(inputs.arrive) && self.arriving == 0
    }

    fn sound(&self, inputs: &VcInputs) -> bool {
        inputs.head && (1..=self.size.max_packet).contains(&length_of(inputs.header))
    }

    /// Bits of a header that are kept.
    pub fn header_bits(&self) -> usize {
        self.size.header_bits
    }

    /// The user's field of a header or an entry.
    fn user_of(&self, header: u32) -> u8 {
        if self.size.sees_header() { (header >> USER_LOW) as u8 } else { 0 }
    }

    /// The header as the header memory keeps it, H + 1 bits.
    pub fn entry(&self, inputs: &VcInputs) -> u64 {
        let sound = self.sound(inputs);
        let length = if sound { length_of(inputs.header) } else { 1 };
        let header = packed_header(self.user_of(inputs.header), length, destination_of(inputs.header));
        u64::from(!sound) << self.size.header_bits | u64::from(header)
    }

    /// The header of the packet in the head register.
    pub fn header_shown(&self) -> u32 {
        packed_header(self.user, self.length, self.destination)
    }

    /// The packet in the head register leaves it.
    fn leaves(&self, inputs: &VcInputs) -> bool {
        if self.size.next_routes { inputs.taken } else { inputs.accept }
    }

    /// The header on the link goes straight to the head register.
    fn bypass(&self, inputs: &VcInputs) -> bool {
        self.starts(inputs) && !self.headers.some && !self.fetching && (!self.head_valid || self.leaves(inputs))
    }

    /// The head register takes a header at the end of the cycle, if there is no reset.
    pub fn loads(&self, inputs: &VcInputs) -> bool {
        self.bypass(inputs) || self.fetching
    }

    /// The destination of that header; without one, of any.
    pub fn next_destination(&self, inputs: &VcInputs) -> u16 {
        if self.bypass(inputs) { destination_of(inputs.header) } else { inputs.fetched as u16 }
    }

    /// The header on the link goes to the header memory.
    pub fn keep(&self, inputs: &VcInputs) -> bool {
        self.starts(inputs) && !self.bypass(inputs)
    }

    /// The header memory is read.
    pub fn fetch(&self, inputs: &VcInputs) -> bool {
        self.leaves(inputs) && self.headers.some
    }

    fn now(&self, inputs: &VcInputs) -> Now {
        if inputs.accept {
            Now {
                holding: true,
                port: if inputs.drop { 0 } else { inputs.grant },
                dropping: inputs.drop,
                remaining: if self.size.next_routes { inputs.accepted_length } else { self.length },
                first: true,
                steady: inputs.grant_steady,
            }
        } else {
            Now {
                holding: self.holding,
                port: self.port,
                dropping: self.dropping,
                remaining: self.remaining,
                first: self.first,
                steady: self.port_steady,
            }
        }
    }

    /// A flit of the packet that holds a port (or is being dropped) is in the buffer and may be sent. `read` is not looked at.
    pub fn able(&self, inputs: &VcInputs) -> bool {
        self.flits.some && (self.go || inputs.accept && (inputs.drop || inputs.grant_ready))
    }

    /// The flit that is read is the tail.
    pub fn last(&self, inputs: &VcInputs) -> bool {
        inputs.read && self.now(inputs).remaining == 1
    }

    /// All flits of the packet that are still to be read are in the buffer.
    fn whole(&self, inputs: &VcInputs, now: &Now) -> bool {
        match self.flits.count {
            Some(count) if self.size.next_routes => count >= now.remaining,
            _ => {
                let others = self.headers.some || self.fetching || self.head_valid && !inputs.accept;
                self.arriving == 0 || others
            }
        }
    }

    /// The tail is sure to be read two cycles from now at the latest.
    pub fn ends(&self, inputs: &VcInputs) -> bool {
        let now = self.now(inputs);
        let is_sure = now.remaining <= ENDS && self.whole(inputs, &now) && (now.dropping || now.steady);
        inputs.read && (now.remaining == 1 || is_sure)
    }

    /// The output port is released with the flit that is read; none is if the packet is being dropped.
    pub fn released(&self, inputs: &VcInputs) -> bool {
        let now = self.now(inputs);
        // A port that is chosen while it is held, for short packets, would be given to the next packet a cycle too early.
        let may_be = self.size.short_packets && self.size.max_packet >= LETS_GO;
        let too_early = may_be && now.first && now.remaining == LETS_GO;
        let is_sure = now.remaining <= LETS_GO && self.whole(inputs, &now) && now.steady && !too_early;
        inputs.read && !now.dropping && (now.remaining == 1 || is_sure)
    }

    /// A packet is accepted, and lets go of its output port in this cycle.
    pub fn at_once(&self, inputs: &VcInputs) -> bool {
        inputs.accept && self.released(inputs) && self.now(inputs).remaining <= AT_ONCE
    }

    /// The head flit of a packet that is not being dropped is read.
    pub fn starts_out(&self, inputs: &VcInputs) -> bool {
        let now = self.now(inputs);
        inputs.read && !now.dropping && now.first
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = VirtualChannel::of(self.size);
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &VcInputs) {
        let &VcInputs { arrive, ready, steady, read, .. } = inputs;
        let before = self.clone();
        let store = before.store(arrive);
        if before.starts(inputs) {
            self.arriving = if before.sound(inputs) { length_of(inputs.header) - 1 } else { 0 };
        } else if store {
            self.arriving = before.arriving - 1;
        }

        let (bypass, fetch) = (before.bypass(inputs), before.fetch(inputs));
        self.fetching = fetch;
        self.headers.clock(before.keep(inputs), fetch);
        self.head_valid = bypass || before.fetching || (before.head_valid && !before.leaves(inputs));
        if bypass || before.fetching {
            let entry = if bypass { before.entry(inputs) } else { inputs.fetched };
            self.malformed = is_set(entry, self.size.header_bits);
            let header = entry as u32;
            (self.user, self.length, self.destination) =
                (self.user_of(header), length_of(header) & self.size.length_bits(), destination_of(header));
        }

        self.flits.clock(store, read);
        let now = before.now(inputs);
        self.holding = now.holding && !before.last(inputs);
        self.go = self.holding && (now.dropping || now.port & ready != 0);
        self.can_take = before.ends(inputs) || !now.holding;
        self.remaining = now.remaining.wrapping_sub(read.into()) & self.size.length_bits();
        (self.port, self.dropping, self.first) = (now.port, now.dropping, now.first && !read);
        self.port_steady = now.port & steady != 0;
    }
}

/// A header of its fields.
fn packed_header(user: u8, length: u16, destination: u16) -> u32 {
    u32::from(user) << USER_LOW | u32::from(length) << LENGTH_LOW | u32::from(destination)
}

fn length_of(header: u32) -> u16 {
    (header >> LENGTH_LOW) as u16 & MAX_LENGTH
}

fn destination_of(header: u32) -> u16 {
    header as u16
}

impl Registers for VirtualChannel {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(flag("head_valid"), self.head_valid);
        rows.one(flag("malformed"), self.malformed);
        rows.one(destination("destination"), self.destination);
        rows.one(count("length", 10), self.length);
        if self.size.sees_header() {
            rows.one(number("user", 6), self.user);
        }
        rows.one(flag("holding"), self.holding);
        rows.one(flag("can_take"), self.can_take);
        rows.one(choice("port", self.size.ports), self.port);
        rows.one(flag("dropping"), self.dropping);
        rows.one(flag("first"), self.first);
        rows.one(flag("go"), self.go);
        rows.one(flag("port_steady"), self.port_steady);
        rows.one(count("remaining", 10), self.remaining);
        rows.one(count("arriving", 10), self.arriving);
        rows.one(flag("fetching"), self.fetching);
        rows.child("flits", [&self.flits]);
        rows.child("headers", [&self.headers]);
    }
}

/// Outputs without which no packet is accepted. Whether there is one a route register knows, if it holds routes of more
/// than one.
const fn acceptable(next_routes: bool) -> OnlyAfter {
    if next_routes { &[&["!holding", "last"]] } else { &[&["head_valid"], &["!holding", "last"]] }
}

impl Block for VirtualChannel {
    type Inputs<'a> = VcInputs;

    fn outputs(&self, seen: &VcInputs, rows: &mut RegisterRows) {
        let Size { ports, header_bits, short_packets, next_routes, sees_buffers, has_table, .. } = self.size;
        rows.one(flag("store"), self.store(seen.arrive));
        rows.one(number("flit_write", 12), self.flits.write_pointer);
        rows.one(number("flit_read", 12), self.flits.read_pointer);
        rows.one(flag("keep"), self.keep(seen));
        rows.one(header("entry", header_bits + 1), self.entry(seen));
        rows.one(flag("fetch"), self.fetch(seen));
        rows.one(number("header_write", 12), self.headers.write_pointer);
        rows.one(number("header_read", 12), self.headers.read_pointer);
        rows.one(flag("overflow"), self.overflow(seen.arrive));
        rows.one(flag("framing"), self.framing(seen));
        rows.one(flag("able"), self.able(seen));
        rows.one(flag("last"), self.last(seen));
        rows.one(flag("ends"), self.ends(seen));
        rows.one(flag("released"), self.released(seen));
        if short_packets {
            rows.one(flag("at_once"), self.at_once(seen));
        }
        if next_routes {
            rows.one(count("length_shown", 10), self.length);
        }
        rows.one(flag("starts_out"), self.starts_out(seen));
        rows.one(flag("head_valid"), self.head_valid);
        rows.one(flag("malformed"), self.malformed);
        rows.one(destination("destination"), self.destination);
        if self.size.sees_header() {
            rows.one(header("header_shown", 32), self.header_shown());
        }
        rows.one(flag("can_take"), self.can_take);
        rows.one(choice("port", ports), self.port);
        if let Some(count) = self.flits.count.filter(|_| sees_buffers) {
            rows.one(fill("count"), count);
        }
        if has_table {
            rows.one(flag("loads"), self.loads(seen));
            rows.one(destination("next_destination"), self.next_destination(seen));
        }
    }

    fn edge(&mut self, rst: bool, seen: &VcInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}
