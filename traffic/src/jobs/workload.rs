//! Jobs as the workload of a network.

use super::mix::{MOST_JOBS, Program};
use super::record::JobRecord;
use super::scheduler::{Scheduler, Want};
use crate::options::{Timing, TrafficOptions};
use crate::program::{NodeChoice, Order, Placement, PlacementOptions, ProgramReplay};
use anyhow::{Context, Result, ensure};
use powar_config::workload::{Foretold, Message, Workload};
use std::collections::BTreeSet;

/// Bits of a message's number that are the job's own; those above them are the job's.
const OWN: u32 = 44;

/// The machine that jobs share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cluster {
    pub nodes: u32,
    /// Cores of a node, each for one task.
    pub tasks_per_node: u32,
    /// Of the scheduler's draws.
    pub seed: u64,
}

/// Jobs that share a network (Andújar et al., FGCS 2023, section 3.3).
///
/// Jobs are placed in the first cycle and in every cycle in which one has ended, its nodes being free then. A job's replay begins in
/// the cycle in which it is placed and counts from there: over the same nodes and without others it takes as long as alone. It is
/// over when the last job has ended.
pub struct Jobs {
    cluster: Cluster,
    packets: TrafficOptions,
    scheduler: Scheduler,
    jobs: Vec<Job>,
    /// Numbers of those that run, in the order in which they were placed.
    running: Vec<usize>,
    /// Messages that nodes tell their interfaces of in the cycle under way.
    foretold: Vec<Foretold>,
    /// Whether the first jobs were placed.
    began: bool,
    /// Cycles that jobs which have ended computed, node by node.
    computed: Vec<f64>,
}

struct Job {
    program: Program,
    record: JobRecord,
    /// While it runs.
    replay: Option<Box<ProgramReplay>>,
    nodes: Vec<u32>,
}

impl Job {
    /// The first cycle of the network in which it acts on its own; `u64::MAX` if it waits for the network, or does not run.
    fn next_event(&self) -> u64 {
        let next = self.replay.as_ref().map_or(u64::MAX, |replay| replay.next_event());
        if next == u64::MAX { next } else { self.record.start.saturating_add(next) }
    }
}

impl Jobs {
    /// `programs` on a cluster. Its messages become packets as `packets` says, whose replay options don't count: each program has its
    /// own.
    ///
    /// # Errors
    /// A program with more tasks than the cluster has cores, or options out of range: with the job's name.
    pub fn new(programs: Vec<Program>, cluster: Cluster, packets: &TrafficOptions) -> Result<Jobs> {
        let all = programs.len() as u64;
        ensure!((1..=MOST_JOBS).contains(&all), "there are {all} jobs, expected 1 to {MOST_JOBS}");
        check(&programs, cluster)?;
        let want = |program: &Program| want(program, cluster).with_context(|| format!("job `{}`", program.name));
        let wants = programs.iter().map(want).collect::<Result<Vec<Want>>>()?;
        let scheduler = Scheduler::new(cluster.nodes, wants, cluster.seed);
        let job = |program: Program| -> Result<Job> {
            let options = TrafficOptions { replay: program.replay.clone(), ..packets.clone() };
            Timing::new(&options).with_context(|| format!("job `{}`", program.name))?;
            let record = JobRecord { name: program.name.clone(), tasks: program.trace.ranks(), ..JobRecord::default() };
            Ok(Job { program, record, replay: None, nodes: vec![] })
        };
        Ok(Jobs {
            cluster,
            packets: packets.clone(),
            scheduler,
            jobs: programs.into_iter().map(job).collect::<Result<_>>()?,
            running: vec![],
            foretold: vec![],
            began: false,
            computed: vec![0.0; cluster.nodes as usize],
        })
    }

    /// The jobs that were placed, in the order of their start, those of one cycle by their first nodes.
    pub fn records(&self) -> Vec<JobRecord> {
        let placed = self.jobs.iter().filter(|job| !job.nodes.is_empty());
        let mut records: Vec<JobRecord> = placed.map(|job| job.record.clone()).collect();
        records.sort_by_key(|record| (record.start, record.first_node));
        records
    }

