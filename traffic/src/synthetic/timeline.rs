//! A load that changes over time: ramps, as steps of constant load.

use anyhow::ensure;

/// Steps that a slope is cut into, at most; each has the mean load of its cycles, so no slope is off in sum.
const STEPS_PER_SLOPE: u64 = 1024;

/// Last cycle that times may name: beyond it, fractions of a cycle would be lost.
pub const LAST_CYCLE: u64 = 1 << 48;

/// The load, in flits per node and cycle, over time.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadProfile {
    /// From which cycle on the load is what; by cycle, the first is 0.
    steps: Vec<(u64, f64)>,
}

impl LoadProfile {
    /// This load times a share that is piecewise linear through the points (cycle, share); before the first and after the last
    /// it is as there. No points: the load itself. Two points in one cycle are a jump.
    ///
    /// # Errors
    /// A cycle before the one ahead of it or beyond [`LAST_CYCLE`], a share outside 0..=1, or no share above 0.
    pub fn new(load: f64, ramp: &[(u64, f64)]) -> anyhow::Result<LoadProfile> {
        for (place, &(cycle, share)) in ramp.iter().enumerate() {
            let earliest = if place == 0 { 0 } else { ramp[place - 1].0 };
            ensure!(
                (earliest..=LAST_CYCLE).contains(&cycle),
                "ramp is `{cycle}` in the cycle of point {place}, expected {earliest} to {LAST_CYCLE}"
            );
            ensure!(
                (0.0..=1.0).contains(&share),
                "ramp is `{share}` in the share of point {place}, expected a number from 0 to 1"
            );
        }
        ensure!(
            ramp.is_empty() || ramp.iter().any(|&(_, share)| share > 0.0),
            "ramp has a share of `0` in all its points, expected one above 0"
        );
        let mut steps = vec![(0, load * ramp.first().map_or(1.0, |&(_, share)| share))];
        for points in ramp.windows(2) {
            let ((from, low), (to, high)) = (points[0], points[1]);
            let cycles = to - from;
            let count = if low == high { 1.min(cycles) } else { cycles.min(STEPS_PER_SLOPE) };
            for step in 0..count {
                let begin = cycles * step / count;
                let end = cycles * (step + 1) / count;
                let middle = (begin + end) as f64 / 2.0 / cycles as f64;
                steps.push((from + begin, load * (low + (high - low) * middle)));
            }
            steps.push((to, load * high));
        }
        Ok(LoadProfile { steps })
    }

    /// So many times this load.
    pub(crate) fn times(&self, factor: f64) -> LoadProfile {
        LoadProfile { steps: self.steps.iter().map(|&(start, load)| (start, load * factor)).collect() }
    }

    /// The load in this cycle.
    pub fn load(&self, cycle: u64) -> f64 {
        self.steps[self.steps.partition_point(|&(start, _)| start <= cycle) - 1].1
    }

    /// The highest load there is at any time.
    pub fn highest(&self) -> f64 {
        self.steps.iter().fold(0.0, |highest, &(_, load)| highest.max(load))
    }
}

/// A clock whose pace follows the load: what an arrival process waits for, counted in units of its own.
#[derive(Clone, Debug)]
pub struct Timeline {
    /// Time a step begins, and units a unit of time from then on.
    steps: Vec<(f64, f64)>,
}

impl Timeline {
    /// A clock that goes `pace(load)` units a unit of time; `per_cycle` units of time are a cycle.
    pub fn new(profile: &LoadProfile, per_cycle: f64, pace: impl Fn(f64) -> f64) -> Timeline {
        Timeline { steps: profile.steps.iter().map(|&(start, load)| (start as f64 * per_cycle, pace(load))).collect() }
    }

    /// The time `units` after the time `from`; `None`: never. `step` is the caller's place on the line: 0 at first, and its times
    /// don't decrease.
    pub fn after(&self, step: &mut u32, from: f64, units: f64) -> Option<f64> {
        self.advance(step, from, units, f64::INFINITY).ok()
    }

    /// As [`after`](Timeline::after), if that is before `limit`; else the units left at `limit`, where the clock has come to.
    pub fn advance(&self, step: &mut u32, mut from: f64, mut units: f64, limit: f64) -> Result<f64, f64> {
        loop {
            let (_, pace) = self.steps[*step as usize];
            let next = self.steps.get(*step as usize + 1).map_or(f64::INFINITY, |&(start, _)| start);
            let end = next.min(limit);
            if from < end {
                if pace > 0.0 {
                    let wait = units / pace;
                    if wait < end - from {
                        return Ok(from + wait);
                    }
                    units = (units - pace * (end - from)).max(0.0);
                }
                from = end;
            }
            if limit <= next {
                return Err(units);
            }
            *step += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_have_their_mean_and_jumps_are_jumps() {
        let profile = LoadProfile::new(0.5, &[(100, 0.2), (5100, 1.0), (6000, 1.0), (6000, 0.0), (7000, 0.0)]).unwrap();
        assert_eq!([0, 99, 5100, 5999, 6000, 9999].map(|cycle| profile.load(cycle)), [0.1, 0.1, 0.5, 0.5, 0.0, 0.0]);
        let sum: f64 = (100..5100).map(|cycle| profile.load(cycle)).sum();
        assert!((sum - 0.3 * 5000.0).abs() < 1e-6, "{sum}");
        assert!((profile.load(2600) - 0.3).abs() < 0.001);
        assert_eq!(profile.highest(), 0.5);
    }

    #[test]
    fn a_clock_keeps_its_pace_over_the_steps() {
        // 10 cycles at 1 a cycle, 10 at none, then 2 a cycle.
        let profile = LoadProfile::new(2.0, &[(0, 0.5), (10, 0.5), (10, 0.0), (20, 0.0), (20, 1.0)]).unwrap();
        let line = Timeline::new(&profile, 1.0, |load| load);
        let at = |from, units| line.after(&mut 0, from, units).unwrap();
        assert_eq!(
            [at(0.0, 4.0), at(3.5, 4.0), at(5.0, 5.0), at(5.0, 6.0), at(15.0, 3.0)],
            [4.0, 7.5, 20.0, 20.5, 21.5]
        );
        let ends = LoadProfile::new(1.0, &[(0, 1.0), (8, 1.0), (8, 0.0)]).unwrap();
        assert_eq!(Timeline::new(&ends, 1.0, |load| load).after(&mut 0, 4.0, 4.5), None);
        // Up to a limit, and on from there.
        let mut step = 0;
        assert_eq!(line.advance(&mut step, 5.0, 7.0, 8.0), Err(4.0));
        assert_eq!(line.advance(&mut step, 8.0, 4.0, 20.0), Err(2.0));
        assert_eq!(line.advance(&mut step, 20.0, 2.0, 21.0), Err(0.0));
        assert_eq!(line.advance(&mut step, 20.0, 1.0, 21.0), Ok(20.5));
    }

    #[test]
    fn bad_ramps() {
        for (ramp, says) in [
            (&[(5, 0.1), (4, 0.2)][..], "ramp is `4` in the cycle of point 1, expected 5 to"),
            (&[(5, 1.5)], "ramp is `1.5` in the share of point 0, expected a number from 0 to 1"),
            (&[(5, f64::NAN)], "ramp is `NaN`"),
            (&[(0, 0.0), (9, 0.0)], "ramp has a share of `0` in all its points"),
        ] {
            let error = LoadProfile::new(1.0, ramp).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
