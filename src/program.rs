//! The options of MPI programs, as the commands share them.

use crate::places::place;
use crate::selection::{duration, input_file, whole};
use anyhow::{Result, bail, ensure};
use powar_config::units::Nanoseconds;
use powar_evaluation::network::TraceOptions;
use powar_traffic::{Polls, RankPlacement, ReplayOptions, Trace};
use std::path::{Path, PathBuf};

const PROGRAM: &str = "MPI program";

/// An MPI program, where it runs and how it is replayed.
#[derive(clap::Args)]
pub struct ProgramArgs {
    #[command(flatten)]
    recorded: RecordedArgs,
    /// Ranks on a node; what they send each other stays there [default: 1]
    #[arg(long, help_heading = PROGRAM, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX.into()), requires = "program")]
    ranks_per_node: Option<u32>,
    /// Where ranks run: by name (listed below), or a file with the node of rank 0 in its first line, that of rank 1 in the second, .. [default: linear]
    #[arg(long, help_heading = PROGRAM, value_name = "NAME|FILE", requires = "program")]
    placement: Option<PathBuf>,
    /// How long before a message a rank that computes until then tells its node's interface of it, also of jobs: 0 to 1ms; for policies with hints [default: 0]
    #[arg(long, help_heading = PROGRAM, value_name = "TIME", value_parser = duration, requires = "computing")]
    lead: Option<Nanoseconds>,
    /// How many waits a rank that begins to wait looks past: its node's interface is told of the messages behind them, up to the next computation; for policies with hints [default: 0]
    #[arg(long, help_heading = PROGRAM, value_name = "N", value_parser = whole::<u32>(0..=1000), requires = "program")]
    foresight: Option<u32>,
}

/// An MPI program and how it is replayed; docs/programs.md defines each option.
#[derive(clap::Args)]
pub struct RecordedArgs {
    /// MPI trace: a folder or archive of logs such as testbenches/traces/hpl-64.tar.xz or of DUMPI text, a VEF or a GOAL trace; packed or not
    #[arg(long, help_heading = PROGRAM, value_name = "FILE", groups = ["program", "computing"], value_parser = input_file())]
    input: Option<PathBuf>,
    /// Skeleton of a program and its parameters, such as hpl:n=8192,nb=128,p=8,q=8 (listed below)
    #[arg(long, help_heading = PROGRAM, value_name = "NAME[:KEY=VALUE,..]", groups = ["program", "computing"])]
    skeleton: Option<String>,
    /// Factor on every compute gap, of jobs too; above 1 it stands in for a larger problem [default: 1]
    #[arg(long, help_heading = PROGRAM, value_name = "X", requires = "computing")]
    gap_scale: Option<f64>,
    /// Time subtracted from every recorded gap, never below zero: what recording a call cost [default: 0]
    #[arg(long, help_heading = PROGRAM, value_name = "TIME", value_parser = duration, requires = "program")]
    gap_floor: Option<Nanoseconds>,
    /// Factor on recorded gaps of --flop-limit and more: those in which the program calculates [default: 1]
    #[arg(long, help_heading = PROGRAM, value_name = "X", requires = "program")]
    flop_factor: Option<f64>,
    /// Shorter gaps are left alone by --flop-factor [default: 0]
    #[arg(long, help_heading = PROGRAM, value_name = "TIME", value_parser = duration, requires = "program")]
    flop_limit: Option<Nanoseconds>,
    /// What a receive does that the program polled for, if its message is not there: go-on (take it later) or wait [default: go-on]
    #[arg(long, help_heading = PROGRAM, value_name = "HOW", value_parser = polls, requires = "program")]
    polls: Option<Polls>,
    /// Algorithms of collectives: open-mpi or textbook [default: open-mpi]
    #[arg(long, help_heading = PROGRAM, value_name = "NAME", requires = "program")]
    collectives: Option<String>,
    /// Time of a reduction for each byte, ns [default: 0]
    #[arg(long, help_heading = PROGRAM, value_name = "NS", requires = "program")]
    reduce_byte: Option<f64>,
    /// Processor time of each send (LogGPS: o) [default: 0]
    #[arg(long, help_heading = PROGRAM, value_name = "TIME", value_parser = duration, requires = "program")]
    o_send: Option<Nanoseconds>,
    /// Processor time of each receive [default: 0]
    #[arg(long, help_heading = PROGRAM, value_name = "TIME", value_parser = duration, requires = "program")]
    o_recv: Option<Nanoseconds>,
    /// Processor time of sends and receives for each byte, ns (LogGOPS: O) [default: 0]
    #[arg(long, help_heading = PROGRAM, value_name = "NS", requires = "program")]
    o_byte: Option<f64>,
    /// Longest message that goes without asking the receiver, bytes (LogGPS: S) [default: unlimited]
    #[arg(long, help_heading = PROGRAM, value_name = "BYTES", value_parser = whole::<u64>(0..), requires = "program")]
    eager_limit: Option<u64>,
    /// Time of a message between ranks of one node [default: 500ns]
    #[arg(long, help_heading = PROGRAM, value_name = "TIME", value_parser = duration, requires = "program")]
    local: Option<Nanoseconds>,
    /// The same for each byte, ns: one over the bandwidth [default: 0]
    #[arg(long, help_heading = PROGRAM, value_name = "NS", requires = "program")]
    local_byte: Option<f64>,
}

