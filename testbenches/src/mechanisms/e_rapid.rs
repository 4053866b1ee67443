//! E-RAPID: wavelengths between boards, which go to who waits for them.

use super::Entry;
use crate::random::Random;
use powar_config::Config;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::e_rapid::{ERapidParameters, MECHANISM};
use powar_config::units::Nanoseconds;

/// The line in the list of mechanisms.
pub(super) static ENTRY: Entry = Entry { mechanism: &MECHANISM, lively, some_write, always_sends, tried_at: &[] };

/// The shortest window, and low thresholds.
fn lively(config: &Config) -> Chosen {
    let cycles = |count: u32| Nanoseconds(f64::from(count) * config.cycle_ns);
    Chosen(Box::new(ERapidParameters {
        window: cycles(256),
        dead_time: cycles(12),
        b_con: 0.2,
        ..ERapidParameters::default()
    }))
}

/// Short windows and low thresholds, so that wavelengths change hands and levels often.
fn some_write(random: &mut Random) -> (&'static str, u32) {
    let (name, value) = match random.below(12) {
        0 | 1 => ("policy", [3, 3, 2, 1, 3, 2, 0, 3][random.below(8) as usize]),
        2..=4 => ("window", 1 + random.below(400)),
        5 => ("b_min", random.below(20)),
        6 => ("b_max", random.below(60)),
        7 | 8 => ("b_con", random.below(60)),
        9 => ("degree", 1 + random.below(8)),
        _ => ("dead_time", random.below(40)),
    };
    (name, value as u32)
}

/// Ports to nodes.
fn always_sends(config: &Config, _position: u64, _stage: u64) -> u64 {
    powar_config::mechanism::e_rapid::Layout::of(config).map_or(0, |size| (1 << size.nodes) - 1)
}
