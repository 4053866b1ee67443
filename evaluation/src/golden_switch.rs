//! The golden controller with packets in its input queues: a switch of which only the power logic can hold a packet up.

use powar_config::Config;
use powar_golden::bits::is_set;
use powar_golden::fast::controller::{Inputs, PowerController};
use powar_traffic::{PacketArrival, SwitchQueues};

/// A golden controller and the queues around it, cycle by cycle.
pub struct GoldenSwitch<I: Iterator<Item = PacketArrival>> {
    pub controller: PowerController,
    pub queues: SwitchQueues<I>,
    /// Row r: the port that requester r was given in the cycle before.
    grants: Vec<u64>,
    /// Ports that could transmit in the cycle before.
    transmit: u64,
}

impl<I: Iterator<Item = PacketArrival>> GoldenSwitch<I> {
    /// After reset; cycle 0 of the arrivals is the first. The configuration must be checked.
    pub fn new(config: &Config, arrivals: I) -> Self {
        GoldenSwitch {
            controller: PowerController::new(config),
            queues: SwitchQueues::new(config.requesters(), arrivals),
            grants: vec![0; config.requesters()],
            transmit: 0,
        }
    }

    /// One cycle.
    pub fn step(&mut self) {
        let presented = self.queues.cycle(self.controller.now(), &self.grants, self.transmit);
        let outputs = self.controller.step(&Inputs {
            adaptive: &presented.adaptive,
            deterministic: &presented.deterministic,
            requesting: Some(presented.requesting),
            flit_valid: presented.flit_valid,
            flit_tail: presented.flit_tail,
            ..Inputs::IDLE
        });
        self.transmit = outputs.transmit;
        self.grants.fill(0);
        for grant in self.controller.grants() {
            self.grants[usize::from(grant.requester)] = 1 << grant.port;
        }
    }

    /// Passes the cycles in which nothing can happen at once.
    pub fn skip_dead_cycles(&mut self) {
        let now = self.controller.now();
        let arrival = self.queues.next_arrival();
        let until = if self.queues.is_empty() {
            arrival.unwrap_or(now)
        } else if self.only_waits() {
            arrival.unwrap_or(u64::MAX).min(self.controller.next_event())
        } else {
            now
        };
        if until > now {
            self.controller.skip(until - now);
        }
    }

    /// Whether every packet in the switch holds a port, and waits for it to wake.
    fn only_waits(&self) -> bool {
        let sleeps = |port| !is_set(self.controller.ready(), port);
        self.queues.held_ports().is_some_and(|mut ports| ports.all(sleeps))
    }

    /// Whether no packet is in the switch and none will come.
    pub fn is_done(&mut self) -> bool {
        self.queues.is_empty() && self.queues.next_arrival().is_none()
    }
}
