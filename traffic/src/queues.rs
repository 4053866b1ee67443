//! Packets that arrive at one switch, held in its input queues until the power controller has given them a port and they
//! have left: the closed loop around a controller, whether it is the RTL or the golden model.
//!
//! Every input port has one queue. Its head packet presents its sets until it is granted; the flits then leave one a cycle
//! from the cycle after the port was seen to allow it (`transmit` is registered once on its way to the data path), the
//! tail frees the port, and the next packet asks. This is an input-queued switch with one virtual channel and nothing
//! in its way but the controller.

use crate::PacketArrival;
use std::collections::VecDeque;
use std::iter::Peekable;

/// A packet that has left the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// Place of the packet in the order of arrival.
    pub number: u64,
    /// Cycle in which its head came in.
    pub arrived: u64,
    /// Cycle in which it was given its port.
    pub granted: u64,
    /// Cycle in which its first flit left.
    pub started: u64,
    /// Cycle in which its tail left.
    pub left: u64,
    /// The port it left on.
    pub port: u8,
}

impl Departure {
    /// Cycles from grant to first flit where the port is awake: one until the port is held, one on the way to the data path.
    pub const AWAKE_PORT: u64 = 2;

    /// Cycles it held its port without being able to send, because the port had to wake.
    pub fn wake_delay(&self) -> u64 {
        self.started - self.granted - Self::AWAKE_PORT
    }
}

/// The inputs that the queues present to the controller in a cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presented {
    /// Row r: adaptive set of requester r.
    pub adaptive: Vec<u64>,
    /// Row r: deterministic set.
    pub deterministic: Vec<u64>,
    /// Requesters whose sets are not both empty.
    pub requesting: u64,
    pub flit_valid: u64,
    pub flit_tail: u64,
}

/// Input queues fed by arrivals in order of their cycles.
pub struct SwitchQueues<I: Iterator<Item = PacketArrival>> {
    arrivals: Peekable<I>,
    arrived: u64,
    inputs: Vec<Input>,
    /// Inputs with a head packet that has no port yet.
    waiting: u64,
    /// Inputs whose head packet holds a port.
    holding: u64,
    presented: Presented,
    departures: Vec<Departure>,
}

#[derive(Default)]
struct Input {
    queue: VecDeque<Queued>,
    port: u8,
    flits_left: u16,
    granted: u64,
    started: u64,
}

struct Queued {
    number: u64,
    packet: PacketArrival,
}

fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros() as usize;
        mask = mask.checked_sub(1).map(|below| mask & below)?;
        Some(bit)
    })
}

impl<I: Iterator<Item = PacketArrival>> SwitchQueues<I> {
    /// Queues for `requesters` input ports. Arrivals on other inputs can't happen: the views know the switch.
    pub fn new(requesters: usize, arrivals: I) -> Self {
        SwitchQueues {
            arrivals: arrivals.peekable(),
            arrived: 0,
            inputs: (0..requesters).map(|_| Input::default()).collect(),
            waiting: 0,
            holding: 0,
            presented: Presented {
                adaptive: vec![0; requesters],
                deterministic: vec![0; requesters],
                ..Presented::default()
            },
            departures: vec![],
        }
    }

    /// The inputs of cycle `now`, given what the controller answered in the cycle before: its grant rows, and the ports that
    /// may transmit.
    pub fn cycle(&mut self, now: u64, grants: &[u64], transmit: u64) -> &Presented {
        self.take_grants(now, grants);
        self.take_arrivals(now);
        self.send(now, transmit);
        &self.presented
    }

    fn take_grants(&mut self, now: u64, grants: &[u64]) {
        for r in bits(self.waiting) {
            if grants[r] == 0 {
                continue;
            }
            let input = &mut self.inputs[r];
            input.port = grants[r].trailing_zeros() as u8;
            input.flits_left = input.queue[0].packet.flits;
            // The grant was an output of the cycle before.
            input.granted = now - 1;
            self.waiting &= !(1 << r);
            self.holding |= 1 << r;
            self.present(r, 0, 0);
        }
    }

