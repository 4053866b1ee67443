//! Random configurations of Alonso's mechanism, and the mechanism with one rule changed.

use super::changed;
use fastrand::Rng;
use powar_config::mechanism::alonso::{AlonsoParameters, MECHANISM};
use powar_config::topology::{ADDRESS_BITS, FatTree, Torus, digit_bits};
use powar_config::units::Nanoseconds;
use powar_config::{Chosen, Config, Group, Topology};
use powar_golden::reference::mechanisms::alonso::Alonso;
use powar_golden::reference::power::PowerMechanism;
use powar_golden::reference::power::mechanism::MechanismInputs;

/// Whether the mechanism is for a topology.
pub fn is_for(topology: &dyn Topology) -> bool {
    matches!(topology.of(), Some(FatTree { folded: false, .. }))
        || matches!(topology.of(), Some(Torus { trunk: 2.., .. }))
}

/// A topology whose switches have so many ports, for which the mechanism is: trees for even numbers, tori for what divides.
pub fn random_topology(ports: usize, rng: &mut Rng) -> Box<dyn Topology> {
    let mut choices: Vec<Box<dyn Topology>> = vec![];
    if ports.is_multiple_of(2) {
        let k = ports / 2;
        let most = (ADDRESS_BITS / digit_bits(k)).min(4);
        choices.extend((1..=most).map(|n| Box::new(FatTree { k, n, folded: false }) as _));
    }
    let groups = (1..=3).map(|dimensions| 2 * dimensions + 1).filter(|groups| ports.is_multiple_of(*groups));
    let tori = groups.filter(|groups| ports / groups >= 2);
    let torus = |groups: usize| Torus { dimensions: vec![3; groups / 2], trunk: ports / groups, nodes: 1 };
    choices.extend(tori.map(|groups| Box::new(torus(groups)) as _));
    choices.swap_remove(rng.usize(0..choices.len()))
}

/// Gives a configuration with a topology this mechanism, with times of a few cycles of a nanosecond, and the groups it needs.
pub fn take_over(config: &mut Config, rng: &mut Rng) {
    let cycles = |rng: &mut Rng, most: u32| Nanoseconds(f64::from(rng.u32(1..=most)));
    config.cycle_ns = 1.0;
    let topology = config.topology.as_ref().unwrap();
    config.groups = match topology.of() {
        Some(torus @ Torus { nodes: 2.., .. }) => parts_of_trunks(torus.first_node_port(), torus.trunk, rng),
        Some(Torus { trunk, .. }) => parts_of_trunks(config.ports, *trunk, rng),
        None => topology.groups(config.ports),
    };
    let check_period = f64::from(rng.u32(4..80));
    let u_on = rng.f64().max(2.0 / check_period);
    config.mechanism = Chosen(Box::new(AlonsoParameters {
        policy: MECHANISM.policies[[0, 1, 1, 2, 2][rng.usize(0..5)]].name.into(),
        u_on,
        u_off: (u_on / (2.0 + 3.0 * rng.f64())).max(1.0 / check_period).min(u_on / 2.0),
        check_period: Nanoseconds(check_period),
        turn_on: cycles(rng, 12),
        turn_off: cycles(rng, 12),
        litmus: rng.bool(),
        start: rng.bool(),
    }));
    config.check().unwrap();
}

/// Trunks as groups, whole or in part.
fn parts_of_trunks(ports: usize, trunk: usize, rng: &mut Rng) -> Vec<Group> {
    let mut groups = vec![];
    for first in (0..ports).step_by(trunk) {
        let split = rng.usize(1..=trunk);
        match rng.u8(0..4) {
            0 => groups.push(Group { first, size: split }),
            1 if split < trunk => {
                groups.push(Group { first: first + split, size: trunk - split });
                groups.push(Group { first, size: split });
            }
            _ => groups.push(Group { first, size: trunk }),
        }
    }
    groups
}

/// What of the mechanism is changed: what it sees, before a clock edge, or what it holds behind it.
#[derive(Clone, Copy)]
pub enum Change {
    Seen(fn(&Alonso, &mut MechanismInputs, &mut [u64])),
    Held(fn(&Alonso, &mut Alonso)),
}

impl std::fmt::Debug for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("change")
    }
}

impl changed::Change<Alonso> for Change {
    fn clock(self, mechanism: &mut Alonso, inputs: &MechanismInputs) {
        match self {
            Change::Seen(change) => {
                let (mut inputs, mut phases) = (*inputs, inputs.around.neighbour_phase.to_vec());
                change(mechanism, &mut inputs, &mut phases);
                inputs.around.neighbour_phase = &phases;
                mechanism.clock(&inputs);
            }
            Change::Held(change) => changed::Change::clock(change, mechanism, inputs),
        }
    }
}
