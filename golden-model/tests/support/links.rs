//! Random configurations of a switch, and what is at the other ends of its links: senders with credits, receivers that give
//! them back, software at the bus, and all of them out of their mind now and then.

use crate::support::{TestedMechanism, alonso, e_rapid, hints_depths, random_config, soteriou_peh, wake_hints};
use fastrand::Rng;
use powar_config::routing::table;
use powar_config::routing::tables::TableRow;
use powar_config::switch::IN_FLIGHT_FLITS;
use powar_config::topology::{FatTree, Star, Torus, pack_address};
use powar_config::units::Nanoseconds;
use powar_config::{Config, Deterministic, Layout, Phase, Role, Routing, SwitchConfig, Topology};
use std::collections::VecDeque;

/// A small switch with everything drawn: short durations and small buffers, so that much happens.
pub fn random_switch(kind: TestedMechanism, rng: &mut Rng) -> Config {
    // Ports, groups and durations of a random controller; the topology says how many ports there are.
    let topology = loop {
        let topology = match kind {
            TestedMechanism::SoteriouPeh if rng.u8(0..4) != 0 => soteriou_peh::random_grid(rng.usize(1..=3), rng),
            TestedMechanism::ERapid => Box::new(e_rapid::random_boards(rng.usize(3..=14), rng)),
            _ => random_topology(rng),
        };
        if kind != TestedMechanism::Alonso || alonso::is_for(&*topology) {
            break topology;
        }
    };
    let ports = topology.ports().unwrap_or_else(|| rng.usize(2..=8));
    let mut config = random_config(ports, rng);
    let fits = |routing: &&Routing| !(kind == TestedMechanism::Alonso && routing.sees.table);
    let known: Vec<&Routing> = Routing::of(&*topology).filter(fits).collect();
    let routing = known[rng.usize(0..known.len())];
    config.routing = Some(routing);
    if routing.sees.table {
        config.groups.clear();
    }
    if routing.deterministic == Deterministic::Set {
        config.deterministic = Deterministic::Set;
    }
    let vcs = rng.usize(routing.least_vcs..=8);
    let max_packet_flits = [1, 2, 3, 4, 8, 16][rng.usize(0..6)];
    let depth = max_packet_flits + IN_FLIGHT_FLITS + rng.usize(0..10);
    let flit_bits = [32, 64, 128, 160][rng.usize(0..4)];
    let short_packets = [None, Some(true), Some(false)][rng.usize(0..3)];
    let switch = SwitchConfig { vcs, max_packet_flits, flit_bits, short_packets, ..SwitchConfig::default() };
    config.switch = SwitchConfig { buffer_flits: vcs * depth, ..switch };
    config.topology = Some(topology);
    config.requesters = None;
    if rng.bool() {
        config.powar_mut().unwrap().pdt = Nanoseconds(f64::from(rng.u32(0..8)));
    }
    config.check().unwrap();
    config.check_switch().unwrap();
    kind.take_over(&mut config);
    if kind == TestedMechanism::Alonso {
        alonso::take_over(&mut config, rng);
    }
    if kind == TestedMechanism::SoteriouPeh {
        soteriou_peh::take_over(&mut config, rng);
    }
    if kind == TestedMechanism::ERapid {
        e_rapid::take_over(&mut config, rng);
    }
    if [TestedMechanism::WakeHints, TestedMechanism::HintsDepths].contains(&kind) {
        wake_hints::take_over(&mut config, rng);
    }
    if kind == TestedMechanism::HintsDepths {
        hints_depths::take_over(&mut config, rng);
    }
    config
}

fn random_topology(rng: &mut Rng) -> Box<dyn Topology> {
    match rng.u8(0..8) {
        0..=1 => Box::new(Star {}),
        2..=4 => Box::new(FatTree { k: rng.usize(1..=4), n: rng.usize(1..=3), folded: rng.bool() }),
        _ => {
            let dimensions = (0..rng.usize(1..=2)).map(|_| rng.usize(2..=5)).collect();
            Box::new(Torus { dimensions, trunk: rng.usize(1..=3), nodes: [1, 1, 2, 3][rng.usize(0..4)] })
        }
    }
}

