//! A switch with a well-behaved sender and receiver on every port: they keep to their credits, and watch what comes.

use fastrand::Rng;
use powar_config::topology::Star;
use powar_config::units::Nanoseconds;
use powar_config::{Config, CycleModel, Layout, Role, presets, registers};
use powar_golden::lock_step::LockStep;
use powar_golden::reference::switch::StepwiseSwitch;
use std::collections::{HashMap, VecDeque};

/// Word of a flit that says which packet it belongs to, above, and which flit of it it is, in the low 10 bits.
const MARK: usize = 1;

/// A star of `n` ports: `vcs` virtual channels of `depth` flits of two words, packets of up to `longest` flits. Nothing sleeps.
pub fn star(n: usize, vcs: usize, depth: usize, longest: usize) -> Config {
    let mut config = presets::by_name("fat-tree-2").unwrap();
    config.name = "star".into();
    config.ports = n;
    config.requesters = None;
    config.groups.clear();
    config.topology = Some(Box::new(Star {}));
    config.switch.vcs = vcs;
    config.switch.buffer_flits = vcs * depth;
    config.switch.max_packet_flits = longest;
    config.switch.flit_bits = 64;
    // A cycle is a nanosecond here, so that durations are cycles.
    config.cycle_ns = 1.0;
    let powar = config.powar_mut().unwrap();
    (powar.policy, powar.check_period) = ("reference".into(), Nanoseconds(100.0));
    config.check().unwrap();
    config.check_switch().unwrap();
    config
}

/// A packet as a sender sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    pub id: u32,
    pub from: usize,
    pub vc: usize,
    pub destination: u16,
    pub flits: usize,
}

/// A flit seen on a link to or from the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    pub cycle: u64,
    pub port: usize,
    pub vc: usize,
    pub head: bool,
    pub packet: u32,
    pub index: usize,
}

#[derive(Default)]
struct Sender {
    /// For each VC, the flits that wait: packet and place in it.
    waiting: Vec<VecDeque<(u32, usize)>>,
    credits: Vec<usize>,
}

#[derive(Default)]
struct Receiver {
    /// For each VC, flits in the buffer.
    filled: Vec<usize>,
    /// For each VC, the packet under way and its next flit.
    expects: Vec<Option<(u32, usize)>>,
}

/// A switch on the bench.
pub struct Bench {
    pub config: Config,
    pub model: LockStep<StepwiseSwitch>,
    layout: Layout,
    inputs: Vec<u64>,
    pub observed: Vec<u64>,
    pub cycle: u64,
    senders: Vec<Sender>,
    receivers: Vec<Receiver>,
    pub packets: Vec<Packet>,
    /// Every flit that has come out, in order.
    pub out: Vec<Seen>,
    /// Every flit that was sent, in order.
    pub sent: Vec<Seen>,
    /// Chance in 1/256 that a receiver gives back a credit it owes, and that a sender sends what it could.
    pub eagerness: (u8, u8),
    rng: Rng,
    /// Packets by the output port and VC of the input, in the order in which they came out.
    order: HashMap<(usize, usize, usize), u32>,
    pub whole: Vec<u32>,
    /// The counters of each port in the cycle that was stepped last.
    counts: Vec<Vec<u32>>,
    /// Of the cycle before.
    before: Allocated,
}

/// What allocation shows in a cycle, a bit a port: input ports of which a packet is accepted; output ports of
/// whose packet the VC is chosen, that are held, that are released, and that have just been given to a packet.
#[derive(Clone, Copy, Default)]
struct Allocated {
    accepting: u64,
    choosing: u64,
    held: u64,
    releasing: u64,
    given: u64,
}

impl Bench {
    pub fn new(config: &Config, seed: u64) -> Self {
        let model = LockStep::new(StepwiseSwitch::new(config));
        let layout = model.layout().clone();
        let (n, v, d) = (config.ports, config.switch.vcs, config.switch.vc_depth());
        assert!(config.switch.flit_words() > MARK, "flits are told apart by their second word");
        Bench {
            inputs: vec![0; layout.input_slots()],
            observed: vec![0; layout.observed_slots()],
            layout,
            model,
            cycle: 0,
            senders: (0..n).map(|_| Sender { waiting: vec![VecDeque::new(); v], credits: vec![d; v] }).collect(),
            receivers: (0..n).map(|_| Receiver { filled: vec![0; v], expects: vec![None; v] }).collect(),
            packets: Vec::new(),
            out: Vec::new(),
            sent: Vec::new(),
            eagerness: (255, 255),
            rng: Rng::with_seed(seed),
            order: HashMap::new(),
            whole: Vec::new(),
            counts: Vec::new(),
            before: Allocated::default(),
            config: config.clone(),
        }
    }

