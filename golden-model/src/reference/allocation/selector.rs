//! `selector`: the choice of an output port for one requester (POWAR Algorithm 1).

use crate::bits::{low_bits, rotated_up};
use crate::lock_step::{Block, Observed, input, output};
use crate::reference::arbiters::preferred_first;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{RST, choice, flag, flags, pointer, set};
use powar_config::{Deterministic, Habit, Owner, SignalDecl};

/// One requester's selector; the fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    ports: usize,
    set: Deterministic,
    /// One-hot choice shown to the arbiters, 0 = none.
    pub choice: u64,
    /// The choice came from the adaptive set P.
    pub choice_adaptive: bool,
    /// One-hot pointer of the adaptive choice.
    pub rrp: u64,
    /// One-hot pointer of the deterministic choice; stays at place 0 where D is at most one port.
    pub drp: u64,
}

/// What a selector sees in a cycle; vectors have one bit a port.
#[derive(Clone, Copy, Debug, Default)]
pub struct SelectorInputs {
    /// Candidate set P.
    pub adaptive: u64,
    /// Deterministic set D.
    pub deterministic: u64,
    /// Ports that may be given to a packet.
    pub grantable: u64,
    /// Ports that are taken before others.
    pub preferred: u64,
    /// The choice shown in this cycle is granted in this cycle.
    pub accept: bool,
}

