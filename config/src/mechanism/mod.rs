//! What the models share about power mechanisms: one folder each, and their list.
//!
//! To add one: a folder beside `powar` with its entry, and one line in [`ALL`]; `docs/microarchitecture/power.md` says what a mechanism
//! is, and what it has elsewhere.

pub mod powar;

use crate::phase::Phase;
use crate::registers::Word;

/// A power mechanism, as far as it is data.
#[derive(Debug)]
pub struct Mechanism {
    /// Name in configurations and of the Verilog module.
    pub name: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Which of the signals of the interface it has that are not there for all.
    pub sees: Sees,
    /// The pairs of phase and level its ports can be in, in the order of their counters.
    pub residency: &'static [Residency],
    /// Its register words.
    pub words: &'static [Word],
}

/// What a mechanism sees beyond `held`, `given` and `departing`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sees {
    /// `position` and `stage`.
    pub place: bool,
    /// `wanted`.
    pub wanted: bool,
    /// `arriving`, `leaving`, `fill` and `occupancy`.
    pub buffers: bool,
    /// `neighbour_phase` and `hint_in`.
    pub neighbours: bool,
}

/// Phase and level of a port, what it draws in them, and the counter of the cycles in them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residency {
    pub phase: Phase,
    /// Rate and voltage, 0..=7.
    pub level: u8,
    /// What the port draws.
    pub draw: Draw,
    /// Name of the counter.
    pub counter: &'static str,
    /// One line.
    pub doc: &'static str,
}

/// What a port draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Draw {
    /// So much of its full power, 0..=1.
    Share(f64),
    /// The sleep fraction of its full power: a parameter of the power models.
    SleepFraction,
}

/// Every mechanism.
pub const ALL: [&Mechanism; 1] = [&powar::MECHANISM];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn pairs_are_counted_once_and_draw_no_more_than_full_power() {
        for mechanism in ALL {
            let pairs: BTreeSet<(u8, u8)> =
                mechanism.residency.iter().map(|pair| (pair.phase as u8, pair.level)).collect();
            assert_eq!(pairs.len(), mechanism.residency.len(), "{}", mechanism.name);
            for pair in mechanism.residency {
                let share = if let Draw::Share(share) = pair.draw { share } else { 0.0 };
                assert!(pair.level <= 7 && (0.0..=1.0).contains(&share), "{}: {}", mechanism.name, pair.counter);
            }
        }
    }
}
