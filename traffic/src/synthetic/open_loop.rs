//! An open loop: nodes have packets at their times, whatever becomes of them.

use super::agenda::Agenda;
use super::arrivals::{self, ArrivalParameters, ArrivalProcess, Build};
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
        let build = arrivals::by_name(&options.arrivals)?.build;
        let alike = (0..nodes).all(|node| !pattern.sends(node) || pattern.weight(node) == 1.0);
        let arrivals = match alike {
            true => build(&parameters, &mut random)?,
            false => Box::new(Unequal::new(pattern.as_ref(), build, &parameters, &mut random)?),
        };
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
            messages.push(Message { number: self.messages, source, destination, flits, foretold: false });
            self.messages += 1;
            self.schedule(source);
        }
    }

    fn is_over(&self) -> bool {
        self.agenda.first() == u64::MAX
    }
}

/// Nodes with loads of their own: a process for each that sends.
struct Unequal(Vec<Option<Box<dyn ArrivalProcess>>>);

impl Unequal {
    fn new(
        pattern: &dyn Pattern,
        build: Build,
        parameters: &ArrivalParameters,
        random: &mut [Random],
    ) -> Result<Unequal> {
        let of_node = |(node, random): (u32, &mut Random)| {
            let load = parameters.load.times(pattern.weight(node));
            let parameters = ArrivalParameters { load: &load, ..*parameters };
            pattern.sends(node).then(|| build(&parameters, std::slice::from_mut(random))).transpose()
        };
        Ok(Unequal((0..).zip(random).map(of_node).collect::<Result<_>>()?))
    }
}

impl ArrivalProcess for Unequal {
    fn next(&mut self, node: u32, random: &mut Random) -> u64 {
        self.0[node as usize].as_mut().map_or(u64::MAX, |process| process.next(0, random))
    }
}
