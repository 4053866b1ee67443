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
use crate::synthetic::arrivals::{Bursts, SelfSimilarOptions, Source};
use crate::synthetic::lengths::Lengths;
use crate::synthetic::options::SyntheticOptions;
use crate::synthetic::random::Random;
use crate::synthetic::timeline::{LAST_CYCLE, LoadProfile};
use anyhow::{Context, Result, ensure};
use locality::Locality;
use powar_config::Message;
use powar_config::topology::wiring::Wiring;
use powar_config::units::Nanoseconds;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sessions::Sessions;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub const MODEL: Model = Model {
    name: "tasks",
    about: "tasks that come and go, each a self-similar stream to one node nearby (table tasks)",
    packet_flits: 5,
    build,
};

/// Most tasks under way in the mean.
const MOST_TASKS: f64 = 1e6;
/// Most sources of a task.
const MOST_SOURCES: u32 = 1024;
/// Streams of random numbers from this one on are those of tasks, one each; no node has them.
const STREAM: u64 = 1 << 43;

/// Tasks, and the sources within them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TasksOptions {
    /// Tasks under way in the mean, above 0 up to a million; need not be whole.
    pub concurrent: f64,
    /// How long a task lasts in the mean; a cycle to 2^48 cycles.
    pub duration: Nanoseconds,
    /// How durations are distributed.
    pub durations: Durations,
    /// Shape of Pareto durations, 1.01 to 1.99.
    pub alpha: f64,
    /// Probability, 0 to 1, with which a task's destination is within the sphere of locality of its node.
    pub locality: f64,
    /// Radius of that sphere: links between switches on the way to a node, at the fewest; 0 are the nodes of the same switch.
    pub radius: u32,
    /// ON/OFF sources of a task, 1 to 1024.
    pub sources: u32,
    /// Shapes of their ON and OFF periods, 1.01 to 1.99.
    pub alpha_on: f64,
    pub alpha_off: f64,
    /// Length of an ON period in the mean, cycles, 1 to 1e9.
    pub mean_on: f64,
    /// Flits a cycle of a source in an ON period; at least its load, at most 64.
    pub burst_load: f64,
    /// Packets that the whole network is offered a cycle, instead of the traffic's `load`, which is this times the flits of a packet over the
    /// nodes.
    pub packets_per_cycle: Option<f64>,
}

/// How long tasks last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Durations {
    #[default]
    Pareto,
    Exponential,
}

impl Default for TasksOptions {
    /// A hundred tasks of 1 us. The paper has no parameters of locality and sources: four of five tasks stay within two links (12 of 63 nodes
    /// of an 8 x 8 torus), and a task's 8 sources send some ten packets at the rate of a link before they are silent; H = 0.8 on both levels.
    fn default() -> Self {
        TasksOptions {
            concurrent: 100.0,
            duration: Nanoseconds(1000.0),
            durations: Durations::Pareto,
            alpha: 1.4,
            locality: 0.8,
            radius: 2,
            sources: 8,
            alpha_on: 1.4,
            alpha_off: 1.4,
            mean_on: 50.0,
            burst_load: 1.0,
            packets_per_cycle: None,
        }
    }
}

impl TasksOptions {
    /// Checks what sources don't check themselves.
    fn check(&self, cycle_ns: f64) -> Result<()> {
        let TasksOptions { concurrent, duration, alpha, locality, sources, .. } = *self;
        ensure!(
            concurrent > 0.0 && concurrent <= MOST_TASKS,
            "tasks.concurrent is `{concurrent}`, expected a number above 0 up to {MOST_TASKS}"
        );
        let cycles = duration.0 / cycle_ns;
        ensure!(
            (1.0..=LAST_CYCLE as f64).contains(&cycles),
            "tasks.duration is `{duration}`, expected 1 to {LAST_CYCLE} cycles of {cycle_ns} ns"
        );
        ensure!((1.01..=1.99).contains(&alpha), "tasks.alpha is `{alpha}`, expected a number from 1.01 to 1.99");
        ensure!((0.0..=1.0).contains(&locality), "tasks.locality is `{locality}`, expected a number from 0 to 1");
        ensure!((1..=MOST_SOURCES).contains(&sources), "tasks.sources is `{sources}`, expected 1 to {MOST_SOURCES}");
        Ok(())
    }

    fn bursts(&self) -> SelfSimilarOptions {
        let TasksOptions { alpha_on, alpha_off, mean_on, burst_load, .. } = *self;
        SelfSimilarOptions { alpha_on, alpha_off, mean_on, burst_load }
    }
}

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