    /// Queues a packet at a sender; returns its number.
    pub fn send(&mut self, from: usize, vc: usize, destination: u16, flits: usize) -> u32 {
        let id = self.packets.len() as u32;
        self.packets.push(Packet { id, from, vc, destination, flits });
        self.senders[from].waiting[vc].extend((0..flits).map(|index| (id, index)));
        id
    }

    /// First slot of an input.
    pub fn input(&mut self, name: &str, row: usize) -> &mut u64 {
        let slot = self.layout.input(name).unwrap() + row;
        &mut self.inputs[slot]
    }

    /// A row of an output.
    pub fn output(&self, name: &str, row: usize) -> u64 {
        self.observed[self.layout.observed(Role::Output, name).unwrap() + row]
    }

    /// A row of a register.
    pub fn register(&self, name: &str, row: usize) -> u64 {
        self.observed[self.layout.observed(Role::Register, name).unwrap() + row]
    }

    /// A port's counter by its name in the register map.
    pub fn counter(&self, name: &str, port: usize) -> u64 {
        let counters: Vec<&str> = registers::counters(self.config.mechanism()).map(|(name, _)| name).collect();
        let place = counters.iter().position(|counter| *counter == name).unwrap();
        self.counts[port][place].into()
    }

    pub fn set_position(&mut self, position: u16, stage: u8) {
        *self.input("position", 0) = position.into();
        *self.input("stage", 0) = stage.into();
    }

    /// A cycle with what senders and receivers want.
    pub fn step(&mut self) {
        self.drive_senders();
        self.drive_receivers();
        self.step_as_is();
    }

    /// A cycle with the input frame as it is; what is on the links is gone afterwards.
    pub fn step_as_is(&mut self) {
        let power = &self.model.block.power;
        self.counts = (0..self.config.ports).map(|port| power.counts(port)).collect();
        self.model.cycle(&self.inputs, &mut self.observed);
        self.watch();
        self.watch_allocation();
        for name in ["in_valid", "in_head", "out_credit_valid", "s_axi_awvalid", "s_axi_wvalid", "s_axi_arvalid"] {
            *self.input(name, 0) = 0;
        }
        self.cycle += 1;
    }

    pub fn steps(&mut self, cycles: usize) {
        (0..cycles).for_each(|_| self.step());
    }

    fn drive_senders(&mut self) {
        for port in 0..self.config.ports {
            let sender = &mut self.senders[port];
            let able: Vec<usize> = (0..sender.credits.len())
                .filter(|&vc| sender.credits[vc] > 0 && !sender.waiting[vc].is_empty())
                .collect();
            if able.is_empty() || self.rng.u8(..) > self.eagerness.1 {
                continue;
            }
            let vc = able[self.rng.usize(0..able.len())];
            sender.credits[vc] -= 1;
            let (packet, index) = sender.waiting[vc].pop_front().unwrap();
            self.put_flit(port, vc, index == 0, packet, index);
        }
    }

    /// Puts a flit of a packet on the link of an input port.
    fn put_flit(&mut self, port: usize, vc: usize, head: bool, packet: u32, index: usize) {
        let Packet { destination, flits, .. } = self.packets[packet as usize];
        let first_word = if index == 0 { header(destination, flits) } else { 0xdead_0000 | index as u32 };
        self.put_words(port, vc, head, &[first_word, packet << 10 | index as u32]);
        let cycle = self.cycle;
        self.sent.push(Seen { cycle, port, vc, head, packet, index });
    }

    /// Puts any flit on the link of an input port; further words are 0.
    pub fn put_words(&mut self, port: usize, vc: usize, head: bool, words: &[u32]) {
        *self.input("in_valid", 0) |= 1 << port;
        *self.input("in_head", 0) |= u64::from(head) << port;
        *self.input("in_vc", port) = vc as u64;
        let width = self.config.switch.flit_words();
        for w in 0..width {
            *self.input("in_flit", port * width + w) = words.get(w).copied().unwrap_or(0).into();
        }
    }

    /// Takes a credit for a flit that is put on a link by hand.
    pub fn forget_credits(&mut self, port: usize, vc: usize) {
        self.senders[port].credits[vc] -= 1;
    }

    /// A cycle in which the next flit of a sender has a wrong head mark.
    pub fn mark_next_as_head(&mut self, port: usize, vc: usize) {
        self.drive_receivers();
        self.senders[port].credits[vc] -= 1;
        let (packet, index) = self.senders[port].waiting[vc].pop_front().unwrap();
        self.put_flit(port, vc, true, packet, index);
        self.step_as_is();
    }

