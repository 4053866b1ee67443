//! `allocator`: the three stages that give output ports to packets.

use crate::bits::{is_set, ones};
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::allocation::Selector;
use crate::reference::allocation::selector::SelectorInputs;
use crate::reference::arbiters::{PortArbiter, VcArbiter};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{choice, count, flags, set};
use powar_config::{Config, Habit, Owner, Sees, SignalSpec};

/// Chances missed after which a packet asks although its input port can't read it.
const MOST_MISSED: u8 = 63;

/// The allocator; the public fields are its children and its registers. Row i is that of input port i, row i*V + v that of its
/// virtual channel v.
#[derive(Clone, Debug)]
pub struct Allocator {
    ports: usize,
    vcs: usize,
    /// The power mechanism sees `wanted`.
    wanted: bool,
    /// Of a switch for short packets, with `at_once` and `freed`.
    short_packets: bool,
    /// Selector i*V + v.
    pub selectors: Vec<Selector>,
    pub vc_arbiters: Vec<VcArbiter>,
    pub port_arbiters: Vec<PortArbiter>,
    /// Row i*V + v: chances that packet has missed because its input port could not read it, or had just picked another.
    pub missed: Vec<u8>,
    pub picked: Picked,
    pub granted: Granted,
}

/// The registers between the second stage and the third.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    /// Row i: the VC that was picked, one-hot.
    pub vc: Vec<u64>,
    /// Bit i: the pick counts for nothing: it was made before it was known that another packet of the input port is accepted.
    pub stale: u64,
    /// Bit i: its choice came from P.
    pub adaptive: u64,
    /// Bit i: the pick is not stale, and its packet is to be dropped.
    pub drop: u64,
    /// Row i: the port it asks for, one-hot; none if the pick is stale.
    pub wish: Vec<u64>,
    /// Output ports that were ready in the cycle before.
    pub ready_before: u64,
}

/// The registers behind the third stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Granted {
    /// Row i: the VC whose packet is granted a port, or dropped; one-hot.
    pub accept: Vec<u64>,
    /// Bit i: there is such a VC.
    pub served: u64,
    /// Row i: the port it is granted, one-hot.
    pub grant: Vec<u64>,
    /// Bit i: it is dropped.
    pub drop: u64,
    /// Bit i: the port was ready, steady in the cycle before.
    pub ready: u64,
    pub steady: u64,
    /// Bit i: the choice of the port came from P.
    pub adaptive: u64,
    /// Row i: the output VCs allowed to the packet that is accepted.
    pub vcs: Vec<u64>,
}

inputs! {
    /// What the allocator sees in a cycle. Rows over the input VCs are as the selectors.
    #[derive(Clone, Copy, Debug)]
    pub struct AllocatorInputs<'a> of block: &Allocator {
        /// Row i: the VCs of input port i that show the route of a packet.
        pub valid: &'a [u64] = block.of_input("valid").habit(Habit::Usual),
        /// Row i: those whose packet is to be dropped.
        pub drop: &'a [u64] = block.of_input("drop").habit(Habit::Drought),
        pub adaptive: &'a [u64] = block.of_vcs("adaptive", block.ports),
        pub deterministic: &'a [u64] = block.of_vcs("deterministic", block.ports),
        /// Output VCs allowed when the port is chosen from P.
        pub adaptive_vcs: &'a [u64] = block.of_vcs("adaptive_vcs", block.vcs).habit(Habit::Usual),
        /// Output VCs allowed when the port is chosen from D.
        pub deterministic_vcs: &'a [u64] = block.of_vcs("deterministic_vcs", block.vcs).habit(Habit::Usual),
        /// Row i: the VCs of input port i that can hold a port two cycles from now.
        pub can_take: &'a [u64] = block.of_input("can_take").habit(Habit::Usual),
        /// Bit i: input port i can read a packet two cycles from now.
        pub can_read: u64 = flags("can_read", Owner::InputPort, block.ports).habit(Habit::Drought),
        /// Row w, bit p: output port p may be given to a packet on VC w.
        pub open: &'a [u64] = block.of_outputs("open"),
        /// Row w, bit p: output port p has room for a packet on VC w. No rows if the mechanism does not see what is
        /// wanted.
        pub room: &'a [u64] = block.of_outputs("room").only_if(block.wanted),
        /// Bit i: the output port is released in the cycle in which it is granted to the packet of input port i. 0 but in
        /// a switch for short packets.
        pub at_once: u64 = flags("at_once", Owner::InputPort, block.ports).only_if(block.short_packets),
        /// Of the output ports.
        pub held: u64 = flags("held", Owner::Port, block.ports),
        pub ready: u64 = flags("ready", Owner::Port, block.ports),
        pub steady: u64 = flags("steady", Owner::Port, block.ports),
        pub preferred: u64 = flags("preferred", Owner::Port, block.ports),
    }
}