impl Selector {
    /// A selector among `ports` ports in its state after reset.
    pub fn new(ports: usize, deterministic: Deterministic) -> Self {
        Selector { ports, set: deterministic, choice: 0, choice_adaptive: false, rrp: 1, drp: 1 }
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
        *self = Selector::new(self.ports, self.set);
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &SelectorInputs) {
        let grantable = inputs.grantable & low_bits(self.ports);
        let (adaptive, deterministic) = (inputs.adaptive & grantable, inputs.deterministic & grantable);

        let choice = if inputs.accept {
            0
        } else if adaptive != 0 {
            preferred_first(adaptive, inputs.preferred, self.rrp, self.ports)
        } else {
            match self.set {
                Deterministic::Single => deterministic,
                Deterministic::Set => preferred_first(deterministic, inputs.preferred, self.drp, self.ports),
            }
        };
        if inputs.accept && self.choice_adaptive {
            self.rrp = rotated_up(self.choice, self.ports);
        }
        if inputs.accept && !self.choice_adaptive && self.choice != 0 && self.set == Deterministic::Set {
            self.drp = rotated_up(self.choice, self.ports);
        }
        (self.choice, self.choice_adaptive) = (choice, !inputs.accept && adaptive != 0);
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
    fn signals(&self) -> Vec<SignalDecl> {
        let n = self.ports;
        let mut signals = vec![
            input(RST),
            input(set("adaptive", n)),
            input(set("deterministic", n)),
            input(flags("grantable", Owner::Port, n).habit(Habit::Usual)),
            input(flags("preferred", Owner::Port, n)),
            input(flag("accept").habit(Habit::Frequent)),
            output(choice("choice", n)),
            output(flag("choice_adaptive")),
        ];
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        observed.put(self.choice);
        observed.put(self.choice_adaptive);
        RegisterRows::of(self).observe(observed);
        if inputs[0] == 1 {
            return self.reset();
        }
        self.clock(&SelectorInputs {
            adaptive: inputs[1],
            deterministic: inputs[2],
            grantable: inputs[3],
            preferred: inputs[4],
            accept: inputs[5] == 1,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No request, and all ports as they should be.
    const IDLE: SelectorInputs =
        SelectorInputs { adaptive: 0, deterministic: 0, grantable: u64::MAX, preferred: u64::MAX, accept: false };

    #[test]
    fn the_pointer_moves_past_the_chosen_port_only_when_the_choice_is_used() {
        let mut selector = Selector::new(4, Deterministic::Single);
        let requesting = SelectorInputs { adaptive: 0b1100, ..IDLE };
        selector.clock(&requesting);
        selector.clock(&requesting);
        assert_eq!((selector.choice, selector.rrp), (0b0100, 0b0001));
        selector.clock(&SelectorInputs { accept: true, ..requesting });
        assert_eq!((selector.choice, selector.choice_adaptive), (0, false));
        assert_eq!(selector.rrp, 0b1000);
        selector.clock(&requesting);
        assert_eq!(selector.choice, 0b1000);
        selector.clock(&SelectorInputs { accept: true, ..requesting });
        assert_eq!(selector.rrp, 0b0001, "port 3 is last: the pointer wraps");
    }

    #[test]
    fn a_port_that_is_not_grantable_is_not_chosen_and_preferred_ones_come_first() {
        let choice = |grantable, preferred| {
            let mut selector = Selector::new(4, Deterministic::Single);
            selector.clock(&SelectorInputs { adaptive: 0b1110, grantable, preferred, ..IDLE });
            selector.choice
        };
        assert_eq!(choice(0b1111, 0b1111), 0b0010);
        assert_eq!(choice(0b1111, 0b1100), 0b0100);
        assert_eq!(choice(0b1011, 0b1100), 0b1000);
        assert_eq!(choice(0b0011, 0b1100), 0b0010);
        assert_eq!(choice(0b0001, 0b1111), 0);
    }

    #[test]
    fn the_deterministic_set_is_for_when_no_adaptive_port_is_free() {
        let mut selector = Selector::new(4, Deterministic::Single);
        let both = SelectorInputs { adaptive: 0b0001, deterministic: 0b0010, ..IDLE };
        selector.clock(&both);
        assert_eq!((selector.choice, selector.choice_adaptive), (0b0001, true));
        selector.clock(&SelectorInputs { grantable: 0b1110, ..both });
        assert_eq!((selector.choice, selector.choice_adaptive), (0b0010, false));
        selector.clock(&SelectorInputs { grantable: 0b1100, ..both });
        assert_eq!(selector.choice, 0, "D too must be grantable");
    }

    #[test]
    fn an_aggregated_link_has_a_pointer_of_its_own() {
        let mut selector = Selector::new(4, Deterministic::Set);
        let link = SelectorInputs { deterministic: 0b0110, ..IDLE };
        selector.clock(&link);
        assert_eq!((selector.choice, selector.choice_adaptive), (0b0010, false));
        selector.clock(&SelectorInputs { accept: true, ..link });
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
        selector.clock(&SelectorInputs { accept: true, ..down });
        assert_eq!((selector.choice, selector.rrp, selector.drp), (0, 0b0001, 0b0001));
    }

    #[test]
    fn an_accept_without_a_choice_moves_no_pointer_and_withholds_the_choice() {
        let mut selector = Selector::new(4, Deterministic::Set);
        let both = SelectorInputs { adaptive: 0b0010, deterministic: 0b0100, ..IDLE };
        selector.clock(&SelectorInputs { adaptive: 0, ..both });
        selector.clock(&SelectorInputs { accept: true, ..both });
        let served = selector.clone();
        assert_eq!((served.choice, served.rrp, served.drp), (0, 0b0001, 0b1000));
        selector.clock(&SelectorInputs { accept: true, ..both });
        assert_eq!(selector, served);
    }

    #[test]
    fn port_63_of_64_and_reset() {
        let mut selector = Selector::new(64, Deterministic::Set);
        let last = SelectorInputs { adaptive: 1 << 63, ..IDLE };
        selector.clock(&last);
        assert_eq!(selector.choice, 1 << 63);
        selector.clock(&SelectorInputs { accept: true, ..last });
        assert_eq!(selector.rrp, 1);
        selector.clock(&last);
        selector.reset();
        assert_eq!(selector, Selector::new(64, Deterministic::Set));
    }
}
