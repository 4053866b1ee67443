//! E-RAPID: boards joined by wavelengths, which go to who waits for them, at a rate and voltage by what waits.

mod layout;
mod parameters;
mod ring_word;

pub use layout::Layout;
pub use parameters::{ERapidParameters, ERapidValues};
pub use ring_word::{Kind, RING, RingWord};

use super::parameter_table::parse;
use super::{Draw, Mechanism, NodeHint, PolicyEntry, Residency, Routes, Sees};
use crate::phase::Phase;

/// The highest level: 10 Gb/s.
pub const TOP_LEVEL: u8 = 5;

/// Bit rates of the levels, Gb/s (section 4.1).
const LEVEL_GBPS: [f64; 6] = [5.0, 6.0, 7.0, 8.0, 9.0, 10.0];

/// What a link draws at 5, 6, 7, 8, 9, 10 Gb/s, mW (section 4.1).
pub const LEVEL_MILLIWATTS: [f64; 6] = [108.8, 163.7, 232.5, 316.0, 417.0, 535.0];

/// The entry in the list of mechanisms.
pub static MECHANISM: Mechanism = Mechanism {
    name: "e_rapid",
    source: "Kodi and Louri, SC 2007",
    sees: Sees {
        place: true,
        wanted: true,
        buffers: false,
        neighbours: false,
        ring: Some(&RING),
        routes: Routes::None,
    },
    residency: &[
        at(Phase::On, 0, "on_5_cycles", "Cycles on at 5 Gb/s"),
        at(Phase::On, 1, "on_6_cycles", "Cycles on at 6 Gb/s"),
        at(Phase::On, 2, "on_7_cycles", "Cycles on at 7 Gb/s"),
        at(Phase::On, 3, "on_8_cycles", "Cycles on at 8 Gb/s"),
        at(Phase::On, 4, "on_9_cycles", "Cycles on at 9 Gb/s"),
        at(Phase::On, 5, "on_10_cycles", "Cycles on at 10 Gb/s, or of a port to a node"),
        at(Phase::ComingOn, 1, "tuning_6_cycles", "Dead cycles of a change between 5 and 6 Gb/s"),
        at(Phase::ComingOn, 2, "tuning_7_cycles", "Dead cycles of a change between 6 and 7 Gb/s"),
        at(Phase::ComingOn, 3, "tuning_8_cycles", "Dead cycles of a change between 7 and 8 Gb/s"),
        at(Phase::ComingOn, 4, "tuning_9_cycles", "Dead cycles of a change between 8 and 9 Gb/s"),
        at(
            Phase::ComingOn,
            5,
            "tuning_10_cycles",
            "Dead cycles of a change between 9 and 10 Gb/s, or of a laser that comes on",
        ),
        Residency {
            phase: Phase::Off,
            level: 0,
            draw: Draw::SleepFraction,
            counter: "off_cycles",
            doc: "Cycles with the laser off: another board has the wavelength, or none",
        },
    ],
    node_hint: NodeHint::Waiting,
    level_gbps: &LEVEL_GBPS,
    measures_queues: true,
    words: &parameters::WORDS,
    policies: &[
        PolicyEntry {
            name: "np-nb",
            title: "NP-NB",
            doc: "no power saving: every board keeps its wavelengths, at 10 Gb/s",
            ignores: &["b_min", "b_max", "b_con", "degree"],
        },
        PolicyEntry {
            name: "p-nb",
            title: "P-NB",
            doc: "rates and voltages by what waits; every board keeps its wavelengths",
            ignores: &["b_con", "degree"],
        },
        PolicyEntry {
            name: "np-b",
            title: "NP-B",
            doc: "wavelengths that nobody uses go to boards that wait, at 10 Gb/s",
            ignores: &["b_min", "b_max"],
        },
        PolicyEntry { name: "p-b", title: "P-B", doc: "both", ignores: &[] },
    ],
    options: &ERapidParameters::OPTIONS,
    parse: parse::<ERapidParameters>,
};

const fn at(phase: Phase, level: u8, counter: &'static str, doc: &'static str) -> Residency {
    let share = LEVEL_MILLIWATTS[level as usize] / LEVEL_MILLIWATTS[TOP_LEVEL as usize];
    Residency { phase, level, draw: Draw::Share(share), counter, doc }
}
