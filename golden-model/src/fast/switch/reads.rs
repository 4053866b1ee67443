//! Reading: packets leave their buffers in runs, whose ends are planned when they begin.

use super::due::{CYCLES, Duties};
use super::input_port::LastRun;
use super::input_ports::InputPorts;
use super::link::{Credits, Payload, Train, VC_BITS};
use super::queue::Run;
use crate::bits::{ones, rotated_up_8, round_robin_8};
use powar_config::Phase;

/// A packet whose flits that are still to be read are as many as this, all in the buffer, lets go of its output port if that is steady.
const LETS_GO: u16 = 5;
/// With so many its virtual channel and its input port may take the next packet, two cycles later.
const ENDS: u16 = 3;
/// The most flits of a train on a link of a switch, and credits of a run. A packet with more to be read is read in shorter runs
/// until it has as many, so that what happens at its end can be planned when its last run begins.
pub const LONGEST_TRAIN: u16 = CYCLES as u16 - 16;
/// Flits of such a run.
const SHORT_RUN: u16 = 32;

/// What the reads of a cycle come to, as masks over output ports: those that a flit sets out for in the next cycle, and those of them
/// that are released with it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reads {
    pub departing: u64,
    pub released: u64,
}

impl<P: Payload> InputPorts<P> {
    /// A cycle in which nothing can be read.
    #[inline]
    pub fn read_nothing(&mut self, credits: &mut Vec<Credits>, departing: &mut Vec<Train<P>>) -> Reads {
        credits.clear();
        departing.clear();
        (self.can_read, self.ending, self.ended) = (self.every & !self.reading, 0, 0);
        Reads::default()
    }

    /// Begins to read of each port that can, whose memory's words are departing from the next cycle on; puts the credits that begin then.
    /// `steady`: the ports that were steady in the cycle before.
    #[inline(never)]
    pub fn read(&mut self, now: u64, credits: &mut Vec<Credits>, departing: &mut Vec<Train<P>>, steady: u64) -> Reads {
        credits.clear();
        departing.clear();
        self.can_read = self.every & !(self.able | self.reading);
        // What is read flit by flit says again with each of them whether it ends.
        self.ending &= if self.keeps_ready { !self.ended } else { 0 };
        self.ended = 0;
        for i in ones(self.able & !self.reading) {
            self.start_reading(i);
        }
        let mut due = self.due.take(now);
        for i in ones(std::mem::take(&mut self.flowing)) {
            let begun = self.begin_run(now, i, steady, credits, departing);
            due.stops |= begun.stops;
            due.ends |= begun.ends;
            due.released |= begun.released;
        }
        self.ending |= due.ends;
        self.asking |= self.routed & self.ending;
        self.can_read |= self.ending & !self.contended;
        let departing = self.sending;
        for i in ones(due.stops) {
            self.end_run(now, i);
        }
        Reads { departing, released: due.released }
    }

    /// A port takes the next of its VCs that can be read.
    #[inline]
    fn start_reading(&mut self, i: usize) {
        let port = &mut self.ports[i];
        let pick = round_robin_8(port.able, port.pointer);
        port.pointer = rotated_up_8(pick, self.vcs);
        port.reading = pick;
        self.reading |= 1 << i;
        self.contended = self.contended & !(1 << i) | u64::from(port.able != pick) << i;
        self.flowing |= 1 << i;
        self.current[i] = (i << VC_BITS | pick.trailing_zeros() as usize) as u16;
    }