    /// The run time in cycles: when the last job has ended; `None` before.
    pub fn run_time(&self) -> Option<u64> {
        self.is_over().then(|| self.jobs.iter().map(|job| job.record.end).max().unwrap_or(0))
    }

    /// Places jobs until no more fits.
    fn place(&mut self, now: u64) -> Result<()> {
        while let Some((number, nodes)) = self.scheduler.place() {
            let job = &mut self.jobs[number];
            let replay = start(job, &nodes, self.cluster, &self.packets);
            job.replay = Some(Box::new(replay.with_context(|| format!("job `{}`", job.record.name))?));
            job.record.nodes = nodes.len() as u32;
            job.record.first_node = nodes.first().copied().unwrap_or(0);
            job.record.start = now;
            job.nodes = nodes;
            self.running.push(number);
        }
        Ok(())
    }

    /// Lets jobs do all that is due; returns whether one has ended.
    fn run(&mut self, now: u64, messages: &mut Vec<Message>) -> Result<bool> {
        for &number in &self.running {
            let job = &mut self.jobs[number];
            if job.next_event() > now {
                continue;
            }
            let Some(replay) = &mut job.replay else { continue };
            let first = messages.len();
            replay.act(now - job.record.start, messages).with_context(|| format!("job `{}`", job.record.name))?;
            replay.foretell(&mut self.foretold);
            for message in &mut messages[first..] {
                ensure!(message.number >> OWN == 0, "job `{}`: sends too many messages", job.record.name);
                message.number |= (number as u64) << OWN;
            }
        }
        let before = self.running.len();
        let running = std::mem::take(&mut self.running);
        for number in running {
            if !self.end(number) {
                self.running.push(number);
            }
        }
        Ok(self.running.len() < before)
    }

    /// Clears away a job if it has ended: its nodes are free, and nothing is kept of its replay but what it came to. Messages that
    /// nobody received may still be under way.
    fn end(&mut self, number: usize) -> bool {
        let job = &mut self.jobs[number];
        let Some((replay, run_time)) = job.replay.as_ref().and_then(|replay| Some((replay, replay.run_time()?))) else {
            return false;
        };
        for (sum, cycles) in self.computed.iter_mut().zip(replay.computing(run_time)) {
            *sum += cycles;
        }
        let traffic = replay.traffic();
        job.record.bytes = traffic.bytes + traffic.local_bytes;
        job.record.network_bytes = traffic.bytes;
        job.record.end = job.record.start + run_time;
        job.replay = None;
        self.scheduler.release(&job.nodes);
        true
    }

    /// The job of a message and its replay, if it still runs; the message with the number that the replay gave it.
    fn owner(&mut self, message: &Message) -> Option<(u64, &mut ProgramReplay, Message)> {
        let job = self.jobs.get_mut((message.number >> OWN) as usize)?;
        let own = Message { number: message.number & ((1 << OWN) - 1), ..*message };
        Some((job.record.start, job.replay.as_deref_mut()?, own))
    }
}

/// Whether each of the programs fits a cluster of which it has all nodes.
fn check(programs: &[Program], cluster: Cluster) -> Result<()> {
    let Cluster { nodes, tasks_per_node, .. } = cluster;
    ensure!(tasks_per_node >= 1, "tasks_per_node is `0`, expected 1 or more");
    let cores = u64::from(nodes) * u64::from(tasks_per_node);
    for Program { name, trace, .. } in programs {
        let tasks = trace.ranks();
        ensure!(
            u64::from(tasks) <= cores,
            "job `{name}`: tasks is `{tasks}`, expected 1 to {cores}: {tasks_per_node} on each of {nodes} nodes"
        );
    }
    Ok(())
}

/// Where a job's ranks run, on nodes counted from 0 in the order in which the job gets them.
fn within(program: &Program, cluster: Cluster) -> Result<Placement> {
    let Program { trace, placement, nodes, .. } = program;
    let (ranks, most) = (trace.ranks(), cluster.tasks_per_node);
    let is_file = placement.file().is_some();
    let own = nodes.len() as u32;
    if own == 0 {
        let nodes = if is_file { cluster.nodes } else { ranks.div_ceil(most) };
        return placement.place(ranks, most, nodes, &[]);
    }
    let needed = ranks.div_ceil(most);
    ensure!(own >= needed, "nodes: there are {own}, expected {needed} or more for {ranks} tasks, {most} on each");
    // All nodes that it names are used, unless a file says otherwise.
    let per_node = if is_file { most } else { ranks.div_ceil(own) };
    placement.place(ranks, per_node, own, &[])
}

