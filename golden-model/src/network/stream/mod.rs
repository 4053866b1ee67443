//! Nodes with a `network_interface` each (`docs/microarchitecture/network_interface.md`): packets go into it beat by beat over an
//! AXI4-Stream, and come out of it over another.
//!
//! ```text
//! messages, by VC -> beats -> s_axis  StreamInterface  out_* -> link to the switch, credits back
//! delivery        <- check <- m_axis                   in_*  <- link from the switch, credits out
//! ```

mod interface;
mod words;

pub use interface::{Shown, StreamInterface};
pub use words::flit_word;

use super::net_packet::NetPacket;
use super::node::{NodeModel, NodeSide, Received};
use super::{Network, NetworkParameters, SwitchModel};
use crate::bits::ones;
use crate::fast::switch::{LinkFlit, Switch, Train};
use crate::reference::mechanisms::wake_hints::node_hints::{ANNOUNCED, ANNOUNCEMENT};
use crate::reference::network_interface::NetworkInterface;
use crate::reference::network_interface::injection_queues::QueuesInputs;
use crate::reference::network_interface::network_interface::NetworkInterfaceInputs;
use crate::reference::network_interface::reception::ReceptionInputs;
use anyhow::{Context, Result, ensure};
use powar_config::Config;
use std::collections::VecDeque;
use words::{Beat, Beats, Check};

const MOST_VCS: usize = 8;
/// A head flit and a beat.
const LEAST_FLITS: u64 = 2;
/// Cycles in which a packet of L flits is in an interface and no flit moves are L and these: from its first beat to its head flit on the
/// link, or from its tail on the link to its last beat.
const INTERFACE_CYCLES: u64 = 8;

/// A node with a network interface.
#[derive(Clone, Debug)]
pub struct StreamNode<I = NetworkInterface> {
    interface: I,
    number: u32,
    address: u16,
    words: usize,
    /// Messages by VC, oldest first, as places in the network's table, and whether there has been a word of its next packet; VCs with a message;
    /// where the search for the next one starts.
    queues: [VecDeque<(u32, bool)>; MOST_VCS],
    waiting: u8,
    next_vc: u8,
    /// Packed addresses that are to be announced, the oldest first.
    announcements: VecDeque<u16>,
    /// The packet on the stream to the interface.
    feeding: Option<Feeding>,
    /// Packets that have been put into the stream, so far.
    serial: u32,
    /// By VC, packets in the interface of which no flit has been on the link.
    fed: [VecDeque<Fed>; MOST_VCS],
    /// The packet whose flits are being put on the link.
    sending: Option<Sending>,
    /// Flits that are on their way to the node, and when they come in.
    coming: VecDeque<(u64, LinkFlit<NetPacket>)>,
    /// VC of the credits that come in, and the first cycle behind them.
    credits: (u8, u64),
    check: Check,
    /// What the interface shows in the next cycle to be stepped.
    shown: Shown,
    /// The hint that it showed in the cycle stepped last.
    hint: bool,
    /// Words that found no room on its lane, which the interface itself does not count.
    hints_dropped: u64,
    /// The words of a beat and of a flit, as inputs.
    buffers: [Vec<u64>; 2],
    counted: Counted,
}

/// A packet that is being put into the stream.
#[derive(Clone, Copy, Debug)]
struct Feeding {
    beats: Beats,
    destination: u16,
    /// It has been announced.
    announced: bool,
    /// The next beat.
    number: u16,
}

/// A packet in the interface.
#[derive(Clone, Copy, Debug)]
struct Fed {
    flit: NetPacket,
    /// Its message, if it is the last of it.
    ends: Option<u32>,
}

/// A packet of which flits have been on the link.
#[derive(Clone, Copy, Debug)]
struct Sending {
    vc: u8,
    /// Flits still to come.
    left: u16,
    ends: Option<u32>,
}

/// What links and stream of a node have shown so far.
#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    heads: u32,
    flits: u32,
    packets: u32,
    credits: u32,
}

/// Whether the nodes of a network can have network interfaces.
///
/// # Errors
/// Those of [`NetworkParameters::wiring`]; flits without a word 1, packets without room for a beat, nodes with several links.
pub fn check(parameters: &NetworkParameters) -> Result<()> {
    parameters.config.switch.check_network_interface()?;
    ensure!(
        u64::from(parameters.packet_flits) >= LEAST_FLITS,
        "packet_flits: {} is too short for network interfaces, {LEAST_FLITS} flits at least: a head flit and a beat",
        parameters.packet_flits
    );
    let lanes = parameters.wiring()?.nodes.iter().map(Vec::len).max().unwrap_or(0);
    ensure!(lanes <= 1, "topology: its nodes have {lanes} links each, and a network interface has 1");
    Ok(())
}

