//! `allocator`: the three stages that give output ports to packets.

use crate::bits::{is_set, ones};
use crate::lock_step::{Block, Observed, Slots, declare, output};
use crate::reference::allocation::Selector;
use crate::reference::allocation::selector::SelectorInputs;
use crate::reference::arbiters::{PortArbiter, VcArbiter};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{RST, choice, count, flags, set};
use powar_config::{Config, Habit, Owner, Role, Sees, SignalDecl, SignalSpec};

/// Chances missed after which a packet asks although its input port can't read it.
const MOST_MISSED: u8 = 63;

/// The allocator; the public fields are its children.
#[derive(Clone, Debug)]
pub struct Allocator {
    ports: usize,
    vcs: usize,
    /// The power mechanism sees `wanted`.
    wanted: bool,
    /// Selector i*V + v is that of virtual channel v of input port i.
    pub selectors: Vec<Selector>,
    pub vc_arbiters: Vec<VcArbiter>,
    pub port_arbiters: Vec<PortArbiter>,
    /// Row i*V + v: chances that packet has missed because its input port could not read it.
    pub missed: Vec<u8>,
    rows: RegisterRows,
}

/// What the allocator sees in a cycle. Rows over the input VCs are as the selectors.
#[derive(Clone, Copy, Debug)]
pub struct AllocatorInputs<'a> {
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
    /// Bit i: input port i can read a packet that is granted a ready port in this cycle from the next cycle on.
    pub can_read: u64,
    /// Row w, bit p: output port p has room for a packet on VC w.
    pub room: &'a [u64],
    /// Of the output ports.
    pub held: u64,
    pub grantable: u64,
    pub preferred: u64,
    pub ready: u64,
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
    /// Row i: the VCs of input port i that could ask for a ready port if the input port could read.
    misses: Vec<u64>,
}

