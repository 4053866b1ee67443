//! `docs/networks.md` once more, as plainly as can be: every switch and every interface is stepped in every cycle.

use powar_config::routing::tables::RoutingTables;
use powar_config::topology::wiring::{End, Place, Wiring};
use powar_config::{Config, Message, NodeHint, Phase, Workload};
use powar_golden::fast::power::Signal;
use powar_golden::fast::switch::{Credits, Inputs, LinkFlit, Switch, Train, Unrolled};
use powar_golden::network::{NetPacket, NetworkParameters};
use powar_golden::port_counts::PortCounts;
use powar_golden::reference::network_interface::Injection;
use powar_golden::reference::network_interface::injection::InjectionInputs;
use std::collections::{HashMap, VecDeque};

/// A flit as logs show it: cycle, switch, port, VC, head, header.
pub type Seen = (u64, u32, u8, u8, bool, u32);

/// What is on a link for so many cycles: a place for each, the nearest first.
struct Line<T>(VecDeque<Option<T>>);

impl<T> Line<T> {
    fn new(delay: u64) -> Self {
        Line((0..delay).map(|_| None).collect())
    }

    /// What comes out in the cycle in which this is put in.
    fn shift(&mut self, what: Option<T>) -> Option<T> {
        self.0.push_back(what);
        self.0.pop_front().unwrap()
    }
}

struct Packet {
    message: usize,
    left: u64,
    header: u32,
}

struct Lane {
    sending: Option<(u64, u8, u64, bool)>,
    credits: Vec<u64>,
}

/// Cycles from what an interface of `docs/networks.md` does to what the link of the block `injection` shows, and from a credit on that
/// block's link to the cycle in which it counts.
const INJECTION_CYCLES: usize = 2;

/// The block `injection` of a node with one link, which must decide as the lane does.
struct Twin {
    injection: Injection,
    /// What the lane has put on its link in this cycle and before, as VC, head and header.
    sent: VecDeque<Option<(u8, bool, u32)>>,
    waiting: u64,
    headers: Vec<u64>,
}

impl Twin {
    fn new(config: &Config) -> Twin {
        let headers = vec![0; config.switch.vcs];
        let sent = VecDeque::from(vec![None; INJECTION_CYCLES]);
        Twin { injection: Injection::new(config), sent, waiting: 0, headers }
    }

    /// Passes a cycle in which the lane has sent this, with the credit that counts for the lane in as many cycles as a credit takes.
    fn check(&mut self, now: u64, sent: Option<(u8, bool, u32)>, credit: Option<u8>) {
        let decision = self.injection.decision(self.waiting, &self.headers);
        let choice = |head| sent.filter(|sent| sent.1 == head).map_or(0, |(vc, ..)| 1 << vc);
        assert_eq!((decision.start, decision.read), (choice(true), choice(false)), "cycle {now}: what is sent");
        assert!(!self.injection.credit_error(decision), "cycle {now}: a wrong credit");
        let shown = self.sent.pop_front().expect("they are always as many");
        let link = &self.injection;
        assert_eq!((link.out_valid, link.out_head), (shown.is_some(), shown.is_some_and(|sent| sent.1)), "cycle {now}");
        if let Some((vc, head, header)) = shown {
            assert_eq!(link.out_vc, vc, "cycle {now}");
            assert!(!head || link.out_flit[0] == u64::from(header), "cycle {now}: {:#x}", link.out_flit[0]);
        }
        self.sent.push_back(sent);
        let flit = vec![0; link.out_flit.len()];
        self.injection.clock(&InjectionInputs {
            source: 0,
            waiting: self.waiting,
            header: &self.headers,
            flit: &flit,
            hint: false,
            out_credit_valid: credit.is_some(),
            out_credit_vc: credit.unwrap_or(0),
        });
    }
}

