//! `virtual_channel`: the control of one virtual channel of an input port.

use crate::bits::is_set;
use crate::lock_step::{Frames, Observed, Slots, declare, output};
use crate::reference::buffers::VcQueue;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{RST, choice, count, destination, fill, flag, flags, header, number};
use powar_config::{Config, Habit, Owner, Role, Sees, SignalDecl, SignalSpec};

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

    /// The routing sees the header.
    fn sees_header(self) -> bool {
        self.header_bits == HEADER
    }
}

/// What a virtual channel sees in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct VcInputs {
    /// A flit of this channel is on the link.
    pub arrive: bool,
    /// It is marked as head flit.
    pub head: bool,
    /// The low H bits of its word 0.
    pub header: u32,
    /// Output of the header memory, H + 1 bits.
    pub fetched: u64,
    /// The packet in the head register has been granted a port, or is dropped; with next routes the one whose route is shown.
    pub accept: bool,
    /// With next routes: the packet in the head register leaves it, and the length of the one that is accepted.
    pub taken: bool,
    pub accepted_length: u16,
    /// If so: it is dropped.
    pub drop: bool,
    /// The port it has been granted, one-hot.
    pub grant: u64,
    /// That port was ready, steady in the cycle before.
    pub grant_ready: bool,
    pub grant_steady: bool,
    /// Output ports that are ready, steady in this cycle.
    pub ready: u64,
    pub steady: u64,
    /// The oldest flit is read.
    pub read: bool,
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
            flits: VcQueue::new(size.depth),
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
        arrive && !self.flits.full()
    }

    /// The flit on the link finds the channel full.
    pub fn overflow(&self, arrive: bool) -> bool {
        arrive && self.flits.full()
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

    /// The flit that is read has so many behind it at most, itself counted, and they are all in the buffer.
    fn all_here(&self, now: &Now, most: u16) -> bool {
        now.remaining <= most && self.flits.count >= now.remaining
    }

    /// The tail is sure to be read two cycles from now at the latest.
    pub fn ends(&self, inputs: &VcInputs) -> bool {
        let now = self.now(inputs);
        let is_sure = self.all_here(&now, ENDS) && (now.dropping || now.steady);
        inputs.read && (now.remaining == 1 || is_sure)
    }

    /// The output port is released with the flit that is read; none is if the packet is being dropped.
    pub fn released(&self, inputs: &VcInputs) -> bool {
        let now = self.now(inputs);
        // A port that is chosen while it is held, for short packets, would be given to the next packet a cycle too early.
        let may_be = self.size.short_packets && self.size.max_packet >= LETS_GO;
        let too_early = may_be && now.first && now.remaining == LETS_GO;
        let is_sure = self.all_here(&now, LETS_GO) && now.steady && !too_early;
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

impl Frames for VirtualChannel {
    fn signals(&self) -> Vec<SignalDecl> {
        let Size { ports, header_bits, short_packets, next_routes, .. } = self.size;
        // Whether there is a packet to be accepted a route register knows, if it holds routes of more than one.
        let of_packet: &[&[&str]] =
            if next_routes { &[&["!holding", "last"]] } else { &[&["head_valid"], &["!holding", "last"]] };
        let inputs = [
            RST,
            flag("arrive").habit(Habit::Tide),
            flag("head"),
            header("header", header_bits),
            header("fetched", header_bits + 1),
            flag("accept").habit(Habit::Frequent).only_after(of_packet),
            flag("taken").habit(Habit::Frequent).only_after(&[&["head_valid"]]),
            count("accepted_length", 10),
            flag("drop").habit(Habit::Drought),
            // A packet that is accepted and not dropped is granted some port.
            choice("grant", ports).habit(Habit::Usual),
            flag("grant_ready").habit(Habit::Usual),
            flag("grant_steady").habit(Habit::Usual),
            flags("ready", Owner::Port, ports),
            flags("steady", Owner::Port, ports).habit(Habit::Usual),
            // With the first flit it can be as early as the grant.
            flag("read").habit(Habit::Tide).only_after(&[&["able", "head_valid"]]),
        ];
        let outputs = [
            flag("store"),
            number("flit_write", 12),
            number("flit_read", 12),
            flag("keep"),
            header("entry", header_bits + 1),
            flag("fetch"),
            number("header_write", 12),
            number("header_read", 12),
            flag("overflow"),
            flag("framing"),
            flag("able"),
            flag("last"),
            flag("ends"),
            flag("released"),
            flag("at_once"),
            count("length_shown", 10),
            flag("starts_out"),
            flag("head_valid"),
            flag("malformed"),
            destination("destination"),
            header("header_shown", 32),
            flag("can_take"),
            choice("port", ports),
        ];
        let is_there = |signal: &SignalSpec| match signal.name {
            "header_shown" => self.size.sees_header(),
            "taken" | "accepted_length" | "length_shown" => next_routes,
            "at_once" => short_packets,
            _ => true,
        };
        let mut signals = declare(Role::Input, inputs.into_iter().filter(is_there));
        signals.extend(declare(Role::Output, outputs.into_iter().filter(is_there)));
        signals.extend(self.size.sees_buffers.then(|| output(fill("count"))));
        if self.size.has_table {
            signals.extend(declare(Role::Output, [flag("loads"), destination("next_destination")]));
        }
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let mut slots = Slots(inputs);
        let (rst, next_routes) = (slots.bit(), self.size.next_routes);
        // Fields are evaluated in the order in which they stand here: that of the declaration.
        let seen = VcInputs {
            arrive: slots.bit(),
            head: slots.bit(),
            header: slots.one() as u32,
            fetched: slots.one(),
            accept: slots.bit(),
            taken: next_routes && slots.bit(),
            accepted_length: slots.one_if(next_routes) as u16,
            drop: slots.bit(),
            grant: slots.one(),
            grant_ready: slots.bit(),
            grant_steady: slots.bit(),
            ready: slots.one(),
            steady: slots.one(),
            read: slots.bit(),
        };
        observed.put(self.store(seen.arrive));
        observed.rows([self.flits.write_pointer, self.flits.read_pointer]);
        observed.put(self.keep(&seen));
        observed.put(self.entry(&seen));
        observed.put(self.fetch(&seen));
        observed.rows([self.headers.write_pointer, self.headers.read_pointer]);
        observed.rows([self.overflow(seen.arrive), self.framing(&seen), self.able(&seen), self.last(&seen)]);
        observed.rows([self.ends(&seen), self.released(&seen)]);
        observed.rows(self.size.short_packets.then(|| self.at_once(&seen)));
        observed.rows(next_routes.then_some(self.length));
        observed.put(self.starts_out(&seen));
        observed.rows([self.head_valid, self.malformed]);
        observed.put(self.destination);
        if self.size.sees_header() {
            observed.put(self.header_shown());
        }
        observed.put(self.can_take);
        observed.put(self.port);
        if self.size.sees_buffers {
            observed.put(self.flits.count);
        }
        if self.size.has_table {
            observed.put(self.loads(&seen));
            observed.put(self.next_destination(&seen));
        }
        RegisterRows::of(self).observe(observed);
        if rst { self.reset() } else { self.clock(&seen) }
    }
}
