//! Traffic on the links of the whole switch: a well-behaved neighbour at every port, closed loop, and what goes wrong there.
//!
//! ```text
//! traffic           where packets go and when they come: uniform, hot-spot, permutation, bursty, a recorded trace
//! sender            per input port: waits for credits, sends whole packets flit by flit
//! receiver          per output port: buffers flits, returns credits
//! register_access   software on the register bus
//! payload           what stands in a flit
//! ```

mod options;
pub mod payload;
mod receiver;
mod register_access;
mod sender;
mod traffic;

pub use options::{Disturbances, LinkOptions, Receivers};
pub use traffic::{Traffic, TrafficKind};

use super::Stimulus;
use super::hint_lane::HintLane;
use super::switch_traffic::RESET_CYCLES;
use crate::expected_routing::ExpectedRouting;
use crate::link_slots::LinkSlots;
use crate::random::Random;
use anyhow::{Context, Result};
use payload::{Packet, header};
use powar_config::mechanism::NodeHint;
use powar_config::{Config, Layout};
use receiver::Receiver;
use register_access::RegisterAccess;
use sender::Sender;

/// Neighbours at all ports of a switch as a lock-step stimulus.
pub struct LinkTraffic {
    routing: ExpectedRouting,
    options: LinkOptions,
    random: Random,
    traffic: Box<dyn Traffic>,
    slots: LinkSlots,
    senders: Vec<Sender>,
    receivers: Vec<Receiver>,
    /// One an input port, if the power mechanism reads words on the hint lanes.
    lanes: Vec<HintLane>,
    registers: RegisterAccess,
    sequence: Vec<u32>,
    packets: u32,
    /// Cycles of a reset still to come.
    reset_left: u64,
    /// The cycle before was one of reset.
    after_reset: bool,
    max_packet_flits: u16,
    words: usize,
}

impl LinkTraffic {
    /// For a switch of this configuration, with this layout, whose routing this is.
    ///
    /// # Errors
    /// A layout that is not that of a switch: the signal is named.
    pub fn new(config: &Config, routing: &ExpectedRouting, layout: &Layout, options: LinkOptions) -> Result<Self> {
        let (ports, switch) = (config.ports, &config.switch);
        let mut random = Random::new(options.seed);
        let registers =
            RegisterAccess::new(config, layout, routing.table()).context("s_axi_*: the block has no register bus")?;
        Ok(LinkTraffic {
            routing: routing.clone(),
            traffic: options.kind.build(routing, &mut random),
            options,
            random,
            slots: LinkSlots::new(layout)?,
            senders: vec![Sender::new(switch.vcs, switch.vc_depth()); ports],
            receivers: vec![Receiver::new(switch.vcs); ports],
            lanes: match config.mechanism().node_hint {
                NodeHint::Waiting => vec![],
                NodeHint::Addresses => vec![HintLane::default(); ports],
            },
            registers,
            sequence: vec![0; ports],
            packets: 0,
            reset_left: RESET_CYCLES,
            after_reset: true,
            max_packet_flits: switch.max_packet_flits as u16,
            words: switch.flit_words(),
        })
    }

    /// The routing of the switch.
    pub fn routing(&self) -> &ExpectedRouting {
        &self.routing
    }

    /// Takes what the switch put on its links in the cycle before.
    fn take(&mut self, last: &[u64]) {
        let slots = &self.slots;
        for (port, (sender, receiver)) in self.senders.iter_mut().zip(&mut self.receivers).enumerate() {
            let credit = last[slots.in_credit_valid] >> port & 1 == 1;
            sender.settle(credit.then(|| last[slots.in_credit_vc + port]));
            if last[slots.out_valid] >> port & 1 == 1 {
                receiver.take(last[slots.out_vc + port]);
            }
        }
    }

    /// Lets the source of an input port make its packets of this cycle.
    fn make_packets(&mut self, cycle: u64, input: usize) {
        while let Some((destination, flits)) = self.traffic.scheduled(input, cycle - RESET_CYCLES) {
            self.make_packet(cycle, input, destination, flits);
        }
        if self.options.saturated {
            // Each virtual channel always has a packet; those for channels that have enough are made in vain, so that destinations
            // stay as likely as they are.
            for _ in 0..4 {
                let vcs = self.senders[input].vcs();
                if (0..vcs).all(|vc| self.senders[input].waiting_on(vc) != 0) {
                    break;
                }
                self.make_random_packet(cycle, input);
            }
            return;
        }
        let mean = f64::from(self.options.packet_flits.unwrap_or(self.max_packet_flits.div_ceil(2)));
        let rate = self.options.load / mean * self.traffic.intensity(input, &mut self.random);
        if rate > 0.0 && self.random.chance(rate) && self.senders[input].waiting() < self.options.source_queue {
            self.make_random_packet(cycle, input);
        }
    }

