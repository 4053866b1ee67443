//! What happens over time: a simulation cut into intervals of equal length.
//!
//! How many they will be is known of synthetic traffic. Programs take as long as they take: whenever there would be more than [`MOST_INTERVALS`], every two
//! become one, so that there is always a series with at least half as many.

use super::channels::Mean;
use powar_config::{Foretold, Mechanism, Message, Workload};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Most intervals of a simulation, but for one that its warm-up cuts in two.
pub(super) const MOST_INTERVALS: u64 = 10_000;

/// What happened in an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interval {
    /// The first cycle behind it.
    pub cycle: u64,
    /// Flits of the messages that nodes gave, and of those that came in, per node and cycle.
    pub offered: f64,
    pub accepted: f64,
    /// Mean, cycles, of the messages that came in, from when they were given; none if none came in.
    pub latency: Option<f64>,
    /// As [`Outcome::links_power`](super::Outcome::links_power).
    pub links_power: f64,
    /// As [`Outcome::channels_power`](super::Outcome::channels_power).
    #[serde(default)]
    pub channels_power: Option<f64>,
    /// As [`Outcome::u_port`](super::Outcome::u_port): the share of the time in which ports were awake, mean over all.
    #[serde(default)]
    pub u_port: Option<f64>,
    /// Utilisation of the buffers in front of links between switches, 0 to 1, as the mechanism measures it: mean over the links on which flits set out. None
    /// if there were no such links, and of mechanisms that do not measure it.
    #[serde(default)]
    pub buffer_utilisation: Option<f64>,
    /// Bit rate of the links between switches, Gb/s: mean over the time in which they could send. None if none could, and of mechanisms without levels of
    /// rate.
    #[serde(default)]
    pub bit_rate: Option<f64>,
}

/// A column of intervals that not every mechanism has.
pub struct Special {
    pub column: &'static str,
    pub is_of: fn(&Mechanism) -> bool,
    /// What is said of mechanisms that do not have it.
    pub otherwise: &'static str,
}

/// All of them.
pub const SPECIAL: [Special; 2] = [
    Special {
        column: "buffer_utilisation",
        is_of: |mechanism| mechanism.measures_queues,
        otherwise: "does not measure how packets wait for a link",
    },
    Special {
        column: "bit_rate",
        is_of: |mechanism| !mechanism.level_gbps.is_empty(),
        otherwise: "has no levels of rate: its links send a flit a cycle or nothing",
    },
];

/// Means over an interval of what its ports drew, as in [`Interval`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Drawn {
    pub links_power: f64,
    pub channels_power: Option<f64>,
    pub u_port: f64,
    pub buffer_utilisation: Mean,
    pub bit_rate: Mean,
}

/// Sums over an interval.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    /// Its length, and the first cycle behind it.
    cycles: u64,
    end: u64,
    offered: u64,
    accepted: u64,
    messages: u64,
    latencies: u64,
    drawn: Drawn,
}

impl Sums {
    /// The two intervals as one.
    fn with(&self, next: &Sums) -> Sums {
        let cycles = self.cycles + next.cycles;
        let mean = |one: f64, other: f64| (one * self.cycles as f64 + other * next.cycles as f64) / cycles as f64;
        let channels = self.drawn.channels_power.zip(next.drawn.channels_power);
        Sums {
            cycles,
            end: next.end,
            offered: self.offered + next.offered,
            accepted: self.accepted + next.accepted,
            messages: self.messages + next.messages,
            latencies: self.latencies + next.latencies,
            drawn: Drawn {
                links_power: mean(self.drawn.links_power, next.drawn.links_power),
                channels_power: channels.map(|(one, other)| mean(one, other)),
                u_port: mean(self.drawn.u_port, next.drawn.u_port),
                buffer_utilisation: self.drawn.buffer_utilisation.with(next.drawn.buffer_utilisation),
                bit_rate: self.drawn.bit_rate.with(next.drawn.bit_rate),
            },
        }
    }

    fn interval(&self, nodes: usize) -> Interval {
        let rate = |flits: u64| flits as f64 / self.cycles as f64 / nodes as f64;
        Interval {
            cycle: self.end,
            offered: rate(self.offered),
            accepted: rate(self.accepted),
            latency: (self.messages > 0).then(|| self.latencies as f64 / self.messages as f64),
            links_power: self.drawn.links_power,
            channels_power: self.drawn.channels_power,
            u_port: Some(self.drawn.u_port),
            buffer_utilisation: self.drawn.buffer_utilisation.value(),
            bit_rate: self.drawn.bit_rate.value(),
        }
    }
}

/// The intervals of a simulation so far.
pub(super) struct Series {
    /// Cycles of the next one; 0: there are none.
    length: u64,
    doubles: bool,
    intervals: Vec<Sums>,
}

impl Series {
    /// Of a simulation that will have no more than there may be.
    pub fn new(length: u64) -> Series {
        Series { length, doubles: false, intervals: vec![] }
    }

    /// Of one that takes as long as it takes: intervals are twice as long whenever there would be too many.
    pub fn without_end(length: u64) -> Series {
        Series { doubles: true, ..Series::new(length) }
    }

    pub fn length(&self) -> u64 {
        self.length
    }

    pub fn push(&mut self, interval: Sums) {
        self.intervals.push(interval);
        if self.doubles && self.intervals.len() as u64 == MOST_INTERVALS {
            self.intervals = self.intervals.chunks(2).map(|pair| pair[0].with(&pair[1])).collect();
            self.length *= 2;
        }
    }

