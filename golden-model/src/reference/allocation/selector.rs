//! Section 3.3: the choice of an output port for one requester (POWAR Algorithm 1).

use crate::bits::{low_bits, rotated_up};
use crate::lock_step::{Block, Observed, input, output, register};
use crate::reference::arbiters::awake_first_arbiter::awake_first;
use powar_config::{Deterministic, Policy, SignalDecl};

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
#[derive(Clone, Copy, Debug)]
pub struct SelectorInputs {
    /// The policy in force.
    pub policy: &'static Policy,
    /// Candidate set P.
    pub adaptive: u64,
    /// Deterministic set D.
    pub deterministic: u64,
    /// Ports held by a packet.
    pub busy: u64,
    /// Ports in state `Active`.
    pub awake: u64,
    /// Ports that may be chosen, by Algorithms 2 and 3.
    pub selectable: u64,
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
        let every = low_bits(self.ports);
        let policy = inputs.policy;
        let free = !inputs.busy & (inputs.selectable | if policy.only_selectable { 0 } else { every });
        let rank = inputs.awake | if policy.prefers_awake { 0 } else { every };
        let adaptive = inputs.adaptive & free & every;
        let deterministic = inputs.deterministic & free & every;

        let choice = if inputs.accept {
            0
        } else if adaptive != 0 {
            awake_first(adaptive, rank, self.rrp, self.ports)
        } else {
            match self.set {
                Deterministic::Single => deterministic,
                Deterministic::Set => awake_first(deterministic, rank, self.drp, self.ports),
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

impl Block for Selector {
    fn signals(&self) -> Vec<SignalDecl> {
        let n = self.ports;
        let mut signals = vec![
            input("rst", 1),
            input("policy", 2),
            input("adaptive", n),
            input("deterministic", n),
            input("busy", n),
            input("awake", n),
            input("selectable", n),
            input("accept", 1),
            output("choice", n),
            output("choice_adaptive", 1),
            register("choice", n),
            register("choice_adaptive", 1),
            register("rrp", n),
        ];
        if self.set == Deterministic::Set {
            signals.push(register("drp", n));
        }
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        for _ in ["as outputs", "as registers"] {
            observed.put(self.choice);
            observed.put(self.choice_adaptive);
        }
        observed.put(self.rrp);
        if self.set == Deterministic::Set {
            observed.put(self.drp);
        }
        if inputs[0] == 1 {
            return self.reset();
        }
        self.clock(&SelectorInputs {
            policy: Policy::by_code(inputs[1] as u8).expect("every 2-bit code is a policy"),
            adaptive: inputs[2],
            deterministic: inputs[3],
            busy: inputs[4],
            awake: inputs[5],
            selectable: inputs[6],
            accept: inputs[7] == 1,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn idle(policy: &str) -> SelectorInputs {
        SelectorInputs {
            policy: Policy::by_name(policy).unwrap(),
            adaptive: 0,
            deterministic: 0,
            busy: 0,
            awake: u64::MAX,
            selectable: u64::MAX,
            accept: false,
        }
    }

    #[test]
    fn the_pointer_moves_past_the_chosen_port_only_when_the_choice_is_used() {
        let mut selector = Selector::new(4, Deterministic::Single);
        let requesting = SelectorInputs { adaptive: 0b1100, ..idle("powar") };
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
    fn policies_differ_in_what_they_look_at() {
        let choice = |policy| {
            let mut selector = Selector::new(4, Deterministic::Single);
            selector.clock(&SelectorInputs { adaptive: 0b1110, awake: 0b1100, selectable: 0b1011, ..idle(policy) });
            selector.choice
        };
        assert_eq!(choice("reference"), 0b0010);
        assert_eq!(choice("round-robin"), 0b0010);
        assert_eq!(choice("first-on"), 0b0100);
        assert_eq!(choice("powar"), 0b1000);
    }

    #[test]
    fn the_deterministic_set_is_for_when_no_adaptive_port_is_free() {
        let mut selector = Selector::new(4, Deterministic::Single);
        let both = SelectorInputs { adaptive: 0b0001, deterministic: 0b0010, ..idle("powar") };
        selector.clock(&both);
        assert_eq!((selector.choice, selector.choice_adaptive), (0b0001, true));
        selector.clock(&SelectorInputs { busy: 0b0001, ..both });
        assert_eq!((selector.choice, selector.choice_adaptive), (0b0010, false));
        selector.clock(&SelectorInputs { busy: 0b0011, ..both });
        assert_eq!(selector.choice, 0);
        selector.clock(&SelectorInputs { busy: 0b0001, selectable: 0, ..both });
        assert_eq!(selector.choice, 0, "D too must be selectable under Powar");
    }

    #[test]
    fn an_aggregated_link_has_a_pointer_of_its_own() {
        let mut selector = Selector::new(4, Deterministic::Set);
        let link = SelectorInputs { deterministic: 0b0110, ..idle("powar") };
        selector.clock(&link);
        assert_eq!((selector.choice, selector.choice_adaptive), (0b0010, false));
        selector.clock(&SelectorInputs { accept: true, ..link });
        assert_eq!((selector.rrp, selector.drp), (0b0001, 0b0100));
        selector.clock(&link);
        assert_eq!(selector.choice, 0b0100);
        selector.clock(&SelectorInputs { awake: 0b0010, ..link });
        assert_eq!(selector.choice, 0b0010, "awake first within D as well");
    }

    #[test]
    fn a_single_deterministic_choice_never_moves_a_pointer() {
        let mut selector = Selector::new(4, Deterministic::Single);
        let down = SelectorInputs { deterministic: 0b0100, ..idle("powar") };
        selector.clock(&down);
        selector.clock(&SelectorInputs { accept: true, ..down });
        assert_eq!((selector.choice, selector.rrp, selector.drp), (0, 0b0001, 0b0001));
    }

    #[test]
    fn an_accept_without_a_choice_moves_no_pointer_and_withholds_the_choice() {
        let mut selector = Selector::new(4, Deterministic::Set);
        let both = SelectorInputs { adaptive: 0b0010, deterministic: 0b0100, ..idle("powar") };
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
        let last = SelectorInputs { adaptive: 1 << 63, ..idle("first-on") };
        selector.clock(&last);
        assert_eq!(selector.choice, 1 << 63);
        selector.clock(&SelectorInputs { accept: true, ..last });
        assert_eq!(selector.rrp, 1);
        selector.clock(&last);
        selector.reset();
        assert_eq!(selector, Selector::new(64, Deterministic::Set));
    }
}