fn polls(text: &str) -> std::result::Result<Polls, String> {
    match text {
        "go-on" => Ok(Polls::GoOn),
        "wait" => Ok(Polls::Wait),
        _ => Err("expected go-on or wait".into()),
    }
}

impl ProgramArgs {
    /// The program; none if there is no trace and no skeleton.
    pub fn options(&self) -> Option<TraceOptions> {
        let RecordedArgs { input, skeleton, .. } = &self.recorded;
        if input.is_none() && skeleton.is_none() {
            return None;
        }
        Some(TraceOptions {
            input: input.clone().unwrap_or_default(),
            skeleton: skeleton.clone(),
            ranks_per_node: self.ranks_per_node.unwrap_or(1),
            placement: self.placement.clone().map(RankPlacement::from),
            replay: ReplayOptions {
                lead: self.lead(),
                foresight: self.foresight.unwrap_or(ReplayOptions::default().foresight),
                ..self.recorded.replay()
            },
        })
    }

    /// How long before messages nodes tell of them.
    pub fn lead(&self) -> Nanoseconds {
        self.lead.unwrap_or(ReplayOptions::default().lead)
    }

    /// Factor on compute gaps, if one is given.
    pub fn gap_scale(&self) -> Option<f64> {
        self.recorded.gap_scale
    }
}

impl RecordedArgs {
    /// Opens the program.
    pub fn open(&self) -> Result<Trace> {
        match (&self.input, &self.skeleton) {
            (Some(input), _) => Trace::open(input),
            (None, Some(skeleton)) => Trace::skeleton(skeleton),
            (None, None) => bail!("there is no program, expected --input or --skeleton"),
        }
    }

    /// The program's own file is not one to write to: a recording has more in it than another format holds.
    pub fn refuse_to_replace(&self, out: &Path) -> Result<()> {
        let is_input = self.input.as_ref().is_some_and(|input| place(input) == place(out));
        ensure!(!is_input, "--out: {} is the input; expected another file", out.display());
        Ok(())
    }

    /// How it is replayed.
    pub fn replay(&self) -> ReplayOptions {
        let default = ReplayOptions::default();
        ReplayOptions {
            gap_scale: self.gap_scale.unwrap_or(default.gap_scale),
            gap_floor: self.gap_floor.unwrap_or(default.gap_floor),
            flop_factor: self.flop_factor.unwrap_or(default.flop_factor),
            flop_limit: self.flop_limit.unwrap_or(default.flop_limit),
            polls: self.polls.unwrap_or(default.polls),
            collectives: self.collectives.clone().unwrap_or(default.collectives),
            reduce_byte: self.reduce_byte.unwrap_or(default.reduce_byte),
            o_send: self.o_send.unwrap_or(default.o_send),
            o_recv: self.o_recv.unwrap_or(default.o_recv),
            o_byte: self.o_byte.unwrap_or(default.o_byte),
            eager_limit: self.eager_limit.or(default.eager_limit),
            local: self.local.unwrap_or(default.local),
            local_byte: self.local_byte.unwrap_or(default.local_byte),
            lead: default.lead,
            foresight: default.foresight,
        }
    }
}
