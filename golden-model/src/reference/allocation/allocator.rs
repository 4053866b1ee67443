//! Section 5.7: the three stages that give output ports to packets.

use crate::bits::{is_set, ones};
use crate::lock_step::{Block, Observed};
use crate::reference::allocation::Selector;
use crate::reference::allocation::selector::SelectorInputs;
use crate::reference::arbiters::{PortArbiter, VcArbiter};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::{Config, Policy, Role, SignalDecl};

/// Chances missed after which a packet asks although its input port is not ready.
const MOST_MISSED: u8 = 63;

/// The allocator; the public fields are its children.
#[derive(Clone, Debug)]
pub struct Allocator {
    ports: usize,
    vcs: usize,
    /// Selector i*V + v is that of virtual channel v of input port i.
    pub selectors: Vec<Selector>,
    pub vc_arbiters: Vec<VcArbiter>,
    pub port_arbiters: Vec<PortArbiter>,
    /// Row i*V + v: chances that packet has missed because its input port was not ready.
    pub missed: Vec<u8>,
    rows: RegisterRows,
}

/// What the allocator sees in a cycle. Rows over the input VCs are as the selectors.
#[derive(Clone, Copy, Debug)]
pub struct AllocatorInputs<'a> {
    pub policy: &'static Policy,
    pub adaptive: &'a [u64],
    pub deterministic: &'a [u64],
    /// Output VCs allowed when the port is chosen from P.
    pub adaptive_vcs: &'a [u64],
    /// Output VCs allowed when the port is chosen from D.
    pub deterministic_vcs: &'a [u64],
    /// Row i: the VCs of input port i whose packet is to be dropped.
    pub drop: &'a [u64],
    /// Row i: the VCs of input port i that can hold a port from the next cycle on.
    pub can_take: &'a [u64],
    /// Bit i: input port i can read a packet for an awake port from the next cycle on.
    pub ready: u64,
    /// Row w, bit p: output port p has room for a packet on VC w.
    pub room: &'a [u64],
    pub busy: u64,
    pub awake: u64,
    pub selectable: u64,
}

/// What the allocator decides in a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Row i*V + v: the port given to that packet, one-hot.
    pub grant: Vec<u64>,
    /// Row i: the VCs of input port i whose head packet is granted a port, or dropped.
    pub accept: Vec<u64>,
    /// Output ports that are given to a packet.
    pub given: u64,
    /// Row p: the output VCs allowed to that packet.
    pub allowed: Vec<u64>,
    /// Row i: what the VCs of input port i ask their arbiter.
    request: Vec<u64>,
    /// Row p: the input ports that want output port p.
    wish: Vec<u64>,
    /// Row i: the VCs of input port i that could ask for an awake port if the input port were ready.
    misses: Vec<u64>,
}

impl Allocator {
    /// The allocator of this configuration's switch in its state after reset.
    pub fn new(config: &Config) -> Self {
        let (ports, vcs) = (config.ports, config.switch.vcs);
        Allocator {
            ports,
            vcs,
            selectors: vec![Selector::new(ports, config.deterministic); ports * vcs],
            vc_arbiters: vec![VcArbiter::new(vcs); ports],
            port_arbiters: vec![PortArbiter::new(ports); ports],
            missed: vec![0; ports * vcs],
            rows: RegisterRows::default(),
        }
    }

    /// The outputs of a cycle.
    pub fn decide(&self, inputs: &AllocatorInputs) -> Decision {
        let (n, v) = (self.ports, self.vcs);
        // A port that has just been given to another packet is wanted no more.
        let wants = |i: usize, vc: usize| self.selectors[i * v + vc].choice & !inputs.busy;
        let request_of = |i: usize| {
            let asks = |vc: usize| {
                let wants = wants(i, vc);
                let urgent = self.missed[i * v + vc] == MOST_MISSED;
                let may_start = is_set(inputs.ready, i) || wants & inputs.awake == 0 || urgent;
                is_set(inputs.can_take[i], vc) && (is_set(inputs.drop[i], vc) || (wants != 0 && may_start))
            };
            (0..v).fold(0, |row, vc| row | u64::from(asks(vc)) << vc)
        };
        let request: Vec<u64> = (0..n).map(request_of).collect();
        let misses_of = |i: usize| {
            let misses = |vc: usize| is_set(inputs.can_take[i], vc) && wants(i, vc) & inputs.awake != 0;
            if is_set(inputs.ready, i) { 0 } else { (0..v).fold(0, |row, vc| row | u64::from(misses(vc)) << vc) }
        };
        let misses: Vec<u64> = (0..n).map(misses_of).collect();
        let pick: Vec<u64> = self.vc_arbiters.iter().zip(&request).map(|(arbiter, &row)| arbiter.pick(row)).collect();
        let moved: Vec<u64> = (0..n).map(|i| pick[i] & !inputs.drop[i]).collect();
        let wanted = |i: usize| ones(moved[i]).fold(0, |ports, vc| ports | wants(i, vc));
        let wish: Vec<u64> =
            (0..n).map(|p| (0..n).fold(0, |row, i| row | u64::from(is_set(wanted(i), p)) << i)).collect();
        let won: Vec<u64> = (0..n).map(|p| self.port_arbiters[p].grant(wish[p], !is_set(inputs.busy, p))).collect();

        let ports_of = |i: usize| (0..n).fold(0, |ports, p| ports | u64::from(is_set(won[p], i)) << p);
        let mut decision = Decision {
            grant: vec![0; n * v],
            accept: vec![0; n],
            given: (0..n).fold(0, |given, p| given | u64::from(won[p] != 0) << p),
            allowed: vec![0; n],
            request,
            wish,
            misses,
        };
        for i in 0..n {
            let ports = ports_of(i);
            for vc in ones(pick[i]) {
                let served = is_set(inputs.drop[i], vc) || ports != 0;
                decision.accept[i] |= u64::from(served) << vc;
            }
            for vc in ones(moved[i]) {
                let row = i * v + vc;
                decision.grant[row] = ports;
                let adaptive = self.selectors[row].choice_adaptive;
                let vcs = if adaptive { inputs.adaptive_vcs[row] } else { inputs.deterministic_vcs[row] };
                ones(ports).for_each(|p| decision.allowed[p] |= vcs);
            }
        }
        decision
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.selectors.iter_mut().for_each(Selector::reset);
        self.vc_arbiters.iter_mut().for_each(VcArbiter::reset);
        self.port_arbiters.iter_mut().for_each(PortArbiter::reset);
        self.missed.fill(0);
    }

