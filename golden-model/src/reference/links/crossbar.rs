//! `crossbar`: from the input ports' flit memories to the output ports, one flit per cycle and port.

use crate::bits::{is_set, ones};
use crate::lock_step::{Block, Observed, declare};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{RST, choice, flags, flit_word};
use powar_config::{Config, Owner, Role, SignalDecl};

/// The crossbar; the public fields are its registers, which hold the inputs of the cycle before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossbar {
    words: usize,
    vcs: usize,
    /// Row i: the output port that input port i sends to, one-hot.
    pub select: Vec<u64>,
    /// Row i: the output VC, one-hot.
    pub select_vc: Vec<u64>,
    /// Bit i: input port i sends a head flit.
    pub select_head: u64,
}

/// What goes to the output ports, row or bit p being output port p.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    pub valid: u64,
    pub vc: Vec<u64>,
    /// Of `departing`: the port is released. Of the registers: it is a head flit.
    pub mark: u64,
}

/// Turns what the input ports send round to what the output ports get.
fn turned(select: &[u64], select_vc: &[u64], marks: u64) -> Sent {
    let mut sent = Sent { valid: 0, vc: vec![0; select.len()], mark: 0 };
    for (i, &ports) in select.iter().enumerate() {
        sent.valid |= ports;
        ones(ports).for_each(|p| sent.vc[p] |= select_vc[i]);
        sent.mark |= if is_set(marks, i) { ports } else { 0 };
    }
    sent
}

impl Crossbar {
    /// The crossbar of this configuration's switch in its state after reset.
    pub fn new(config: &Config) -> Self {
        Crossbar::of(config.ports, config.switch.vcs, config.switch.flit_words())
    }

    fn of(ports: usize, vcs: usize, words: usize) -> Self {
        Crossbar { words, vcs, select: vec![0; ports], select_vc: vec![0; ports], select_head: 0 }
    }

    /// The flits that depart in this cycle; `mark` is `released`.
    pub fn departing(&self, select: &[u64], select_vc: &[u64], select_release: u64) -> Sent {
        turned(select, select_vc, select_release)
    }

    /// The flits that come out in this cycle; `mark` is `head`.
    pub fn sent(&self) -> Sent {
        turned(&self.select, &self.select_vc, self.select_head)
    }

    /// Row p*W + w: word w of the flit that comes out for output port p, from the words that the input ports' memories show.
    pub fn flit(&self, data: &[u64]) -> Vec<u64> {
        let mut flits = vec![0; data.len()];
        for (i, &ports) in self.select.iter().enumerate() {
            for p in ones(ports) {
                for w in 0..self.words {
                    flits[p * self.words + w] |= data[i * self.words + w];
                }
            }
        }
        flits
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = Crossbar::of(self.select.len(), self.vcs, self.words);
    }

    /// The clock edge.
    pub fn clock(&mut self, select: &[u64], select_vc: &[u64], select_head: u64) {
        self.select.copy_from_slice(select);
        self.select_vc.copy_from_slice(select_vc);
        self.select_head = select_head;
    }
}

impl Registers for Crossbar {
    fn list(&self, rows: &mut RegisterRows) {
        let n = self.select.len();
        let select = choice("select", n).of(Owner::InputPort).known_as("crossbar.select");
        rows.many(select, self.select.iter().copied());
        let select_vc = choice("select_vc", self.vcs).of(Owner::InputPort).known_as("crossbar.select_vc");
        rows.many(select_vc, self.select_vc.iter().copied());
        rows.one(flags("select_head", Owner::InputPort, n).known_as("crossbar.select_head"), self.select_head);
    }
}

impl Block for Crossbar {
    fn signals(&self) -> Vec<SignalDecl> {
        let (n, v, w) = (self.select.len(), self.vcs, self.words);
        let (from, to) = (Owner::InputPort, Owner::OutputPort);
        let inputs = [
            RST,
            choice("select", n).rows(from, n),
            choice("select_vc", v).rows(from, n),
            flags("select_head", from, n),
            flags("select_release", from, n),
            flit_word("data").rows(from, n * w),
        ];
        let outputs = [
            flags("departing", to, n),
            choice("departing_vc", v).rows(to, n),
            flags("released", to, n),
            flags("valid", to, n),
            flags("head", to, n),
            choice("vc", v).rows(to, n),
            flit_word("flit").rows(to, n * w),
        ];
        let mut signals = declare(Role::Input, inputs);
        signals.extend(declare(Role::Output, outputs));
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let n = self.select.len();
        let (select, rest) = inputs[1..].split_at(n);
        let (select_vc, rest) = rest.split_at(n);
        let departing = self.departing(select, select_vc, rest[1]);
        observed.put(departing.valid);
        observed.rows(departing.vc);
        observed.put(departing.mark);
        let sent = self.sent();
        observed.rows([sent.valid, sent.mark]);
        observed.rows(sent.vc);
        observed.rows(self.flit(&rest[2..]));
        RegisterRows::of(self).observe(observed);
        if inputs[0] == 1 { self.reset() } else { self.clock(select, select_vc, rest[0]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flit_departs_at_once_and_comes_out_a_cycle_later_with_the_memorys_words() {
        let mut crossbar = Crossbar::of(3, 2, 2);
        let (select, select_vc) = ([0b100, 0, 0b001], [0b10, 0, 0b01]);
        let departing = crossbar.departing(&select, &select_vc, 0b100);
        assert_eq!(departing, Sent { valid: 0b101, vc: vec![0b01, 0, 0b10], mark: 0b001 });
        assert_eq!(crossbar.sent().valid, 0);
        crossbar.clock(&select, &select_vc, 0b001);
        assert_eq!(crossbar.sent(), Sent { valid: 0b101, vc: vec![0b01, 0, 0b10], mark: 0b100 });
        assert_eq!(crossbar.flit(&[1, 2, 3, 4, 5, 6]), [5, 6, 0, 0, 1, 2]);
        crossbar.reset();
        assert_eq!(crossbar.flit(&[1, 2, 3, 4, 5, 6]), [0; 6]);
    }
}
