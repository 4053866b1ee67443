//! `route_register`: what the routing unit says of the packet in a head register, one cycle later.

use super::Route;
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{count, flag, set};
use powar_config::{Config, Habit, SignalSpec};

/// The route register of a virtual channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteRegister {
    ports: usize,
    vcs: usize,
    /// There is a place for the route of the packet behind the one that waits.
    next_routes: bool,
    /// The route of the packet that waits.
    pub current: Shown,
    /// Of the packet behind it; as after reset without next routes.
    pub next: Shown,
}

/// A route as registers hold it, and as the outputs show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// It is that of a packet.
    pub valid: bool,
    /// The packet is to be dropped.
    pub drop: bool,
    /// P and D, empty if there is no packet or it is to be dropped; one bit a port.
    pub adaptive: u64,
    pub deterministic: u64,
    /// Output VCs allowed with P, with D; one bit each.
    pub adaptive_vcs: u64,
    pub deterministic_vcs: u64,
    /// Flits of the packet; 0 without next routes.
    pub length: u16,
}

inputs! {
    /// What a route register sees in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct RouteRegisterInputs of block: &RouteRegister {
        /// A packet is in the head register; with next routes: it leaves it, and the answer for it is taken.
        pub head_valid: bool = flag("head_valid").habit(Habit::Usual),
        /// And must be dropped, whatever its destination.
        pub malformed: bool = flag("malformed").habit(Habit::Drought),
        /// With next routes: its length.
        pub length: u16 = count("new_length", 10).only_if(block.next_routes),
        /// The packet whose route is shown has been granted a port, or is dropped.
        pub accept: bool = flag("accept").habit(Habit::Frequent),
        /// The output ports to which there is a turn, one bit each.
        pub turns: u64 = set("turns", block.ports),
        /// The routing unit's answer.
        pub route: Route = (block.ports, block.vcs),
    }
}

impl RouteRegister {
    /// Of this configuration's switch in its state after reset.
    pub fn new(config: &Config) -> Self {
        RouteRegister::of(config.ports, config.switch.vcs, config.next_routes())
    }

    fn of(ports: usize, vcs: usize, next_routes: bool) -> Self {
        RouteRegister { ports, vcs, next_routes, current: Shown::default(), next: Shown::default() }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        (self.current, self.next) = (Shown::default(), Shown::default());
    }

    /// What the outputs show: in a cycle with `accept` the route of the next packet, if it may be there.
    pub fn shown(&self, accept: bool) -> Shown {
        if self.next_routes && accept { self.next } else { self.current }
    }

    /// With next routes: an answer can be taken.
    pub fn has_place(&self, accept: bool) -> bool {
        !(self.current.valid && self.next.valid && !accept)
    }

    /// The routing unit's answer as a register holds it; no packet's if there is none.
    fn answer(&self, inputs: &RouteRegisterInputs) -> Shown {
        let Route { routable, adaptive, deterministic, adaptive_vcs, deterministic_vcs } = inputs.route;
        let valid = inputs.head_valid && (self.next_routes || !inputs.accept);
        let asked = adaptive | deterministic;
        let is_astray = asked & inputs.turns == 0 && asked != 0;
        let drop = valid && (inputs.malformed || !routable || is_astray);
        let turns = if valid && !drop { inputs.turns } else { 0 };
        let length = if self.next_routes { inputs.length } else { 0 };
        let (adaptive, deterministic) = (adaptive & turns, deterministic & turns);
        Shown { valid, drop, adaptive, deterministic, adaptive_vcs, deterministic_vcs, length }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &RouteRegisterInputs) {
        let answer = self.answer(inputs);
        if !self.next_routes {
            self.current = answer;
            return;
        }
        let none = Shown { valid: false, drop: false, adaptive: 0, deterministic: 0, ..answer };
        let (current, next) = (self.current, self.next);
        (self.current, self.next) = match (current.valid && !inputs.accept, next.valid) {
            (true, true) => (current, next),
            (true, false) => (current, answer),
            // A next one without one before it is not defined but by the page's formula, which keeps it as it is shown next.
            (false, true) => (next, if inputs.accept { answer } else { next }),
            (false, false) => (answer, none),
        };
    }
}

impl Shown {
    fn registers(&self, of: &RouteRegister, names: [&'static str; 7]) -> Vec<(SignalSpec, u64)> {
        let (n, v) = (of.ports, of.vcs);
        let [valid, drop, adaptive, deterministic, adaptive_vcs, deterministic_vcs, length] = names;
        let mut registers = vec![
            (flag(valid), self.valid.into()),
            (flag(drop), self.drop.into()),
            (set(adaptive, n), self.adaptive),
            (set(deterministic, n), self.deterministic),
            (set(adaptive_vcs, v), self.adaptive_vcs),
            (set(deterministic_vcs, v), self.deterministic_vcs),
        ];
        registers.extend(of.next_routes.then(|| (count(length, 10), self.length.into())));
        registers
    }
}

/// The registers' names, and those of the next packet.
const CURRENT: [&str; 7] =
    ["valid", "drop", "adaptive", "deterministic", "adaptive_vcs", "deterministic_vcs", "length"];
const NEXT: [&str; 7] = [
    "next_valid",
    "next_drop",
    "next_adaptive",
    "next_deterministic",
    "next_adaptive_vcs",
    "next_deterministic_vcs",
    "next_length",
];

impl RouteRegister {
    fn registers(&self) -> Vec<(SignalSpec, u64)> {
        let mut registers = self.current.registers(self, CURRENT);
        if self.next_routes {
            registers.extend(self.next.registers(self, NEXT));
        }
        registers
    }
}

impl Registers for RouteRegister {
    fn list(&self, rows: &mut RegisterRows) {
        self.registers().into_iter().for_each(|(register, value)| rows.one(register, value));
    }
}

impl Block for RouteRegister {
    type Inputs<'a> = RouteRegisterInputs;

    fn outputs(&self, seen: &RouteRegisterInputs, rows: &mut RegisterRows) {
        if self.next_routes {
            rows.one(flag("has_place"), self.has_place(seen.accept));
            rows.one(count("length", 10), self.current.length);
        }
        let shown = self.shown(seen.accept).registers(self, CURRENT).into_iter();
        // The length is that of the packet that is accepted.
        shown.filter(|(signal, _)| signal.name != "length").for_each(|(output, value)| rows.one(output, value));
    }

    fn edge(&mut self, rst: bool, seen: &RouteRegisterInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUTE: Route =
        Route { routable: true, adaptive: 0b1100, deterministic: 0b0001, adaptive_vcs: 0b01, deterministic_vcs: 0b10 };
    const WAITS: RouteRegisterInputs = RouteRegisterInputs {
        head_valid: true,
        malformed: false,
        length: 0,
        accept: false,
        turns: 0b1111,
        route: ROUTE,
    };

    fn after(inputs: RouteRegisterInputs) -> Shown {
        let mut register = RouteRegister::of(4, 2, false);
        register.clock(&inputs);
        register.shown(true)
    }

    #[test]
    fn a_packet_that_waits_shows_the_routing_units_answer() {
        let shown = after(WAITS);
        assert_eq!((shown.valid, shown.drop), (true, false));
        assert_eq!((shown.adaptive, shown.deterministic), (0b1100, 0b0001));
        assert_eq!((shown.adaptive_vcs, shown.deterministic_vcs), (0b01, 0b10));
        let mut register = RouteRegister::of(4, 2, false);
        register.clock(&WAITS);
        register.reset();
        assert_eq!(register, RouteRegister::of(4, 2, false));
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
