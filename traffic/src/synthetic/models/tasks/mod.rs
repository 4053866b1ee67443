//! Communication tasks: self-similar traffic of two levels, as Soteriou and Peh, *Design-Space Exploration of Power-Aware On/Off
//! Interconnection Networks*, 2004, section V-B.2, describe theirs.
//!
//! ```text
//! level 1   tasks      when they come up, for how long, from which node to which      sessions::Sessions, locality::Locality
//! level 2   packets    of the ON/OFF sources of each task                             arrivals::Bursts
//! ```
//!
//! Tasks come up at random nodes in a Poisson process, `concurrent` / `duration` of them a cycle, so that `concurrent` are under way
//! in the mean (Little's law), as many in the first cycle as in any. A task has one destination, and `sources` ON/OFF sources with
//! Pareto periods whose packets all go there. Sources begin in equilibrium with their task and end with it.
//!
//! All tasks have the same rate, that which makes the load: with N nodes and a load of L flits a node and cycle,
//! L N / `concurrent` flits a cycle, whatever the number of tasks; so fewer tasks send more each, and the traffic varies more from node to
//! node and from time to time. A task's rate must not be more than the links of a node carry.
//!
//! Durations: the paper has their mean, 1 us, and that the traffic is long-range dependent. Correlations within a task end with it, so
//! tasks of exponential length would leave none beyond some microseconds. Here durations are Pareto, of shape `alpha`, and the number of
//! tasks under way is long-range dependent itself, with the Hurst index (3 - alpha) / 2 (Cox, *Long-range dependence: a review*, 1984, of
//! M/G/infinity queues). `durations = "exponential"` is the other reading.
//!
//! Nothing is kept of a task that is over, sources without another packet in their task cost nothing, and every event is a packet.

mod locality;
mod sessions;

use super::{Generator, Model, Surroundings};
use crate::synthetic::arrivals::{Bursts, Source};
use crate::synthetic::lengths::Lengths;
use crate::synthetic::options::SyntheticOptions;
use crate::synthetic::random::Random;
use crate::synthetic::timeline::LoadProfile;
use anyhow::{Context, Result, ensure};
use locality::Locality;
use powar_config::Message;
use powar_config::topology::wiring::Wiring;
use sessions::Sessions;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub const MODEL: Model = Model {
    name: "tasks",
    about: "tasks that come and go, each a self-similar stream to one node nearby (table tasks)",
    packet_flits: 5,
    build,
};

/// Streams of random numbers from this one on are those of tasks, one each; no node has them.
const STREAM: u64 = 1 << 43;

/// A task under way.
struct Task {
    source: u32,
    destination: u32,
    /// Its end, or that of the traffic.
    end: f64,
    /// All that its sources draw.
    random: Random,
    sources: Vec<Source>,
    /// Sources that have another packet.
    left: u32,
}

/// When which source of which task has its next packet.
type Due = Reverse<(u64, u32, u32)>;

/// Tasks that come and go.
struct Tasks {
    sessions: Sessions,
    bursts: Bursts,
    lengths: Lengths,
    seed: u64,
    sources: u32,
    stop: f64,
    /// By place; those that are free are listed.
    tasks: Vec<Task>,
    free: Vec<u32>,
    due: BinaryHeap<Due>,
    /// Tasks and messages up to now.
    begun: u64,
    messages: u64,
}

fn build(options: &SyntheticOptions, surroundings: &Surroundings) -> Result<Box<dyn Generator>> {
    let wiring = surroundings.wiring.context("pattern is `tasks`, expected in a network whose links are known")?;
    Ok(Box::new(Tasks::new(options, surroundings, wiring)?))
}

