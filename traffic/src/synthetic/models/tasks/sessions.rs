//! The first level: when tasks come up, how long they last, and between which nodes they are.

use super::locality::Locality;
use crate::synthetic::options::{Durations, TasksOptions};
use crate::synthetic::random::Random;

/// Stream of random numbers that no node and no task has.
const STREAM: u64 = 1 << 42;

/// A task: times in cycles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Session {
    pub begin: f64,
    pub end: f64,
    pub source: u32,
    /// Another node.
    pub destination: u32,
}

/// Tasks in the order in which they come up, without an end.
pub struct Sessions {
    durations: Durations,
    alpha: f64,
    /// Duration in the mean, cycles.
    mean: f64,
    /// Cycles between two tasks in the mean.
    gap: f64,
    /// When the traffic begins: some are under way then.
    start: f64,
    /// Where the count of those has come to; it ends at the mean number of tasks under way.
    met: f64,
    concurrent: f64,
    /// When the next one comes up.
    begin: f64,
    random: Random,
    locality: Locality,
}

impl Sessions {
    /// From the cycle `start` on, as somebody meets them who comes then.
    pub fn new(options: &TasksOptions, cycle_ns: f64, start: f64, seed: u64, locality: Locality) -> Sessions {
        let TasksOptions { concurrent, duration, durations, alpha, .. } = *options;
        let mean = duration.0 / cycle_ns;
        let mut random = Random::new(seed, STREAM);
        let met = random.exponential();
        let mut this = Sessions {
            durations,
            alpha,
            mean,
            gap: mean / concurrent,
            start,
            met,
            concurrent,
            begin: start,
            random,
            locality,
        };
        if !this.is_met() {
            this.begin += this.random.exponential() * this.gap;
        }
        this
    }

    /// When the next one comes up, or is met.
    pub fn next_begin(&self) -> f64 {
        self.begin
    }

    /// The next one was under way at the start. Their number is Poisson: that of exponential steps up to its mean.
    fn is_met(&self) -> bool {
        self.met < self.concurrent
    }

    /// The next task.
    pub fn next(&mut self) -> Session {
        let Sessions { durations, alpha, mean, begin, .. } = *self;
        let is_met = self.is_met();
        let random = &mut self.random;
        let length = match (durations, is_met) {
            // An exponential time knows nothing of its age.
            (Durations::Exponential, _) => mean * random.exponential(),
            (Durations::Pareto, false) => random.pareto(alpha, mean),
            (Durations::Pareto, true) => random.pareto_rest(alpha, mean),
        };
        let (source, destination) = self.locality.draw(random);
        if is_met {
            self.met += random.exponential();
        }
        if self.met >= self.concurrent {
            let last = if is_met { self.start } else { begin };
            self.begin = last + self.random.exponential() * self.gap;
        }
        Session { begin, end: begin + length, source, destination }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::hurst;
    use powar_config::Config;
    use powar_config::topology::wiring::Wiring;
    use powar_config::units::Nanoseconds;

    fn sessions(options: &TasksOptions, seed: u64) -> Sessions {
        let wiring = Wiring::new(&Config::of_network("torus-8x8").unwrap()).unwrap();
        Sessions::new(options, 2.0, 100.0, seed, Locality::new(&wiring, options.locality, options.radius))
    }

    /// Tasks under way at each of these times.
    fn under_way(options: &TasksOptions, seed: u64, times: &[f64]) -> Vec<f64> {
        let mut sessions = sessions(options, seed);
        let mut counts = vec![0.0; times.len()];
        while sessions.next_begin() < times[times.len() - 1] {
            let Session { begin, end, .. } = sessions.next();
            assert!(begin >= 100.0 && end > begin);
            let from = times.partition_point(|&time| time < begin);
            counts[from..]
                .iter_mut()
                .zip(&times[from..])
                .take_while(|(_, time)| **time < end)
                .for_each(|(n, _)| *n += 1.0);
        }
        counts
    }

    /// Poisson: mean and variance are those of the mean asked for, in the first cycle as in later ones.
    #[test]
    fn as_many_are_under_way_as_were_asked_for() {
        for durations in [Durations::Pareto, Durations::Exponential] {
            for concurrent in [0.5, 10.0, 100.0] {
                let options = TasksOptions { concurrent, durations, ..Default::default() };
                let times = [100.0, 101.0, 400.0, 5_000.0];
                let runs: Vec<Vec<f64>> = (0..1500).map(|seed| under_way(&options, seed, &times)).collect();
                for (place, time) in times.iter().enumerate() {
                    let mean = runs.iter().map(|run| run[place]).sum::<f64>() / 1500.0;
                    let variance = runs.iter().map(|run| (run[place] - mean).powi(2)).sum::<f64>() / 1499.0;
                    let what = format!("{durations:?}, {concurrent}, cycle {time}: {mean} +- {variance}");
                    assert!((mean - concurrent).abs() < 4.5 * (concurrent / 1500.0).sqrt(), "{what}");
                    // The variance of a variance: 2 / n, and what small Poisson numbers have beside.
                    let deviation = concurrent * (2.0 / 1500.0 + 1.0 / 1500.0 / concurrent).sqrt();
                    assert!((variance - concurrent).abs() < 4.5 * deviation, "{what}");
                }
            }
        }
    }

    #[test]
    fn durations_have_their_mean_in_cycles() {
        // 600 ns of 2 ns each. A Pareto mean of shape 1.9 comes slowly.
        for (durations, alpha, off) in [(Durations::Exponential, 1.4, 0.01), (Durations::Pareto, 1.9, 0.1)] {
            let options =
                TasksOptions { duration: Nanoseconds(600.0), concurrent: 3.0, durations, alpha, ..Default::default() };
            let mut sessions = sessions(&options, 4);
            let new: Vec<Session> = (0..200_000).map(|_| sessions.next()).filter(|task| task.begin > 100.0).collect();
            let mean = new.iter().map(|task| task.end - task.begin).sum::<f64>() / new.len() as f64;
            assert!((mean / 300.0 - 1.0).abs() < off, "{durations:?}: {mean}");
            // Three of 300 cycles: one a hundred cycles.
            let gap = (new[new.len() - 1].begin - new[0].begin) / (new.len() - 1) as f64;
            assert!((gap - 100.0).abs() < 1.0, "{gap}");
            assert!(new.windows(2).all(|pair| pair[0].begin < pair[1].begin));
        }
    }

    /// Beyond the duration of a task the number under way is as self-similar as durations are heavy-tailed; with exponential ones it isn't.
    #[test]
    fn long_range_dependence_is_that_of_the_durations() {
        // Every cycle or two, or what is missed in between would be noise.
        let times: Vec<f64> = (0..1 << 18).map(|step| 100.0 + 8.0 * f64::from(step)).collect();
        for (durations, alpha, expected) in
            [(Durations::Pareto, 1.4, 0.8), (Durations::Pareto, 1.7, 0.65), (Durations::Exponential, 1.4, 0.5)]
        {
            let options =
                TasksOptions { duration: Nanoseconds(32.0), concurrent: 50.0, durations, alpha, ..Default::default() };
            let h = hurst::wavelet(&under_way(&options, 5, &times), 5..=13);
            println!("{durations:?}, {alpha}: H {h:.3}");
            assert!((h - expected).abs() < 0.05, "{durations:?}, alpha {alpha}: H is {h}, expected {expected}");
        }
    }
}
