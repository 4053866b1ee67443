//! Programs over an ideal network: messages whose times do not depend on the network under study.

use super::Hops;
use super::ideal::IdealNetwork;
use super::message::{Carried, Message, Messages};
use crate::options::Timing;
use crate::program::driven::{Driven, Issued};
use anyhow::{Context, Result};
use std::collections::VecDeque;

/// A program over an ideal network in which packets pass `hops` switches; see [`Messages`].
pub(crate) struct OpenLoop<P: ?Sized> {
    program: Box<P>,
    timing: Timing,
    hops: Hops,
    network: IdealNetwork,
    /// Packets each node has sent.
    packets: Vec<u64>,
    /// Messages so far.
    messages: u32,
    /// Messages of cycle `now` that nobody has taken.
    issued: VecDeque<Message>,
    now: u64,
    scratch: Vec<Issued>,
    failed: bool,
}

impl<P: Driven + ?Sized> OpenLoop<P> {
    /// Starts `program`, whose ranks are alone on their nodes.
    pub fn new(program: Box<P>, ranks: u32, timing: Timing, hops: Hops) -> OpenLoop<P> {
        OpenLoop {
            program,
            timing,
            hops,
            network: IdealNetwork::new(ranks),
            packets: vec![0; ranks as usize],
            messages: 0,
            issued: VecDeque::new(),
            now: 0,
            scratch: Vec::new(),
            failed: false,
        }
    }

    pub fn program(&self) -> &P {
        &self.program
    }

    pub fn program_mut(&mut self) -> &mut P {
        &mut self.program
    }

    /// Goes on to the next cycle in which anything happens, forgetting the messages nobody has taken. False when all ranks have
    /// ended.
    pub fn pass(&mut self) -> Result<bool> {
        self.issued.clear();
        self.advance()
    }

    /// Goes on to the next cycle in which anything happens. False when all ranks have ended.
    fn advance(&mut self) -> Result<bool> {
        let now = self.program.next_event().min(self.network.next_event());
        if now == u64::MAX {
            return if self.program.is_over() { Ok(false) } else { Err(self.program.stalled()) };
        }
        self.now = now;
        while let Some((cycle, number, what)) = self.network.happened(now) {
            match what {
                Carried::Sent => self.program.sent(cycle, number),
                Carried::Delivered => self.program.delivered(cycle, number),
            }
        }
        if self.program.next_event() <= now {
            let mut issued = std::mem::take(&mut self.scratch);
            let acted = self.program.act(now, &mut issued);
            for message in issued.drain(..) {
                self.inject(message)?;
            }
            self.scratch = issued;
            acted?;
        }
        Ok(true)
    }

    fn inject(&mut self, issued: Issued) -> Result<()> {
        let Issued { number, source, destination, bytes, local, foretold: _ } = issued;
        let packets = if local { 0 } else { self.timing.packets(bytes) };
        let start = if local {
            self.now
        } else {
            let flits = packets * u64::from(self.timing.flits_per_packet);
            let latency = u64::from((self.hops)(source, destination)) * self.timing.hop_cycles;
            self.network
                .inject(self.now, number, source, flits, latency)
                .context("the replay's clock has run over, expected a smaller gap scale")?
        };
        let sent = &mut self.packets[source as usize];
        let first_sequence = *sent;
        *sent += packets;
        let number = self.messages;
        self.messages =
            number.checked_add(1).with_context(|| format!("the trace has more than {} messages", u32::MAX))?;
        self.issued.push_back(Message { number, source, destination, bytes, packets, start, first_sequence });
        Ok(())
    }
}

impl<P: Driven + ?Sized> Messages for OpenLoop<P> {
    fn now(&self) -> Option<u64> {
        if !self.issued.is_empty() {
            return Some(self.now);
        }
        let next = self.program.next_event().min(self.network.next_event());
        (next < u64::MAX).then_some(next)
    }
}

impl<P: Driven + ?Sized> Iterator for OpenLoop<P> {
    type Item = Result<Message>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(message) = self.issued.pop_front() {
                return Some(Ok(message));
            }
            if self.failed {
                return None;
            }
            match self.advance() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    self.failed = true;
                    self.issued.clear();
                    return Some(Err(error));
                }
            }
        }
    }
}
