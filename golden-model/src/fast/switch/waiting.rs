//! What a network asks of a switch beyond its outputs: what is on its way, and which packets wait for an output port, and for which.

use super::{Payload, Switch};
use crate::bits::{ones, vector};
use powar_config::switch::IN_FLIGHT_FLITS;

/// A packet in the head register of an input port's VC, which has no output port yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The input port and its VC.
    pub port: u8,
    pub vc: u8,
    /// Packed address of the destination.
    pub destination: u16,
    /// The output ports and their VCs that it may go to.
    pub wants: Vec<Want>,
}

/// An output port's VC that a packet may go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Want {
    pub port: u8,
    pub vc: u8,
    /// There are credits for a whole packet: what it waits for, if for anything, is a packet that is on its way through the port.
    pub room: bool,
}

impl<P: Payload> Switch<P> {
    /// Ports with a flit on their link in cycle `now`: the one under way, or another up to the next event.
    pub fn on_links(&self, now: u64) -> u64 {
        vector(self.crossbar.shown(), |_, shown| shown.place(now).is_some())
    }

    /// Flits of trains that have been told of and that are not on a link before cycle `now`.
    pub fn to_send(&self, now: u64) -> u64 {
        self.crossbar.shown().iter().map(|shown| shown.to_send(now)).sum()
    }

    /// A train has begun to come in on an input port's VC, of which flits are on their way in cycle `now`.
    pub fn gets_flits(&self, port: u8, vc: u8, now: u64) -> bool {
        self.input.lanes[self.input.channel(port.into(), vc.into())].flits.is_filling(now)
    }

    /// Credits have begun to come back for an output port's VC, of which some are on their way in cycle `now`.
    pub fn gets_credits(&self, port: u8, vc: u8, now: u64) -> bool {
        self.output.gets_credits(port.into(), vc, now)
    }

    /// The packets that wait in the cycle under way, lowest port and VC first: those whose route is shown. Those that will be dropped wait
    /// for nothing.
    pub fn waiting(&self) -> Vec<Waiting> {
        let enough = self.config.switch.max_packet_flits + IN_FLIGHT_FLITS;
        let mut waiting = Vec::new();
        for port in ones(self.input.routed) {
            let input = &self.input.ports[port];
            for vc in ones((input.valid & !input.drop).into()) {
                let waits = &self.input.channels[self.input.channel(port, vc)];
                let route = &waits.route;
                let mut wants = Vec::new();
                for (ports, vcs) in
                    [(route.adaptive, route.adaptive_vcs), (route.deterministic, route.deterministic_vcs)]
                {
                    for port in ones(ports) {
                        wants.extend(ones(vcs.into()).map(|vc| Want {
                            port: port as u8,
                            vc: vc as u8,
                            room: self.credits(port, vc) >= enough,
                        }));
                    }
                }
                // In the head register there may be a packet behind it.
                let behind = self.input.behind.get(port);
                let destination = behind.map_or(waits.destination, |behind| behind.current[vc & 7].destination);
                waiting.push(Waiting { port: port as u8, vc: vc as u8, destination, wants });
            }
        }
        waiting
    }
}