/// What the second and the third stage make of a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Output ports that are given to a packet.
    pub given: u64,
    /// Row p: the input ports that ask for output port p.
    request: Vec<u64>,
    /// The registers of the next cycle.
    picked: Picked,
    granted: Granted,
    missed: Vec<u8>,
}

impl Picked {
    fn none(ports: usize) -> Self {
        let rows = || vec![0; ports];
        Picked { vc: rows(), stale: 0, adaptive: 0, drop: 0, wish: rows(), ready_before: 0 }
    }
}

impl Granted {
    fn none(ports: usize) -> Self {
        let rows = || vec![0; ports];
        Granted { accept: rows(), served: 0, grant: rows(), drop: 0, ready: 0, steady: 0, adaptive: 0, vcs: rows() }
    }

    /// Output ports that are granted to a packet.
    pub fn ports(&self) -> u64 {
        self.grant.iter().fold(0, |ports, row| ports | row)
    }

    /// Those of them that are released at once, by what the input ports say.
    pub fn freed(&self, at_once: u64) -> u64 {
        ones(at_once).fold(0, |ports, i| ports | self.grant[i])
    }

    /// Output VCs allowed to the packet that is granted output port p.
    pub fn allowed(&self, p: usize) -> u64 {
        let rows = self.grant.iter().zip(&self.vcs);
        rows.filter(|(grant, _)| is_set(**grant, p)).fold(0, |allowed, (_, vcs)| allowed | vcs)
    }
}

impl Allocator {
    /// The allocator of this configuration's switch in its state after reset, with what the power mechanism sees of it.
    pub fn new(config: &Config, sees: Sees) -> Self {
        let (ports, vcs) = (config.ports, config.switch.vcs);
        Allocator {
            ports,
            vcs,
            wanted: sees.wanted,
            short_packets: config.switch.short_packets(),
            selectors: vec![Selector::of(config); ports * vcs],
            vc_arbiters: vec![VcArbiter::new(vcs); ports],
            port_arbiters: vec![PortArbiter::new(ports); ports],
            missed: vec![0; ports * vcs],
            picked: Picked::none(ports),
            granted: Granted::none(ports),
        }
    }

    /// The second and the third stage of a cycle.
    pub fn decide(&self, inputs: &AllocatorInputs) -> Decision {
        let asked = self.picked.wish.iter().fold(0, |ports, wish| ports | wish);
        let (request, granted) = self.grant(inputs);
        let (picked, missed) = self.pick(inputs, asked, granted.served);
        Decision { given: asked & !inputs.held, request, picked, granted, missed }
    }

    /// Stage 2. `asked`: the output ports that are asked for in this cycle; each of them that is not held is given away. Bit i of
    /// `serves`: the third stage accepts a packet of input port i.
    fn pick(&self, inputs: &AllocatorInputs, asked: u64, serves: u64) -> (Picked, Vec<u8>) {
        let v = self.vcs;
        let (mut picked, mut missed) = (Picked::none(self.ports), self.missed.clone());
        picked.ready_before = inputs.ready;
        for i in 0..self.ports {
            let accept = self.granted.accept[i];
            let reads = is_set(inputs.can_read, i) && !is_set(self.granted.served, i);
            let choice = |vc: usize| self.selectors[i * v + vc].choice;
            let wants = |vc: usize| choice(vc) & !inputs.held & !asked != 0;
            let choice_ready = |vc: usize| choice(vc) & self.picked.ready_before != 0;
            let waits = inputs.valid[i] & inputs.can_take[i] & !accept;
            let asks = |vc: usize| {
                let starves = self.missed[i * v + vc] == MOST_MISSED;
                is_set(inputs.drop[i], vc) || wants(vc) && (reads || !choice_ready(vc) || starves)
            };
            let request = ones(waits).fold(0, |row, vc| row | u64::from(asks(vc)) << vc);
            picked.vc[i] = self.vc_arbiters[i].pick(request);
            let (moved, serves) = (picked.vc[i] & !inputs.drop[i], is_set(serves, i));
            picked.drop |= u64::from(picked.vc[i] & inputs.drop[i] != 0 && !serves) << i;
            let mut overdue = false;
            for vc in ones(moved) {
                let row = i * v + vc;
                overdue |= self.missed[row] == MOST_MISSED && !is_set(self.picked.vc[i], vc);
                picked.adaptive |= u64::from(self.selectors[row].choice_adaptive) << i;
            }
            let stale = serves && !overdue;
            picked.stale |= u64::from(stale) << i;
            if !stale {
                picked.wish[i] = ones(moved).fold(0, |wish, vc| wish | choice(vc));
            }
            for (vc, missed) in missed[i * v..(i + 1) * v].iter_mut().enumerate() {
                let cannot_read = is_set(waits, vc) && wants(vc) && choice_ready(vc) && !reads;
                let misses = cannot_read || is_set(self.picked.stale, i) && is_set(self.picked.vc[i], vc);
                if is_set(accept, vc) {
                    *missed = 0;
                } else if misses && *missed != MOST_MISSED {
                    *missed += 1;
                }
            }
        }
        (picked, missed)
    }

