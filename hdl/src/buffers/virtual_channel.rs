//! The control of one virtual channel of an input port: its flits and headers in the port's memories, the packet at its head, and the
//! packet before that, which is being read or waits for its output port to wake.
//!
//! Head:     a header goes to the head register at once if that is free; else it waits in the header memory, from where it is
//!           fetched while the flits before it are read.
//! Faults:   a flit without head mark where a packet should start, and a header with a length out of range, become packets of one
//!           flit that are `malformed`, for the owner to drop. A flit that finds the buffer full is lost.
//! Latency:  a header is in the head register one cycle after it came, or two cycles after its predecessor was accepted. A packet can
//!           be read in the cycle in which it is accepted. With `next_routes` a header leaves the head register when it is `taken`, and
//!           its route and length wait for the port.
//! Range:    7 to 4096 flits, packets of 1 to 1023 flits; 2 to 64 ports, 1 to 8 virtual channels. `accept` only if `head_valid`
//!           (with `next_routes`: if a route waits) and no packet is held; `read` only if `able`.
//! Reset:    empty.
//! Source:   docs/microarchitecture/buffers.md.

use crate::block;
use crate::buffers::{HEADER_BITS, VcQueue, WHOLE_HEADER_BITS};
use crate::power::if_seen;
use powar_config::{Sees, SwitchConfig};
use rust_hdl::prelude::*;

