//! MPI programs as the workload of a network: a closed loop, in which the network tells when messages have left and
//! come in, so that the run time of the program comes out.
//!
//! The compute gaps of the ranks are kept (times the gap scale); everything else takes as long as the network lets it
//! take. What a rank waits for is described where [`replay`](crate::replay) is.
//!
//! Several ranks may share a node. What they send to each other stays there and is delivered
//! [`ReplayOptions::local`] later; their node's messages to others are sent one after the other. A rank has a core
//! of its own, as cores are what MPI programs are distributed over.

pub mod call;
pub mod collective;
pub(crate) mod driven;
mod ideal;
pub(crate) mod mpi;
pub(crate) mod note;
mod placement;

pub use ideal::{IdealRun, run_ideal};
pub use placement::{
    NodeChoice, Order, PLACEMENTS, Placement, PlacementKind, PlacementOptions, RankPlacement, read_rank_file,
};

#[cfg(doc)]
use crate::options::ReplayOptions;
use crate::options::{Timing, TrafficOptions};
use crate::program::driven::{Driven, Issued, Told};
use crate::trace::Trace;
use anyhow::{Result, ensure};
use powar_config::workload::{Foretold, Message, Workload};

/// A program replayed over whatever network drives it.
///
/// It is over when the last rank has ended; messages that nobody receives may still be under way. Nothing depends on
/// the order in which the network reports what happens in one cycle, nor on the order in which it delivers: ranks
/// receive in the order of sending.
pub struct ProgramReplay {
    program: Box<dyn Driven>,
    placement: Placement,
    timing: Timing,
    issued: Vec<Issued>,
    traffic: ProgramTraffic,
    ended: Option<u64>,
    remarks: Vec<String>,
}

/// What a program has sent so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProgramTraffic {
    /// Messages that entered the network, those of collectives included.
    pub messages: u64,
    /// Their payload, bytes.
    pub bytes: u64,
    /// Their length in whole packets, flits.
    pub flits: u64,
    /// Messages between ranks of one node.
    pub local_messages: u64,
    /// Their payload, bytes.
    pub local_bytes: u64,
}

impl ProgramReplay {
    /// The program of `trace`, MPI logs or a VEF trace, from its beginning.
    ///
    /// # Errors
    /// A placement for another number of ranks, options out of range, or logs that can't be opened.
    pub fn new(trace: &Trace, options: &TrafficOptions, placement: Placement) -> Result<ProgramReplay> {
        ensure!(
            placement.ranks() == trace.ranks(),
            "the placement is for {} ranks, expected the {} of {}",
            placement.ranks(),
            trace.ranks(),
            trace.name()
        );
        let timing = Timing::new(options)?;
        let replay = ProgramReplay::of(trace.program(timing, placement.node_of().to_vec())?, timing, placement);
        let remarks = trace.remarks().into_iter().chain(trace.unheeded(&options.replay)).collect();
        Ok(ProgramReplay { remarks, ..replay })
    }

    /// What the trace says ([`Trace::remarks`]) and what the options ask for that makes no difference, a line each.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Any program whose ranks run where `placement` says.
    pub(crate) fn of(program: Box<dyn Driven>, timing: Timing, placement: Placement) -> ProgramReplay {
        ProgramReplay {
            program,
            placement,
            timing,
            issued: Vec::new(),
            traffic: ProgramTraffic::default(),
            ended: None,
            remarks: Vec::new(),
        }
    }

    /// What has been sent so far.
    pub fn traffic(&self) -> &ProgramTraffic {
        &self.traffic
    }

    /// The run time in cycles: when the last rank has ended; `None` before.
    pub fn run_time(&self) -> Option<u64> {
        self.ended
    }

    /// Messages issued and not yet received, sent and delivered: all that its memory grows with.
    pub fn outstanding(&self) -> usize {
        self.program.outstanding()
    }

    /// Where the ranks run.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }
}

impl Workload for ProgramReplay {
    fn next_event(&self) -> u64 {
        self.program.next_event()
    }

    fn act(&mut self, now: u64, messages: &mut Vec<Message>) -> Result<()> {
        let acted = self.program.act(now, &mut self.issued);
        for Issued { number, source, destination, bytes, local, foretold } in self.issued.drain(..) {
            if local {
                self.traffic.local_messages += 1;
                self.traffic.local_bytes += bytes;
                continue;
            }
            let flits = self.timing.packets(bytes) * u64::from(self.timing.flits_per_packet);
            self.traffic.messages += 1;
            self.traffic.bytes += bytes;
            self.traffic.flits += flits;
            let [source, destination] = [source, destination].map(|rank| self.placement.node_of()[rank as usize]);
            messages.push(Message { number, source, destination, flits, foretold });
        }
        if self.ended.is_none() && self.program.is_over() {
            self.ended = Some(now);
        }
        acted
    }

    fn foretell(&mut self, foretold: &mut Vec<Foretold>) {
        let mut told = Vec::new();
        self.program.foretell(&mut told);
        let node = |rank| self.placement.node_of()[rank as usize];
        let of = |Told { source, destination }| Foretold { source: node(source), destination: node(destination) };
        foretold.extend(told.into_iter().map(of));
    }

    fn sent(&mut self, now: u64, message: &Message) {
        // In `now` the last flit is still on the link.
        self.program.sent(now + 1, message.number);
    }

    fn delivered(&mut self, now: u64, message: &Message) {
        self.program.delivered(now, message.number);
    }

    fn is_over(&self) -> bool {
        self.program.is_over()
    }

    fn waits(&self) -> Vec<String> {
        self.program.waits()
    }

    /// With several ranks on a node, the mean of their times. Of logs these are the compute gaps. Of a VEF trace they
    /// are the times of its lines, which don't hold what a task has computed before a receive that then had to wait: a
    /// lower bound.
    fn computing(&self, now: u64) -> Vec<f64> {
        let mut cycles = vec![0.0; self.placement.nodes() as usize];
        for (rank, &node) in self.placement.node_of().iter().enumerate() {
            cycles[node as usize] += self.program.computed(rank as u32, now) as f64;
        }
        for (cycles, ranks) in cycles.iter_mut().zip(self.placement.ranks_on()) {
            *cycles /= f64::from(ranks.max(1));
        }
        cycles
    }
}