impl Tasks {
    fn new(options: &SyntheticOptions, surroundings: &Surroundings, wiring: &Wiring) -> Result<Tasks> {
        let &Surroundings { nodes, cycle_ns, .. } = surroundings;
        let tasks = options.tasks.clone().unwrap_or_default();
        tasks.check(cycle_ns)?;
        let (lengths, _) = options.check()?;
        let load = match tasks.packets_per_cycle {
            None => options.load,
            Some(packets) => {
                let load = packets * lengths.mean() / f64::from(nodes);
                let most = f64::from(nodes) / lengths.mean();
                ensure!(
                    load > 0.0 && load <= 1.0,
                    "tasks.packets_per_cycle is `{packets}`, expected a number above 0 up to {most}, a flit a node and cycle"
                );
                load
            }
        };
        let rate = load * f64::from(nodes) / tasks.concurrent;
        let links = wiring.nodes.iter().map(Vec::len).min().unwrap_or(1);
        ensure!(
            rate <= links as f64,
            "tasks.concurrent is `{}`, expected {} or more: at a load of {load} each task would send {rate} flits a cycle, more than its node's links carry",
            tasks.concurrent,
            load * f64::from(nodes) / links as f64
        );
        let of_source = LoadProfile::new(rate / f64::from(tasks.sources), &options.ramp)?;
        let bursts = Bursts::new(tasks.bursts(), &of_source, lengths.mean(), "tasks")?;
        let locality = Locality::new(wiring, tasks.locality, tasks.radius);
        let mut this = Tasks {
            sessions: Sessions::new(&tasks, cycle_ns, options.start as f64, options.seed, locality),
            bursts,
            lengths,
            seed: options.seed,
            sources: tasks.sources,
            stop: options.stop() as f64,
            tasks: Vec::new(),
            free: Vec::new(),
            due: BinaryHeap::new(),
            begun: 0,
            messages: 0,
        };
        this.begin_tasks();
        Ok(this)
    }

    /// Begins all tasks that may have a packet before the first one known; so that the first event is always a packet.
    fn begin_tasks(&mut self) {
        let first = |this: &Tasks| this.due.peek().map_or(this.stop, |Reverse((cycle, ..))| (*cycle + 1) as f64);
        while self.sessions.next_begin() < first(self).min(self.stop) {
            self.begin_task();
        }
    }

    fn begin_task(&mut self) {
        let session = self.sessions.next();
        let mut random = Random::new(self.seed, STREAM + self.begun);
        self.begun += 1;
        let end = session.end.min(self.stop);
        let mut task = Task {
            source: session.source,
            destination: session.destination,
            end,
            sources: (0..self.sources).map(|_| self.bursts.source(session.begin, &mut random)).collect(),
            random,
            left: 0,
        };
        let place = self.free.last().map_or(self.tasks.len() as u32, |&place| place);
        for (number, source) in (0..).zip(&mut task.sources) {
            if let Some(time) = self.bursts.next(source, end, &mut task.random) {
                self.due.push(Reverse((time as u64, place, number)));
                task.left += 1;
            }
        }
        if task.left > 0 {
            match self.free.pop() {
                Some(place) => self.tasks[place as usize] = task,
                None => self.tasks.push(task),
            }
        }
    }
}

impl Generator for Tasks {
    fn next_event(&self) -> u64 {
        self.due.peek().map_or(u64::MAX, |Reverse((cycle, ..))| *cycle)
    }

    fn act(&mut self, now: u64, messages: &mut Vec<Message>) {
        while let Some(&Reverse((cycle, place, number))) = self.due.peek()
            && cycle <= now
        {
            let Tasks { bursts, lengths, tasks, due, .. } = self;
            let task = &mut tasks[place as usize];
            let Task { source, destination, end, random, sources, left } = task;
            let flits = lengths.draw(random);
            messages.push(Message {
                number: self.messages,
                source: *source,
                destination: *destination,
                flits,
                foretold: false,
            });
            self.messages += 1;
            due.pop();
            match bursts.next(&mut sources[number as usize], *end, random) {
                Some(time) => due.push(Reverse((time as u64, place, number))),
                None => {
                    *left -= 1;
                    if *left == 0 {
                        self.free.push(place);
                    }
                }
            }
            self.begin_tasks();
        }
    }

    fn is_over(&self) -> bool {
        self.due.is_empty()
    }
}