block! {
    /// `H`: bits of a header that are kept, 26, or 32 if the routing sees the header. `E`: those of an entry of the header memory, H + 1.
    pub struct VirtualChannel<const H: usize, const E: usize>(
        "virtual_channel",
        include_str!("virtual_channel.rs"),
        clocked
    )
    /// For `n` ports, 2..=64, with what a routing table needs or without, with next routes or without.
    pub fn new(
        n: usize,
        config: &SwitchConfig,
        sees: Sees,
        has_table: bool,
        next_routes: bool,
    ) -> Self {
        const { assert!((H == HEADER_BITS || H == WHOLE_HEADER_BITS) && E == H + 1) };
        let (depth, sees_header) = (config.vc_depth(), if_seen(H == WHOLE_HEADER_BITS, 1));
        let counts = sees.buffers || next_routes;
    }
    inputs {
        /// A flit of this virtual channel is on the link.
        arrive: Bit,
        /// It is marked as head flit.
        head: Bit,
        /// The low bits of its word 0: length 25:16, destination 15:0.
        header: Bits<H>,
        /// Output of the header memory.
        fetched: Bits<E>,
        /// The packet in the head register has been granted a port, or is dropped: it can be read from this cycle on.
        accept: Bit,
        /// With next routes the accepted packet has left the head register before: it has so many flits, and the one there leaves with `taken`.
        taken[if_seen(next_routes, 1)]: Bit,
        accepted_length[if_seen(next_routes, 1)]: Bits<10>,
        /// If so: it is dropped.
        drop: Bit,
        /// The port it has been granted, one-hot.
        grant[n]: Bit,
        /// That port was ready in the cycle before, and steady.
        grant_ready: Bit,
        grant_steady: Bit,
        /// The output port may send in this cycle; if it is held it may for the next four.
        ready[n]: Bit,
        steady[n]: Bit,
        /// The oldest flit is read in this cycle.
        read: Bit,
    }
    outputs {
        /// Write the flit on the link to the flit memory.
        store: Bit,
        /// Where the next flit is written.
        flit_write: Bits<12>,
        /// Where the oldest flit is.
        flit_read: Bits<12>,
        /// Write `entry` to the header memory.
        keep: Bit,
        /// The header to be kept, and above it whether the packet is malformed.
        entry: Bits<E>,
        /// Read the header memory.
        fetch: Bit,
        /// Where the next header is written.
        header_write: Bits<12>,
        /// Where the oldest header is.
        header_read: Bits<12>,
        /// The flit on the link finds the buffer full and is not stored.
        overflow: Bit,
        /// The head mark of the flit on the link is wrong.
        framing: Bit,
        /// A flit of the packet that holds a port, or is being dropped, is in the buffer and may be sent.
        able: Bit,
        /// The tail of the packet is read in this cycle.
        last: Bit,
        /// The tail is sure to be read two cycles from now at the latest.
        ends: Bit,
        /// The output port is released with the flit that is read.
        released: Bit,
        /// A packet is accepted, and lets go of its output port in this cycle: in a switch for short packets.
        at_once[if_seen(config.short_packets(), 1)]: Bit,
        /// Flits of the packet in the head register: with next routes.
        length_shown[if_seen(next_routes, 1)]: Bits<10>,
        /// A head flit is read for an output port.
        starts_out: Bit,
        /// The output port of the packet of which a flit was read in the cycle before, one-hot; 0 if it is being dropped.
        port[n]: Bit,
        /// A packet is in the head register.
        head_valid: Bit,
        /// It must be dropped.
        malformed: Bit,
        /// Its destination.
        destination: Bits<16>,
        /// Its header: the user's bits 31:26, length 25:16, destination 15:0.
        header_shown[sees_header]: Bits<32>,
        /// The virtual channel can hold another port two cycles from now.
        can_take: Bit,
        /// Flits in the buffer.
        count[if_seen(sees.buffers, 1)]: Bits<13>,
        /// The head register takes a header at the end of this cycle, and with which destination.
        loads[if_seen(has_table, 1)]: Bit,
        next_destination[if_seen(has_table, 1)]: Bits<16>,
    }
    registers {
        first_r: Bit,
        head_valid_r: Bit,
        malformed_r: Bit,
        destination_r: Bits<16>,
        /// Flits of the packet in the head register.
        length_r: Bits<10>,
        /// The user's bits of its header.
        user_r[sees_header]: Bits<6>,
        can_take_r: Bit = true,
        /// An earlier packet is being read or waits for its port.
        holding_r: Bit,
        /// The output port it holds, one-hot; 0 if it is being dropped.
        port_r = vec![false; n],
        /// It is being dropped.
        dropping_r: Bit,
        /// There is such a packet, and it is being dropped or its port was ready in the cycle before.
        go_r: Bit,
        /// Its port was steady in the cycle before.
        port_steady_r: Bit,
        /// Flits that are still to be read of the packet that is held.
        remaining_r: Bits<10>,
        /// Flits that are still to come of the packet on the link.
        arriving_r: Bits<10>,
        /// `fetched` is the next header.
        fetching_r: Bit,
    }
    children {
        /// The queue of flits.
        flits: VcQueue = VcQueue::new(depth, counts),
        /// The queue of headers behind the head register.
        headers: VcQueue = VcQueue::new(depth, false),
    }
    locals {
        /// A packet starts with the flit on the link.
        starts: Bit,
        /// It is a head flit, and its length is in range.
        sound: Bit,
        /// The header on the link goes to the head register at once.
        bypass: Bit,
        /// A packet holds a port or is being dropped; one that is accepted in this cycle does, too. The same of what it is.
        holding_now: Bit,
        dropping_now: Bit,
        steady_now: Bit,
        remaining_now: Bits<10>,
        first_now: Bit,
        port_now[n]: Bit,
        /// Its port is ready in this cycle, and steady.
        port_is_ready: Bit,
        port_is_steady: Bit,
        /// The rest of the packet is in the buffer.
        whole: Bit,
        /// What the head register takes next.
        incoming: Bits<E>,
    }
    constants {
        max_length: Bits<11> = config.max_packet_flits.to_bits(),
        /// The bits that a length has, and a number of flits still to come; synthesis leaves the others out.
        length_mask: Bits<10> = ((config.max_packet_flits + 1).next_power_of_two() - 1).to_bits(),
        arriving_mask: Bits<10> = (config.max_packet_flits.next_power_of_two() - 1).to_bits(),
        /// A packet of one flit that must be dropped.
        bad_entry: Bits<E> = ((1_usize << H) | (1 << 16)).to_bits(),
        /// The user's bits of an entry.
        user_mask[sees_header]: Bits<E> = (0x3F_usize << HEADER_BITS).to_bits(),
    }
    sizes {
        n = n,
        /// 1 if the mechanism sees buffers, else 0.
        sees_buffers = if_seen(sees.buffers, 1),
        /// 1 if the routing sees the header, else 0; 1 if it has a table.
        sees_header = sees_header,
        has_table = if_seen(has_table, 1),
        /// 1 in a switch for short packets, else 0; 1 in one with next routes.
        short_packets = if_seen(config.short_packets(), 1),
        /// 1 in a switch for short packets which is made for packets of five flits too.
        holds_five = if_seen(config.short_packets() && config.max_packet_flits > 4, 1),
        next_routes = if_seen(next_routes, 1),
        /// The bit of an entry that marks it as malformed.
        malformed_bit = H,
    }
}