impl Network<Switch<NetPacket>, StreamNode> {
    /// A network of golden switches and of nodes with golden network interfaces, after reset.
    ///
    /// # Errors
    /// As of [`check`].
    pub fn with_interfaces(parameters: &NetworkParameters) -> Result<Self> {
        check(parameters)?;
        let config = &parameters.config;
        Network::of_bundles(parameters, |number, _, address| {
            Ok(StreamNode::new(config, number, address, NetworkInterface::new(config)))
        })
    }
}

impl<S: SwitchModel, I: StreamInterface> Network<S, StreamNode<I>> {
    /// A network of switches that are made of golden ones, and of nodes with network interfaces, each told the number and the packed
    /// address of its node.
    ///
    /// # Errors
    /// As of [`check`]; those of `make` and `make_interface`.
    pub fn with_streams(
        parameters: &NetworkParameters,
        make: impl FnMut(u32, Switch<NetPacket>) -> Result<S>,
        mut make_interface: impl FnMut(u32, u16) -> Result<I>,
    ) -> Result<Self> {
        check(parameters)?;
        let config = &parameters.config;
        Network::with_parts(parameters, make, |number, _, address| {
            Ok(StreamNode::new(config, number, address, make_interface(number, address)?))
        })
    }
}

impl<I: StreamInterface> StreamNode<I> {
    /// A node of that number and packed address, with an interface after reset.
    fn new(config: &Config, number: u32, address: u16, interface: I) -> Self {
        let words = config.switch.flit_words();
        let mut shown = Shown::default();
        interface.show(&mut shown);
        StreamNode {
            interface,
            number,
            address,
            words,
            queues: Default::default(),
            waiting: 0,
            next_vc: 0,
            announcements: VecDeque::new(),
            feeding: None,
            serial: 0,
            fed: Default::default(),
            sending: None,
            coming: VecDeque::new(),
            credits: (0, 0),
            check: Check::default(),
            shown,
            hint: false,
            hints_dropped: 0,
            buffers: [vec![0; words], vec![0; words]],
            counted: Counted::default(),
        }
    }

    /// Its interface.
    pub fn interface(&self) -> &I {
        &self.interface
    }

    /// VC of the credit that comes in in a cycle.
    fn credit(&self, cycle: u64) -> Option<u8> {
        let (vc, until) = self.credits;
        (until > cycle).then_some(vc)
    }

    /// Words go ahead of its packets.
    fn has_words(&self) -> bool {
        self.interface.golden().hints.is_some()
    }

    /// There is something to put into the stream.
    fn feeds(&self) -> bool {
        self.feeding.is_some() || self.waiting != 0 || !self.announcements.is_empty()
    }

    /// Puts what the interface shows on the links.
    fn put_on_links(&mut self, network: &mut impl NodeSide) -> Result<()> {
        self.hint = self.shown.hint;
        if let Some(vc) = self.shown.credit {
            self.counted.credits = self.counted.credits.wrapping_add(1);
            network.credit(0, vc);
        }
        if !self.shown.valid {
            return Ok(());
        }
        let Shown { head, vc, .. } = self.shown;
        let flit = self.shown.net_packet();
        if head {
            let next = self.fed.get_mut(usize::from(vc)).and_then(VecDeque::pop_front);
            let fed = next.with_context(|| format!("a head flit on VC {vc}, for which there is no packet"))?;
            ensure!(self.sending.is_none(), "a head flit on VC {vc} within another packet");
            ensure!(
                flit.header == fed.flit.header,
                "the header {:#x} on VC {vc}, where it should be {:#x}",
                flit.header,
                fed.flit.header
            );
            self.sending = Some(Sending { vc, left: fed.flit.length(), ends: fed.ends });
            self.counted.heads = self.counted.heads.wrapping_add(1);
            network.starts(fed.flit.packet);
        }
        for (word, &is) in self.shown.flit.iter().enumerate().skip(2) {
            let was = flit_word(&flit, head, word);
            ensure!(is == was, "word {word} of a flit is {is:#010x} and should be {was:#010x}");
        }
        let sending = self.sending.as_mut().filter(|sending| sending.vc == vc);
        let sending = sending.with_context(|| format!("a flit on VC {vc} that is of no packet there"))?;
        self.counted.flits = self.counted.flits.wrapping_add(1);
        network.flit(0, vc, head, flit);
        sending.left -= 1;
        if sending.left == 0 {
            if let Some(message) = sending.ends {
                network.sent(message);
            }
            self.sending = None;
        }
        Ok(())
    }

