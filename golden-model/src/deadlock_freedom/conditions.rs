//! What a routing unit is asked under: everything it may see, as far as it can be tried.

use crate::bits::low_bits;
use crate::reference::routing::{Route, RoutingInputs, RoutingUnit};
use powar_config::RoutingSees;

/// What changes while a packet waits.
struct Condition {
    serves: u64,
    occupancy: Vec<u64>,
}

/// Everything that a routing unit is asked under.
pub(super) struct Conditions {
    sees: RoutingSees,
    changing: Vec<Condition>,
    /// The user's bits of headers.
    pub user_bits: Vec<u32>,
}

/// Flits that stand for a full buffer: any two different numbers would do.
const FULL: u64 = 256;

impl Conditions {
    /// Of a routing unit that sees so much, in switches of so many ports: all and no ports serve, one does, all but one do; all next buffers are
    /// equally full, one is emptier or fuller than the others; the user's bits of the header are all 0, all 1.
    pub fn of(sees: RoutingSees, ports: usize) -> Conditions {
        let all = low_bits(ports);
        let level = vec![FULL / 2; ports];
        let mut changing = vec![Condition { serves: all, occupancy: level.clone() }];
        if sees.serves {
            let alone = (0..ports).map(|port| 1 << port);
            let serving = [0].into_iter().chain(alone.clone()).chain(alone.map(|port| all & !port));
            changing.extend(serving.map(|serves| Condition { serves, occupancy: level.clone() }));
        }
        if sees.occupancy {
            changing.extend((0..ports).flat_map(|port| [0, FULL].map(|flits| (port, flits))).map(|(port, flits)| {
                let mut occupancy = level.clone();
                occupancy[port] = flits;
                Condition { serves: all, occupancy }
            }));
        }
        Conditions { sees, changing, user_bits: if sees.header { vec![0, 0x3f] } else { vec![0] } }
    }

    /// How many a packet is asked about under while it waits.
    pub fn len(&self) -> usize {
        self.changing.len()
    }

    /// Whether an answer may hang on where the packet came in.
    pub fn sees_input(&self) -> bool {
        self.sees.input
    }

    /// The unit's answers for a packet, under one condition after the other.
    pub fn ask<'a>(&'a self, unit: &'a dyn RoutingUnit, packet: RoutingInputs<'a>) -> impl Iterator<Item = Route> + 'a {
        self.changing.iter().map(move |condition| {
            let inputs = RoutingInputs { serves: condition.serves, occupancy: &condition.occupancy, ..packet };
            unit.route(&inputs.seen_by(self.sees))
        })
    }
}
