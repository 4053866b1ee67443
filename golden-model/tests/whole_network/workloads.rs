//! Small workloads.

use powar_config::{Message, Workload};
use std::collections::BTreeMap;

/// What a workload was told and when: (cycle, number).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    pub sent: Vec<(u64, u64)>,
    pub delivered: Vec<(u64, u64)>,
}

/// Messages at fixed cycles.
#[derive(Clone, Debug, Default)]
pub struct Script {
    pub messages: BTreeMap<u64, Vec<Message>>,
    pub told: Told,
}

impl Script {
    /// (cycle, source, destination, flits), numbered in this order.
    pub fn new(messages: &[(u64, u32, u32, u64)]) -> Script {
        let mut script = Script::default();
        for (number, &(cycle, source, destination, flits)) in (0..).zip(messages) {
            let message = Message { number, source, destination, flits, foretold: false };
            script.messages.entry(cycle).or_default().push(message);
        }
        script
    }

    /// Messages of 1 to 30 flits between random nodes, in bursts and lone ones, over so many cycles.
    pub fn random(seed: u64, nodes: u32, cycles: u64, load: f64) -> Script {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut messages = vec![];
        for source in 0..nodes {
            let mut cycle = 0;
            loop {
                let flits = if random.f64() < 0.6 { 8 } else { random.u64(1..=30) };
                cycle += (flits as f64 / load * -random.f64().max(1e-9).ln()) as u64;
                cycle += if random.u8(..) < 6 { random.u64(0..cycles / 4) } else { 0 };
                if cycle >= cycles {
                    break;
                }
                let destination = (source + random.u32(1..nodes)) % nodes;
                messages.push((cycle, source, destination, flits));
            }
        }
        messages.sort();
        Script::new(&messages)
    }
}

impl Workload for Script {
    fn next_event(&self) -> u64 {
        self.messages.keys().next().copied().unwrap_or(u64::MAX)
    }

    fn act(&mut self, now: u64, messages: &mut Vec<Message>) -> anyhow::Result<()> {
        while let Some(entry) = self.messages.first_entry().filter(|entry| *entry.key() <= now) {
            messages.extend(entry.remove());
        }
        Ok(())
    }

    fn sent(&mut self, now: u64, message: &Message) {
        self.told.sent.push((now, message.number));
    }

    fn delivered(&mut self, now: u64, message: &Message) {
        self.told.delivered.push((now, message.number));
    }

    fn is_over(&self) -> bool {
        self.messages.is_empty()
    }

    fn waits(&self) -> Vec<String> {
        vec![]
    }

    fn computing(&self, _: u64) -> Vec<f64> {
        vec![]
    }
}

/// One message after the other round a ring of nodes: each is given so many cycles after the one before came in.
#[derive(Clone, Debug)]
pub struct Relay {
    pub nodes: u32,
    pub left: u64,
    pub gap: u64,
    pub next: u64,
    pub told: Told,
}

impl Workload for Relay {
    fn next_event(&self) -> u64 {
        self.next
    }

    fn act(&mut self, _: u64, messages: &mut Vec<Message>) -> anyhow::Result<()> {
        let source = (self.left % u64::from(self.nodes)) as u32;
        let destination = (source + 1 + (self.left % u64::from(self.nodes - 1)) as u32) % self.nodes;
        messages.push(Message {
            number: self.left,
            source,
            destination,
            flits: 1 + self.left * 7 % 40,
            foretold: false,
        });
        self.left -= 1;
        self.next = u64::MAX;
        Ok(())
    }

    fn sent(&mut self, now: u64, message: &Message) {
        self.told.sent.push((now, message.number));
    }

    fn delivered(&mut self, now: u64, message: &Message) {
        self.told.delivered.push((now, message.number));
        if self.left > 0 {
            self.next = now + self.gap;
        }
    }

    fn is_over(&self) -> bool {
        self.left == 0 && self.next == u64::MAX
    }

    fn waits(&self) -> Vec<String> {
        vec![format!("message {} is still to come", self.left)]
    }

    fn computing(&self, _: u64) -> Vec<f64> {
        vec![]
    }
}