impl<const H: usize, const E: usize> Logic for VirtualChannel<H, E> {
    #[allow(unused_variables, reason = "a loop of one turn or none is how a part is there or not")]
    #[hdl_gen]
    fn update(&mut self) {
        // The flit on the link.
        self.overflow.next = self.arrive.val() & self.flits.full.val();
        self.store.next = self.arrive.val() & !self.flits.full.val();
        self.starts.next = self.store.val() & !self.arriving_r.q.val().any();
        self.sound.next = self.head.val()
            & self.header.val().get_bits::<10>(16).any()
            & (bit_cast::<11, 10>(self.header.val().get_bits::<10>(16)) <= self.max_length.val());
        self.framing.next = self.store.val() & (self.head.val() ^ !self.arriving_r.q.val().any());
        if self.sound.val() {
            self.entry.next = bit_cast::<E, H>(self.header.val());
        } else {
            self.entry.next = bit_cast::<E, 16>(self.header.val().get_bits::<16>(0)) | self.bad_entry.val();
        }
        for k in 0..self.sees_header.get() {
            self.entry.next = self.entry.val() | (bit_cast::<E, H>(self.header.val()) & self.user_mask[k].val());
        }
        if self.starts.val() {
            self.arriving_r.d.next = (self.entry.val().get_bits::<10>(16) - 1) & self.arriving_mask.val();
        } else if self.store.val() {
            self.arriving_r.d.next = (self.arriving_r.q.val() - 1) & self.arriving_mask.val();
        }
        // Its header, and the packet in the head register.
        self.bypass.next = self.starts.val()
            & !self.headers.some.val()
            & !self.fetching_r.q.val()
            & (!self.head_valid_r.q.val() | self.accept.val());
        // With next routes a packet leaves the head register before it is accepted.
        for k in 0..self.next_routes.get() {
            self.bypass.next = self.starts.val()
                & !self.headers.some.val()
                & !self.fetching_r.q.val()
                & (!self.head_valid_r.q.val() | self.taken[k].val());
        }
        self.keep.next = self.starts.val() & !self.bypass.val();
        self.fetch.next = self.accept.val() & self.headers.some.val();
        for k in 0..self.next_routes.get() {
            self.fetch.next = self.taken[k].val() & self.headers.some.val();
        }
        self.fetching_r.d.next = self.fetch.val();
        self.head_valid_r.d.next =
            self.bypass.val() | self.fetching_r.q.val() | (self.head_valid_r.q.val() & !self.accept.val());
        for k in 0..self.next_routes.get() {
            self.head_valid_r.d.next =
                self.bypass.val() | self.fetching_r.q.val() | (self.head_valid_r.q.val() & !self.taken[k].val());
            self.length_shown[k].next = self.length_r.q.val();
        }
        if self.bypass.val() {
            self.incoming.next = self.entry.val();
        } else {
            self.incoming.next = self.fetched.val();
        }
        if self.bypass.val() | self.fetching_r.q.val() {
            self.malformed_r.d.next = self.incoming.val().get_bit(self.malformed_bit.into());
            self.length_r.d.next = self.incoming.val().get_bits::<10>(16) & self.length_mask.val();
            self.destination_r.d.next = self.incoming.val().get_bits::<16>(0);
        }
        for k in 0..self.has_table.get() {
            self.loads[k].next = self.bypass.val() | self.fetching_r.q.val();
            self.next_destination[k].next = self.incoming.val().get_bits::<16>(0);
        }
        for k in 0..self.sees_header.get() {
            if self.bypass.val() | self.fetching_r.q.val() {
                self.user_r[k].d.next = self.incoming.val().get_bits::<6>(26);
            }
            self.header_shown[k].next =
                bit_cast::<32, 16>(self.destination_r.q.val()) | (bit_cast::<32, 10>(self.length_r.q.val()) << 16);
            for b in 0..6 {
                self.header_shown[k].next =
                    self.header_shown[k].val().replace_bit(26 + b, self.user_r[k].q.val().get_bit(b));
            }
        }
        // The packet that is read or waits for its port.
        self.holding_now.next = self.accept.val() | self.holding_r.q.val();
        self.first_now.next = self.accept.val() | self.first_r.q.val();
        self.dropping_now.next = self.dropping_r.q.val();
        self.steady_now.next = self.port_steady_r.q.val();
        self.remaining_now.next = self.remaining_r.q.val();
        if self.accept.val() {
            self.dropping_now.next = self.drop.val();
            self.steady_now.next = self.grant_steady.val();
            self.remaining_now.next = self.length_r.q.val();
        }
        for k in 0..self.next_routes.get() {
            if self.accept.val() {
                self.remaining_now.next = self.accepted_length[k].val();
            }
        }
        for p in 0..self.n.get() {
            self.port_now[p].next = self.port_r.q[p].val();
            if self.accept.val() {
                self.port_now[p].next = self.grant[p].val() & !self.drop.val();
            }
        }
        self.able.next = self.flits.some.val()
            & (self.go_r.q.val() | (self.accept.val() & (self.drop.val() | self.grant_ready.val())));
        self.last.next = self.read.val() & (self.remaining_now.val() == 1);
        // Of a packet that is not the one on the link all of it has come, and of that one some is still to come.
        self.whole.next = !self.arriving_r.q.val().any()
            | self.headers.some.val()
            | self.fetching_r.q.val()
            | (self.head_valid_r.q.val() & !self.accept.val());
        // With next routes others may have left the head register, too.
        for k in 0..self.next_routes.get() {
            self.whole.next = self.flits.count[k].val() >= bit_cast::<13, 10>(self.remaining_now.val());
        }
        self.released.next = self.read.val()
            & !self.dropping_now.val()
            & ((self.remaining_now.val() == 1)
                | ((self.remaining_now.val() <= 5) & self.whole.val() & self.steady_now.val()));
        for k in 0..self.holds_five.get() {
            // The next packet would be given the port, which it has chosen already, a cycle too early.
            if self.first_now.val() & (self.remaining_now.val() == 5) {
                self.released.next = false;
            }
        }
        self.ends.next = self.read.val()
            & ((self.remaining_now.val() == 1)
                | ((self.remaining_now.val() <= 3)
                    & self.whole.val()
                    & (self.dropping_now.val() | self.steady_now.val())));
        for k in 0..self.short_packets.get() {
            self.at_once[k].next = self.accept.val() & self.released.val() & (self.remaining_now.val() <= 3);
        }
        self.starts_out.next = self.read.val() & !self.dropping_now.val() & self.first_now.val();
        self.holding_r.d.next = self.holding_now.val() & !self.last.val();
        self.can_take_r.d.next = self.ends.val() | !self.holding_now.val();
        self.first_r.d.next = self.first_now.val() & !self.read.val();
        self.dropping_r.d.next = self.dropping_now.val();
        self.remaining_r.d.next = self.remaining_now.val();
        if self.read.val() {
            self.remaining_r.d.next = (self.remaining_now.val() - 1) & self.length_mask.val();
        }
        for k in 0..self.next_routes.get() {
            if !self.read.val() {
                self.remaining_r.d.next = self.remaining_now.val() & self.length_mask.val();
            }
        }
        self.port_is_ready.next = false;
        self.port_is_steady.next = false;
        for p in 0..self.n.get() {
            self.port_r.d[p].next = self.port_now[p].val();
            self.port[p].next = self.port_r.q[p].val();
        }
        for p in 0..self.n.get() {
            self.port_is_ready.next = self.port_is_ready.val() | (self.port_now[p].val() & self.ready[p].val());
            self.port_is_steady.next = self.port_is_steady.val() | (self.port_now[p].val() & self.steady[p].val());
        }
        self.go_r.d.next =
            self.holding_now.val() & !self.last.val() & (self.dropping_now.val() | self.port_is_ready.val());
        self.port_steady_r.d.next = self.port_is_steady.val();
        self.flits.push.next = self.store.val();
        self.flits.pop.next = self.read.val();
        self.headers.push.next = self.keep.val();
        self.headers.pop.next = self.fetch.val();
        self.flit_write.next = self.flits.write_pointer.val();
        self.flit_read.next = self.flits.read_pointer.val();
        self.header_write.next = self.headers.write_pointer.val();
        self.header_read.next = self.headers.read_pointer.val();
        self.head_valid.next = self.head_valid_r.q.val();
        self.malformed.next = self.malformed_r.q.val();
        self.destination.next = self.destination_r.q.val();
        self.can_take.next = self.can_take_r.q.val();
        for k in 0..self.sees_buffers.get() {
            self.count[k].next = self.flits.count[k].val();
        }
    }
}