    /// Begins to read what is known to come of the packet, as far as it is in one run, or a single flit. What of its end is due in this
    /// cycle already.
    #[inline]
    fn begin_run(
        &mut self,
        now: u64,
        i: usize,
        steady: u64,
        credits: &mut Vec<Credits>,
        departing: &mut Vec<Train<P>>,
    ) -> Duties {
        let channel = usize::from(self.current[i & 63]);
        let lane = &mut self.lanes[channel];
        let output = lane.output();
        let remaining = lane.flits.remaining;
        let most = match remaining {
            _ if !self.keeps_ready => 1,
            0..=LONGEST_TRAIN => remaining,
            _ => SHORT_RUN,
        };
        let Run { flits, payload } = lane.flits.read(now, most, &mut self.runs);
        let vc = (channel & 7) as u8;
        credits.push(Credits { port: i as u8, vc, credits: flits });
        let head = std::mem::replace(&mut lane.first, false) && output != 0;
        self.last[i] = LastRun { begin: now + 1, flits, vc, head, releases: u64::MAX };
        if output != 0 {
            // Until it leaves the crossbar it has the number of the input port in the place of its VC.
            let (port, vc) = (lane.port, i as u8);
            departing.push(Train { port, vc, head, phase: Phase::On, flits, payload });
        }
        (self.running, self.sending) = (self.running | 1 << i, self.sending | output);
        let mut due = Duties::default();
        match now + u64::from(flits) - 1 {
            end if end == now => due.stops = 1 << i,
            end => self.due.at(end).stops |= 1 << i,
        }
        self.ending &= !(1 << i);
        if self.keeps_ready {
            self.plan_end(now, i, &mut due);
        } else {
            let is_there = lane.flits.count(now) >= remaining;
            let is_sure = is_there & ((output == 0) | (output & steady != 0));
            let is_last = remaining == 1;
            let lets_go = LETS_GO - u16::from(head & self.short_packets);
            if (output != 0) & (is_last | is_sure & (remaining <= lets_go)) {
                (due.released, self.last[i].releases) = (output, now + 1);
            }
            due.ends = u64::from(is_last | is_sure & (remaining <= ENDS)) << i;
        }
        due
    }

    /// Plans the end of the packet that is being read, if all of it is known of and it is near enough; what is due in cycle `now` itself is
    /// for `due`.
    #[inline]
    pub(super) fn plan_end(&mut self, now: u64, i: usize, due: &mut Duties) {
        let lane = &self.lanes[usize::from(self.current[i & 63])];
        let Some((tail, is_there)) = lane.flits.tail().filter(|(tail, _)| tail - now < CYCLES) else { return };
        let from = |flits: u16| (tail + 1).saturating_sub(flits.into()).max(is_there).max(now);
        // In a switch for short packets the head flit of LETS_GO flits does not release the port.
        let LastRun { head, begin, .. } = self.last[i];
        let is_too_early = self.short_packets & head & (tail + 2 == begin + u64::from(LETS_GO));
        let (release, end) = (from(LETS_GO - u16::from(is_too_early)), from(ENDS));
        let output = lane.output();
        if output != 0 {
            self.last[i].releases = self.last[i].releases.min(release + 1);
        }
        if release == now {
            due.released |= output;
        } else {
            self.due.at(release).released |= output;
        }
        if end == now {
            due.ends |= 1 << i;
        } else {
            self.due.at(end).ends |= 1 << i;
        }
    }

    /// The last flit of the run that was begun has been read of a port.
    #[inline]
    fn end_run(&mut self, now: u64, i: usize) {
        let port = &mut self.ports[i];
        let lane = &self.lanes[usize::from(self.current[i & 63])];
        let pick = port.reading;
        self.running &= !(1 << i);
        self.sending &= !lane.output();
        let is_over = lane.flits.remaining == 0;
        if !is_over & (lane.flits.count(now + 1) != 0) {
            self.flowing |= 1 << i;
            return;
        }
        let others = port.able & !pick;
        if is_over {
            port.holding &= !pick;
            port.sends &= !pick;
            port.reading = 0;
            self.reading &= !(1 << i);
            self.ended |= 1 << i;
            self.contended |= u64::from(others != 0) << i;
        }
        port.able = others;
        self.able &= !(u64::from(others == 0) << i);
    }
}
