//! An open loop: nodes have packets at their times, whatever becomes of them.

use super::agenda::Agenda;
use super::arrivals::{self, ArrivalParameters, ArrivalProcess};
use super::lengths::Lengths;
use super::models::Generator;
use super::options::SyntheticOptions;
use super::patterns::Pattern;
use super::random::Random;
use anyhow::Result;
use powar_config::Message;

/// Nodes that send by a pattern, an arrival process and lengths.
pub(crate) struct OpenLoop {
    pattern: Box<dyn Pattern>,
    arrivals: Box<dyn ArrivalProcess>,
    lengths: Lengths,
    random: Vec<Random>,
    /// When each node has its next packet.
    agenda: Agenda,
    stop: u64,
    /// Messages up to now.
    messages: u64,
}

impl OpenLoop {
    pub fn new(options: &SyntheticOptions, nodes: u32, pattern: Box<dyn Pattern>) -> Result<OpenLoop> {
        let (lengths, load) = options.check()?;
        let mut random: Vec<Random> = (0..nodes).map(|node| Random::new(options.seed, u64::from(node))).collect();
        let (start, stop) = (options.start, options.stop());
        let parameters = ArrivalParameters { options, load: &load, mean_flits: lengths.mean(), start, stop };
        let arrivals = (arrivals::by_name(&options.arrivals)?.build)(&parameters, &mut random)?;
        let agenda = Agenda::new(nodes as usize);
        let mut open = OpenLoop { pattern, arrivals, lengths, random, agenda, stop, messages: 0 };
        for node in (0..nodes).filter(|&node| open.pattern.sends(node)).collect::<Vec<_>>() {
            open.schedule(node);
        }
        Ok(open)
    }

    /// Notes when the node has its next packet.
    fn schedule(&mut self, node: u32) {
        let cycle = self.arrivals.next(node, &mut self.random[node as usize]);
        if cycle < self.stop {
            self.agenda.insert(cycle, node);
        }
    }
}

impl Generator for OpenLoop {
    fn next_event(&self) -> u64 {
        self.agenda.first()
    }

    fn act(&mut self, now: u64, messages: &mut Vec<Message>) {
        while let Some(source) = self.agenda.pop(now) {
            let random = &mut self.random[source as usize];
            let destination = self.pattern.destination(source, random);
            let flits = self.lengths.draw(random);
            messages.push(Message { number: self.messages, source, destination, flits });
            self.messages += 1;
            self.schedule(source);
        }
    }

    fn is_over(&self) -> bool {
        self.agenda.first() == u64::MAX
    }
}
