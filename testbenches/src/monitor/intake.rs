//! What the switch takes in, by the rules of `docs/microarchitecture/buffers.md`: the packets in its input buffers.

use super::{ObservedCycle, Violations};
use crate::expected_routing::{ExpectedRouting, Head, Route};
use powar_config::Config;
use std::collections::VecDeque;

/// Everything in the input buffers of a switch.
pub(crate) struct Intake {
    routing: ExpectedRouting,
    depth: usize,
    max_packet_flits: u32,
    ports: usize,
    vcs: usize,
    /// By port x virtual channel.
    channels: Vec<Channel>,
    /// The flits that were read in the cycle before, in the one before that, and so on: those of the last are on the output links now.
    left: VecDeque<Vec<Leaving>>,
}

/// Cycles from the one in which a flit is read to that in which it is on an output link.
const READ_TO_LINK: usize = 3;

/// One virtual channel's buffer.
#[derive(Clone, Default)]
pub(crate) struct Channel {
    pub(crate) flits: VecDeque<Flit>,
    /// Flits of the packet on the link that are still to come.
    arriving: u32,
    /// Where the packet on the link goes; none: it is to be dropped.
    route: Option<Route>,
    /// A packet has begun to leave and not ended.
    open: bool,
}

impl Channel {
    /// The rest of a packet that has begun to leave has not come.
    pub(crate) fn is_starved(&self) -> bool {
        self.open && self.flits.is_empty()
    }
}

/// A flit in a buffer.
#[derive(Clone)]
pub(crate) struct Flit {
    words: Vec<u64>,
    pub(crate) first: bool,
    pub(crate) last: bool,
    pub(crate) route: Option<Route>,
}

/// A flit that left a buffer in the cycle before: its credit is on the link now, and it will be on an output link in two cycles.
#[derive(Clone)]
pub(crate) struct Leaving {
    pub(crate) input: usize,
    pub(crate) vc: usize,
    pub(crate) words: Vec<u64>,
    pub(crate) first: bool,
    pub(crate) last: bool,
    pub(crate) route: Option<Route>,
    pub(crate) dropped: bool,
}

/// What goes right and wrong with the arrivals of a cycle, one bit a port.
#[derive(Clone, Copy, Default)]
pub(crate) struct Arrivals {
    pub(crate) stored: u64,
    pub(crate) framing: u64,
    pub(crate) overflow: u64,
}

impl Intake {
    pub(super) fn new(config: &Config, routing: &ExpectedRouting) -> Self {
        let (ports, vcs) = (config.ports, config.switch.vcs);
        Intake {
            routing: routing.clone(),
            depth: config.switch.vc_depth(),
            max_packet_flits: config.switch.max_packet_flits as u32,
            ports,
            vcs,
            channels: vec![Channel::default(); ports * vcs],
            left: (0..READ_TO_LINK).map(|_| vec![]).collect(),
        }
    }

    pub(super) fn reset(&mut self) {
        self.channels.fill(Channel::default());
        self.left.iter_mut().for_each(Vec::clear);
    }

    /// The buffer of a virtual channel.
    pub(crate) fn channel(&self, input: usize, vc: usize) -> &Channel {
        &self.channels[input * self.vcs + vc]
    }

    /// Flits that left their buffers in the cycle before.
    pub(crate) fn leaving(&self) -> &[Leaving] {
        &self.left[0]
    }

    /// Flits that must be on the output links in this cycle.
    pub(crate) fn left(&self) -> &[Leaving] {
        &self.left[READ_TO_LINK - 1]
    }

    pub(super) fn buffered(&self) -> u64 {
        self.channels.iter().map(|channel| channel.flits.len() as u64).sum()
    }

    /// Takes out what the credits of this cycle say has left.
    pub(super) fn take_credits(&mut self, frame: &ObservedCycle, violations: &mut Violations) {
        self.left.rotate_right(1);
        self.left[0].clear();
        for input in 0..self.ports {
            if !frame.bit(frame.signals.links.in_credit_valid, input) {
                continue;
            }
            let vc = frame.observed[frame.signals.links.in_credit_vc + input] as usize;
            let flit = (vc < self.vcs).then(|| self.channels[input * self.vcs + vc].flits.pop_front()).flatten();
            match flit {
                Some(Flit { words, first, last, route }) => {
                    self.channels[input * self.vcs + vc].open = !last;
                    let dropped = route.is_none();
                    self.left[0].push(Leaving { input, vc, words, first, last, route, dropped });
                }
                None => violations.add(
                    frame,
                    format_args!("input port {input}: a credit of VC {vc} for a flit that it does not have"),
                ),
            }
        }
    }

    /// What becomes of the arrivals of this cycle, before they are taken.
    pub(crate) fn errors(&self, frame: &ObservedCycle) -> Arrivals {
        let mut arrivals = Arrivals::default();
        for input in 0..self.ports {
            let Some(vc) = frame.arrival(input) else {
                arrivals.framing |= u64::from(frame.input_bit(frame.signals.links.in_valid, input)) << input;
                continue;
            };
            let channel = self.channel(input, vc);
            let full = channel.flits.len() >= self.depth;
            let starts = channel.arriving == 0;
            let framing = !full && starts != frame.input_bit(frame.signals.links.in_head, input);
            arrivals.overflow |= u64::from(full) << input;
            arrivals.stored |= u64::from(!full) << input;
            arrivals.framing |= u64::from(framing) << input;
        }
        arrivals
    }

    /// Takes the arrivals of this cycle.
    pub(super) fn take_flits(&mut self, frame: &ObservedCycle) {
        for input in 0..self.ports {
            let Some(vc) = frame.arrival(input) else { continue };
            let channel = &mut self.channels[input * self.vcs + vc];
            if channel.flits.len() >= self.depth {
                continue;
            }
            let words = frame.flit_in(input);
            let first = channel.arriving == 0;
            if first {
                let length = (words[0] >> 16 & 0x3ff) as u32;
                let head = frame.input_bit(frame.signals.links.in_head, input);
                let sound = head && (1..=self.max_packet_flits).contains(&length);
                channel.arriving = if sound { length } else { 1 };
                let head = Head { header: words[0] as u32, input, vc };
                channel.route = if sound { self.routing.route(&head) } else { None };
            }
            channel.arriving -= 1;
            let (last, route) = (channel.arriving == 0, channel.route);
            channel.flits.push_back(Flit { words: words.to_vec(), first, last, route });
        }
    }
}