/// The words on a node's lane.
#[derive(Clone, Default)]
pub struct Words {
    /// Those that wait, with the cycle in which each was given.
    waiting: VecDeque<(u64, u16)>,
    /// Bits still to be sent of the one under way.
    bits: VecDeque<bool>,
    /// Cycles that all words come late.
    pub late: u64,
    /// Those that found four waiting.
    dropped: u64,
}

impl Words {
    fn give(&mut self, now: u64, address: u16) {
        if self.waiting.len() < 4 {
            self.waiting.push_back((now, address));
        } else {
            self.dropped += 1;
        }
    }

    /// The bit of this cycle.
    fn next(&mut self, now: u64) -> bool {
        if self.bits.is_empty() {
            let due = self.waiting.pop_front_if(|(given, _)| *given + self.late < now);
            if let Some((_, address)) = due {
                self.bits.push_back(true);
                self.bits.extend((0..16).map(|place| address >> place & 1 == 1));
                self.bits.push_back(address.count_ones() % 2 == 1);
            }
        }
        self.bits.pop_front().unwrap_or(false)
    }
}

pub struct Plain {
    config: Config,
    packet_flits: u64,
    wiring: Wiring,
    switches: Vec<Switch<NetPacket>>,
    /// Flits and credits on the links of the switches, which tell of them in trains.
    shown: Vec<Unrolled<NetPacket>>,
    /// By switch and port, what is on the way to it.
    flits: Vec<Vec<Line<LinkFlit<NetPacket>>>>,
    credits: Vec<Vec<Line<u8>>>,
    /// By switch and port, phase and hint that the other end of its link shows, in every cycle.
    sidebands: Vec<Vec<Line<(u8, bool)>>>,
    /// By switch, what is on the control ring on the way to it.
    ring: Vec<Line<u64>>,
    /// By node and lane, what is on the way to it.
    node_flits: Vec<Vec<Line<LinkFlit<NetPacket>>>>,
    node_credits: Vec<Vec<Line<u8>>>,
    lanes: Vec<Vec<Lane>>,
    /// By node; none for nodes with several lanes, or with links so short that there is none.
    twins: Vec<Option<Twin>>,
    next_lane: Vec<usize>,
    next_vc: Vec<usize>,
    queues: Vec<Vec<VecDeque<usize>>>,
    /// Messages so far, with the flits not yet in a packet and those not come in.
    messages: Vec<(Message, u64, u64)>,
    /// Flits of each message that have been on a link of its node.
    sent: Vec<u64>,
    packets: HashMap<u64, Packet>,
    next_packet: u64,
    /// Nodes give hints.
    pub hints: bool,
    /// By node, the words on its lane, if the mechanism reads addresses.
    pub words: Option<Vec<Words>>,
    pub now: u64,
    pub seen: Vec<Seen>,
}

/// The switch of this number in its network, with its routing table if it has one.
pub fn loaded(config: &Config, number: usize, mut switch: Switch<NetPacket>) -> Switch<NetPacket> {
    if config.routing_sees().table {
        switch.load_table(RoutingTables::of(config).unwrap(), number);
    }
    switch
}

