//! What happens over time: a simulation cut into intervals of equal length.

use powar_config::{Message, Workload};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// What happened in an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
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
}

/// A workload, and what its messages did since the last interval.
pub(super) struct Recorder<'a, W> {
    workload: &'a mut W,
    /// Cycles in which messages under way were given; none are kept if there are no intervals.
    given: HashMap<u64, u64>,
    records: bool,
    offered: u64,
    accepted: u64,
    messages: u64,
    latencies: u64,
}

impl<'a, W: Workload> Recorder<'a, W> {
    pub fn new(workload: &'a mut W, records: bool) -> Self {
        Recorder { workload, given: HashMap::new(), records, offered: 0, accepted: 0, messages: 0, latencies: 0 }
    }

    /// Ends an interval of so many cycles before `cycle`; the next one begins.
    pub fn interval(
        &mut self,
        cycle: u64,
        cycles: u64,
        nodes: usize,
        (links_power, channels_power): (f64, Option<f64>),
    ) -> Interval {
        let rate = |flits: u64| flits as f64 / cycles as f64 / nodes as f64;
        let latency = (self.messages > 0).then(|| self.latencies as f64 / self.messages as f64);
        let ended = Interval {
            cycle,
            offered: rate(self.offered),
            accepted: rate(self.accepted),
            latency,
            links_power,
            channels_power,
        };
        (self.offered, self.accepted, self.messages, self.latencies) = (0, 0, 0, 0);
        ended
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
            self.offered += message.flits;
        }
        Ok(())
    }

    fn sent(&mut self, now: u64, message: &Message) {
        self.workload.sent(now, message);
    }

    fn delivered(&mut self, now: u64, message: &Message) {
        if let Some(given) = self.given.remove(&message.number) {
            self.messages += 1;
            self.latencies += now - given;
        }
        self.accepted += message.flits;
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
            messages.push(Message { number: self.0, source: 0, destination: 1, flits: 8 });
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
        let first = recorder.interval(100, 100, 2, (0.5, None));
        assert_eq!(
            first,
            Interval {
                cycle: 100,
                offered: 0.08,
                accepted: 0.0,
                latency: None,
                links_power: 0.5,
                channels_power: None
            }
        );
        recorder.delivered(110, &messages[0]);
        recorder.delivered(120, &messages[1]);
        let second = recorder.interval(200, 100, 2, (1.0, Some(0.25)));
        assert_eq!(
            second,
            Interval {
                cycle: 200,
                offered: 0.0,
                accepted: 0.08,
                latency: Some(95.0),
                links_power: 1.0,
                channels_power: Some(0.25)
            }
        );
        assert_eq!(recorder.interval(300, 100, 2, (1.0, None)).latency, None);
    }
}
