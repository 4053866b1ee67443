//! Alonso: links go off and on with the load of a switch, around a Minimal Tree that is never off.

use super::Entry;
use crate::random::Random;
use crate::test_switches::TestSwitch;
use powar_config::Config;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::alonso::{AlonsoParameters, MECHANISM};
use powar_config::topology::{FatTree, digit_bits};
use powar_config::units::Nanoseconds;

/// The line in the list of mechanisms.
pub(super) static ENTRY: Entry = Entry {
    mechanism: &MECHANISM,
    lively,
    some_write,
    always_sends,
    tried_at: &[("alonso", &[TestSwitch::FatTree, TestSwitch::SmallTree, TestSwitch::Torus])],
};

/// Times of a few cycles. A start with the Minimal Tree alone shows only right behind a reset, so that no write can try it: it is tried
/// at trees of more than four ports, and a start with all links elsewhere.
fn lively(config: &Config) -> Chosen {
    let cycles = |count: u32| Nanoseconds(f64::from(count) * config.cycle_ns);
    let is_tree = config.topology.as_ref().and_then(|topology| topology.of::<FatTree>()).is_some();
    Chosen(Box::new(AlonsoParameters {
        check_period: cycles(100),
        turn_on: cycles(20),
        turn_off: cycles(15),
        start: is_tree && config.ports > 4,
        ..AlonsoParameters::default()
    }))
}

/// Short times and low thresholds, so that links go off and on often.
fn some_write(random: &mut Random) -> (&'static str, u32) {
    let (name, value) = match random.below(16) {
        // Those that let links go off three times of four.
        0..=2 => ("policy", [0, 3, 1, 1, 1, 2, 2, 2][random.below(8) as usize]),
        3..=6 => ("check_period", 1 + random.below(200)),
        7 | 8 => ("on_flits", random.below(80)),
        9 | 10 => ("off_flits", random.below(40)),
        11 | 12 => ("turn_on", random.below(40)),
        13 => ("turn_off", random.below(40)),
        14 => ("litmus", random.below(2)),
        _ => ("start", random.below(2)),
    };
    (name, value as u32)
}

/// The Minimal Tree: in a tree the down-ports of its switches and their first up-port, which is the last to go off; in a torus the first
/// link of each trunk, and ports in no group.
fn always_sends(config: &Config, position: u64, stage: u64) -> u64 {
    let every = u64::MAX >> (64 - config.ports);
    match config.topology.as_ref().and_then(|topology| topology.of()) {
        Some(&FatTree { k, n, .. }) => {
            let bits = digit_bits(k);
            let digit = |place: usize| position >> (place * bits) & ((1 << bits) - 1);
            let is_in_tree = (1..=(stage as usize).min(n - 1)).all(|place| digit(place) == 0);
            if is_in_tree { (1 << (k + 1)) - 1 } else { 0 }
        }
        None => config
            .groups
            .iter()
            .fold(every, |ports, group| group.ports().skip(1).fold(ports, |ports, port| ports & !(1 << port))),
    }
}