impl Plain {
    /// A network of such switches, each made for its place.
    pub fn new(parameters: &NetworkParameters, make: impl Fn(Place) -> Switch<NetPacket>) -> Plain {
        let config = parameters.config.clone();
        let wiring = parameters.wiring().unwrap();
        let delay = |end: &End| match end {
            End::Node { .. } => parameters.node_link_delay,
            _ => parameters.link_delay,
        };
        let depth = config.switch.vc_depth() as u64;
        let lane = || Lane { sending: None, credits: vec![depth; config.switch.vcs] };
        let nodes = wiring.nodes.len();
        let node = parameters.node_link_delay;
        let twin = |lanes: &Vec<_>| (lanes.len() == 1 && node >= INJECTION_CYCLES as u64).then(|| Twin::new(&config));
        let switches = wiring.places.iter().enumerate();
        let switches = switches.map(|(number, &place)| loaded(&config, number, make(place))).collect();
        Plain {
            twins: wiring.nodes.iter().map(twin).collect(),
            packet_flits: parameters.packet_flits.into(),
            switches,
            shown: vec![Unrolled::default(); wiring.places.len()],
            sidebands: wiring.ends.iter().map(|ends| ends.iter().map(|end| Line::new(delay(end))).collect()).collect(),
            ring: wiring.places.iter().map(|_| Line::new(parameters.link_delay)).collect(),
            flits: wiring.ends.iter().map(|ends| ends.iter().map(|end| Line::new(delay(end))).collect()).collect(),
            credits: wiring.ends.iter().map(|ends| ends.iter().map(|end| Line::new(delay(end))).collect()).collect(),
            node_flits: wiring.nodes.iter().map(|lanes| lanes.iter().map(|_| Line::new(node)).collect()).collect(),
            node_credits: wiring.nodes.iter().map(|lanes| lanes.iter().map(|_| Line::new(node)).collect()).collect(),
            lanes: wiring.nodes.iter().map(|lanes| lanes.iter().map(|_| lane()).collect()).collect(),
            next_lane: vec![0; nodes],
            next_vc: vec![0; nodes],
            queues: vec![vec![VecDeque::new(); config.switch.vcs]; nodes],
            messages: vec![],
            sent: vec![],
            packets: HashMap::new(),
            next_packet: 0,
            hints: true,
            words: (config.mechanism().node_hint == NodeHint::Addresses).then(|| vec![Words::default(); nodes]),
            now: 0,
            seen: vec![],
            config,
            wiring,
        }
    }

    /// From now on phases and hints take a cycle more than flits do.
    pub fn delay_sidebands(&mut self) {
        self.sidebands.iter_mut().flatten().for_each(|line| line.0.push_front(None));
    }

