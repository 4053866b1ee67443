//! What a routing unit is asked under: everything it may see, as far as it can be tried.

use crate::bits::low_bits;
use crate::reference::routing::{Route, RoutingInputs, RoutingUnit};
use powar_config::RoutingSees;
use powar_config::topology::Wiring;

/// What changes while a packet waits.
#[derive(Clone)]
struct Condition {
    serves: u64,
    occupancy: Vec<u64>,
    /// Ports that a packet can't rely on: they may stay off however long it waits.
    off: u64,
}

/// What a unit says of a packet under one of the conditions.
pub(super) struct Answer {
    pub route: Route,
    /// Ports that the packet can't rely on.
    pub off: u64,
    /// The network may be empty but for the packet.
    pub alone: bool,
}

/// Everything that a routing unit is asked under.
pub(super) struct Conditions {
    sees: RoutingSees,
    /// Of every switch alike, or switch by switch.
    changing: Vec<Vec<Condition>>,
    /// The user's bits of headers.
    pub user_bits: Vec<u32>,
}

/// Flits that stand for a full buffer: more than any holds, as are half as many.
const FULL: u64 = 8190;

impl Conditions {
    /// Of a routing unit that sees so much, in switches of so many ports: all and no ports serve, one does, all but one do, with all next
    /// buffers equally full and all empty; one is emptier or fuller than the others; the user's bits of the header are all 0, all 1.
    pub fn of(sees: RoutingSees, ports: usize) -> Conditions {
        let all = low_bits(ports);
        let level = vec![FULL / 2; ports];
        let mut serving = vec![all];
        if sees.serves {
            let alone = (0..ports).map(|port| 1 << port);
            serving.extend([0].into_iter().chain(alone.clone()).chain(alone.map(|port| all & !port)));
        }
        let fills = if sees.occupancy { vec![level.clone(), vec![0; ports]] } else { vec![level.clone()] };
        let with = |serves: u64| fills.iter().map(move |fill| Condition { serves, occupancy: fill.clone(), off: 0 });
        let mut changing: Vec<Condition> = serving.into_iter().flat_map(with).collect();
        if sees.occupancy {
            changing.extend((0..ports).flat_map(|port| [0, FULL].map(|flits| (port, flits))).map(|(port, flits)| {
                let mut occupancy = level.clone();
                occupancy[port] = flits;
                Condition { serves: all, occupancy, off: 0 }
            }));
        }
        Conditions { sees, changing: vec![changing], user_bits: if sees.header { vec![0, 0x3f] } else { vec![0] } }
    }

    /// Of a routing that counts on the ever-on ports of a graph, in a network of so many switches: every on/off state of each switch, with all
    /// subsets of its candidates off. What is not to be relied on then are the ports that are off. A port without a cable serves or not.
    pub fn of_states(sees: RoutingSees, ports: usize, wiring: &Wiring, candidates: &[u64]) -> Conditions {
        let mut plain = Conditions::of(RoutingSees { serves: false, ..sees }, ports);
        let others = plain.changing.pop().unwrap_or_default();
        let states = |(switch, candidates): (usize, &u64)| -> Vec<Condition> {
            let without_cable = low_bits(ports) & !wiring.connected(switch);
            let mut states = vec![];
            for off in subsets(candidates | without_cable) {
                let serves = low_bits(ports) & !off;
                // What else changes is tried with all of them.
                states.extend(others.iter().map(|other| Condition { serves, off: off & candidates, ..other.clone() }));
            }
            states
        };
        Conditions { sees, changing: candidates.iter().enumerate().map(states).collect(), ..plain }
    }

    /// How many a packet is asked about under while it waits, at most.
    pub fn len(&self) -> usize {
        self.changing.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Whether there is one condition, under which a packet may rely on every port that it is offered.
    pub fn asks_once(&self) -> bool {
        self.len() == 1 && self.changing.iter().flatten().all(|condition| condition.off == 0)
    }

    /// Whether an answer may hang on where the packet came in.
    pub fn sees_input(&self) -> bool {
        self.sees.input
    }

    /// The unit's answers for a packet at a switch, under one condition after the other.
    pub fn ask<'a>(
        &'a self,
        unit: &'a dyn RoutingUnit,
        switch: usize,
        packet: RoutingInputs<'a>,
    ) -> impl Iterator<Item = Answer> + 'a {
        let changing = if let [all] = &self.changing[..] { all } else { &self.changing[switch] };
        changing.iter().map(move |condition| {
            let inputs = RoutingInputs { serves: condition.serves, occupancy: &condition.occupancy, ..packet };
            let alone = !self.sees.occupancy || condition.occupancy.iter().all(|&flits| flits == 0);
            Answer { route: unit.route(&inputs.seen_by(self.sees)), off: condition.off, alone }
        })
    }
}

/// All subsets of a set, the empty one first.
fn subsets(set: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let subset = next?;
        next = (subset != set).then(|| subset.wrapping_sub(set) & set);
        Some(subset)
    })
}
