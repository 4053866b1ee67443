//! Replays MPI programs: when does which node inject which message?
//!
//! What the ranks do, and what they wait for, is in one place for each format (`LogProgram` here, `VefProgram` in
//! [`vef`](crate::format::vef)); what carries their messages is another:
//!
//! - A network tells when messages have left and come in: [`ProgramReplay`](crate::program::ProgramReplay), the closed loop.
//!   Contention and sleeping links slow the ranks down, and the run time of the program comes out.
//! - An ideal network, in which a message waits for nothing but the link of its own node and has come in
//!   when its last flit has left, plus the hops to the receiver: [`Replay`] and [`VefReplay`](crate::format::vef::VefReplay),
//!   the open loop. Where the traffic offered to a single switch must not depend on the switch under test.
//!
//! Either way ranks wait for what they receive. Without that they drift apart: in the HPL excerpt in
//! `testbenches/traces` the compute gaps add up to 2.4 ms on one rank and 3.0 ms on another, while
//! the run, most of which is waiting for each other, takes 14.8 ms. Data would be sent on long
//! before it has arrived.

pub(crate) mod ideal;
pub mod message;
pub(crate) mod open_loop;

use crate::options::{Timing, TrafficOptions};
use crate::program::driven::Local;
use crate::program::mpi::LogProgram;
use crate::program::note;
use crate::trace::Trace;
use anyhow::Result;
use message::{Message, Messages};
use open_loop::OpenLoop;

/// Switches between two different nodes, given as (source, destination).
pub type Hops = Box<dyn Fn(u32, u32) -> u32 + Send>;

/// A running replay of logs over an ideal network; see [`Messages`].
pub struct Replay(OpenLoop<LogProgram>);

impl Replay {
    /// Starts a replay of `trace` over a network in which packets pass `hops` switches.
    pub fn new(trace: &Trace, options: &TrafficOptions, hops: Hops) -> Result<Replay> {
        let timing = Timing::new(options)?;
        let program = LogProgram::new(trace, timing, Local::alone(trace.ranks()))?;
        Ok(Replay(OpenLoop::new(program, trace.ranks(), timing, hops)))
    }

    /// Starts a replay that keeps notes.
    pub(crate) fn with_notes(trace: &Trace, options: &TrafficOptions, hops: Hops) -> Result<Replay> {
        let mut replay = Replay::new(trace, options, hops)?;
        replay.0.program_mut().keep_notes();
        Ok(replay)
    }

    pub(crate) fn program(&self) -> &LogProgram {
        self.0.program()
    }

    pub(crate) fn take_notes(&mut self) -> Vec<note::Note> {
        self.0.program_mut().take_notes()
    }

    /// Goes on to the next cycle in which anything happens, forgetting the messages. False when all ranks have ended.
    pub(crate) fn advance(&mut self) -> Result<bool> {
        self.0.forget();
        self.0.advance()
    }
}

impl Messages for Replay {
    fn now(&self) -> Option<u64> {
        self.0.now()
    }
}

impl Iterator for Replay {
    type Item = Result<Message>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}
