//! `crossbar`: from the input ports' flit memories to the output ports, one flit per cycle and port.

use crate::bits::{is_set, low_bits, ones};
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{choice, flags, flit_word, port_number};
use powar_config::{Config, Owner};

/// The crossbar; the public fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossbar {
    words: usize,
    /// So many ports are near; there is no turn from one of the others to one of the others.
    near: usize,
    /// Bit p: a flit comes out for output port p.
    pub valid: u64,
    /// Bit p: it is a head flit.
    pub head: u64,
    /// Row p: the number of the input port that it comes from, 6 bits; 0 if there is none.
    pub source: Vec<u8>,
}

/// What departs for the output ports; bit p is output port p.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departing {
    pub departing: u64,
    /// The port is released with the flit.
    pub released: u64,
}

impl Crossbar {
    /// The crossbar of this configuration's switch in its state after reset.
    pub fn new(config: &Config) -> Self {
        Crossbar::of(config.ports, config.near_ports(), config.switch.flit_words())
    }

    fn of(ports: usize, near: usize, words: usize) -> Self {
        Crossbar { words, near, valid: 0, head: 0, source: vec![0; ports] }
    }

    /// The output ports that an input port selects and to which it has a turn.
    fn crossing(&self, input: usize, select: u64) -> u64 {
        if input < self.near { select } else { select & low_bits(self.near) }
    }

    /// The ports that the input ports of a mask select.
    fn selected(&self, select: &[u64], marks: u64) -> u64 {
        let marked = select.iter().enumerate().filter(|(i, _)| is_set(marks, *i));
        marked.fold(0, |ports, (i, &row)| ports | self.crossing(i, row))
    }

    /// The flits that depart in this cycle. Row i of `select` is that of input port i, bit i of `release` too.
    pub fn departing(&self, select: &[u64], release: u64) -> Departing {
        Departing { departing: self.selected(select, u64::MAX), released: self.selected(select, release) }
    }

    /// Row p*W + w: word w of the flit that comes out for output port p, from the words that the input ports' memories show.
    pub fn flit(&self, data: &[u64]) -> Vec<u64> {
        let of_port = |(port, &source): (usize, &u8)| {
            let (first, has_turn) =
                (usize::from(source) * self.words, port < self.near || usize::from(source) < self.near);
            let word = move |w| data.get(first + w).copied().filter(|_| has_turn).unwrap_or(0);
            (0..self.words).map(word)
        };
        self.source.iter().enumerate().flat_map(of_port).collect()
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = Crossbar::of(self.source.len(), self.near, self.words);
    }

    /// The clock edge. Bit i of `head`: what input port i selects a port for is a head flit.
    pub fn clock(&mut self, select: &[u64], head: u64) {
        (self.valid, self.head) = (self.selected(select, u64::MAX), self.selected(select, head));
        self.source.fill(0);
        for (i, &ports) in select.iter().enumerate() {
            ones(self.crossing(i, ports)).for_each(|p| self.source[p] |= i as u8);
        }
    }
}

impl Registers for Crossbar {
    fn list(&self, rows: &mut RegisterRows) {
        let n = self.source.len();
        rows.one(flags("valid", Owner::OutputPort, n).known_as("crossbar.valid"), self.valid);
        rows.one(flags("head", Owner::OutputPort, n).known_as("crossbar.head"), self.head);
        let source = port_number("source").of(Owner::OutputPort).known_as("crossbar.source");
        rows.many(source, self.source.iter().copied());
    }
}

inputs! {
    /// What the crossbar sees in a cycle; row i and bit i are those of input port i.
    #[derive(Clone, Copy, Debug)]
    pub struct CrossbarInputs<'a> of block: &Crossbar {
        pub select: &'a [u64] = choice("select", block.source.len()).rows(Owner::InputPort, block.source.len()),
        pub head: u64 = flags("select_head", Owner::InputPort, block.source.len()),
        pub release: u64 = flags("select_release", Owner::InputPort, block.source.len()),
        pub data: &'a [u64] = flit_word("data").rows(Owner::InputPort, block.source.len() * block.words),
    }
}

impl Block for Crossbar {
    type Inputs<'a> = CrossbarInputs<'a>;

    fn outputs(&self, seen: &CrossbarInputs, rows: &mut RegisterRows) {
        let ports = |name| flags(name, Owner::OutputPort, self.source.len());
        let Departing { departing, released } = self.departing(seen.select, seen.release);
        rows.one(ports("departing"), departing);
        rows.one(ports("released"), released);
        rows.one(ports("valid"), self.valid);
        rows.one(ports("head"), self.head);
        rows.many(flit_word("flit").of(Owner::OutputPort), self.flit(seen.data));
    }

    fn edge(&mut self, rst: bool, seen: &CrossbarInputs) {
        if rst { self.reset() } else { self.clock(seen.select, seen.head) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flit_departs_at_once_and_comes_out_a_cycle_later_with_the_memorys_words() {
        let mut crossbar = Crossbar::of(3, 3, 2);
        let select = [0b100, 0, 0b001];
        assert_eq!(crossbar.departing(&select, 0b100), Departing { departing: 0b101, released: 0b001 });
        assert_eq!((crossbar.valid, crossbar.head), (0, 0));
        crossbar.clock(&select, 0b001);
        assert_eq!((crossbar.valid, crossbar.head, &crossbar.source[..]), (0b101, 0b100, &[2, 0, 0][..]));
        assert_eq!(
            crossbar.flit(&[1, 2, 3, 4, 5, 6]),
            [5, 6, 1, 2, 1, 2],
            "port 1 shows input port 0, and nothing is valid"
        );
        crossbar.clock(&[0; 3], 0b111);
        assert_eq!((crossbar.valid, crossbar.head, &crossbar.source[..]), (0, 0, &[0; 3][..]));
        crossbar.clock(&select, 0b001);
        crossbar.reset();
        assert_eq!(crossbar, Crossbar::of(3, 3, 2));
    }

    #[test]
    fn what_is_selected_without_a_turn_does_not_cross() {
        let mut crossbar = Crossbar::of(4, 2, 1);
        let select = [0b1000, 0, 0b0100, 0b0001];
        assert_eq!(crossbar.departing(&select, 0b1100), Departing { departing: 0b1001, released: 0b0001 });
        crossbar.clock(&select, 0b0110);
        assert_eq!((crossbar.valid, crossbar.head, &crossbar.source[..]), (0b1001, 0, &[3, 0, 0, 0][..]));
        assert_eq!(crossbar.flit(&[1, 2, 3, 4]), [4, 1, 1, 1]);
    }

    /// The arbiters never let two input ports select one output port; what the block does then is on the page all the same.
    #[test]
    fn a_source_that_does_not_exist_shows_zeros() {
        let mut crossbar = Crossbar::of(3, 3, 1);
        crossbar.clock(&[0, 0b010, 0b010], 0);
        assert_eq!((crossbar.source[1], crossbar.flit(&[7, 8, 9])), (3, vec![7, 0, 7]));
    }
}