    /// The packet on the stream: the one under way, or the next, from VCs in turn.
    fn next_beat(&mut self, network: &mut impl NodeSide) -> Option<Feeding> {
        if self.feeding.is_none() && self.waiting != 0 {
            let ahead = self.waiting & u8::MAX << self.next_vc;
            let vc = ones(ahead.into()).next().or(ones(self.waiting.into()).next())?;
            let (message, foretold) = self.queues[vc].front_mut()?;
            let (message, announced) = (*message, std::mem::take(foretold));
            let (flit, length, last) = network.next_packet(message);
            if last {
                self.queues[vc].pop_front();
                self.waiting &= !(u8::from(self.queues[vc].is_empty()) << vc);
            }
            self.next_vc = (vc as u8 + 1) % MOST_VCS as u8;
            self.fed[vc].push_back(Fed { flit, ends: last.then_some(message) });
            let beats = Beats { packet: flit.packet, serial: self.serial & 0xfff, beats: length - 1 };
            self.serial = self.serial.wrapping_add(1);
            self.feeding = Some(Feeding { beats, destination: flit.header as u16, announced, number: 0 });
        }
        self.feeding
    }

    /// The beat that the interface shows is taken.
    fn take_beat(&mut self, network: &mut impl NodeSide) -> Result<()> {
        let Shown { data, keep, last, source, damaged, .. } = &self.shown;
        let beat = Beat { words: data, keep: *keep, last: *last, source: *source, damaged: *damaged };
        if let Some(packet) = self.check.take(&beat, |packet| network.source(packet))? {
            self.counted.packets = self.counted.packets.wrapping_add(1);
            network.received(0, 0, packet);
        }
        Ok(())
    }

    /// The cycle `now`, to the edge.
    fn cycle(&mut self, now: u64, network: &mut impl NodeSide) -> Result<()> {
        self.put_on_links(network)?;
        // Announcements go between two packets, before the next.
        let announcement = self.announcements.front().copied().filter(|_| self.feeding.is_none());
        let feeding = if announcement.is_some() { None } else { self.next_beat(network) };
        let opens_announced = feeding.is_some_and(|feeding| feeding.announced && feeding.number == 0);
        let due = self.coming.front().is_some_and(|(cycle, _)| *cycle == now);
        let flit = self.coming.pop_front_if(|_| due).map(|(_, flit)| flit);
        let credit = self.credit(now);
        let [tdata, in_flit] = &mut self.buffers;
        let fill = |words: &mut Vec<u64>, flit: Option<(NetPacket, bool)>| {
            let of = |word: usize| flit.map_or(0, |(flit, head)| flit_word(&flit, head, word));
            words.iter_mut().enumerate().for_each(|(word, value)| *value = of(word));
        };
        fill(tdata, feeding.map(|feeding| (feeding.beats.beat(feeding.number), false)));
        fill(in_flit, flit.map(|flit| (flit.payload, flit.head)));
        let last = feeding.is_some_and(|feeding| feeding.number + 1 == feeding.beats.beats);
        let inputs = NetworkInterfaceInputs {
            address: self.address,
            clear: false,
            stream: QueuesInputs {
                tvalid: feeding.is_some() || announcement.is_some(),
                tdata,
                tkeep: feeding.map_or(0, |feeding| feeding.beats.keep(feeding.number, 4 * self.words as u32)),
                tlast: last,
                tdest: feeding.map(|feeding| feeding.destination).or(announcement).unwrap_or(0),
                start: 0,
                read: 0,
            },
            tuser: match announcement {
                Some(_) => ANNOUNCEMENT,
                None => u8::from(opens_announced) * ANNOUNCED,
            },
            link: ReceptionInputs {
                in_valid: flit.is_some(),
                in_head: flit.is_some_and(|flit| flit.head),
                in_vc: flit.map_or(0, |flit| flit.vc),
                in_flit,
                tready: true,
            },
            out_credit_valid: credit.is_some(),
            out_credit_vc: credit.unwrap_or(0),
        };
        self.hints_dropped += u64::from(self.interface.golden().drops_hint(&inputs));
        self.interface.clock(now, &inputs);
        if self.shown.ready {
            let next = |feeding: Feeding| Feeding { number: feeding.number + 1, ..feeding };
            self.feeding = feeding.filter(|_| !last).map(next);
            self.announcements.pop_front_if(|_| announcement.is_some());
        }
        self.interface.show(&mut self.shown);
        // A beat of the next cycle is taken in it, whatever else there is in it.
        if self.shown.beat { self.take_beat(network) } else { Ok(()) }
    }
}

