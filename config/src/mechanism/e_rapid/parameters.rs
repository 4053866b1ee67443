//! The parameters, as users write them, and what stands in the control registers.

use super::{Layout, MECHANISM};
use crate::Setting;
use crate::mechanism::Rules;
use crate::mechanism::control_values::control_values;
use crate::mechanism::joined;
use crate::mechanism::parameter_table::{ParameterTable, parameters};
use crate::registers::{Access, Reset, Word};
use anyhow::{Result, ensure};

parameters! {
    /// The mechanism's parameters: the paper's values at the cycle of 1.6 ns. Thresholds are shares of a window in which packets wait.
    pub struct ERapidParameters of MECHANISM, policy "p-b" {
        /// Section 4.2: R_w = 1000 cycles.
        window: Time = 1600.0, in LEAST_WINDOW..=4095, "Reconfiguration window R_w, 256 to 4095 cycles";
        /// Section 4.1: 65 cycles.
        dead_time: Time = 104.0, in 1..=255,
            "Time of a change of rate, and from laser on to the first flit, 1 to 255 cycles";
        /// Section 4.2: B_min = 0.1.
        b_min: Number = 0.1, in 0.0..=1.0,
            "Share of a window with packets waiting at and below which a wavelength goes one level down";
        /// B_max = 0.3.
        b_max: Number = 0.3, in 0.0..=1.0, "Share above which it goes one level up";
        /// Section 3.2: B_con = 0.5.
        b_con: Number = 0.5, in 0.0..=1.0, "Share above which a board is given more wavelengths";
        /// Degree of reconfiguration N, section 4.2: 2, 4 or 8.
        degree: Whole = 8.0, in 1.0..=8.0, "Most wavelengths that a board is given to another, 1 to 8";
    }
}

control_values! {
    /// What the control registers of E-RAPID hold (`docs/microarchitecture/mechanisms/e_rapid.md`).
    pub struct ERapidValues of ERapidParameters, policy 2 bits, rows e_rapid_words {
        window: u16 = Duration, 12, "Reconfiguration window R_w, cycles";
        b_min: u16 = Count, 12, "B_min, cycles of a window", from |of, cycle_ns| of.window.share(of.b_min, cycle_ns);
        b_max: u16 = Count, 12, "B_max, cycles of a window", from |of, cycle_ns| of.window.share(of.b_max, cycle_ns);
        b_con: u16 = Count, 12, "B_con, cycles of a window", from |of, cycle_ns| of.window.share(of.b_con, cycle_ns);
        degree: u8 = Number, 4, "Most wavelengths that a board is given to another";
        dead_time: u8 = Duration, 8, "Cycles of a change of rate";
    }
}

/// What software writes, and counts that it only reads behind it.
pub(super) static WORDS: [Word; 9] = joined(
    &ERapidValues::WORDS,
    &[
        event_count(0x5C, "ring_errors", "Words of the ring that were thrown away for their parity, modulo 2^16"),
        event_count(0x60, "lost_messages", "Messages that did not come back, modulo 2^16"),
    ],
);

/// A count that software reads only.
const fn event_count(offset: u16, name: &'static str, doc: &'static str) -> Word {
    Word { access: Access::Read, reset: Reset::Value(0), ..Word::of_mechanism(offset, name, 16, doc) }
}

/// Shortest window, cycles: messages go round in it, and links are looked at twice.
const LEAST_WINDOW: u64 = 256;

/// The longest time from the first message of a board in a round to the last that comes back, cycles: once round, behind all requests and responses of all boards.
fn longest_round(setting: &Setting, link_delay: u64) -> u64 {
    let boards = Layout::of(setting.shape).map_or(0, |layout| layout.boards as u64);
    boards * (CYCLES_AT_A_BOARD + link_delay) + 2 * boards * boards
}

/// From a word that comes in to what goes out of it.
const CYCLES_AT_A_BOARD: u64 = 2;

impl Rules for ERapidParameters {
    fn check_rules(&self, setting: &Setting) -> Result<()> {
        ensure!(
            Layout::of(setting.shape).is_some(),
            "kind: e_rapid needs boards joined by wavelengths; topology must be boards-BxD"
        );
        let ERapidParameters { b_min, b_max, .. } = *self;
        ensure!(b_min <= b_max, "b_max: {b_max} is out of range, b_max >= b_min = {b_min}");
        Ok(())
    }

    /// A message of a round that comes back in the next one would be taken for one of that.
    fn check_links(&self, setting: &Setting, link_delay: u64) -> Result<()> {
        let (window, round) = (self.window.cycles(setting.cycle_ns), longest_round(setting, link_delay));
        ensure!(
            window / 2 > round,
            "window: {} is {window} cycles, out of range: messages go round the ring in {round} cycles over such links, which must be less than half a window",
            self.window
        );
        Ok(())
    }

    fn saves_when(&self) -> Option<String> {
        let (b_min, window) = (self.b_min, self.window);
        let when = || {
            format!("a wavelength goes a level down when packets wait in b_min = {b_min} of window = {window} or less")
        };
        self.heeds("b_min").then(when)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;
    use crate::mechanism::Chosen;
    use crate::units::Nanoseconds;

    fn with(network: &str, parameters: ERapidParameters) -> Config {
        Config { mechanism: Chosen(Box::new(parameters)), ..Config::of_network(network).expect("a network") }
    }

    #[test]
    fn resets_are_those_of_the_paper() {
        let config = with("boards-8x8", ERapidParameters::default());
        config.check().expect("in range");
        assert_eq!(config.mechanism.0.resets(config.cycle_ns), [3, 1000, 100, 300, 500, 8, 65, 0, 0]);
    }

    #[test]
    fn values_out_of_range_are_named() {
        let default = ERapidParameters::default;
        let cases = [
            (
                ERapidParameters { window: Nanoseconds(160.0), ..default() },
                "window: 160ns is 100 cycles, out of range 256..=4095",
            ),
            (
                ERapidParameters { dead_time: Nanoseconds(0.0), ..default() },
                "dead_time: 0 is 0 cycles, out of range 1..=255",
            ),
            (ERapidParameters { b_con: 1.5, ..default() }, "b_con: 1.5 is out of range 0..=1"),
            (ERapidParameters { b_max: 0.05, ..default() }, "b_max: 0.05 is out of range, b_max >= b_min = 0.1"),
            (ERapidParameters { degree: 0.0, ..default() }, "degree: 0 is out of range 1..=8"),
            (ERapidParameters { degree: 2.5, ..default() }, "degree: 2.5 is out of range 1..=8, whole numbers"),
            (ERapidParameters { policy: "powar".into(), ..default() }, "policy: `powar` is unknown"),
        ];
        for (parameters, expected) in cases {
            let error = format!("{:#}", with("boards-4x4", parameters).check().expect_err("out of range"));
            assert!(error.contains(expected), "{error}");
        }
        let error = format!("{:#}", with("torus-4x4", default()).check().expect_err("no boards"));
        assert!(error.contains("topology must be boards-BxD"), "{error}");
    }

    #[test]
    fn a_ring_that_takes_half_a_window_is_refused() {
        let config = with("boards-8x8", ERapidParameters::default());
        let check = |link_delay: u64| config.check_links(link_delay);
        check(44).expect("496 cycles of 500");
        let error = format!("{:#}", check(45).expect_err("504 cycles"));
        assert!(
            error.starts_with(
                "mechanism.window: 1.6us is 1000 cycles, out of range: messages go round the ring in 504 cycles"
            ),
            "{error}"
        );
    }
}