impl Allocator {
    /// The allocator of this configuration's switch in its state after reset, with what the power mechanism sees of it.
    pub fn new(config: &Config, sees: Sees) -> Self {
        let (ports, vcs) = (config.ports, config.switch.vcs);
        Allocator {
            ports,
            vcs,
            wanted: sees.wanted,
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
        let wants = |i: usize, vc: usize| self.selectors[i * v + vc].choice & !inputs.held;
        let request_of = |i: usize| {
            let asks = |vc: usize| {
                let wants = wants(i, vc);
                let urgent = self.missed[i * v + vc] == MOST_MISSED;
                let may_start = is_set(inputs.can_read, i) || wants & inputs.ready == 0 || urgent;
                is_set(inputs.can_take[i], vc) && (is_set(inputs.drop[i], vc) || (wants != 0 && may_start))
            };
            (0..v).fold(0, |row, vc| row | u64::from(asks(vc)) << vc)
        };
        let request: Vec<u64> = (0..n).map(request_of).collect();
        let misses_of = |i: usize| {
            let misses = |vc: usize| is_set(inputs.can_take[i], vc) && wants(i, vc) & inputs.ready != 0;
            if is_set(inputs.can_read, i) { 0 } else { (0..v).fold(0, |row, vc| row | u64::from(misses(vc)) << vc) }
        };
        let misses: Vec<u64> = (0..n).map(misses_of).collect();
        let pick: Vec<u64> = self.vc_arbiters.iter().zip(&request).map(|(arbiter, &row)| arbiter.pick(row)).collect();
        let moved: Vec<u64> = (0..n).map(|i| pick[i] & !inputs.drop[i]).collect();
        let wished = |i: usize| ones(moved[i]).fold(0, |ports, vc| ports | wants(i, vc));
        let wish: Vec<u64> =
            (0..n).map(|p| (0..n).fold(0, |row, i| row | u64::from(is_set(wished(i), p)) << i)).collect();
        let won: Vec<u64> = (0..n).map(|p| self.port_arbiters[p].grant(wish[p], !is_set(inputs.held, p))).collect();

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

    /// The sets of a row, P and D, as its selector sees them: the ports with room.
    fn sets(&self, row: usize, inputs: &AllocatorInputs) -> (u64, u64) {
        let with_room = |vcs: u64| ones(vcs).fold(0, |ports, w| ports | inputs.room[w]);
        let adaptive = inputs.adaptive[row] & with_room(inputs.adaptive_vcs[row]);
        (adaptive, inputs.deterministic[row] & with_room(inputs.deterministic_vcs[row]))
    }

    /// Ports that some packet may go to and that have room for it, whether or not they may be given.
    pub fn wanted(&self, inputs: &AllocatorInputs) -> u64 {
        let of_row = |row| self.sets(row, inputs);
        (0..self.selectors.len()).map(of_row).fold(0, |ports, (adaptive, set)| ports | adaptive | set)
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
        let sets: Vec<(u64, u64)> = (0..self.selectors.len()).map(|row| self.sets(row, inputs)).collect();
        for (row, (selector, (adaptive, deterministic))) in self.selectors.iter_mut().zip(sets).enumerate() {
            selector.clock(&SelectorInputs {
                adaptive,
                deterministic,
                grantable: inputs.grantable,
                preferred: inputs.preferred,
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
            arbiter.clock(decision.wish[p], !is_set(inputs.held, p));
        }
    }
}

impl Registers for Allocator {
    fn list(&self, rows: &mut RegisterRows) {
        rows.many(count("missed", 6).of(Owner::InputVc).known_as("selector.missed"), self.missed.iter().copied());
        rows.child_of(Owner::InputVc, "selector", &self.selectors);
        rows.child_of(Owner::InputPort, "vc_arbiter", &self.vc_arbiters);
        rows.child_of(Owner::OutputPort, "port_arbiter", &self.port_arbiters);
    }
}

impl Block for Allocator {
    fn signals(&self) -> Vec<SignalDecl> {
        let (n, v) = (self.ports, self.vcs);
        let sets = |name| set(name, n).rows(Owner::InputVc, n * v);
        let vcs = |name| set(name, v).rows(Owner::InputVc, n * v).habit(Habit::Usual);
        let inputs = [
            RST,
            sets("adaptive"),
            sets("deterministic"),
            vcs("adaptive_vcs"),
            vcs("deterministic_vcs"),
            set("drop", v).rows(Owner::InputPort, n).habit(Habit::Drought),
            set("can_take", v).rows(Owner::InputPort, n).habit(Habit::Usual),
            flags("can_read", Owner::InputPort, n).habit(Habit::Drought),
            // A row a virtual channel of every link out.
            SignalSpec { rows: v, ..set("room", n).habit(Habit::Usual) },
            flags("held", Owner::Port, n),
            flags("grantable", Owner::Port, n).habit(Habit::Usual),
            flags("preferred", Owner::Port, n),
            flags("ready", Owner::Port, n),
        ];
        let outputs = [
            choice("grant", n).rows(Owner::InputVc, n * v),
            choice("accept", v).rows(Owner::InputPort, n),
            flags("given", Owner::Port, n),
        ];
        let mut signals = declare(Role::Input, inputs);
        signals.extend(declare(Role::Output, outputs));
        signals.extend(self.wanted.then(|| output(flags("wanted", Owner::Port, n))));
        signals.push(output(set("allowed", v).rows(Owner::OutputPort, n)));
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let (n, v) = (self.ports, self.vcs);
        let mut slots = Slots(inputs);
        let rst = slots.bit();
        let seen = AllocatorInputs {
            adaptive: slots.rows(n * v),
            deterministic: slots.rows(n * v),
            adaptive_vcs: slots.rows(n * v),
            deterministic_vcs: slots.rows(n * v),
            drop: slots.rows(n),
            can_take: slots.rows(n),
            can_read: slots.one(),
            room: slots.rows(v),
            held: slots.one(),
            grantable: slots.one(),
            preferred: slots.one(),
            ready: slots.one(),
        };
        let decision = self.decide(&seen);
        observed.rows(decision.grant.iter().copied());
        observed.rows(decision.accept.iter().copied());
        observed.put(decision.given);
        if self.wanted {
            observed.put(self.wanted(&seen));
        }
        observed.rows(decision.allowed.iter().copied());
        let mut rows = std::mem::take(&mut self.rows);
        rows.read(self);
        rows.observe(observed);
        self.rows = rows;
        if rst { self.reset() } else { self.clock(&seen, &decision) }
    }
}