impl<I: StreamInterface> NodeModel for StreamNode<I> {
    /// A packet is a head flit and a beat at least: one that would be a head flit alone has a beat more.
    fn flits(flits: u64, packet_flits: u16) -> u64 {
        let rest = flits % u64::from(packet_flits);
        flits + u64::from(rest == LEAST_FLITS - 1)
    }

    fn longest_wait(packet_flits: u16) -> u64 {
        u64::from(packet_flits) + INTERFACE_CYCLES
    }

    fn enqueue(&mut self, _: u64, vc: u8, message: u32, _: u16, foretold: bool) {
        self.queues[usize::from(vc)].push_back((message, foretold && self.has_words()));
        self.waiting |= 1 << vc;
    }

    /// Without words there is nothing to announce.
    fn foretell(&mut self, _: u64, address: u16) {
        if self.has_words() {
            self.announcements.push_back(address);
        }
    }

    fn coming(&mut self, cycle: u64, _: u8, train: &Train<NetPacket>) -> Received {
        self.coming.extend(train.flits_from(cycle));
        Received::Later
    }

    fn credits_come(&mut self, now: u64, _: u8, vc: u8, credits: u16) -> Option<bool> {
        self.credits = (vc, now + u64::from(credits));
        Some(true)
    }

    fn step(&mut self, now: u64, network: &mut impl NodeSide) -> Result<u64> {
        let next = |busy: bool| if busy { now + 1 } else { u64::MAX };
        let comes_in = self.credit(now).is_some() || self.coming.front().is_some_and(|(cycle, _)| *cycle == now);
        if !comes_in && !self.feeds() && self.interface.is_idle() {
            self.hint = false;
            return Ok(next(!self.coming.is_empty()));
        }
        let number = self.number;
        self.cycle(now, network).with_context(|| format!("cycle {now}: node {number}"))?;
        // A hint goes on up to the next step.
        let comes = !self.coming.is_empty() || self.credit(now + 1).is_some();
        Ok(next(self.hint || self.feeds() || comes || !self.interface.is_idle()))
    }

    fn hint(&self, _: u64, _: impl Fn(u32) -> bool) -> (bool, u64) {
        (self.hint, u64::MAX)
    }

    fn hints_dropped(&self) -> Option<u64> {
        self.has_words().then_some(self.hints_dropped)
    }

    fn credits(&self, _: u64, _: usize, vc: usize) -> u16 {
        let injection = &self.interface.golden().injection;
        let returned = injection.returned_valid && usize::from(injection.returned_vc) == vc;
        injection.credits[vc] + u16::from(returned)
    }

    fn to_send(&self, _: u64) -> u64 {
        0
    }

    fn queued(&self) -> usize {
        self.queues.iter().map(VecDeque::len).sum()
    }

    fn is_clocked(&self) -> bool {
        self.interface.is_clocked()
    }

    /// The interface's statistics are what was seen on link and stream, and what is in its registers on its way there.
    fn check(&self) -> Result<()> {
        let NetworkInterface { injection, reception, statistics, .. } = self.interface.golden();
        let Counted { heads, flits, packets, credits } = self.counted;
        let heads_under_way = u32::from(injection.out_valid && injection.out_head) + u32::from(injection.head_early);
        let flits_under_way = u32::from(injection.out_valid) + u32::from(injection.valid_early);
        let expected = [
            heads.wrapping_add(heads_under_way),
            flits.wrapping_add(flits_under_way),
            packets,
            credits.wrapping_add(reception.in_credit_valid.into()),
        ];
        ensure!(
            statistics[..expected.len()] == expected && is_zero(&statistics[expected.len()..]),
            "node {}: its interface has counted {statistics:?} and shown {expected:?}",
            self.number
        );
        Ok(())
    }
}

fn is_zero(counts: &[u32]) -> bool {
    counts.iter().all(|&count| count == 0)
}
