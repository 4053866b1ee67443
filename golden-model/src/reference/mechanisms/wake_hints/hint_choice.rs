//! `hint_choice`: where hints go: one a cycle is taken, routed as its packet will be, and chooses a port.

use crate::bits::ones;
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::arbiters::{PortArbiter, preferred_first};
use crate::reference::power::surroundings::{lookup_row, show_lookup};
use crate::reference::routing::{Route, RoutingInputs, RoutingUnit, routing_unit, row};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::mechanism::wake_hints::MECHANISM;
use powar_config::signal::{choice, destination, flag, flags, port_number, position, set, stage};
use powar_config::{Config, Owner, RoutingSees, Sees};
use std::sync::Arc;

/// The choice; the public fields are its registers and those of its children.
#[derive(Clone, Debug)]
pub struct HintChoice {
    ports: usize,
    vcs: usize,
    routing: Arc<dyn RoutingUnit>,
    /// What the routing unit sees, and what the mechanism does.
    routing_sees: RoutingSees,
    sees: Sees,
    /// Nothing is said of what is in buffers.
    occupancy: Box<[u64]>,
    /// One-hot: the port that a hint has chosen.
    pub wake: u64,
    /// That hint's packed address.
    pub address: u16,
    /// Of the hint that was taken in the cycle before.
    pub taken_address: u16,
    pub taken_port: u8,
    /// There was one.
    pub taken: bool,
    /// Its P and D, a cycle later.
    pub adaptive: u64,
    pub deterministic: u64,
    /// Its address then.
    pub routed_address: u16,
    /// Whose turn it is.
    pub turn: PortArbiter,
}

inputs! {
    /// What the choice sees in a cycle; vectors have one bit a port.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct ChoiceInputs<'a> of block: &HintChoice {
        /// Packed address and stage of the switch.
        pub position: u16 = position("position"),
        pub stage: u8 = stage("stage"),
        /// A hint waits at the port.
        pub waiting: u64 = flags("waiting", Owner::Port, block.ports),
        /// Row p: its packed address.
        pub destination: &'a [u64] = destination("destination").rows(Owner::Port, block.ports),
        /// Of the output ports.
        pub grantable: u64 = flags("grantable", Owner::Port, block.ports),
        pub preferred: u64 = flags("preferred", Owner::Port, block.ports),
        pub serves: u64 = flags("serves", Owner::Port, block.ports),
        /// Words of the row that was asked for in the cycle before.
        pub lookup_row: &'a [u64] = lookup_row(block.sees),
    }
}

impl HintChoice {
    /// That of a switch of this configuration, in its state after reset.
    ///
    /// # Panics
    /// The configuration has no routing, which its check refuses.
    pub fn new(config: &Config) -> Self {
        HintChoice {
            ports: config.ports,
            vcs: config.switch.vcs,
            routing: routing_unit(config).expect("a switch with wake hints has a routing"),
            routing_sees: config.routing_sees(),
            sees: config.seen_by(&MECHANISM),
            occupancy: vec![0; config.ports].into(),
            wake: 0,
            address: 0,
            taken_address: 0,
            taken_port: 0,
            taken: false,
            adaptive: 0,
            deterministic: 0,
            routed_address: 0,
            turn: PortArbiter::new(config.ports),
        }
    }

    /// One-hot: the port whose hint is taken in this cycle.
    pub fn take(&self, waiting: u64) -> u64 {
        self.turn.grant(waiting, true)
    }

    /// What the mechanism sees in this switch.
    pub fn sees(&self) -> Sees {
        self.sees
    }

    /// The packed address whose row is asked for: that of the hint that is taken, of those that wait at ports with these destinations.
    pub fn lookup(&self, waiting: u64, destination: &[u64]) -> Option<u16> {
        let port = ones(self.take(waiting)).next().filter(|_| self.sees.routes.looks_up())?;
        Some(destination[port] as u16)
    }

    /// Nothing is under way: while no hint waits nothing changes.
    pub(crate) fn is_idle(&self) -> bool {
        let vectors = self.wake | self.adaptive | self.deterministic;
        let numbers = self.address | self.taken_address | self.routed_address | u16::from(self.taken_port);
        (vectors, numbers, self.taken) == (0, 0, false)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        (self.wake, self.address) = (0, 0);
        (self.taken_address, self.taken_port, self.taken) = (0, 0, false);
        (self.adaptive, self.deterministic, self.routed_address) = (0, 0, 0);
        self.turn.reset();
    }