    fn make_random_packet(&mut self, cycle: u64, input: usize) {
        let longest = self.max_packet_flits;
        let flits = self.options.packet_flits.unwrap_or_else(|| match self.random.below(8) {
            0 => 1,
            1 => 2.min(longest),
            2 => longest,
            // On the whole, half the longest on average.
            _ => 1 + self.random.below(u64::from(longest)) as u16,
        });
        if let Some(destination) = self.traffic.destination(input, &mut self.random) {
            self.make_packet(cycle, input, destination, flits);
        }
    }

    fn make_packet(&mut self, cycle: u64, input: usize, destination: u16, flits: u16) {
        let (wrong, random) = (&self.options.disturbances, &mut self.random);
        let (usual, rare) = self.routing.input_vcs(destination);
        let vcs = if random.one_in(16) { rare } else { usual };
        let drawn = vcs.start + random.below(vcs.len() as u64) as usize;
        let vc = self.routing.input_vc(input, destination, drawn);
        if self.options.saturated && self.senders[input].waiting_on(vc) >= 8 {
            return;
        }
        let (mut destination, mut length, mut sent) = (destination, flits, flits);
        if random.one_in(wrong.bad_destination) {
            let unknown = (0..64).map(|_| random.bits() as u16).find(|&any| self.routing.usual_route(any).is_none());
            destination = unknown.unwrap_or(destination);
        }
        if random.one_in(wrong.bad_length) {
            let beyond = 1024 - u64::from(self.max_packet_flits);
            length = ((u64::from(self.max_packet_flits) + 1 + random.below(beyond)) & 0x3ff) as u16;
            sent = 1 + random.below(4) as u16;
        }
        if random.one_in(wrong.wrong_end) {
            sent = 1 + random.below(u64::from(self.max_packet_flits)) as u16;
        }
        self.packets = self.packets.wrapping_add(1);
        self.sequence[input] = self.sequence[input].wrapping_add(1);
        self.senders[input].queue(Packet {
            number: self.packets,
            source: input,
            sequence: self.sequence[input],
            born: cycle as u32,
            vc,
            header: header(destination, length, random.bits() as u32),
            flits: sent,
            sent: 0,
        });
    }

    fn drive_links(&mut self, cycle: u64, inputs: &mut [u64]) {
        for input in 0..self.senders.len() {
            self.make_packets(cycle, input);
            let flit = self.slots.in_flit + input * self.words;
            let words = &mut inputs[flit..][..self.words];
            let on_link = self.senders[input].step(&self.options, &mut self.random, words);
            inputs[self.slots.in_valid] |= u64::from(on_link.valid) << input;
            inputs[self.slots.in_head] |= u64::from(on_link.head) << input;
            inputs[self.slots.in_vc + input] = on_link.vc;
            inputs[self.slots.in_phase + input] = on_link.phase;
            let traffic = &mut self.traffic;
            // The address of a packet that could come here, or any.
            let address = |random: &mut Random| {
                let destination = traffic.destination(input, random);
                destination.map_or_else(|| random.bits(), u64::from)
            };
            let hint = match self.lanes.get_mut(input) {
                Some(lane) => lane.step(&mut self.random, address),
                None => on_link.hint,
            };
            inputs[self.slots.in_hint] |= u64::from(hint) << input;
        }
        let LinkOptions { receivers, disturbances, .. } = &self.options;
        for (output, receiver) in self.receivers.iter_mut().enumerate() {
            let credit = receiver.credit(receivers, disturbances, &mut self.random);
            inputs[self.slots.out_credit_valid] |= u64::from(credit.is_some()) << output;
            // The number of a credit that is not there is not looked at.
            inputs[self.slots.out_credit_vc + output] = credit.unwrap_or_else(|| self.random.below(8));
        }
    }
}

impl Stimulus for LinkTraffic {
    fn drive(&mut self, cycle: u64, last: &[u64], inputs: &mut [u64]) {
        inputs.fill(0);
        inputs[self.slots.position] = self.routing.position();
        inputs[self.slots.stage] = self.routing.stage();
        if std::mem::take(&mut self.after_reset) {
            self.senders.iter_mut().for_each(Sender::reset);
            self.receivers.iter_mut().for_each(Receiver::reset);
            self.registers.reset();
        } else {
            self.take(last);
        }
        if cycle >= RESET_CYCLES && self.random.one_in(self.options.disturbances.reset) {
            self.reset_left = 1 + self.random.below(3);
        }
        if self.reset_left != 0 {
            self.reset_left -= 1;
            self.after_reset = true;
            inputs[self.slots.rst] = 1;
        }
        if cycle < RESET_CYCLES {
            return;
        }
        // In a reset in mid-run the links go on: nothing of it may leave a trace.
        let answers = (inputs[self.slots.rst] == 0).then_some(last);
        self.registers.drive(&self.options.disturbances, answers, &mut self.random, inputs);
        if self.registers.is_ready() {
            self.drive_links(cycle, inputs);
        }
    }
}
