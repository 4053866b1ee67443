//! `selector`: the choice of an output port for one requester (POWAR Algorithm 1).

use crate::bits::{low_bits, rotated_up};
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::arbiters::preferred_first;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{choice, flag, flags, pointer, set};
use powar_config::{Config, Deterministic, Habit, Owner};

/// One requester's selector; the fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    ports: usize,
    set: Deterministic,
    /// P has no port below this one: what is said of them is not looked at.
    lowest: usize,
    /// In a cycle with `accept` the sets are those of the next packet already.
    next_routes: bool,
    /// One-hot choice shown to the arbiters, 0 = none.
    pub choice: u64,
    /// The choice came from the adaptive set P.
    pub choice_adaptive: bool,
    /// One-hot pointer of the adaptive choice.
    pub rrp: u64,
    /// One-hot pointer of the deterministic choice; stays at place 0 where D is at most one port.
    pub drp: u64,
}

inputs! {
    /// What a selector sees in a cycle; vectors have one bit a port.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct SelectorInputs of block: &Selector {
        /// Those of candidate set P that may be given to the packet.
        pub adaptive: u64 = set("adaptive", block.ports),
        /// Those of deterministic set D that may be given to it.
        pub deterministic: u64 = set("deterministic", block.ports),
        /// Ports that are taken before others.
        pub preferred: u64 = flags("preferred", Owner::Port, block.ports),
        /// The packet is granted a port, or dropped.
        pub accept: bool = flag("accept").habit(Habit::Frequent),
        /// If so: the port it is granted, one-hot; 0 if it is dropped.
        pub granted: u64 = choice("granted", block.ports),
        /// And the choice of that port came from P.
        pub granted_adaptive: bool = flag("granted_adaptive"),
    }
}

impl Selector {
    /// A selector among `ports` ports, any of which P may hold, in its state after reset.
    pub fn new(ports: usize, deterministic: Deterministic) -> Self {
        let (choice, choice_adaptive, rrp, drp) = (0, false, 1, 1);
        Selector { ports, set: deterministic, lowest: 0, next_routes: false, choice, choice_adaptive, rrp, drp }
    }

    /// One of a switch of this configuration, whose routing has no port below some in P, and may have next routes.
    pub fn of(config: &Config) -> Self {
        let (lowest, next_routes) = (config.lowest_adaptive(), config.next_routes());
        Selector { lowest, next_routes, ..Selector::new(config.ports, config.deterministic) }
    }

    /// Number of output ports.
    pub fn ports(&self) -> usize {
        self.ports
    }

    /// What D may hold.
    pub fn deterministic(&self) -> Deterministic {
        self.set
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        let Selector { lowest, next_routes, .. } = *self;
        *self = Selector { lowest, next_routes, ..Selector::new(self.ports, self.set) };
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &SelectorInputs) {
        let &SelectorInputs { preferred, accept, granted, granted_adaptive, .. } = inputs;
        let every = low_bits(self.ports);
        let of_p = every & !low_bits(self.lowest);
        let (adaptive, deterministic) = (inputs.adaptive & of_p, inputs.deterministic & every);

        let is_gone = accept && !self.next_routes;
        let choice = if is_gone {
            0
        } else if adaptive != 0 {
            preferred_first(adaptive, preferred, self.rrp, self.ports)
        } else {
            match self.set {
                Deterministic::Single => deterministic,
                Deterministic::Set => preferred_first(deterministic, preferred, self.drp, self.ports),
            }
        };
        let moved = if granted_adaptive { granted & of_p } else { granted };
        if accept && moved != 0 {
            let past = rotated_up(moved, self.ports);
            match self.set {
                _ if granted_adaptive => self.rrp = past,
                Deterministic::Set => self.drp = past,
                Deterministic::Single => {}
            }
        }
        (self.choice, self.choice_adaptive) = (choice, !is_gone && adaptive != 0);
    }
}

impl Registers for Selector {
    fn list(&self, rows: &mut RegisterRows) {
        let n = self.ports;
        rows.one(choice("choice", n), self.choice);
        rows.one(flag("choice_adaptive"), self.choice_adaptive);
        rows.one(pointer("rrp", n), self.rrp);
        if self.set == Deterministic::Set {
            rows.one(pointer("drp", n), self.drp);
        }
    }
}

impl Block for Selector {
    type Inputs<'a> = SelectorInputs;

    fn outputs(&self, _: &SelectorInputs, rows: &mut RegisterRows) {
        rows.one(choice("choice", self.ports), self.choice);
        rows.one(flag("choice_adaptive"), self.choice_adaptive);
    }

