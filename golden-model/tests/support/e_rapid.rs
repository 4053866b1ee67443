//! Random configurations of E-RAPID's mechanism, and words of its ring.

use super::changed;
use fastrand::Rng;
use powar_config::mechanism::e_rapid::{ERapidParameters, ERapidValues, Kind, Layout, MECHANISM, RingWord};
use powar_config::topology::Boards;
use powar_config::units::Nanoseconds;
use powar_config::{Chosen, Config};
use powar_golden::fast::mechanisms::EventMechanism;
use powar_golden::fast::mechanisms::e_rapid::ERapid as EventERapid;
use powar_golden::reference::mechanisms::e_rapid::{ERapid, LinkController};
use powar_golden::reference::power::PowerMechanism;
use powar_golden::reference::power::mechanism::MechanismInputs;

/// Boards whose switches have so many ports, 3 or more.
pub fn random_boards(ports: usize, rng: &mut Rng) -> Boards {
    let most = (2..=8).filter(|boards| boards * (boards - 1) < ports).max().expect("two boards and a node");
    let boards = if rng.bool() { most } else { rng.usize(2..=most) };
    Boards { boards, nodes: ports - boards * (boards - 1) }
}

/// Gives a configuration with boards this mechanism, with short windows and thresholds among the loads that there are.
pub fn take_over(config: &mut Config, rng: &mut Rng) {
    config.cycle_ns = 1.0;
    let policy = [0, 1, 2, 3, 3, 3][rng.usize(0..6)];
    let b_min = [0.0, 0.02, 0.3][rng.usize(0..3)];
    config.mechanism = Chosen(Box::new(ERapidParameters {
        policy: MECHANISM.policies[policy].name.into(),
        window: Nanoseconds(f64::from(rng.u32(256..=400))),
        dead_time: Nanoseconds(f64::from(rng.u32(1..=30))),
        b_min,
        b_max: b_min + [0.0, 0.02, 0.3][rng.usize(0..3)],
        b_con: [0.0, 0.02, 0.3][rng.usize(0..3)],
        degree: rng.u8(1..=8).into(),
    }));
    config.check().unwrap();
}

/// Both models of a configuration.
pub fn models(config: &Config, seed: u64) -> (Box<dyn PowerMechanism>, Box<dyn EventMechanism>) {
    let (reference, event) = both(config, seed);
    (Box::new(reference), Box::new(event))
}

/// The same. Most have shorter windows than users may set: the longer ones take what a test has time for.
pub fn both(config: &Config, seed: u64) -> (ERapid, EventERapid) {
    let (layout, mut values) = (Layout::of(config).unwrap(), ERapidValues::of(config));
    let mut rng = Rng::with_seed(seed);
    values.window = [values.window, rng.u16(0..30), rng.u16(30..120), rng.u16(30..120)][rng.usize(0..4)];
    (ERapid::of(layout, values), EventERapid::of(layout, values))
}

/// What of the mechanism is changed: what it sees, before a clock edge, or what it holds behind it.
#[derive(Clone, Copy)]
pub enum Change {
    Seen(fn(&mut MechanismInputs)),
    Held(fn(&ERapid, &mut ERapid)),
    /// Likewise, each link.
    Link(fn(&LinkController, &mut LinkController)),
}

impl std::fmt::Debug for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("change")
    }
}

impl changed::Change<ERapid> for Change {
    fn clock(self, mechanism: &mut ERapid, inputs: &MechanismInputs) {
        match self {
            Change::Seen(change) => {
                let mut inputs = *inputs;
                change(&mut inputs);
                mechanism.clock(&inputs);
            }
            Change::Held(change) => changed::Change::clock(change, mechanism, inputs),
            Change::Link(change) => {
                let before = mechanism.link.clone();
                mechanism.clock(inputs);
                before.iter().zip(&mut mechanism.link).for_each(|(was, is)| change(was, is));
            }
        }
    }
}

/// Some word of the ring of up to eight boards, most of them of one of the first.
pub fn random_word(rng: &mut Rng) -> u64 {
    let mut board = || if rng.bool() { rng.u8(0..2) } else { rng.u8(0..8) };
    let (owner, holder, wavelength) = (board(), board(), board());
    let word = RingWord {
        wait: rng.u16(0..1 << 12) >> rng.u8(0..12),
        busy: rng.u16(0..1 << 12),
        level: rng.u8(0..8),
        holder,
        claim: rng.u8(0..4) == 0,
        offered: rng.bool(),
        lit: rng.u8(0..4) != 0,
        wavelength,
        owner,
        kind: [Kind::BoardRequest, Kind::BoardRequest, Kind::BoardResponse][rng.usize(0..3)],
    };
    match rng.u8(0..16) {
        0 => word.packed() ^ 1 << rng.u8(0..42),
        1 => rng.u64(..) & ((1 << 42) - 1),
        _ => word.packed(),
    }
}
