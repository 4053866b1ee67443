//! `load_predictor`: the load of the router that is to be expected, and how it stands to the thresholds (equations 4 and 5).

use crate::bits::is_set;
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::Habit;
use powar_config::signal::{count, flag, set};

/// The predictor; the public fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadPredictor {
    buffer_flits: u64,
    /// Bit i: a check was i + 1 cycles ago; 3 bits.
    pub stage: u8,
    /// Predictions of the sums of a window, 36 and 24 bits.
    pub past_filled: u64,
    pub past_flits: u32,
    /// Active input and output ports at the last check, 1..=64.
    pub ins: u8,
    pub outs: u8,
    /// The parts of the load, 48 and 36 bits.
    pub buffer_load: u64,
    pub link_load: u64,
    /// Thresholds for so many links, 22 bits each.
    pub sleep_threshold: u32,
    pub wake_threshold: u32,
    /// What thresholds are multiplied by: flits of a buffer and both numbers of ports; 25 bits.
    pub places: u32,
    /// What the links leave of that to the buffers; 48 bits each.
    pub sleep_gap: u64,
    pub wake_gap: u64,
    /// The links alone are above the threshold.
    pub over: bool,
}

inputs! {
    /// What the predictor sees in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct PredictorInputs {
        /// Last cycle of a window.
        pub check: bool = flag("check").habit(Habit::Rare),
        /// Sums of the window, 36 and 24 bits.
        pub filled: u64 = count("filled", 36),
        pub flits: u32 = count("flits", 24),
        /// Active ports, 0..=64.
        pub in_ports: u8 = count("in_ports", 7),
        pub out_ports: u8 = count("out_ports", 7),
        /// Which thresholds, 0..=3 each.
        pub sleep_index: u8 = count("sleep_index", 2),
        pub wake_index: u8 = count("wake_index", 2),
        /// Loads times 10 windows, 20 bits each.
        pub sleep_load: u32 = count("sleep_load", 20),
        pub sleep_step: u32 = count("sleep_step", 20),
        pub wake_load: u32 = count("wake_load", 20),
        pub wake_step: u32 = count("wake_step", 20),
    }
}

impl LoadPredictor {
    /// For input buffers of so many flits, 1..=4096, in its state after reset.
    pub fn new(buffer_flits: usize) -> Self {
        LoadPredictor {
            buffer_flits: buffer_flits as u64,
            stage: 0,
            past_filled: 0,
            past_flits: 0,
            ins: 1,
            outs: 1,
            buffer_load: 0,
            link_load: 0,
            sleep_threshold: 0,
            wake_threshold: 0,
            places: 0,
            sleep_gap: 0,
            wake_gap: 0,
            over: false,
        }
    }

    /// The load is below the threshold for off, and this is the cycle in which that counts.
    pub fn below(&self) -> bool {
        is_set(self.stage.into(), 2) && self.buffer_load < self.sleep_gap
    }

    /// Likewise above the threshold for on.
    pub fn above(&self) -> bool {
        is_set(self.stage.into(), 2) && (self.over || self.buffer_load > self.wake_gap)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = LoadPredictor::new(self.buffer_flits as usize);
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &PredictorInputs) {
        let before = self.clone();
        let stage = |bit| is_set(before.stage.into(), bit);
        self.stage = before.stage << 1 & 0b110 | u8::from(inputs.check);
        if inputs.check {
            self.past_filled = (3 * inputs.filled + before.past_filled) / 4;
            self.past_flits = (3 * inputs.flits + before.past_flits) / 4;
            (self.ins, self.outs) = (inputs.in_ports.max(1), inputs.out_ports.max(1));
        }
        if stage(0) {
            let (ins, outs) = (u64::from(before.ins), u64::from(before.outs));
            self.buffer_load = 7 * before.past_filled * outs;
            self.link_load = 3 * u64::from(before.past_flits) * ins;
            self.sleep_threshold = inputs.sleep_load + u32::from(inputs.sleep_index) * inputs.sleep_step;
            self.wake_threshold = inputs.wake_load.saturating_sub(u32::from(inputs.wake_index) * inputs.wake_step);
            self.places = (self.buffer_flits * ins * outs) as u32;
        }
        if stage(1) {
            let of_links = self.buffer_flits * before.link_load;
            let limit = |threshold: u32| u64::from(before.places) * u64::from(threshold);
            self.sleep_gap = limit(before.sleep_threshold).saturating_sub(of_links);
            self.wake_gap = limit(before.wake_threshold).saturating_sub(of_links);
            self.over = of_links > limit(before.wake_threshold);
        }
    }
}