    /// Stage 3. Row p: what is asked of port arbiter p.
    fn grant(&self, inputs: &AllocatorInputs) -> (Vec<u64>, Granted) {
        let n = self.ports;
        let asks = |p: usize, i: usize| u64::from(is_set(self.picked.wish[i], p));
        let request: Vec<u64> = (0..n).map(|p| (0..n).fold(0, |row, i| row | asks(p, i) << i)).collect();
        let Picked { drop, adaptive, .. } = self.picked;
        let mut granted = Granted { drop, adaptive, ..Granted::none(n) };
        for (p, &request) in request.iter().enumerate() {
            let won = self.port_arbiters[p].grant(request, !is_set(inputs.held, p));
            ones(won).for_each(|i| granted.grant[i] |= 1 << p);
        }
        for i in 0..n {
            let serves = is_set(drop, i) || granted.grant[i] != 0;
            granted.served |= u64::from(serves) << i;
            granted.accept[i] = if serves { self.picked.vc[i] } else { 0 };
            let allowed = if is_set(adaptive, i) { inputs.adaptive_vcs } else { inputs.deterministic_vcs };
            granted.vcs[i] = ones(granted.accept[i]).fold(0, |vcs, vc| vcs | allowed[i * self.vcs + vc]);
            granted.ready |= u64::from(self.picked.wish[i] & inputs.ready != 0) << i;
            granted.steady |= u64::from(self.picked.wish[i] & inputs.steady != 0) << i;
        }
        (request, granted)
    }

    /// Those of P and D of a row that are among the ports of some VCs: row w of `ports` is that of VC w.
    fn sets(&self, row: usize, inputs: &AllocatorInputs, ports: &[u64]) -> (u64, u64) {
        let on = |vcs: u64| ones(vcs).fold(0, |all, w| all | ports[w]);
        let adaptive = inputs.adaptive[row] & on(inputs.adaptive_vcs[row]);
        (adaptive, inputs.deterministic[row] & on(inputs.deterministic_vcs[row]))
    }

    /// Ports that some packet may go to and that have room for it, whether or not they may be given. For a mechanism that sees it.
    pub fn wanted(&self, inputs: &AllocatorInputs) -> u64 {
        let of_row = |row| self.sets(row, inputs, inputs.room);
        (0..self.selectors.len()).map(of_row).fold(0, |ports, (adaptive, set)| ports | adaptive | set)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.selectors.iter_mut().for_each(Selector::reset);
        self.vc_arbiters.iter_mut().for_each(VcArbiter::reset);
        self.port_arbiters.iter_mut().for_each(PortArbiter::reset);
        self.missed.fill(0);
        (self.picked, self.granted) = (Picked::none(self.ports), Granted::none(self.ports));
    }

