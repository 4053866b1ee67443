//! Random configurations and stimuli for the power controller.

use fastrand::Rng;
use powar_config::units::Nanoseconds;
use powar_config::{Config, Deterministic, Group, Role, presets};
use powar_golden::bits::low_bits;

/// A configuration of `ports` ports with everything else drawn: durations of a few cycles, so that much happens.
pub fn random_config(ports: usize, rng: &mut Rng) -> Config {
    let mut config = presets::by_name("fat-tree-2").unwrap();
    // A cycle is a nanosecond here, so that durations below are cycles.
    let cycles = |rng: &mut Rng, most: u32| Nanoseconds(f64::from(rng.u32(1..=most)));
    config.cycle_ns = 1.0;
    config.topology = None;
    config.ports = ports;
    config.requesters = [None, Some(1), Some(rng.usize(1..=64))][rng.usize(0..3)];
    config.deterministic = if rng.bool() { Deterministic::Single } else { Deterministic::Set };
    config.groups = random_groups(ports, rng);
    config.policy = powar_config::policy::ALL[rng.usize(0..4)].name.into();
    config.pdt = [Nanoseconds(0.0), cycles(rng, 1), cycles(rng, 40)][rng.usize(0..3)];
    config.t_sleep = cycles(rng, 12);
    config.t_wake = cycles(rng, 12);
    if rng.bool() {
        (config.t_quiet, config.t_refresh) = (cycles(rng, 20), cycles(rng, 8));
    }
    config.abort_sleep = rng.bool();
    config.check_period = Nanoseconds(f64::from(rng.u32(2..60)));
    config.check().unwrap();
    config
}

/// Groups over some of the ports, in any order.
fn random_groups(ports: usize, rng: &mut Rng) -> Vec<Group> {
    let (mut groups, mut first) = (Vec::new(), 0);
    while rng.u8(0..8) != 0 {
        first += rng.usize(0..3);
        if first >= ports {
            break;
        }
        let size = rng.usize(1..=ports - first);
        groups.push(Group { first, size });
        first += size;
    }
    rng.shuffle(&mut groups);
    groups
}

/// Stimuli that drive the power controller through everything it can do.
pub struct Stimuli {
    ports: usize,
    requesters: usize,
    deterministic: Deterministic,
    rng: Rng,
    temperament: Temperament,
}

/// What is likely for a while.
#[derive(Clone, Copy)]
struct Temperament {
    /// Chance that an idle requester gets a packet, in 1/256.
    request: u8,
    /// Chance that a port that transmits has a flit, in 1/256.
    flit: u8,
    /// Chance that a flit is a tail, in 1/256.
    tail: u8,
    /// Requests are held until granted and flits leave only where a packet transmits.
    obeys: bool,
    /// Chance of a register write, in 1/256.
    write: u8,
}

impl Stimuli {
    pub fn new(config: &Config, rng: Rng) -> Self {
        let temperament = Temperament { request: 64, flit: 200, tail: 64, obeys: true, write: 2 };
        let (ports, requesters) = (config.ports, config.requesters());
        Stimuli { ports, requesters, deterministic: config.deterministic, rng, temperament }
    }

    /// Turns the last cycle's input frame into the next one's. `transmit` is what the last cycle showed, and `accepted`
    /// has bit r for a requester that it granted a port.
    pub fn next(&mut self, inputs: &mut [u64], transmit: u64, accepted: u64) {
        let rng = &mut self.rng;
        if rng.u8(..) < 4 {
            let chance = |rng: &mut Rng| [0, 2, 20, 128, 255][rng.usize(0..5)];
            self.temperament = Temperament {
                request: chance(rng),
                flit: chance(rng),
                tail: chance(rng),
                obeys: rng.u8(0..4) != 0,
                write: [0, 1, 1, 30][rng.usize(0..4)],
            };
        }
        let Temperament { request, flit, tail, obeys, write } = self.temperament;
        let rows = self.requesters;
        inputs[0] = u64::from(rng.u16(0..700) == 0);
        for r in 0..rows {
            let waits = inputs[1 + r] | inputs[1 + rows + r] != 0 && accepted >> r & 1 == 0;
            if waits && (obeys || rng.bool()) {
                continue;
            }
            let (adaptive, deterministic) =
                if rng.u8(..) < request { random_sets(self.ports, self.deterministic, obeys, rng) } else { (0, 0) };
            (inputs[1 + r], inputs[1 + rows + r]) = (adaptive, deterministic);
        }
        let thin = |rng: &mut Rng, chance: u8| {
            (0..self.ports).fold(0, |vector, port| vector | u64::from(rng.u8(..) < chance) << port)
        };
        let rest = &mut inputs[1 + 2 * rows..];
        rest[0] = thin(rng, flit) & if obeys { transmit } else { u64::MAX };
        rest[1] = thin(rng, tail) & if obeys { rest[0] } else { u64::MAX };
        rest[2] = u64::from(rng.u8(..) < write);
        rest[3] = rng.u64(0..16);
        // Mostly small values, so that what is written soon has an effect.
        rest[4] = u64::from(rng.u32(..) >> [0, 16, 26, 28, 31][rng.usize(0..5)]);
    }
}

/// Candidate sets P and D; unless they obey, D may hold several ports where one is promised.
fn random_sets(ports: usize, deterministic: Deterministic, obeys: bool, rng: &mut Rng) -> (u64, u64) {
    let any = |rng: &mut Rng| match rng.u8(0..4) {
        0 => 0,
        1 => low_bits(ports),
        2 => 1 << rng.usize(0..ports),
        _ => rng.u64(..) & low_bits(ports),
    };
    let (adaptive, mut set) = (any(rng), any(rng));
    if deterministic == Deterministic::Single && obeys {
        set &= set.wrapping_neg();
    }
    (adaptive, set)
}

/// The requesters with a grant in an observed frame, and its `transmit`.
pub fn accepted_and_transmit(layout: &powar_config::Layout, observed: &[u64]) -> (u64, u64) {
    let grant = layout.observed(Role::Output, "grant").unwrap();
    let rows = layout.observed.iter().find(|signal| signal.name == "grant").unwrap().rows;
    let accepted = (0..rows).fold(0, |mask, r| mask | u64::from(observed[grant + r] != 0) << r);
    (accepted, observed[layout.observed(Role::Output, "transmit").unwrap()])
}

/// Names the first slot in which two observed frames differ.
pub fn difference(layout: &powar_config::Layout, left: &[u64], right: &[u64]) -> Option<String> {
    let slot = (0..left.len()).find(|&slot| left[slot] != right[slot])?;
    let (signal, row) = layout.observed_at(slot).unwrap();
    Some(format!("{:?} {}[{row}]: {:#x} and {:#x}", signal.role, signal.name, left[slot], right[slot]))
}