    /// One cycle of everything. True while a message is under way.
    pub fn cycle(&mut self, workload: &mut impl Workload) -> bool {
        let now = self.now;
        let vcs = self.config.switch.vcs;
        // What the switches show in this cycle is put on the links.
        let outputs: Vec<_> = self.switches.iter().map(|switch| switch.outputs().clone()).collect();
        let mut flit_from = HashMap::new();
        let mut credit_from = HashMap::new();
        for (switch, (outputs, shown)) in outputs.iter().zip(&mut self.shown).enumerate() {
            shown.add(now, &outputs.trains, &outputs.credits);
            for flit in shown.flits(now) {
                self.seen.push((now, switch as u32, flit.port, flit.vc, flit.head, flit.payload.header));
                assert!(flit_from.insert((switch, flit.port), flit).is_none(), "one flit a port and cycle");
            }
            for credit in shown.credits(now) {
                assert!(credit_from.insert((switch, credit.port), credit.vc).is_none());
            }
        }
        // Nodes: flits, then credits, then the workload, then the lanes.
        let mut returned = HashMap::new();
        for node in 0..self.lanes.len() {
            for lane in 0..self.lanes[node].len() {
                let (switch, port) = self.wiring.nodes[node][lane];
                let from = (switch as usize, port);
                if let Some(flit) = self.node_flits[node][lane].shift(flit_from.get(&from).copied()) {
                    returned.insert(from, flit.vc);
                    let packet = self.packets.get_mut(&flit.payload.packet.into()).unwrap();
                    packet.left -= 1;
                    if packet.left == 0 {
                        let message = &mut self.messages[packet.message];
                        message.2 -= u64::from(packet.header >> 16);
                        assert_eq!(message.0.destination as usize, node);
                        if message.2 == 0 {
                            workload.delivered(now, &message.0);
                        }
                    }
                }
                if let Some(vc) = self.node_credits[node][lane].shift(credit_from.get(&from).copied()) {
                    self.lanes[node][lane].credits[usize::from(vc)] += 1;
                }
            }
        }
        if workload.next_event() <= now {
            let mut given = vec![];
            workload.act(now, &mut given).unwrap();
            for message in given {
                let vc = usize::from(self.wiring.addresses[message.destination as usize]) % 64 % vcs;
                self.queues[message.source as usize][vc].push_back(self.messages.len());
                self.messages.push((message, message.flits, message.flits));
                if let Some(words) = &mut self.words {
                    words[message.source as usize].give(now, self.wiring.addresses[message.destination as usize]);
                }
                self.sent.push(0);
            }
        }
        let mut injected = HashMap::new();
        let sent_before = self.sent.clone();
        for node in 0..self.lanes.len() {
            self.offer_to_twin(node);
            let lanes = self.lanes[node].len();
            let first = self.next_lane[node];
            for lane in (0..lanes).map(|i| (first + i) % lanes) {
                if self.lanes[node][lane].sending.is_none() {
                    self.start(node, lane);
                }
                let Some((packet, vc, left, head)) = self.lanes[node][lane].sending else { continue };
                let (message, header) = (self.packets[&packet].message, self.packets[&packet].header);
                let payload = NetPacket { header, packet: packet as u32 };
                let (switch, port) = self.wiring.nodes[node][lane];
                let flit = LinkFlit { port, vc, head, phase: Phase::On, payload };
                injected.insert((switch as usize, port), flit);
                self.sent[message] += 1;
                self.lanes[node][lane].credits[usize::from(vc)] -= 1;
                self.lanes[node][lane].sending = (left > 1).then_some((packet, vc, left - 1, false));
                let (message, to_send, _) = self.messages[message];
                let sends_more = to_send > 0
                    || (self.lanes[node].iter().filter_map(|lane| lane.sending))
                        .any(|(other, ..)| self.messages[self.packets[&other].message].0 == message && other > packet);
                if left == 1 && !sends_more && self.is_last_packet(packet) {
                    workload.sent(now, &message);
                }
            }
            if let Some(twin) = &mut self.twins[node] {
                let (switch, port) = self.wiring.nodes[node][0];
                let sent = injected.get(&(switch as usize, port));
                let credit = self.node_credits[node][0].0[INJECTION_CYCLES - 1];
                twin.check(now, sent.map(|flit| (flit.vc, flit.head, flit.payload.header)), credit);
            }
        }
        // A hint: while the flits of a message are put on the links, another waits that has not begun.
        let hints: Vec<bool> = (0..self.lanes.len() as u32)
            .map(|node| {
                let of_node = || (0..self.messages.len()).filter(|&m| self.messages[m].0.source == node);
                let is_sent = |m: usize| self.sent[m] > 0 && sent_before[m] < self.messages[m].0.flits;
                self.hints && of_node().any(is_sent) && of_node().any(|m| self.sent[m] == 0)
            })
            .collect();
        let hints = match &mut self.words {
            Some(words) => words.iter_mut().map(|words| words.next(now)).collect(),
            None => hints,
        };
        // Switches.
        for switch in 0..self.switches.len() {
            let (mut trains, mut credits, mut neighbours) = (vec![], vec![], vec![]);
            for port in 0..self.config.ports {
                let (flit, credit, sideband) = match self.wiring.ends[switch][port] {
                    End::Open => continue,
                    End::Switch { switch, port } => {
                        let from = (switch as usize, port);
                        let shown = outputs[switch as usize].sideband.of(port.into());
                        (flit_from.get(&from), credit_from.get(&from), (shown.phase, shown.hint))
                    }
                    End::Node { node, .. } => {
                        let from = (switch, port as u8);
                        (injected.get(&from), returned.get(&from), (Phase::On as u8, hints[node as usize]))
                    }
                };
                if let Some((phase, hint)) = self.sidebands[switch][port].shift(Some(sideband)) {
                    neighbours.push(Signal { port: port as u8, phase, hint });
                }
                if let Some(flit) = self.flits[switch][port].shift(flit.copied()) {
                    trains.push(Train::of(LinkFlit { port: port as u8, ..flit }));
                }
                if let Some(vc) = self.credits[switch][port].shift(credit.copied()) {
                    credits.push(Credits { port: port as u8, vc, credits: 1 });
                }
            }
            let before = &outputs[(switch + outputs.len() - 1) % outputs.len()];
            let ring = self.ring[switch].shift(Some(before.ring)).unwrap_or(0);
            let (trains, credits, neighbours) = (&trains[..], &credits[..], &neighbours[..]);
            self.switches[switch].step(&Inputs { rst: false, trains, credits, neighbours, ring, bus: None });
        }
        self.now += 1;
        self.messages.iter().any(|(_, _, left)| *left > 0)
    }

