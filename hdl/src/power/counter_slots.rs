//! Whose turn it is among the counters of a port: one a cycle, the same at all ports.
//!
//! Use:      counter `fetch_slot` is read from memory while `fetch` is 1, and has its `turn` in the next cycle, in which it is written
//!           to `write_slot`.
//! Latency:  a clear of cycle t begins a new round in t+1.
//! Clear:    in the round that it begins no word is read, and counters whose turn comes are told to `replace` theirs: memory has no reset.
//! Range:    2 to 255 counters.
//! Reset:    as a clear.
//! Source:   docs/microarchitecture/power.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct CounterSlots {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// The counters are cleared.
    pub clear: Signal<In, Bit>,
    /// The counter at `fetch_slot` is read.
    pub fetch: Signal<Out, Bit>,
    pub fetch_slot: Vec<Signal<Out, Bit>>,
    /// The counter whose turn it is, as a number.
    pub write_slot: Vec<Signal<Out, Bit>>,
    /// The same, one-hot.
    pub turn: Vec<Signal<Out, Bit>>,
    /// What was read of it is older than the last clear.
    pub replace: Signal<Out, Bit>,
    fetch_slot_r: BitRegister,
    write_slot_r: BitRegister,
    turn_r: BitRegister,
    replace_r: Register<Bit>,
    /// The first round behind a clear.
    fresh_r: Register<Bit>,
    /// `fetch_slot` as a number.
    slot: Signal<Local, Bits<8>>,
    /// It is that of the last counter.
    is_last: Signal<Local, Bit>,
    /// The bits of the number below this one are all 1.
    carry: Vec<Signal<Local, Bit>>,
    last: Constant<Bits<8>>,
    counters: Size,
    slot_bits: Size,
    info: BlockInfo,
}

impl CounterSlots {
    /// For so many counters, 2..=255.
    pub fn new(counters: usize) -> Self {
        let slot_bits = slot_bits(counters);
        let first = (0..counters).map(|counter| counter == 0).collect();
        build!(CounterSlots {
            (clk, rst, clear, fetch, replace, slot, is_last)
            [slot_bits => fetch_slot, write_slot]
            [counters => turn]
            [slot_bits + 1 => carry]
            fetch_slot_r: BitRegister::new(vec![false; slot_bits]),
            write_slot_r: BitRegister::new(vec![false; slot_bits]),
            turn_r: BitRegister::new(first),
            replace_r: Register::new(true),
            fresh_r: Register::new(true),
            last: Constant::new((counters as u64 - 1).into()),
            counters: counters.into(),
            slot_bits: slot_bits.into(),
            info: BlockInfo::new("counter_slots", include_str!("counter_slots.rs")),
        })
    }
}

/// Bits of a slot number.
pub(super) fn slot_bits(counters: usize) -> usize {
    (counters - 1).ilog2() as usize + 1
}

impl Logic for CounterSlots {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, fetch_slot_r, write_slot_r, turn_r, replace_r, fresh_r);
        self.slot.next = 0.into();
        for b in 0..self.slot_bits.get() {
            self.slot.next = self.slot.val().replace_bit(b, self.fetch_slot_r.q[b].val());
        }
        self.is_last.next = self.slot.val() == self.last.val();
        // The next number: this one and 1, or 0 behind the last.
        self.carry[0].next = true;
        for b in 0..self.slot_bits.get() {
            self.carry[b + 1].next = self.carry[b].val() & self.fetch_slot_r.q[b].val();
        }
        for b in 0..self.slot_bits.get() {
            self.fetch_slot_r.d[b].next =
                (self.fetch_slot_r.q[b].val() ^ self.carry[b].val()) & !(self.clear.val() | self.is_last.val());
            self.write_slot_r.d[b].next = self.fetch_slot_r.q[b].val();
            self.fetch_slot[b].next = self.fetch_slot_r.q[b].val();
            self.write_slot[b].next = self.write_slot_r.q[b].val();
        }
        for c in 0..self.counters.get() {
            self.turn_r.d[c].next = self.slot.val() == c.to_bits();
            self.turn[c].next = self.turn_r.q[c].val();
        }
        self.fresh_r.d.next = self.clear.val() | (self.fresh_r.q.val() & !self.is_last.val());
        self.replace_r.d.next = self.clear.val() | self.fresh_r.q.val();
        self.fetch.next = !self.fresh_r.q.val();
        self.replace.next = self.replace_r.q.val();
    }
}

rtl_signals!(
    CounterSlots,
    clocked,
    inputs(clear),
    outputs(fetch, fetch_slot, write_slot, turn, replace),
    registers(
        fetch_slot_r as "fetch_slot",
        write_slot_r as "write_slot",
        turn_r as "turn",
        replace_r as "replace",
        fresh_r as "fresh",
    ),
    children(),
);