    fn drive_receivers(&mut self) {
        for port in 0..self.config.ports {
            let receiver = &mut self.receivers[port];
            let owed: Vec<usize> = (0..receiver.filled.len()).filter(|&vc| receiver.filled[vc] > 0).collect();
            if owed.is_empty() || self.rng.u8(..) > self.eagerness.0 {
                continue;
            }
            let vc = owed[self.rng.usize(0..owed.len())];
            receiver.filled[vc] -= 1;
            *self.input("out_credit_valid", 0) |= 1 << port;
            *self.input("out_credit_vc", port) = vc as u64;
        }
    }

    /// Looks at the links after a cycle. Everything that must always hold there is asserted here.
    fn watch(&mut self) {
        let (depth, words) = (self.config.switch.vc_depth(), self.config.switch.flit_words());
        for port in 0..self.config.ports {
            if self.output("in_credit_valid", 0) >> port & 1 == 1 {
                let vc = self.output("in_credit_vc", port) as usize;
                let credits = &mut self.senders[port].credits[vc];
                *credits += 1;
                assert!(*credits <= depth, "cycle {}: too many credits at input {port}", self.cycle);
            }
            if self.output("out_valid", 0) >> port & 1 == 0 {
                continue;
            }
            assert_eq!(self.output("out_phase", port), 0, "cycle {}: a flit on sleeping port {port}", self.cycle);
            let mark = self.output("out_flit", port * words + MARK) as u32;
            let seen = Seen {
                cycle: self.cycle,
                port,
                vc: self.output("out_vc", port) as usize,
                head: self.output("out_head", 0) >> port & 1 == 1,
                packet: mark >> 10,
                index: (mark & 0x3ff) as usize,
            };
            self.receive(seen, self.output("out_flit", port * words) as u32);
        }
    }

    /// Looks at the allocator's registers after a cycle.
    fn watch_allocation(&mut self) {
        let vector = |name| {
            let bit = |port| u64::from(self.register(name, port) != 0) << port;
            (0..self.config.ports).fold(0, |vector, port| vector | bit(port))
        };
        let (cycle, before) = (self.cycle, self.before);
        let (accepting, choosing) = (vector("allocator.accept"), vector("output_port.choosing"));
        for port in (0..self.config.ports).filter(|port| (before.accepting & accepting) >> port & 1 == 1) {
            let missed = self.accepted_after(port);
            assert_eq!(missed, 63, "cycle {cycle}: input port {port} has packets accepted twice in a row");
        }
        let chosen = vector("output_port.next_vc");
        assert_eq!(before.choosing & !chosen, 0, "cycle {cycle}: a packet gets no VC, since it fits none");
        let select = |flags: u64| {
            let of_port = |i| if flags >> i & 1 == 1 { self.select(i) } else { 0 };
            (0..self.config.ports).fold(0, |ports, i| ports | of_port(i))
        };
        let releasing = select(vector("input_port.select_release"));
        let (held, given) = (self.output("held", 0), vector_of_grants(self));
        let dropped = before.held & !held;
        // A short packet may release it with its first flit, which departs only now.
        let released = before.releasing | if self.config.switch.short_packets() { releasing & before.given } else { 0 };
        assert_eq!(dropped & !released, 0, "cycle {cycle}: a port is let go of without a release");
        assert_eq!(given & !held, 0, "cycle {cycle}: a port that has just been given is not held");
        self.before = Allocated { accepting, choosing, held, releasing, given };
    }

    /// Chances that the packet has missed which is accepted at an input port.
    fn accepted_after(&self, port: usize) -> u64 {
        let vc = self.register("allocator.accept", port).trailing_zeros() as usize;
        self.register("allocator.missed", port * self.config.switch.vcs + vc)
    }

    /// The output port that the flit which was read in the cycle before at an input port is for, one-hot; 0 if there is none.
    fn select(&self, port: usize) -> u64 {
        let sent = self.register("input_port.sent", port);
        let of_vc = |vc| {
            if sent >> vc & 1 == 1 {
                self.register("input_port.vc.port", port * self.config.switch.vcs + vc)
            } else {
                0
            }
        };
        (0..self.config.switch.vcs).fold(0, |ports, vc| ports | of_vc(vc))
    }

