//! What one port did: cycles in each phase and level, wake-ups, flits, errors.
//!
//! Latency:  what happens in cycle t is counted from cycle t+1 on; `word` follows `select` in the same cycle.
//! Range:    32 bits, wrapping (6.9 s at 625 MHz): software takes differences.
//! Clear:    all counters to 0; the cycle of the clear is not counted.
//! Order:    pairs of phase and level as the mechanism names them, wake-ups, flits, errors.
//! Reset:    0.
//! Source:   POWAR section 2.3 (U_port); docs/microarchitecture/power.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::Residency;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct PortCounters {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Phase and level of the port.
    pub phase: Signal<In, Bits<3>>,
    pub level: Signal<In, Bits<3>>,
    /// The port is woken.
    pub waking: Signal<In, Bit>,
    /// A flit sets out for the port.
    pub departing: Signal<In, Bit>,
    /// Errors of the port.
    pub error: Vec<Signal<In, Bit>>,
    /// Back to 0.
    pub clear: Signal<In, Bit>,
    /// The counter to be shown, one-hot; 0 = none.
    pub select: Vec<Signal<In, Bit>>,
    /// That counter.
    pub word: Signal<Out, Bits<32>>,
    count_r: Vec<Register<Bits<32>>>,
    /// What is counted.
    counted: Vec<Signal<Local, Bit>>,
    /// Phase and level of each pair.
    phase_of: Table,
    level_of: Table,
    /// Pairs of phase and level.
    pairs: Size,
    errors: Size,
    counters: Size,
    info: BlockInfo,
}

impl PortCounters {
    /// Counters behind those of phases and levels, and before those of errors: wake-ups and flits.
    const OTHERS: usize = 2;

    /// For a mechanism with this residency and `errors` kinds of error.
    pub fn new(residency: &[Residency], errors: usize) -> Self {
        let counters = residency.len() + Self::OTHERS + errors;
        build!(PortCounters {
            (clk, rst, phase, level, waking, departing, clear, word)
            [errors => error]
            [counters => select, counted, count_r]
            phase_of: Table::new(residency.iter().map(|pair| pair.phase as usize).collect()),
            level_of: Table::new(residency.iter().map(|pair| pair.level.into()).collect()),
            pairs: residency.len().into(),
            errors: errors.into(),
            counters: counters.into(),
            info: BlockInfo::new("port_counters", include_str!("port_counters.rs")),
        })
    }

    /// How many counters the port has.
    pub fn counters(&self) -> usize {
        self.counters.get()
    }
}

impl Logic for PortCounters {
    #[hdl_gen]
    fn update(&mut self) {
        for k in 0..self.pairs.get() {
            self.counted[k].next =
                (self.phase.val() == self.phase_of[k].to_bits()) & (self.level.val() == self.level_of[k].to_bits());
        }
        self.counted[self.pairs.get()].next = self.waking.val();
        self.counted[self.pairs + 1].next = self.departing.val();
        for e in 0..self.errors.get() {
            self.counted[self.pairs + 2 + e].next = self.error[e].val();
        }
        for c in 0..self.counters.get() {
            dff_setup!(self, clk, count_r[c]);
            if self.clear.val() {
                self.count_r[c].d.next = 0.into();
            } else if self.counted[c].val() {
                self.count_r[c].d.next = self.count_r[c].q.val() + 1;
            }
        }
        self.word.next = 0.into();
        for c in 0..self.counters.get() {
            if self.select[c].val() {
                self.word.next = self.word.val() | self.count_r[c].q.val();
            }
        }
    }
}

rtl_signals!(
    PortCounters,
    clocked,
    inputs(phase, level, waking, departing, error, clear, select),
    outputs(word),
    registers(count_r as "count"),
    children(),
);
