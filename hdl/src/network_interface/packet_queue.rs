//! Pointers and fill of a circular queue of beats in which a packet counts once it is complete, and can be given up before.
//!
//! Use:      `store` with every beat, `commit` with the last one of its packet; `discard` with the number of beats stored since the last
//!           `commit` frees their places.
//! Latency:  one cycle from the inputs to the pointers and `full`.
//! Range:    2 to 4096 beats. Never `store` when full, or with `discard`; `read` only beats of complete packets.
//! Reset:    empty, pointers at 0.
//! Source:   docs/microarchitecture/network_interface.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct PacketQueue {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// A beat is written at `place`.
    pub store: Signal<In, Bit>,
    /// It is its packet's last.
    pub commit: Signal<In, Bit>,
    /// The beats of the packet under way are given up.
    pub discard: Signal<In, Bit>,
    /// How many of them are stored.
    pub beats: Signal<In, Bits<10>>,
    /// The beat at `read_pointer` is read.
    pub read: Signal<In, Bit>,
    /// There is no place left.
    pub full: Signal<Out, Bit>,
    pub place: Signal<Out, Bits<12>>,
    pub read_pointer: Signal<Out, Bits<12>>,
    place_r: Register<Bits<12>>,
    /// Where the packet under way begins.
    base_r: Register<Bits<12>>,
    read_pointer_r: Register<Bits<12>>,
    full_r: Register<Bit>,
    /// Beats stored, those of the packet under way too.
    count_r: Register<Bits<13>>,
    /// The place behind `place`.
    next_place: Signal<Local, Bits<12>>,
    /// What is added to the count and taken away from it.
    more: Signal<Local, Bits<13>>,
    less: Signal<Local, Bits<13>>,
    /// The last place; place 0 follows.
    last_place: Constant<Bits<12>>,
    /// The bits that a place has; synthesis leaves the others out.
    place_mask: Constant<Bits<12>>,
    /// 0 if the place after the last is 0 by these bits alone, else 1.
    wraps_early: Size,
    info: BlockInfo,
}

impl PacketQueue {
    /// For `depth` beats, 2..=4096.
    pub fn new(depth: usize) -> Self {
        build!(PacketQueue {
            (
                clk, rst, store, commit, discard, beats, read, full, place, read_pointer, place_r, base_r,
                read_pointer_r, full_r, count_r, next_place, more, less,
            )
            last_place: Constant::new((depth - 1).to_bits()),
            place_mask: Constant::new((depth.next_power_of_two() - 1).to_bits()),
            wraps_early: usize::from(!depth.is_power_of_two()).into(),
            info: BlockInfo::new("packet_queue", include_str!("packet_queue.rs")),
        })
    }
}

impl Logic for PacketQueue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, place_r, base_r, read_pointer_r, full_r, count_r);
        self.next_place.next = (self.place_r.q.val() + 1) & self.place_mask.val();
        if (self.wraps_early.val() == 1) & (self.place_r.q.val() == self.last_place.val()) {
            self.next_place.next = 0.into();
        }
        if self.discard.val() {
            self.place_r.d.next = self.base_r.q.val();
        } else if self.store.val() {
            self.place_r.d.next = self.next_place.val();
        }
        if self.commit.val() {
            self.base_r.d.next = self.next_place.val();
        }
        if self.read.val() {
            self.read_pointer_r.d.next = (self.read_pointer_r.q.val() + 1) & self.place_mask.val();
            if (self.wraps_early.val() == 1) & (self.read_pointer_r.q.val() == self.last_place.val()) {
                self.read_pointer_r.d.next = 0.into();
            }
        }
        self.more.next = 0.into();
        if self.store.val() {
            self.more.next = 1.into();
        }
        self.less.next = 0.into();
        if self.discard.val() {
            self.less.next = bit_cast::<13, 10>(self.beats.val());
        }
        self.count_r.d.next = self.count_r.q.val() + self.more.val() - self.less.val();
        if self.read.val() {
            self.count_r.d.next = self.count_r.q.val() + self.more.val() - self.less.val() - 1;
        }
        // Whether the count is the depth, known at the beginning of a cycle.
        if self.discard.val() {
            if self.read.val() | self.beats.val().any() {
                self.full_r.d.next = false;
            }
        } else if self.store.val() & !self.read.val() {
            self.full_r.d.next = self.count_r.q.val() == bit_cast::<13, 12>(self.last_place.val());
        } else if self.read.val() & !self.store.val() {
            self.full_r.d.next = false;
        }
        self.full.next = self.full_r.q.val();
        self.place.next = self.place_r.q.val();
        self.read_pointer.next = self.read_pointer_r.q.val();
    }
}

rtl_signals!(
    PacketQueue,
    clocked,
    inputs(store, commit, discard, beats, read),
    outputs(full, place, read_pointer),
    registers(place_r as "place", base_r as "base", read_pointer_r as "read_pointer", full_r as "full", count_r as "count"),
    children(),
);