    /// The clock edge, of a cycle with this decision.
    pub fn clock(&mut self, inputs: &AllocatorInputs, decision: &Decision) {
        let sets: Vec<(u64, u64)> = (0..self.selectors.len()).map(|row| self.sets(row, inputs, inputs.open)).collect();
        for (row, (selector, (adaptive, deterministic))) in self.selectors.iter_mut().zip(sets).enumerate() {
            let (i, vc) = (row / self.vcs, row % self.vcs);
            selector.clock(&SelectorInputs {
                adaptive,
                deterministic,
                preferred: inputs.preferred,
                accept: is_set(self.granted.accept[i], vc),
                granted: self.granted.grant[i],
                granted_adaptive: is_set(self.granted.adaptive, i),
            });
        }
        for (arbiter, &accept) in self.vc_arbiters.iter_mut().zip(&self.granted.accept) {
            arbiter.clock(accept);
        }
        for (p, arbiter) in self.port_arbiters.iter_mut().enumerate() {
            arbiter.clock(decision.request[p], !is_set(inputs.held, p));
        }
        (self.picked, self.granted) = (decision.picked.clone(), decision.granted.clone());
        self.missed.copy_from_slice(&decision.missed);
    }

    /// The registers that are outputs too, with their values.
    /// Sets of virtual channels, a row for each input port.
    fn of_input(&self, name: &'static str) -> SignalSpec {
        set(name, self.vcs).rows(Owner::InputPort, self.ports)
    }

    /// Sets of `members`, a row for each virtual channel of an input port.
    fn of_vcs(&self, name: &'static str, members: usize) -> SignalSpec {
        set(name, members).rows(Owner::InputVc, self.ports * self.vcs)
    }

    /// Sets of output ports, a row for each virtual channel of a link.
    fn of_outputs(&self, name: &'static str) -> SignalSpec {
        set(name, self.ports).rows(Owner::Block, self.vcs).habit(Habit::Usual)
    }

    fn shown(&self) -> [(SignalSpec, Vec<u64>); 5] {
        let (n, v) = (self.ports, self.vcs);
        let Granted { accept, grant, drop, ready, steady, .. } = &self.granted;
        let flag = |name, row| (flags(name, Owner::InputPort, n), vec![row]);
        [
            (choice("accept", v).rows(Owner::InputPort, n), accept.clone()),
            (choice("grant", n).rows(Owner::InputPort, n), grant.clone()),
            flag("grant_drop", *drop),
            flag("grant_ready", *ready),
            flag("grant_steady", *steady),
        ]
    }
}

impl Registers for Allocator {
    fn list(&self, rows: &mut RegisterRows) {
        let (n, v, port) = (self.ports, self.vcs, Owner::InputPort);
        let Allocator { picked, granted, .. } = self;
        for (register, values) in self.shown() {
            rows.many(register, values);
        }
        rows.one(flags("served", port, n), granted.served);
        rows.many(choice("picked", v).of(port), picked.vc.iter().copied());
        rows.one(flags("stale", port, n), picked.stale);
        rows.one(flags("picked_adaptive", port, n), picked.adaptive);
        rows.one(flags("picked_drop", port, n), picked.drop);
        rows.many(choice("wish", n).of(port), picked.wish.iter().copied());
        rows.one(flags("ready_before", Owner::OutputPort, n), picked.ready_before);
        rows.one(flags("grant_adaptive", port, n), granted.adaptive);
        rows.many(set("grant_vcs", v).of(port), granted.vcs.iter().copied());
        rows.many(count("missed", 6).of(Owner::InputVc).known_as("selector.missed"), self.missed.iter().copied());
        rows.child_of(Owner::InputVc, "selector", &self.selectors);
        rows.child_of(port, "vc_arbiter", &self.vc_arbiters);
        rows.child_of(Owner::OutputPort, "port_arbiter", &self.port_arbiters);
    }
}

impl Block for Allocator {
    type Inputs<'a> = AllocatorInputs<'a>;

    fn outputs(&self, seen: &AllocatorInputs, rows: &mut RegisterRows) {
        let ports = |name| flags(name, Owner::Port, self.ports);
        self.shown().into_iter().for_each(|(output, values)| rows.many(output, values));
        rows.one(ports("given"), self.decide(seen).given);
        if self.wanted {
            rows.one(ports("wanted"), self.wanted(seen));
        }
        rows.one(ports("granted"), self.granted.ports());
        if self.short_packets {
            rows.one(ports("freed"), self.granted.freed(seen.at_once));
        }
        let allowed = (0..self.ports).map(|port| self.granted.allowed(port));
        rows.many(set("allowed", self.vcs).of(Owner::OutputPort), allowed);
    }

    fn edge(&mut self, rst: bool, seen: &AllocatorInputs) {
        if rst {
            return self.reset();
        }
        let decision = self.decide(seen);
        self.clock(seen, &decision);
    }
}
