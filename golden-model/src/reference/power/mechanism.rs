//! A power mechanism: the interface of `docs/microarchitecture/power.md`, and any of them as a block under the harness.

use super::Surroundings;
use crate::lock_step::{Frames, Observed, Slots, declare, input};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{RST, data, flag, flags, level, phase, ring_word, word_address};
use powar_config::{Habit, Mechanism, Owner, Role, SignalDecl, SignalSpec};
use std::fmt::Debug;

/// What a mechanism sees in a cycle; vectors have one bit a port.
#[derive(Clone, Copy, Debug, Default)]
pub struct MechanismInputs<'a> {
    /// What it sees only if it asks for it.
    pub around: Surroundings<'a>,
    /// The port is held by a packet.
    pub held: u64,
    /// The port is given to a packet in this cycle.
    pub given: u64,
    /// A flit sets out for the port in this cycle: it was read in the one before.
    pub departing: u64,
    /// A word is written.
    pub write: Option<Write>,
}

/// A write of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// Its byte address / 4, 10 bits.
    pub address: u16,
    pub data: u32,
}

impl Write {
    /// The three signals as a write, if it is one.
    pub(crate) fn take(slots: &mut Slots) -> Option<Write> {
        let (enable, address, data) = (slots.bit(), slots.one() as u16, slots.one() as u32);
        enable.then_some(Write { address, data })
    }
}

/// What belongs to the register words of the switch and its mechanism.
pub(crate) const REGISTERS: Owner = Owner::Part("registers");
/// What belongs to the control ring.
pub(crate) const RING: Owner = Owner::Part("ring");
/// The signals of a write.
pub(crate) const WRITE: [SignalSpec; 3] = [
    flag("write_enable").of(REGISTERS),
    word_address("write_address", 10).of(REGISTERS),
    data("write_data").of(REGISTERS),
];
/// The signals of a read, of any word of the switch.
pub(crate) const READ: [SignalSpec; 2] =
    [flag("read_request").of(REGISTERS), word_address("read_address", 14).of(REGISTERS)];

/// Declares the three signals of a write.
pub(crate) fn write_signals() -> Vec<SignalDecl> {
    declare(Role::Input, WRITE.map(|signal| signal.habit(Habit::Write)))
}

/// What a mechanism shows in a cycle, but for `waking` and `read_data`; vectors have one bit a port.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MechanismOutputs {
    /// The port may be given to a packet, once it is not held.
    pub grantable: u64,
    /// The port is taken before those that are not preferred.
    pub preferred: u64,
    /// The port may send in this cycle.
    pub ready: u64,
    /// If it is held, it stays ready for the next four cycles.
    pub steady: u64,
    /// Code of each port's phase.
    pub phase: Vec<u8>,
    pub level: Vec<u8>,
    /// To the other end of the link.
    pub hint: u64,
    /// The port is to be counted on.
    pub serves: u64,
    /// Word of the control ring to the next switch, 42 bits; 0 if there is no ring.
    pub ring: u64,
}

/// A power mechanism; [`Registers`] lists its registers and those of its children.
pub trait PowerMechanism: Registers + Debug + Send + Sync {
    /// What it is as data: its name, what it sees, the pairs of phase and level of its ports.
    fn entry(&self) -> &'static Mechanism;

    /// The outputs but for `waking` and `read_data`. They follow from registers, `position`, `stage` and `held`: of the other
    /// inputs nothing may be looked at.
    fn outputs(&self, inputs: &MechanismInputs) -> MechanismOutputs;

    /// The ports whose phase in the next cycle is `ComingOn` and in this one is not, if there is no reset.
    fn waking(&self, inputs: &MechanismInputs) -> u64;

    /// The word at an address, its byte address / 4; 0 if it is none of the mechanism's.
    fn read(&self, address: u16) -> u32;

    /// The edge with `rst`.
    fn reset(&mut self);

    /// The clock edge.
    fn clock(&mut self, inputs: &MechanismInputs);

    /// How packets hold ports and flits depart under random inputs, so that much is seen of the mechanism.
    fn departures(&self) -> Habit {
        Habit::AsMeant
    }

    /// The same mechanism in the same state.
    fn boxed(&self) -> Box<dyn PowerMechanism>;
}

impl Clone for Box<dyn PowerMechanism> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

/// A mechanism under the harness.
#[derive(Clone, Debug)]
pub struct MechanismBlock {
    ports: usize,
    pub mechanism: Box<dyn PowerMechanism>,
    rows: RegisterRows,
}

impl MechanismBlock {
    /// A mechanism of so many ports.
    pub fn new(ports: usize, mechanism: Box<dyn PowerMechanism>) -> Self {
        MechanismBlock { ports, mechanism, rows: RegisterRows::default() }
    }
}

impl Frames for MechanismBlock {
    fn signals(&self) -> Vec<SignalDecl> {
        let (n, sees) = (self.ports, self.mechanism.entry().sees);
        let ports = |name| flags(name, Owner::Port, n);
        let mut signals = vec![input(RST)];
        signals.extend(Surroundings::place_signals(sees));
        let flits = ["held", "given", "departing"].map(|name| ports(name).habit(self.mechanism.departures()));
        signals.extend(declare(Role::Input, flits));
        signals.extend(Surroundings::port_signals(sees, n));
        signals.extend(write_signals());
        signals.push(input(word_address("read_address", 10).of(REGISTERS)));
        let outputs = [
            data("read_data").of(REGISTERS),
            ports("grantable"),
            ports("preferred"),
            ports("ready"),
            ports("steady"),
            phase("phase").rows(Owner::Port, n),
            level("level").rows(Owner::Port, n),
            ports("waking"),
            ports("hint"),
            ports("serves"),
        ];
        signals.extend(declare(Role::Output, outputs));
        signals.extend(sees.ring.then(|| ring_word("ring_out").of(RING).declare(Role::Output)));
        signals.extend(RegisterRows::of(&*self.mechanism).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let sees = self.mechanism.entry().sees;
        let mut slots = Slots(inputs);
        let rst = slots.bit();
        let mut seen = MechanismInputs::default();
        seen.around.take_place(sees, &mut slots);
        (seen.held, seen.given, seen.departing) = (slots.one(), slots.one(), slots.one());
        seen.around.take_ports(sees, self.ports, &mut slots);
        seen.write = Write::take(&mut slots);
        let shown = self.mechanism.outputs(&seen);
        observed.put(self.mechanism.read(slots.one() as u16));
        observed.rows([shown.grantable, shown.preferred, shown.ready, shown.steady]);
        observed.rows(shown.phase);
        observed.rows(shown.level);
        observed.rows([self.mechanism.waking(&seen), shown.hint, shown.serves]);
        observed.rows(sees.ring.then_some(shown.ring));
        self.rows.read(&*self.mechanism);
        self.rows.observe(observed);
        if rst { self.mechanism.reset() } else { self.mechanism.clock(&seen) }
    }
}