impl Registers for LoadPredictor {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(set("stage", 3), self.stage);
        rows.one(count("past_filled", 36), self.past_filled);
        rows.one(count("past_flits", 24), self.past_flits);
        rows.one(count("ins", 7), self.ins);
        rows.one(count("outs", 7), self.outs);
        rows.one(count("buffer_load", 48), self.buffer_load);
        rows.one(count("link_load", 36), self.link_load);
        rows.one(count("sleep_threshold", 22), self.sleep_threshold);
        rows.one(count("wake_threshold", 22), self.wake_threshold);
        rows.one(count("places", 25), self.places);
        rows.one(count("sleep_gap", 48), self.sleep_gap);
        rows.one(count("wake_gap", 48), self.wake_gap);
        rows.one(flag("over"), self.over);
    }
}

impl Block for LoadPredictor {
    type Inputs<'a> = PredictorInputs;

    fn outputs(&self, _: &PredictorInputs, rows: &mut RegisterRows) {
        rows.one(set("stage", 3), self.stage);
        rows.one(count("past_filled", 36), self.past_filled);
        rows.one(flag("below"), self.below());
        rows.one(flag("above"), self.above());
    }

    fn edge(&mut self, rst: bool, seen: &PredictorInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use std::cmp::Ordering;

    /// The thresholds of the paper for a window of 1000 cycles.
    const PAPER: PredictorInputs = PredictorInputs {
        check: false,
        filled: 0,
        flits: 0,
        in_ports: 4,
        out_ports: 4,
        sleep_index: 3,
        wake_index: 0,
        sleep_load: 200,
        sleep_step: 200,
        wake_load: 1500,
        wake_step: 200,
    };

    /// What comes of a check: below, above.
    fn check(predictor: &mut LoadPredictor, inputs: PredictorInputs) -> (bool, bool) {
        predictor.clock(&PredictorInputs { check: true, ..inputs });
        predictor.clock(&inputs);
        predictor.clock(&inputs);
        assert_eq!(predictor.stage, 0b100);
        let decided = (predictor.below(), predictor.above());
        predictor.clock(&inputs);
        assert_eq!((predictor.stage, predictor.below(), predictor.above()), (0, false, false), "a cycle only");
        decided
    }

    /// A predictor that has seen such windows for ever.
    fn at(filled: u64, flits: u32) -> LoadPredictor {
        LoadPredictor { past_filled: filled, past_flits: flits, ..LoadPredictor::new(40) }
    }

    /// Equation 4 with a weight of 0.7, as a fraction: 7 F / (10 B T P_in) + 3 A / (10 T P_out).
    fn load(filled: u64, flits: u32, inputs: &PredictorInputs) -> (u128, u128) {
        let (b, t) = (40, 1000);
        let (ins, outs) = (u128::from(inputs.in_ports), u128::from(inputs.out_ports));
        (7 * u128::from(filled) * outs + 3 * u128::from(flits) * b * ins, 10 * b * t * ins * outs)
    }

    /// That fraction against a percentage.
    fn compare((numerator, denominator): (u128, u128), percent: u128) -> Ordering {
        (100 * numerator).cmp(&(percent * denominator))
    }

    #[test]
    fn decisions_are_those_of_the_equation_in_exact_fractions() {
        let mut rng = Rng::with_seed(1);
        let mut seen = [0; 3];
        for _ in 0..20_000 {
            // Loads around the thresholds.
            let (filled, flits) = (rng.u64(0..15_000), rng.u32(0..500));
            let (on, ports) = (rng.u8(1..=4), rng.u8(1..=4));
            let off = 4 - on;
            let inputs = PredictorInputs {
                filled,
                flits,
                in_ports: ports,
                out_ports: rng.u8(1..=4),
                sleep_index: on - 1,
                wake_index: off.max(1) - 1,
                ..PAPER
            };
            let load = load(filled, flits, &inputs);
            let sleep = compare(load, 2 * u128::from(on)) == Ordering::Less;
            let wake = compare(load, 15 - 2 * u128::from(off.max(1) - 1)) == Ordering::Greater;
            assert_eq!(check(&mut at(filled, flits), inputs), (sleep, wake), "{inputs:?}");
            seen[usize::from(sleep) + 2 * usize::from(wake)] += 1;
        }
        assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
    }

    #[test]
    fn a_load_equal_to_a_threshold_is_neither() {
        // 8 % of the links' 0.3 and of the buffers' 0.7: 320 of 4000 flits, 12 800 of 160 000 flit cycles.
        let at_sleep = PredictorInputs { filled: 12_800, flits: 320, ..PAPER };
        assert_eq!(check(&mut at(12_800, 320), at_sleep), (false, false));
        assert_eq!(check(&mut at(12_796, 320), PredictorInputs { filled: 12_796, ..at_sleep }), (true, false));
        let at_wake = PredictorInputs { filled: 24_000, flits: 600, ..PAPER };
        assert_eq!(check(&mut at(24_000, 600), at_wake), (false, false));
        assert_eq!(check(&mut at(24_004, 600), PredictorInputs { filled: 24_004, ..at_wake }), (false, true));
        // With two off it is 13 %.
        let two_off = PredictorInputs { wake_index: 1, filled: 20_800, flits: 520, ..PAPER };
        assert_eq!(check(&mut at(20_800, 520), two_off), (false, false));
        assert_eq!(check(&mut at(20_800, 524), PredictorInputs { flits: 524, ..two_off }), (false, true));
    }

    #[test]
    fn links_alone_may_be_above() {
        let links = PredictorInputs { flits: 2001, ..PAPER };
        let mut predictor = at(0, 2001);
        assert_eq!(check(&mut predictor, links), (false, true), "50.025 % of 0.3");
        assert!(predictor.over);
        assert_eq!(check(&mut at(0, 2000), PredictorInputs { flits: 2000, ..PAPER }), (false, false));
    }

    /// Equation 5 with a weight of 3.
    #[test]
    fn predictions_are_three_parts_of_this_window_and_one_of_the_past() {
        let mut predictor = LoadPredictor::new(40);
        let mut exact = 0.0;
        for filled in [1000, 0, 0, 999, 40, 7] {
            check(&mut predictor, PredictorInputs { filled, flits: filled as u32, ..PAPER });
            exact = (3.0 * filled as f64 + exact) / 4.0;
            // Each prediction is rounded down: by less than 1, of which a quarter goes on.
            let rounded = exact - predictor.past_filled as f64;
            assert!((0.0..4.0 / 3.0).contains(&rounded), "{exact}: {predictor:?}");
            assert_eq!(u64::from(predictor.past_flits), predictor.past_filled);
        }
        for _ in 0..4 {
            check(&mut predictor, PAPER);
        }
        assert_eq!((predictor.past_filled, predictor.past_flits), (0, 0));
    }

    #[test]
    fn the_largest_values_do_not_wrap() {
        let filled = 64 * 4096 * 65_535;
        let flits = 64 * 65_535;
        let inputs = PredictorInputs {
            filled,
            flits,
            in_ports: 64,
            out_ports: 64,
            sleep_load: (1 << 20) - 1,
            sleep_step: (1 << 20) - 1,
            wake_load: (1 << 20) - 1,
            wake_step: 0,
            ..PAPER
        };
        let mut predictor = LoadPredictor { past_filled: filled, past_flits: flits, ..LoadPredictor::new(4096) };
        assert_eq!(check(&mut predictor, inputs), (true, false), "four times the largest load");
        assert_eq!(predictor.buffer_load, 7 * 64 * filled);
        assert_eq!(predictor.sleep_gap, 4096 * (4096 * 4 * ((1 << 20) - 1) - 3 * 64 * u64::from(flits)));
        assert_eq!(predictor.wake_gap, 4096 * (4096 * ((1 << 20) - 1) - 3 * 64 * u64::from(flits)));
    }
}