    fn edge(&mut self, rst: bool, seen: &SelectorInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No request, and all ports preferred.
    const IDLE: SelectorInputs = SelectorInputs {
        adaptive: 0,
        deterministic: 0,
        preferred: u64::MAX,
        accept: false,
        granted: 0,
        granted_adaptive: false,
    };

    /// The same requester, when it is granted a port.
    fn granted(port: u64, adaptive: bool, requesting: SelectorInputs) -> SelectorInputs {
        SelectorInputs { accept: true, granted: port, granted_adaptive: adaptive, ..requesting }
    }

    #[test]
    fn the_pointer_moves_past_the_granted_port_only() {
        let mut selector = Selector::new(4, Deterministic::Single);
        let requesting = SelectorInputs { adaptive: 0b1100, ..IDLE };
        selector.clock(&requesting);
        selector.clock(&requesting);
        assert_eq!((selector.choice, selector.rrp), (0b0100, 0b0001));
        selector.clock(&granted(0b0100, true, requesting));
        assert_eq!((selector.choice, selector.choice_adaptive), (0, false));
        assert_eq!(selector.rrp, 0b1000);
        selector.clock(&requesting);
        assert_eq!(selector.choice, 0b1000);
        selector.clock(&granted(0b1000, true, requesting));
        assert_eq!(selector.rrp, 0b0001, "port 3 is last: the pointer wraps");
    }

    #[test]
    fn what_is_chosen_after_the_granted_port_counts_for_nothing() {
        let mut selector = Selector::new(4, Deterministic::Set);
        selector.clock(&SelectorInputs { adaptive: 0b0001, ..IDLE });
        selector.clock(&SelectorInputs { deterministic: 0b1000, ..IDLE });
        assert_eq!((selector.choice, selector.choice_adaptive), (0b1000, false));
        selector.clock(&granted(0b0001, true, IDLE));
        assert_eq!((selector.rrp, selector.drp), (0b0010, 0b0001), "the choice of two cycles before was from P");
    }

    #[test]
    fn preferred_ports_come_first() {
        let choice = |adaptive, preferred| {
            let mut selector = Selector::new(4, Deterministic::Single);
            selector.clock(&SelectorInputs { adaptive, preferred, ..IDLE });
            selector.choice
        };
        assert_eq!(choice(0b1110, 0b1111), 0b0010);
        assert_eq!(choice(0b1110, 0b1100), 0b0100);
        assert_eq!(choice(0b1010, 0b1100), 0b1000);
        assert_eq!(choice(0b0010, 0b1100), 0b0010);
        assert_eq!(choice(0, 0b1111), 0);
    }

    #[test]
    fn the_deterministic_set_is_for_when_no_adaptive_port_may_be_given() {
        let mut selector = Selector::new(4, Deterministic::Single);
        let both = SelectorInputs { adaptive: 0b0001, deterministic: 0b0010, ..IDLE };
        selector.clock(&both);
        assert_eq!((selector.choice, selector.choice_adaptive), (0b0001, true));
        selector.clock(&SelectorInputs { adaptive: 0, ..both });
        assert_eq!((selector.choice, selector.choice_adaptive), (0b0010, false));
        selector.clock(&IDLE);
        assert_eq!(selector.choice, 0);
    }

    #[test]
    fn an_aggregated_link_has_a_pointer_of_its_own() {
        let mut selector = Selector::new(4, Deterministic::Set);
        let link = SelectorInputs { deterministic: 0b0110, ..IDLE };
        selector.clock(&link);
        assert_eq!((selector.choice, selector.choice_adaptive), (0b0010, false));
        selector.clock(&granted(0b0010, false, link));
        assert_eq!((selector.rrp, selector.drp), (0b0001, 0b0100));
        selector.clock(&link);
        assert_eq!(selector.choice, 0b0100);
        selector.clock(&SelectorInputs { preferred: 0b0010, ..link });
        assert_eq!(selector.choice, 0b0010, "preferred ports first within D as well");
    }

    #[test]
    fn a_single_deterministic_choice_never_moves_a_pointer() {
        let mut selector = Selector::new(4, Deterministic::Single);
        let down = SelectorInputs { deterministic: 0b0100, ..IDLE };
        selector.clock(&down);
        selector.clock(&granted(0b0100, false, down));
        assert_eq!((selector.choice, selector.rrp, selector.drp), (0, 0b0001, 0b0001));
    }

    #[test]
    fn a_packet_that_is_dropped_moves_no_pointer_and_withholds_the_choice() {
        for granted_adaptive in [false, true] {
            let mut selector = Selector::new(4, Deterministic::Set);
            let both = SelectorInputs { adaptive: 0b0010, deterministic: 0b0100, ..IDLE };
            selector.clock(&both);
            selector.clock(&SelectorInputs { accept: true, granted_adaptive, ..both });
            assert_eq!(selector, Selector::new(4, Deterministic::Set));
        }
    }

    #[test]
    fn a_grant_without_accept_is_somebody_elses() {
        let mut selector = Selector::new(4, Deterministic::Set);
        selector.clock(&SelectorInputs { granted: 0b0100, granted_adaptive: true, ..IDLE });
        selector.clock(&SelectorInputs { granted: 0b0100, ..IDLE });
        assert_eq!(selector, Selector::new(4, Deterministic::Set));
    }

    #[test]
    fn below_the_lowest_port_of_p_nothing_is_looked_at() {
        let upper = Selector { lowest: 2, ..Selector::new(4, Deterministic::Single) };
        let mut selector = upper.clone();
        selector.clock(&SelectorInputs { adaptive: 0b0011, deterministic: 0b0001, ..IDLE });
        assert_eq!((selector.choice, selector.choice_adaptive), (0b0001, false));
        selector.clock(&SelectorInputs { adaptive: 0b1110, ..IDLE });
        assert_eq!((selector.choice, selector.choice_adaptive), (0b0100, true));
        selector.clock(&granted(0b0010, true, IDLE));
        assert_eq!(selector.rrp, 0b0001);
        selector.clock(&granted(0b0100, true, IDLE));
        assert_eq!(selector.rrp, 0b1000);
        selector.clock(&SelectorInputs { adaptive: 0b0100, ..IDLE });
        assert_eq!(selector.choice, 0b0100, "behind the last port comes the lowest of P");
        selector.reset();
        assert_eq!(selector, upper);
    }

    #[test]
    fn port_63_of_64_and_reset() {
        let mut selector = Selector::new(64, Deterministic::Set);
        let last = SelectorInputs { adaptive: 1 << 63, ..IDLE };
        selector.clock(&last);
        assert_eq!(selector.choice, 1 << 63);
        selector.clock(&granted(1 << 63, true, last));
        assert_eq!(selector.rrp, 1);
        selector.clock(&last);
        selector.reset();
        assert_eq!(selector, Selector::new(64, Deterministic::Set));
    }
}
