//! Soteriou and Peh: links go off and on with the load of a router, or after an idle time and on demand.

use super::Entry;
use crate::random::Random;
use crate::test_switches::TestSwitch::{FatTree, Mesh};
use powar_config::Config;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::soteriou_peh::{MECHANISM, Places, SoteriouPehParameters, links};
use powar_config::units::Nanoseconds;

/// The line in the list of mechanisms.
pub(super) static ENTRY: Entry =
    Entry { mechanism: &MECHANISM, lively, some_write, always_sends, tried_at: &[("soteriou_peh", &[FatTree, Mesh])] };

/// Times of a few cycles, and the load of a window often below or above the thresholds. In a grid links go off by load after a reset,
/// elsewhere on demand.
fn lively(config: &Config) -> Chosen {
    let cycles = |count: u32| Nanoseconds(f64::from(count) * config.cycle_ns);
    let policy = if Places::of(config).is_some() { "on-off-staircase" } else { "on-off-on-demand" };
    Chosen(Box::new(SoteriouPehParameters {
        policy: policy.into(),
        window: cycles(60),
        sleep_threshold: 0.02,
        sleep_step: 0.02,
        wake_threshold: 0.15,
        wake_step: 0.02,
        t_trans: cycles(15),
        age_target: cycles(6),
        idle: cycles(5),
    }))
}

/// Short times and thresholds of any size, so that links go off and on often.
fn some_write(random: &mut Random) -> (&'static str, u32) {
    let wide = random.below(3) == 0;
    let mut below = |small: u64, large: u64| random.below(if wide { large } else { small });
    let (name, value) = match below(24, 24) {
        // The reference, under which all links come on, only now and then.
        0..=3 => ("policy", [0, 1, 1, 2, 2, 3, 3, 3][below(8, 8) as usize]),
        4..=6 => ("window", below(120, 120)),
        7 | 8 => ("sleep_load", below(400, 1 << 20)),
        9 | 10 => ("sleep_step", below(200, 1 << 20)),
        11 | 12 => ("wake_load", below(1000, 1 << 20)),
        13 | 14 => ("wake_step", below(100, 1 << 18)),
        15 | 16 => ("t_trans", below(40, 40)),
        17 => ("age_limit", below(100, 1 << 16)),
        18 => ("idle_1", below(80, 80)),
        19 => ("idle_2", below(60, 60)),
        20 | 21 => ("idle_3", below(50, 50)),
        _ => ("idle_4", below(40, 40)),
    };
    (name, value as u32)
}

/// Ports to nodes, in a grid; its links may all go off under one policy or another.
fn always_sends(config: &Config, _: u64, _: u64) -> u64 {
    let every = u64::MAX >> (64 - config.ports);
    every & !(u64::MAX >> (64 - links(config)))
}