    /// All of them, of a network with so many nodes.
    pub fn intervals(&self, nodes: usize) -> Vec<Interval> {
        self.intervals.iter().map(|interval| interval.interval(nodes)).collect()
    }
}

/// A workload, and what its messages did since the last interval.
pub(super) struct Recorder<'a, W> {
    workload: &'a mut W,
    /// Cycles in which messages under way were given; none are kept if there are no intervals.
    given: HashMap<u64, u64>,
    records: bool,
    now: Sums,
}

impl<'a, W: Workload> Recorder<'a, W> {
    pub fn new(workload: &'a mut W, records: bool) -> Self {
        Recorder { workload, given: HashMap::new(), records, now: Sums::default() }
    }

    /// Ends an interval of so many cycles before `end`; the next one begins.
    pub fn interval(&mut self, end: u64, cycles: u64, drawn: Drawn) -> Sums {
        Sums { end, cycles, drawn, ..std::mem::take(&mut self.now) }
    }
}

impl<W: Workload> Workload for Recorder<'_, W> {
    fn next_event(&self) -> u64 {
        self.workload.next_event()
    }

    fn act(&mut self, now: u64, messages: &mut Vec<Message>) -> anyhow::Result<()> {
        let known = messages.len();
        self.workload.act(now, messages)?;
        for message in messages[known..].iter().filter(|_| self.records) {
            self.given.insert(message.number, now);
            self.now.offered += message.flits;
        }
        Ok(())
    }

    fn foretell(&mut self, foretold: &mut Vec<Foretold>) {
        self.workload.foretell(foretold);
    }

    fn sent(&mut self, now: u64, message: &Message) {
        self.workload.sent(now, message);
    }

    fn delivered(&mut self, now: u64, message: &Message) {
        if self.records {
            if let Some(given) = self.given.remove(&message.number) {
                self.now.messages += 1;
                self.now.latencies += now - given;
            }
            self.now.accepted += message.flits;
        }
        self.workload.delivered(now, message);
    }

    fn is_over(&self) -> bool {
        self.workload.is_over()
    }

    fn waits(&self) -> Vec<String> {
        self.workload.waits()
    }

    fn computing(&self, now: u64) -> Vec<f64> {
        self.workload.computing(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a message of 8 flits in every cycle that it acts in.
    struct Steady(u64);

    impl Workload for Steady {
        fn next_event(&self) -> u64 {
            0
        }
        fn act(&mut self, _: u64, messages: &mut Vec<Message>) -> anyhow::Result<()> {
            messages.push(Message { number: self.0, source: 0, destination: 1, flits: 8, foretold: false });
            self.0 += 1;
            Ok(())
        }
        fn sent(&mut self, _: u64, _: &Message) {}
        fn delivered(&mut self, _: u64, _: &Message) {}
        fn is_over(&self) -> bool {
            false
        }
        fn waits(&self) -> Vec<String> {
            vec![]
        }
        fn computing(&self, _: u64) -> Vec<f64> {
            vec![]
        }
    }

    #[test]
    fn messages_count_where_they_come_in() {
        let mut steady = Steady(5);
        let mut recorder = Recorder::new(&mut steady, true);
        let mut messages = vec![];
        recorder.act(10, &mut messages).unwrap();
        recorder.act(30, &mut messages).unwrap();
        let drawn =
            |links_power, channels_power| Drawn { links_power, channels_power, u_port: 0.5, ..Drawn::default() };
        let sums = recorder.interval(100, 100, drawn(0.5, None));
        let first = sums.interval(2);
        let expected =
            Interval { cycle: 100, offered: 0.08, links_power: 0.5, u_port: Some(0.5), ..Interval::default() };
        assert_eq!(first, expected);
        recorder.delivered(110, &messages[0]);
        recorder.delivered(120, &messages[1]);
        let next = recorder.interval(200, 100, drawn(1.0, Some(0.25)));
        let expected = Interval {
            cycle: 200,
            accepted: 0.08,
            latency: Some(95.0),
            links_power: 1.0,
            channels_power: Some(0.25),
            u_port: Some(0.5),
            ..Interval::default()
        };
        assert_eq!(next.interval(2), expected);
        let expected = Interval { offered: 0.04, accepted: 0.04, links_power: 0.75, channels_power: None, ..expected };
        assert_eq!(sums.with(&next).interval(2), expected);
        assert_eq!(recorder.interval(300, 100, drawn(1.0, None)).interval(2).latency, None);
    }

    #[test]
    fn a_series_without_end_has_intervals_of_twice_the_length() {
        let mut series = Series::without_end(10);
        let mut end = 0;
        for number in 0..3 * MOST_INTERVALS {
            let cycles = series.length();
            end += cycles;
            let drawn = Drawn { links_power: number as f64, ..Drawn::default() };
            series.push(Sums { cycles, end, offered: cycles, drawn, ..Sums::default() });
        }
        // 10 000 of 10, 5000 of 20 and 5000 of 40 at a time, and so on.
        let intervals = series.intervals(1);
        assert!((MOST_INTERVALS / 2..MOST_INTERVALS).contains(&(intervals.len() as u64)), "{}", intervals.len());
        assert_eq!((series.length(), intervals.last().unwrap().cycle), (320, end));
        for (number, interval) in (1..).zip(&intervals) {
            assert_eq!((interval.cycle, interval.offered), (series.length() * number, 1.0));
        }
        // The mean of the first 32 numbers.
        assert_eq!(intervals[0].links_power, 15.5);
    }
}