    /// Packets of a message are made in order, so the one made last is the last one.
    fn is_last_packet(&self, packet: u64) -> bool {
        let message = self.packets[&packet].message;
        !self.packets.iter().any(|(number, other)| other.message == message && *number > packet)
    }

    /// The packets that wait before anything starts in a cycle.
    fn offer_to_twin(&mut self, node: usize) {
        let Some(twin) = &mut self.twins[node] else { return };
        twin.waiting = 0;
        for (vc, queue) in self.queues[node].iter().enumerate() {
            let Some(&message) = queue.front() else { continue };
            let (given, to_send, _) = self.messages[message];
            let address = self.wiring.addresses[given.destination as usize];
            twin.waiting |= 1 << vc;
            twin.headers[vc] = to_send.min(self.packet_flits) << 16 | u64::from(address);
        }
    }

    fn start(&mut self, node: usize, lane: usize) {
        let vcs = self.config.switch.vcs;
        let first = self.next_vc[node];
        // `next_vc` counts to 8, however many there are.
        for vc in (0..8).map(|i| (first + i) % 8).filter(|&vc| vc < vcs) {
            let Some(&message) = self.queues[node][vc].front() else { continue };
            let (given, to_send, _) = &mut self.messages[message];
            let length = (*to_send).min(self.packet_flits);
            if self.lanes[node][lane].credits[vc] < length {
                continue;
            }
            *to_send -= length;
            if *to_send == 0 {
                self.queues[node][vc].pop_front();
            }
            let header = (length as u32) << 16 | u32::from(self.wiring.addresses[given.destination as usize]);
            self.packets.insert(self.next_packet, Packet { message, left: length, header });
            self.lanes[node][lane].sending = Some((self.next_packet, vc as u8, length, true));
            self.next_packet += 1;
            (self.next_vc[node], self.next_lane[node]) = ((vc + 1) % 8, (lane + 1) % self.lanes[node].len());
            return;
        }
    }

    pub fn counts(&self) -> Vec<Vec<PortCounts>> {
        let ports = self.config.ports;
        self.switches.iter().map(|switch| (0..ports).map(|port| switch.counts(port)).collect()).collect()
    }

    /// By switch and port, as of [`Network::waited`](powar_golden::network::Network::waited).
    pub fn waited(&mut self) -> Vec<Vec<u64>> {
        let ports = self.config.ports;
        self.switches.iter_mut().map(|switch| (0..ports).map(|port| switch.waited(port)).collect()).collect()
    }

    /// As of [`Network::events`](powar_golden::network::Network::events).
    pub fn events(&self) -> Vec<(&'static str, u64)> {
        let mut sums = self.switches[0].events();
        for switch in &self.switches[1..] {
            sums.iter_mut().zip(switch.events()).for_each(|(sum, (_, count))| sum.1 += count);
        }
        let dropped = |words: &Vec<Words>| ("node_hints_dropped", words.iter().map(|words| words.dropped).sum());
        sums.extend(self.words.as_ref().map(dropped));
        sums
    }
}