/// What is likely for a while, each in 1/256.
#[derive(Clone, Copy, Debug)]
struct Temperament {
    /// A port begins a packet.
    packet: u8,
    /// A sender that can, sends.
    flit: u8,
    /// A receiver with a flit gives its credit back.
    credit: u8,
    /// Somebody does something that isn't allowed, anywhere.
    error: u8,
    /// Software does something.
    bus: u8,
    /// A port at the other end changes its phase or its hint.
    phase: u8,
    /// A word comes in on the control ring, if there is one.
    ring: u8,
    /// All packets go to few nodes.
    few: bool,
    /// A packet that has begun is sent before others of its port, and without gaps if it can be.
    whole: bool,
}

/// A sender's view of a VC of an input port.
#[derive(Clone, Copy, Debug)]
struct Sender {
    credits: usize,
    /// Flits of the packet under way that are still to be sent.
    rest: usize,
    head: bool,
    destination: u16,
    length: usize,
}

/// Everything around a switch.
#[derive(Clone, Debug)]
pub struct Links {
    config: Config,
    bases: Vec<usize>,
    nodes: usize,
    rng: Rng,
    temperament: Temperament,
    senders: Vec<Sender>,
    /// Phase and hint that each input port's link shows.
    shown: Vec<(u64, bool)>,
    /// VCs of the flits that a receiver still holds, by output port.
    received: Vec<VecDeque<u64>>,
    place: (u64, u64),
    /// What is on the lanes, if the mechanism reads words.
    lanes: Option<wake_hints::Lanes>,
    /// Writes of rows of the routing table that software is about to make, if there is one: byte address and data. The first is on the bus.
    rows: VecDeque<(u64, u64)>,
    row_on_bus: bool,
}

impl Links {
    pub fn new(config: &Config, mut rng: Rng) -> Self {
        let bases = config.topology.as_ref().unwrap().bases(config.ports);
        let nodes = bases.iter().product();
        let place = random_place(&bases, nodes, &mut rng);
        let mut links = Links {
            config: config.clone(),
            bases,
            nodes,
            rng,
            temperament: Temperament {
                packet: 100,
                flit: 200,
                credit: 200,
                error: 0,
                bus: 5,
                phase: 0,
                ring: 4,
                few: false,
                whole: false,
            },
            senders: Vec::new(),
            shown: vec![(0, false); config.ports],
            received: Vec::new(),
            place,
            lanes: wake_hints::Lanes::new(config),
            rows: VecDeque::new(),
            row_on_bus: false,
        };
        links.restart();
        links.write_rows(32);
        links
    }

    fn restart(&mut self) {
        let credits = self.config.switch.vc_depth();
        let idle = Sender { credits, rest: 0, head: false, destination: 0, length: 0 };
        self.senders = vec![idle; self.config.ports * self.config.switch.vcs];
        self.received = vec![VecDeque::new(); self.config.ports];
    }

    /// No flits and credits on the links, in the input frame.
    pub fn idle(&self, inputs: &mut [u64]) {
        let n = self.config.ports;
        inputs.fill(0);
        (inputs[1], inputs[2]) = self.place;
        for (port, &(phase, hint)) in self.shown.iter().enumerate() {
            inputs[5 + n + port] = phase;
            inputs[5 + 2 * n] |= u64::from(hint) << port;
        }
    }

    /// The next cycle's input frame, after a cycle that showed `observed`.
    pub fn next(&mut self, layout: &Layout, observed: &[u64], inputs: &mut [u64]) {
        let n = self.config.ports;
        let out = |name: &str| layout.observed(Role::Output, name).unwrap();
        if inputs[0] == 1 {
            self.restart();
        } else {
            let (credit_vc, out_vc) = (out("in_credit_vc"), out("out_vc"));
            for port in 0..n {
                if observed[out("in_credit_valid")] >> port & 1 == 1 {
                    let vc = observed[credit_vc + port] as usize;
                    self.senders[port * self.config.switch.vcs + vc].credits += 1;
                }
                if observed[out("out_valid")] >> port & 1 == 1 {
                    self.received[port].push_back(observed[out_vc + port]);
                }
            }
        }
        if self.rng.u8(..) < 2 {
            self.change_temper();
            self.write_rows(1);
        }
        for port in 0..n {
            if self.rng.u8(..) < self.temperament.phase {
                // Mostly a phase that sends; 6 and 7 are none.
                let phase = [0, 0, 0, 5, self.rng.u64(0..6), self.rng.u64(0..8)][self.rng.usize(0..6)];
                self.shown[port] = (phase, self.rng.bool());
            }
        }
        if let Some(lanes) = &mut self.lanes {
            let hints = lanes.next(&mut self.rng);
            (0..n).for_each(|port| self.shown[port].1 = hints >> port & 1 == 1);
        }
        let ready = observed[out("s_axi_awready")] == 1;
        if std::mem::take(&mut self.row_on_bus) && ready {
            self.rows.pop_front();
        }
        self.idle(inputs);
        if let Some(ring_in) = layout.input("ring_in").filter(|_| self.rng.u8(..) < self.temperament.ring) {
            inputs[ring_in] = e_rapid::random_word(&mut self.rng);
        }
        inputs[0] = u64::from(self.rng.u16(0..1500) == 0);
        if self.rng.u16(0..1500) == 0 {
            self.place = random_place(&self.bases, self.nodes, &mut self.rng);
        }
        for port in 0..n {
            self.send(port, inputs);
            self.give_back(port, layout, inputs);
        }
        let axi = layout.input("s_axi_awvalid").unwrap();
        self.use_bus(&mut inputs[axi..]);
    }