/// The nodes that a job waits for.
fn want(program: &Program, cluster: Cluster) -> Result<Want> {
    let placement = within(program, cluster)?;
    if program.nodes.is_empty() {
        let last = placement.node_of().iter().max().copied().unwrap_or(0);
        return Ok(Want::Any(last + 1));
    }
    let mut seen = BTreeSet::new();
    for &node in &program.nodes {
        ensure!(node < cluster.nodes, "nodes has `{node}`, expected 0 to {}", cluster.nodes - 1);
        ensure!(seen.insert(node), "nodes has `{node}` twice, expected each node once");
    }
    Ok(Want::These(program.nodes.clone()))
}

/// The replay of a job on these nodes.
fn start(job: &Job, nodes: &[u32], cluster: Cluster, packets: &TrafficOptions) -> Result<ProgramReplay> {
    let Program { trace, replay, .. } = &job.program;
    let within = within(&job.program, cluster)?;
    let node_of = within.node_of().iter().map(|&place| nodes.get(place as usize).copied());
    let node_of: Option<Vec<u32>> = node_of.collect();
    let placement = PlacementOptions {
        ranks_per_node: cluster.tasks_per_node,
        order: Order::Block,
        choice: NodeChoice::Each(node_of.context("placement: its file has changed")?),
    };
    let options = TrafficOptions { replay: replay.clone(), ..packets.clone() };
    ProgramReplay::new(trace, &options, Placement::new(trace.ranks(), cluster.nodes, &placement)?)
}

impl Workload for Jobs {
    fn next_event(&self) -> u64 {
        if !self.began {
            return 0;
        }
        self.running.iter().map(|&number| self.jobs[number].next_event()).min().unwrap_or(u64::MAX)
    }

    fn act(&mut self, now: u64, messages: &mut Vec<Message>) -> Result<()> {
        self.foretold.clear();
        let mut room = !std::mem::replace(&mut self.began, true);
        room |= self.run(now, messages)?;
        // A job may end in the cycle in which it was placed.
        while room {
            self.place(now)?;
            room = self.run(now, messages)?;
        }
        Ok(())
    }

    fn foretell(&mut self, foretold: &mut Vec<Foretold>) {
        foretold.append(&mut self.foretold);
    }

    fn sent(&mut self, now: u64, message: &Message) {
        if let Some((start, replay, own)) = self.owner(message) {
            replay.sent(now - start, &own);
        }
    }

    fn delivered(&mut self, now: u64, message: &Message) {
        if let Some((start, replay, own)) = self.owner(message) {
            replay.delivered(now - start, &own);
        }
    }

    fn is_over(&self) -> bool {
        self.began && self.running.is_empty() && self.scheduler.waiting().next().is_none()
    }

    fn waits(&self) -> Vec<String> {
        let running = self.running.iter().map(|&number| &self.jobs[number]);
        let of_running = running.flat_map(|job| {
            let waits = job.replay.as_ref().map(|replay| replay.waits()).unwrap_or_default();
            waits.into_iter().map(|line| format!("job {}: {line}", job.record.name))
        });
        let waiting = self.scheduler.waiting().map(|number| format!("job {}: nodes", self.jobs[number].record.name));
        of_running.chain(waiting).collect()
    }

    /// While a job has a node, the mean over the job's ranks there; nodes without a job compute nothing.
    fn computing(&self, now: u64) -> Vec<f64> {
        let mut cycles = self.computed.clone();
        for job in self.running.iter().map(|&number| &self.jobs[number]) {
            let own = job.replay.as_ref().map(|replay| replay.computing(now.saturating_sub(job.record.start)));
            cycles.iter_mut().zip(own.unwrap_or_default()).for_each(|(sum, own)| *sum += own);
        }
        cycles
    }
}
