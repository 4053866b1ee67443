//! `route_register`: what the routing unit says of the packet in a head register, one cycle later.

use super::Route;
use crate::lock_step::{Block, Observed, Slots, declare};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{RST, flag, set};
use powar_config::{Config, Habit, Owner, Role, SignalDecl, SignalSpec};

/// The route register of a virtual channel; the public fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteRegister {
    ports: usize,
    vcs: usize,
    /// The route of a packet is shown.
    pub valid: bool,
    /// The packet is to be dropped.
    pub drop: bool,
    /// P and D, empty if there is no packet or it is to be dropped; one bit a port.
    pub adaptive: u64,
    pub deterministic: u64,
    /// Output VCs allowed with P, with D; one bit each.
    pub adaptive_vcs: u64,
    pub deterministic_vcs: u64,
}

/// What a route register sees in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct RouteRegisterInputs {
    /// A packet is in the head register.
    pub head_valid: bool,
    /// And must be dropped, whatever its destination.
    pub malformed: bool,
    /// It has been granted a port, or is dropped.
    pub accept: bool,
    /// The output ports to which there is a turn, one bit each.
    pub turns: u64,
    /// The routing unit's answer.
    pub route: Route,
}

impl RouteRegister {
    /// Of this configuration's switch in its state after reset.
    pub fn new(config: &Config) -> Self {
        RouteRegister::of(config.ports, config.switch.vcs)
    }

    fn of(ports: usize, vcs: usize) -> Self {
        RouteRegister {
            ports,
            vcs,
            valid: false,
            drop: false,
            adaptive: 0,
            deterministic: 0,
            adaptive_vcs: 0,
            deterministic_vcs: 0,
        }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = RouteRegister::of(self.ports, self.vcs);
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &RouteRegisterInputs) {
        let Route { routable, adaptive, deterministic, adaptive_vcs, deterministic_vcs } = inputs.route;
        self.valid = inputs.head_valid && !inputs.accept;
        let asked = adaptive | deterministic;
        let is_astray = asked & inputs.turns == 0 && asked != 0;
        self.drop = self.valid && (inputs.malformed || !routable || is_astray);
        let turns = if self.valid && !self.drop { inputs.turns } else { 0 };
        (self.adaptive, self.deterministic) = (adaptive & turns, deterministic & turns);
        (self.adaptive_vcs, self.deterministic_vcs) = (adaptive_vcs, deterministic_vcs);
    }
}

impl RouteRegister {
    fn registers(&self) -> [(SignalSpec, u64); 6] {
        let (n, v) = (self.ports, self.vcs);
        [
            (flag("valid"), self.valid.into()),
            (flag("drop"), self.drop.into()),
            (set("adaptive", n), self.adaptive),
            (set("deterministic", n), self.deterministic),
            (set("adaptive_vcs", v), self.adaptive_vcs),
            (set("deterministic_vcs", v), self.deterministic_vcs),
        ]
    }
}

impl Registers for RouteRegister {
    fn list(&self, rows: &mut RegisterRows) {
        self.registers().into_iter().for_each(|(register, value)| rows.one(register, value));
    }
}

impl Block for RouteRegister {
    fn signals(&self) -> Vec<SignalDecl> {
        let (n, v) = (self.ports, self.vcs);
        let vcs = |name| set(name, v).of(Owner::Block).habit(Habit::Usual);
        let inputs = [
            RST,
            flag("head_valid").habit(Habit::Usual),
            flag("malformed").habit(Habit::Drought),
            flag("accept").habit(Habit::Frequent),
            set("turns", n),
            flag("routable").habit(Habit::Usual),
            set("new_adaptive", n),
            set("new_deterministic", n),
            vcs("new_adaptive_vcs"),
            vcs("new_deterministic_vcs"),
        ];
        let mut signals = declare(Role::Input, inputs);
        signals.extend(declare(Role::Output, self.registers().map(|(register, _)| register)));
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let mut slots = Slots(inputs);
        let rst = slots.bit();
        // Fields are evaluated in the order in which they stand here: that of the declaration.
        let seen = RouteRegisterInputs {
            head_valid: slots.bit(),
            malformed: slots.bit(),
            accept: slots.bit(),
            turns: slots.one(),
            route: Route {
                routable: slots.bit(),
                adaptive: slots.one(),
                deterministic: slots.one(),
                adaptive_vcs: slots.one(),
                deterministic_vcs: slots.one(),
            },
        };
        for _ in ["as outputs", "as registers"] {
            observed.rows(self.registers().map(|(_, value)| value));
        }
        if rst { self.reset() } else { self.clock(&seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUTE: Route =
        Route { routable: true, adaptive: 0b1100, deterministic: 0b0001, adaptive_vcs: 0b01, deterministic_vcs: 0b10 };
    const WAITS: RouteRegisterInputs =
        RouteRegisterInputs { head_valid: true, malformed: false, accept: false, turns: 0b1111, route: ROUTE };

    fn after(inputs: RouteRegisterInputs) -> RouteRegister {
        let mut register = RouteRegister::of(4, 2);
        register.clock(&inputs);
        register
    }

    #[test]
    fn a_packet_that_waits_shows_the_routing_units_answer() {
        let shown = after(WAITS);
        assert_eq!((shown.valid, shown.drop), (true, false));
        assert_eq!((shown.adaptive, shown.deterministic), (0b1100, 0b0001));
        assert_eq!((shown.adaptive_vcs, shown.deterministic_vcs), (0b01, 0b10));
        let mut register = shown;
        register.reset();
        assert_eq!(register, RouteRegister::of(4, 2));
    }

    #[test]
    fn one_that_is_to_be_dropped_has_nowhere_to_go() {
        let unroutable = Route { routable: false, ..ROUTE };
        for inputs in
            [RouteRegisterInputs { malformed: true, ..WAITS }, RouteRegisterInputs { route: unroutable, ..WAITS }]
        {
            let shown = after(inputs);
            assert_eq!((shown.valid, shown.drop, shown.adaptive, shown.deterministic), (true, true, 0, 0));
        }
    }

    #[test]
    fn ports_without_a_turn_are_not_asked_for_and_a_packet_that_has_no_others_is_dropped() {
        let shown = after(RouteRegisterInputs { turns: 0b0101, ..WAITS });
        assert_eq!((shown.drop, shown.adaptive, shown.deterministic), (false, 0b0100, 0b0001));
        let shown = after(RouteRegisterInputs { turns: 0b0010, ..WAITS });
        assert_eq!((shown.valid, shown.drop, shown.adaptive, shown.deterministic), (true, true, 0, 0));
        // One that has to wait for ports to be named has no turn to miss.
        let none = Route { adaptive: 0, deterministic: 0, ..ROUTE };
        assert!(!after(RouteRegisterInputs { turns: 0b0010, route: none, ..WAITS }).drop);
    }

    #[test]
    fn without_a_packet_only_the_vcs_show() {
        for inputs in [
            RouteRegisterInputs { accept: true, ..WAITS },
            RouteRegisterInputs { head_valid: false, malformed: true, ..WAITS },
        ] {
            let shown = after(inputs);
            assert_eq!((shown.valid, shown.drop, shown.adaptive, shown.deterministic), (false, false, 0, 0));
            assert_eq!((shown.adaptive_vcs, shown.deterministic_vcs), (0b01, 0b10));
        }
    }
}