    fn take_arrivals(&mut self, now: u64) {
        while let Some(packet) = self.arrivals.next_if(|packet| packet.cycle <= now) {
            let r = usize::from(packet.input);
            self.inputs[r].queue.push_back(Queued { number: self.arrived, packet });
            self.arrived += 1;
            if (self.waiting | self.holding) >> r & 1 == 0 {
                self.ask(r);
            }
        }
    }

    fn send(&mut self, now: u64, transmit: u64) {
        self.presented.flit_valid = 0;
        self.presented.flit_tail = 0;
        for r in bits(self.holding) {
            let input = &mut self.inputs[r];
            let port = 1u64 << input.port;
            if transmit & port == 0 {
                continue;
            }
            self.presented.flit_valid |= port;
            if input.flits_left == input.queue[0].packet.flits {
                input.started = now;
            }
            input.flits_left -= 1;
            if input.flits_left == 0 {
                self.presented.flit_tail |= port;
                let Queued { number, packet } = input.queue.pop_front().expect("the head holds the port");
                let Input { port, granted, started, .. } = *input;
                self.departures.push(Departure { number, arrived: packet.cycle, granted, started, left: now, port });
                self.holding &= !(1 << r);
                if !input.queue.is_empty() {
                    self.ask(r);
                }
            }
        }
    }

    /// The head packet of input r asks for a port.
    fn ask(&mut self, r: usize) {
        let packet = self.inputs[r].queue[0].packet;
        self.waiting |= 1 << r;
        self.present(r, packet.adaptive, packet.deterministic);
    }

    fn present(&mut self, r: usize, adaptive: u64, deterministic: u64) {
        self.presented.adaptive[r] = adaptive;
        self.presented.deterministic[r] = deterministic;
        let asks = u64::from(adaptive | deterministic != 0);
        self.presented.requesting = self.presented.requesting & !(1 << r) | asks << r;
    }

    /// What was presented last.
    pub fn presented(&self) -> &Presented {
        &self.presented
    }

    /// Packets that left since this was last asked.
    pub fn departures(&mut self) -> std::vec::Drain<'_, Departure> {
        self.departures.drain(..)
    }

    /// Whether no packet is in the switch.
    pub fn is_empty(&self) -> bool {
        self.waiting | self.holding == 0
    }

    /// The ports that packets hold, lowest first, if no packet is still asking for one.
    pub fn held_ports(&self) -> Option<impl Iterator<Item = usize>> {
        (self.waiting == 0).then(|| bits(self.holding).map(|r| usize::from(self.inputs[r].port)))
    }

    /// Cycle of the next arrival; None if there is none.
    pub fn next_arrival(&mut self) -> Option<u64> {
        self.arrivals.peek().map(|packet| packet.cycle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(cycle: u64, input: u16, adaptive: u64, flits: u16) -> PacketArrival {
        PacketArrival { cycle, input, adaptive, deterministic: 0, flits, source: 0, destination: 0, message: 0 }
    }

    #[test]
    fn a_packet_asks_until_granted_and_sends_while_it_may() {
        let mut queues = SwitchQueues::new(2, [packet(1, 1, 0b10, 2), packet(1, 1, 0b01, 1)].into_iter());
        assert_eq!(queues.cycle(0, &[0, 0], 0).requesting, 0);
        assert_eq!(queues.cycle(1, &[0, 0], 0).adaptive, [0, 0b10]);
        assert_eq!(queues.cycle(2, &[0, 0], 0).requesting, 0b10);
        // Granted in cycle 2: holds the port from 3 on, sends once the port is seen to transmit.
        assert_eq!(queues.cycle(3, &[0, 0b10], 0).requesting, 0);
        assert_eq!(queues.cycle(4, &[0, 0], 0b10).flit_valid, 0b10);
        assert_eq!(queues.cycle(5, &[0, 0], 0).flit_valid, 0);
        let last = queues.cycle(6, &[0, 0], 0b10);
        assert_eq!((last.flit_valid, last.flit_tail, last.adaptive[1]), (0b10, 0b10, 0b01));
        let left: Vec<_> = queues.departures().collect();
        assert_eq!(left, [Departure { number: 0, arrived: 1, granted: 2, started: 4, left: 6, port: 1 }]);
        assert_eq!(left[0].wake_delay(), 0);
        assert!(!queues.is_empty() && queues.next_arrival().is_none());
    }
}