    fn change_temper(&mut self) {
        let rng = &mut self.rng;
        let mut chance = |choices: &[u8]| choices[rng.usize(0..choices.len())];
        self.temperament = Temperament {
            packet: chance(&[0, 0, 3, 30, 255]),
            flit: chance(&[20, 128, 255, 255]),
            credit: chance(&[0, 20, 128, 255, 255]),
            error: chance(&[0, 0, 0, 1, 10]),
            bus: chance(&[0, 1, 5, 60]),
            phase: chance(&[0, 0, 1, 20]),
            ring: chance(&[0, 0, 4, 60, 255]),
            few: chance(&[0, 1]) == 1,
            whole: chance(&[0, 1]) == 1,
        };
        // Now and then all neighbours go off, or are on again.
        let hint = chance(&[0, 1]) == 1;
        match chance(&[0, 1, 2, 2, 2, 2, 2, 2]) {
            0 => self.shown.fill((Phase::On as u64, hint)),
            1 => self.shown.fill((Phase::Off as u64, hint)),
            _ => {}
        }
    }

    /// Rows by chance for so many destinations, most of which exist: a set of ports, one port more, virtual channels for both.
    fn write_rows(&mut self, count: usize) {
        if !self.config.routing_sees().table {
            return;
        }
        let (ports, vcs) = (self.config.ports, self.config.switch.vcs);
        let some = |rng: &mut Rng, of: usize| rng.u64(..) & (u64::MAX >> (64 - of));
        for _ in 0..count {
            let rng = &mut self.rng;
            let row = TableRow {
                adaptive: some(rng, ports) * rng.u64(0..2),
                deterministic: u64::from(rng.u8(0..4) != 0) << rng.usize(0..ports),
                // Also where there is no port.
                adaptive_vcs: some(rng, vcs) as u8 | 1 << rng.usize(0..vcs),
                deterministic_vcs: 1 << rng.usize(0..vcs),
            };
            let address = pack_address(&self.bases, rng.usize(0..self.nodes));
            self.rows.push_back((table::ROW.into(), address.into()));
            let write = |(place, word): (usize, u32)| (u64::from(table::WORD0) + 4 * place as u64, word.into());
            self.rows.extend(row.words(ports, vcs).into_iter().enumerate().map(write));
        }
        if self.config.routing_sees().to_node {
            let words = (0..ports.div_ceil(32) as u64).map(|place| u64::from(table::NODE_PORTS) + 4 * place);
            self.rows.extend(words.map(|address| (address, self.rng.u32(..).into())).collect::<Vec<_>>());
        }
    }

    fn errs(&mut self) -> bool {
        self.rng.u8(..) < self.temperament.error
    }