    /// The clock edge, of a cycle with this decision.
    pub fn clock(&mut self, inputs: &AllocatorInputs, decision: &Decision) {
        let with_room = |vcs: u64| ones(vcs).fold(0, |ports, w| ports | inputs.room[w]);
        for (row, selector) in self.selectors.iter_mut().enumerate() {
            selector.clock(&SelectorInputs {
                policy: inputs.policy,
                adaptive: inputs.adaptive[row] & with_room(inputs.adaptive_vcs[row]),
                deterministic: inputs.deterministic[row] & with_room(inputs.deterministic_vcs[row]),
                busy: inputs.busy,
                awake: inputs.awake,
                selectable: inputs.selectable,
                accept: is_set(decision.accept[row / self.vcs], row % self.vcs),
            });
        }
        for (row, missed) in self.missed.iter_mut().enumerate() {
            let (i, vc) = (row / self.vcs, row % self.vcs);
            if is_set(decision.accept[i], vc) {
                *missed = 0;
            } else if is_set(decision.misses[i], vc) && *missed < MOST_MISSED {
                *missed += 1;
            }
        }
        for (i, arbiter) in self.vc_arbiters.iter_mut().enumerate() {
            arbiter.clock(decision.request[i], decision.accept[i] != 0);
        }
        for (p, arbiter) in self.port_arbiters.iter_mut().enumerate() {
            arbiter.clock(decision.wish[p], !is_set(inputs.busy, p));
        }
    }
}

impl Registers for Allocator {
    fn list(&self, rows: &mut RegisterRows) {
        rows.many("missed", 6, self.missed.iter().copied());
        rows.child("selector", &self.selectors);
        rows.child("vc_arbiter", &self.vc_arbiters);
        rows.child("port_arbiter", &self.port_arbiters);
    }
}

impl Block for Allocator {
    fn signals(&self) -> Vec<SignalDecl> {
        let (n, v) = (self.ports, self.vcs);
        let inputs = [
            ("rst", 1, 1),
            ("policy", 1, 2),
            ("adaptive", n * v, n),
            ("deterministic", n * v, n),
            ("adaptive_vcs", n * v, v),
            ("deterministic_vcs", n * v, v),
            ("drop", n, v),
            ("can_take", n, v),
            ("ready", 1, n),
            ("room", v, n),
            ("busy", 1, n),
            ("awake", 1, n),
            ("selectable", 1, n),
        ];
        let outputs = [("grant", n * v, n), ("accept", n, v), ("given", 1, n), ("allowed", n, v)];
        let mut signals: Vec<SignalDecl> = Vec::new();
        for (role, list) in [(Role::Input, &inputs[..]), (Role::Output, &outputs[..])] {
            signals.extend(list.iter().map(|&(name, rows, width)| SignalDecl::new(role, name, rows, width)));
        }
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let (n, v) = (self.ports, self.vcs);
        let mut rest = &inputs[2..];
        let mut next = |slots: usize| {
            let (next, others) = rest.split_at(slots);
            rest = others;
            next
        };
        let seen = AllocatorInputs {
            policy: Policy::by_code(inputs[1] as u8).expect("every 2-bit code is a policy"),
            adaptive: next(n * v),
            deterministic: next(n * v),
            adaptive_vcs: next(n * v),
            deterministic_vcs: next(n * v),
            drop: next(n),
            can_take: next(n),
            ready: next(1)[0],
            room: next(v),
            busy: next(1)[0],
            awake: next(1)[0],
            selectable: next(1)[0],
        };
        let decision = self.decide(&seen);
        observed.rows(decision.grant.iter().copied());
        observed.rows(decision.accept.iter().copied());
        observed.put(decision.given);
        observed.rows(decision.allowed.iter().copied());
        let mut rows = std::mem::take(&mut self.rows);
        rows.read(self);
        rows.observe(observed);
        self.rows = rows;
        if inputs[0] == 1 { self.reset() } else { self.clock(&seen, &decision) }
    }
}