    fn receive(&mut self, seen: Seen, first_word: u32) {
        let packet = self.packets[seen.packet as usize].clone();
        let receiver = &mut self.receivers[seen.port];
        receiver.filled[seen.vc] += 1;
        assert!(receiver.filled[seen.vc] <= self.config.switch.vc_depth(), "{seen:?}: the receiver's buffer overflows");
        let expected = receiver.expects[seen.vc].take().unwrap_or((seen.packet, 0));
        assert_eq!((seen.packet, seen.index), expected, "{seen:?}: lost, doubled or interleaved");
        assert_eq!(seen.head, seen.index == 0, "{seen:?}");
        let word = if seen.head { header(packet.destination, packet.flits) } else { 0xdead_0000 | seen.index as u32 };
        assert_eq!(first_word, word, "{seen:?}");
        if seen.index + 1 < packet.flits {
            receiver.expects[seen.vc] = Some((seen.packet, seen.index + 1));
        } else {
            self.whole.push(seen.packet);
        }
        if seen.head {
            let before = self.order.insert((packet.from, packet.vc, seen.port), seen.packet);
            assert!(before.is_none_or(|before| before < seen.packet), "{seen:?} overtook {before:?}");
        }
        self.out.push(seen);
    }

    /// Whether nothing is under way any more and every credit is back.
    pub fn is_quiet(&self) -> bool {
        let d = self.config.switch.vc_depth();
        let senders = self.senders.iter().all(|sender| {
            sender.waiting.iter().all(VecDeque::is_empty) && sender.credits.iter().all(|&credits| credits == d)
        });
        let receivers = self.receivers.iter().all(|receiver| receiver.filled.iter().all(|&filled| filled == 0));
        // The last credits that were given back are in the counters a cycle later, all of them.
        let (ports, rows) = (self.config.ports, self.config.ports * self.config.switch.vcs);
        // A flit on its way from the memory to the link has taken no credit yet, or has just done so.
        let crossing = (0..ports).any(|port| self.select(port) != 0);
        let crossing = crossing || self.register("crossbar.valid", 0) != 0;
        let counters = (0..rows).all(|row| self.register("output_port.credit.credits", row) == d as u64);
        senders && receivers && counters && !crossing && self.output("out_valid", 0) == 0
    }

    /// Runs until nothing is under way.
    pub fn run_dry(&mut self, most: u64) {
        let start = self.cycle;
        while {
            self.step();
            !self.is_quiet()
        } {
            assert!(self.cycle - start < most, "not quiet after {most} cycles: {}", self.under_way());
        }
    }

    fn under_way(&self) -> String {
        let waiting: usize = self.senders.iter().flat_map(|sender| &sender.waiting).map(VecDeque::len).sum();
        format!("{} of {} packets are out, {waiting} flits not yet sent", self.whole.len(), self.packets.len())
    }

    /// The cycles in which head flits of a packet were sent and came out.
    pub fn latency(&self, packet: u32) -> u64 {
        let cycle = |list: &[Seen]| list.iter().find(|seen| seen.packet == packet && seen.head).unwrap().cycle;
        cycle(&self.out) - cycle(&self.sent)
    }

    /// A write over the register bus; returns its answer.
    pub fn write(&mut self, address: u16, data: u32) -> u64 {
        for (name, value) in [
            ("s_axi_awvalid", 1),
            ("s_axi_awaddr", address.into()),
            ("s_axi_wvalid", 1),
            ("s_axi_wdata", data.into()),
            ("s_axi_wstrb", 0b1111),
            ("s_axi_bready", 1),
        ] {
            *self.input(name, 0) = value;
        }
        self.step();
        assert_eq!((self.output("s_axi_awready", 0), self.output("s_axi_wready", 0)), (1, 1));
        self.step();
        assert_eq!(self.output("s_axi_bvalid", 0), 1);
        self.output("s_axi_bresp", 0)
    }

    /// A read over the register bus: its answer and the word.
    pub fn read(&mut self, address: u16) -> (u64, u64) {
        *self.input("s_axi_arvalid", 0) = 1;
        *self.input("s_axi_araddr", 0) = address.into();
        *self.input("s_axi_rready", 0) = 1;
        self.step();
        assert_eq!(self.output("s_axi_arready", 0), 1);
        let mut waited = 0;
        self.step();
        while self.output("s_axi_rvalid", 0) == 0 {
            self.step();
            waited += 1;
        }
        // A word of the bus or none, a status, a counter: docs/microarchitecture/registers.md.
        let counters = registers::counters(self.config.mechanism()).count();
        assert!((1..=2 + counters).contains(&waited), "{address:#06x}: {waited} cycles");
        (self.output("s_axi_rresp", 0), self.output("s_axi_rdata", 0))
    }
}

/// The output ports of the grants that input ports see in the cycle.
fn vector_of_grants(bench: &Bench) -> u64 {
    (0..bench.config.ports).fold(0, |ports, i| ports | bench.register("allocator.grant", i))
}

/// Word 0 of a head flit.
pub fn header(destination: u16, flits: usize) -> u32 {
    (flits as u32) << 16 | u32::from(destination)
}