    fn send(&mut self, port: usize, inputs: &mut [u64]) {
        let SwitchConfig { vcs, max_packet_flits, .. } = self.config.switch;
        let (n, w) = (self.config.ports, self.config.switch.flit_words());
        let drawn = self.rng.usize(0..vcs);
        let begun = |&vc: &usize| {
            let sender = &self.senders[port * vcs + vc];
            sender.rest != 0 && !sender.head
        };
        let vc = (0..vcs).find(begun).filter(|_| self.temperament.whole).unwrap_or(drawn);
        if self.senders[port * vcs + vc].rest == 0 && self.rng.u8(..) < self.temperament.packet {
            let length = self.rng.usize(1..=max_packet_flits);
            let node = self.rng.usize(0..if self.temperament.few { self.nodes.min(2) } else { self.nodes });
            let destination = match self.errs() {
                true => self.rng.u16(..),
                false => pack_address(&self.bases, node),
            };
            let sender = &mut self.senders[port * vcs + vc];
            *sender = Sender { rest: length, head: true, destination, length, ..*sender };
        }
        let (stray, dares) = (self.errs(), self.errs());
        let closed = ![0, 5].contains(&self.shown[port].0);
        let sends = (self.rng.u8(..) < self.temperament.flit || self.temperament.whole) && (!closed || self.errs());
        let sender = &mut self.senders[port * vcs + vc];
        let goes = sends && sender.rest != 0 && (sender.credits != 0 || dares);
        if !(goes || stray) {
            return;
        }
        let (mut head, mut length) = (sender.head, sender.length as u32);
        if goes {
            *sender =
                Sender { rest: sender.rest - 1, head: false, credits: sender.credits.saturating_sub(1), ..*sender };
        }
        let destination = sender.destination;
        let (flip, bend) = (self.errs(), self.errs());
        head ^= flip;
        if bend {
            length = [0, 1, max_packet_flits as u32 + 1, 1023][self.rng.usize(0..4)];
        }
        inputs[3] |= 1 << port;
        inputs[4] |= u64::from(head) << port;
        inputs[5 + port] = if self.errs() { self.rng.u64(0..8) } else { vc as u64 };
        for word in &mut inputs[6 + 2 * n + port * w..][..w] {
            *word = self.rng.u32(..).into();
        }
        inputs[6 + 2 * n + port * w] = u64::from(self.rng.u32(..) << 26 | length << 16 | u32::from(destination));
    }

    fn give_back(&mut self, port: usize, layout: &Layout, inputs: &mut [u64]) {
        let valid = layout.input("out_credit_valid").unwrap();
        if self.rng.u8(..) < self.temperament.credit
            && let Some(vc) = self.received[port].pop_front()
        {
            inputs[valid] |= 1 << port;
            inputs[valid + 1 + port] = vc;
        }
        if self.errs() {
            inputs[valid] |= 1 << port;
            inputs[valid + 1 + port] = self.rng.u64(0..8);
        }
    }

    fn use_bus(&mut self, axi: &mut [u64]) {
        let (rng, chance) = (&mut self.rng, self.temperament.bus);
        if chance == 0 && self.rows.is_empty() {
            return;
        }
        let address = |rng: &mut Rng, ports: usize| match rng.u8(0..8) {
            0 => rng.u64(..) & 0xffff,
            1..=4 => 0x3c + 4 * rng.u64(0..19),
            5 => 4 * rng.u64(0..5),
            _ => 0x1000 + 0x40 * rng.u64(0..ports as u64 + 1) + 4 * rng.u64(0..14),
        };
        let ports = self.config.ports;
        axi[0] = u64::from(rng.u8(..) < chance);
        axi[1] = address(rng, ports);
        axi[2] = u64::from(rng.u8(..) < chance.saturating_mul(4));
        let has_table = self.config.routing_sees().table;
        if has_table {
            // An address that waits for its word would get one of a row.
            axi[2] = axi[0];
        }
        axi[3] = u64::from(rng.u32(..) >> [0, 16, 26, 28, 31][rng.usize(0..5)]);
        axi[4] = if rng.u8(0..8) == 0 { rng.u64(0..16) } else { 15 };
        axi[5] = u64::from(rng.u8(0..4) != 0);
        axi[6] = u64::from(rng.u8(..) < chance);
        axi[7] = address(rng, ports);
        axi[8] = u64::from(rng.u8(0..4) != 0);
        let to_words = u64::from(table::WORD0)..u64::from(table::NODE_PORTS);
        if let Some(&(address, data)) = self.rows.front() {
            (axi[0], axi[1], axi[2], axi[3], axi[4]) = (1, address, 1, data, 15);
            self.row_on_bus = true;
        } else if has_table && to_words.contains(&axi[1]) {
            // A row is what its words say together.
            (axi[0], axi[2]) = (0, 0);
        }
    }
}

/// Position and stage of a switch.
fn random_place(bases: &[usize], nodes: usize, rng: &mut Rng) -> (u64, u64) {
    let position = pack_address(bases, rng.usize(0..nodes));
    (position.into(), rng.usize(0..bases.len()) as u64)
}