    /// Where the packet of the hint that was taken may go.
    fn route(&self, inputs: &ChoiceInputs) -> Route {
        if !self.taken {
            return Route::default();
        }
        let seen = RoutingInputs {
            position: inputs.position,
            stage: inputs.stage,
            destination: self.taken_address,
            header: self.taken_address.into(),
            input_port: self.taken_port,
            input_vc: 0,
            serves: inputs.serves,
            occupancy: &self.occupancy,
            row: row(inputs.lookup_row, self.ports, self.vcs),
            ..RoutingInputs::default()
        };
        self.routing.route(&seen.seen_by(self.routing_sees))
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ChoiceInputs) {
        // What a port may be taken for follows from what stood here before the edge.
        let (p, d) = (self.adaptive & inputs.grantable, self.deterministic & inputs.grantable);
        self.wake = preferred_first(if p != 0 { p } else { d }, inputs.preferred, 1, self.ports);
        self.address = self.routed_address;

        let route = self.route(inputs);
        (self.adaptive, self.deterministic) = (route.adaptive, route.deterministic);
        self.routed_address = self.taken_address;

        let port = ones(self.take(inputs.waiting)).next();
        self.taken = port.is_some();
        self.taken_port = port.unwrap_or(0) as u8;
        self.taken_address = port.map_or(0, |port| inputs.destination[port] as u16);
        self.turn.clock(inputs.waiting, true);
    }
}

impl Registers for HintChoice {
    fn list(&self, rows: &mut RegisterRows) {
        let n = self.ports;
        rows.one(choice("wake", n), self.wake);
        rows.one(destination("address"), self.address);
        rows.one(destination("taken_address"), self.taken_address);
        rows.one(port_number("taken_port"), self.taken_port);
        rows.one(flag("taken"), self.taken);
        rows.one(set("adaptive", n), self.adaptive);
        rows.one(set("deterministic", n), self.deterministic);
        rows.one(destination("routed_address"), self.routed_address);
        rows.child("turn", [&self.turn]);
    }
}

impl Block for HintChoice {
    type Inputs<'a> = ChoiceInputs<'a>;

    fn outputs(&self, seen: &ChoiceInputs, rows: &mut RegisterRows) {
        rows.one(choice("take", self.ports), self.take(seen.waiting));
        rows.one(choice("wake", self.ports), self.wake);
        rows.one(destination("address"), self.address);
        show_lookup(self.lookup(seen.waiting, seen.destination), self.sees, rows);
    }

    fn edge(&mut self, rst: bool, seen: &ChoiceInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::Chosen;

    /// Of a leaf switch of a 4-ary 2-tree, at position 0: nodes 0 to 3 are at its ports 0 to 3, the others up at 4 to 7.
    fn choice() -> HintChoice {
        let mechanism = Chosen(MECHANISM.defaults());
        let config = Config { mechanism, ..Config::of_network("4-ary-2-tree").expect("a network") };
        config.check().expect("it is for trees");
        HintChoice::new(&config)
    }

    /// Clocks until nothing is under way; what was woken in which cycle, and the hints that were taken in each.
    fn run(choice: &mut HintChoice, mut waiting: u64, inputs: &ChoiceInputs) -> (Vec<(u64, u64, u16)>, Vec<u64>) {
        let (mut woken, mut taken) = (vec![], vec![]);
        for cycle in 0..20 {
            if choice.wake != 0 {
                woken.push((cycle, choice.wake, choice.address));
            }
            let take = choice.take(waiting);
            choice.clock(&ChoiceInputs { waiting, ..*inputs });
            waiting &= !take;
            taken.extend((take != 0).then_some(take));
        }
        assert!(choice.is_idle());
        (woken, taken)
    }

    /// Packed addresses of two digits of two bits.
    const TO: [u64; 8] = [0b1001, 0b0010, 0b1110, 0, 0, 0b1111, 0xffff, 0b0001];

    #[test]
    fn hints_take_turns_and_each_chooses_a_port_three_cycles_later() {
        let all = ChoiceInputs { destination: &TO, grantable: 0xff, preferred: 0, serves: 0xff, ..Default::default() };
        let mut choice = choice();
        // Down to port 2; up over the first.
        let (woken, taken) = run(&mut choice, 0b0110, &all);
        assert_eq!(taken, [0b0010, 0b0100]);
        assert_eq!(woken, [(3, 1 << 2, TO[1] as u16), (4, 1 << 4, TO[2] as u16)]);
        let (_, taken) = run(&mut choice, 0b0011, &all);
        assert_eq!(taken, [0b0001, 0b0010], "the search goes on behind the last one");
    }

    #[test]
    fn a_port_that_is_preferred_is_taken_first_and_none_that_may_not_be_given() {
        let all = ChoiceInputs { destination: &TO, grantable: 0xff, preferred: 0, serves: 0xff, ..Default::default() };
        let chosen = |grantable, preferred, port: u32| {
            let (woken, _) = run(&mut choice(), 1 << port, &ChoiceInputs { grantable, preferred, ..all });
            woken.first().map(|woken| woken.1.trailing_zeros())
        };
        assert_eq!([chosen(0xff, 0, 0), chosen(0xff, 0b1100_0000, 0), chosen(0xef, 0, 0)], [4, 6, 5].map(Some));
        assert_eq!(chosen(0x0f, 0xff, 0), None);
        assert_eq!(chosen(0xff, 0, 6), None, "there is no such node");
        assert_eq!([chosen(0xff, 0, 7), chosen(0xfd, 0, 7)], [Some(1), None]);
    }
}
