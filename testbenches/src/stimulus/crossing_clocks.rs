//! When the two clocks of a `link_crossing` rise.

use crate::random::Random;

/// The clocks of the sender and the receiver, in that order.
#[derive(Clone, Debug)]
pub struct CrossingClocks {
    random: Random,
    /// Their periods, in any unit of time; up to so much comes to a period at random.
    periods: [u64; 2],
    jitter: u64,
    /// When each rises next.
    next: [u64; 2],
    /// A clock stands still about every so many steps, 0 never; it does so for up to so many periods of the other.
    stop_every: u32,
    longest_stop: u64,
    /// The clock that stands still, and until when.
    stopped: Option<(usize, u64)>,
}

impl CrossingClocks {
    /// Clocks with these periods, the receiver's `late` behind the sender's at first.
    pub fn new(periods: [u64; 2], late: u64) -> CrossingClocks {
        CrossingClocks {
            random: Random::new(periods[0] << 32 | periods[1]),
            periods,
            jitter: 0,
            next: [0, late],
            stop_every: 0,
            longest_stop: 0,
            stopped: None,
        }
    }

    /// The same with up to so much more to each period, at random.
    pub fn with_jitter(self, jitter: u64) -> CrossingClocks {
        CrossingClocks { jitter, ..self }
    }

    /// The same, but one of them stands still about every `stop_every` steps, for up to so many periods of the other.
    pub fn with_stops(self, stop_every: u32, longest_stop: u64) -> CrossingClocks {
        CrossingClocks { stop_every, longest_stop, ..self }
    }

    /// Clocks of every kind: equal ones, in step and not, ratios of 1:4 to 4:1, one that drifts away from the other, unsteady ones, some that
    /// stand still.
    pub fn every_kind() -> Vec<(&'static str, CrossingClocks)> {
        let clocks = CrossingClocks::new;
        vec![
            ("in step", clocks([2, 2], 0)),
            ("opposite", clocks([2, 2], 1)),
            ("1:4", clocks([4, 1], 0)),
            ("4:1", clocks([1, 4], 0)),
            ("3:2", clocks([2, 3], 0)),
            ("5:7", clocks([7, 5], 3)),
            ("sender 1 % faster", clocks([100, 101], 0)),
            ("sender 0.2 % slower", clocks([501, 500], 7)),
            ("unsteady", clocks([3, 3], 0).with_jitter(6)),
            ("unsteady, slow receiver", clocks([2, 6], 0).with_jitter(4)),
            ("equal, standing still", clocks([2, 2], 0).with_stops(150, 120)),
            ("unequal, standing still", clocks([3, 5], 1).with_stops(200, 200)),
        ]
    }

    /// A step of the test bench: which of the two rise at its end.
    pub fn step(&mut self) -> [bool; 2] {
        let now = self.next[0].min(self.next[1]);
        if self.stopped.is_some_and(|(_, until)| now >= until) {
            self.stopped = None;
        }
        if self.stopped.is_none() && self.random.one_in(self.stop_every) {
            let which = self.random.below(2) as usize;
            let until = now + self.random.below(self.longest_stop + 1) * self.periods[1 - which];
            self.stopped = Some((which, until));
        }
        [0, 1].map(|which| {
            let due = self.next[which] == now;
            if due {
                self.next[which] += self.periods[which] + self.random.below(self.jitter + 1);
            }
            due && self.stopped.is_none_or(|(stopped, _)| stopped != which)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_rise_as_often_as_their_periods_say() {
        for (name, mut clocks) in CrossingClocks::every_kind() {
            let CrossingClocks { periods, jitter, stop_every, .. } = clocks;
            let (mut rises, mut both) = ([0u64; 2], 0);
            for _ in 0..40_000 {
                let now = clocks.step();
                (0..2).for_each(|which| rises[which] += u64::from(now[which]));
                both += u32::from(now == [true, true]);
            }
            assert_eq!(both == 40_000, name == "in step", "{name}: {both}");
            assert_eq!(both == 0, name == "opposite", "{name}: {both}");
            let steady = [0, 1].map(|which| rises[which] as f64 * (periods[which] as f64 + jitter as f64 / 2.0));
            let ratio = steady[0] / steady[1];
            let allowed = if stop_every > 0 { 0.3 } else { 0.02 };
            assert!((ratio - 1.0).abs() < allowed, "{name}: {rises:?}");
        }
    }
}
