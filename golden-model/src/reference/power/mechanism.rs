//! A power mechanism: the interface of `docs/microarchitecture/power.md`, and any of them as a block under the harness.

use super::surroundings::{Place, RING, Surroundings, show_lookup};
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{data, flag, flags, level, phase, ring_word, word_address};
use powar_config::{Habit, Mechanism, Owner, Sees, SignalSpec};
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

inputs! {
    /// A write of a word.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Write {
        /// Its byte address / 4, 10 bits.
        pub address: u16 = WRITE[1].habit(Habit::Write),
        pub data: u32 = WRITE[2].habit(Habit::Write),
    }
}

/// What belongs to the register words of the switch and its mechanism.
pub(crate) const REGISTERS: Owner = Owner::Part("registers");
/// The signals of a write.
pub(crate) const WRITE: [SignalSpec; 3] = [
    flag("write_enable").of(REGISTERS),
    word_address("write_address", 10).of(REGISTERS),
    data("write_data").of(REGISTERS),
];
/// The signals of a read, of any word of the switch.
pub(crate) const READ: [SignalSpec; 2] =
    [flag("read_request").of(REGISTERS), word_address("read_address", 14).of(REGISTERS)];

/// A write among inputs.
pub(crate) const WRITE_INPUT: (SignalSpec, ()) = (WRITE[0].habit(Habit::Write), ());

inputs! {
    /// What a block of register words sees of software in a cycle.
    #[derive(Clone, Copy, Debug)]
    pub struct WordInputs {
        pub write: Option<Write> = WRITE_INPUT,
        /// Byte address / 4 of the word that is read, 10 bits.
        pub read_address: u16 = word_address("read_address", 10),
    }
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
    /// The packed address whose row is asked for in this cycle.
    pub lookup: Option<u16>,
}

/// A power mechanism; [`Registers`] lists its registers and those of its children.
pub trait PowerMechanism: Registers + Debug + Send + Sync {
    /// What it is as data: its name, what it sees, the pairs of phase and level of its ports.
    fn entry(&self) -> &'static Mechanism;

    /// What it sees in its switch: of one that looks rows of a table up, not what its entry says.
    fn sees(&self) -> Sees {
        self.entry().sees
    }

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
}

impl MechanismBlock {
    /// A mechanism of so many ports.
    pub fn new(ports: usize, mechanism: Box<dyn PowerMechanism>) -> Self {
        MechanismBlock { ports, mechanism }
    }

    fn sees(&self) -> Sees {
        self.mechanism.sees()
    }

    fn flits(&self, name: &'static str) -> SignalSpec {
        flags(name, Owner::Port, self.ports).habit(self.mechanism.departures())
    }
}

impl MechanismFrame<'_> {
    fn inputs(&self) -> MechanismInputs<'_> {
        let &MechanismFrame { place: Place { position, stage }, held, given, departing, around, write, .. } = self;
        MechanismInputs { around: Surroundings { position, stage, ..around }, held, given, departing, write }
    }
}

impl Registers for MechanismBlock {
    fn list(&self, rows: &mut RegisterRows) {
        self.mechanism.list(rows);
    }
}

inputs! {
    /// What a mechanism sees in a cycle, in the order of its interface.
    #[derive(Clone, Copy, Debug)]
    pub struct MechanismFrame<'a> of block: &MechanismBlock {
        pub place: Place = block.sees(),
        pub held: u64 = block.flits("held"),
        pub given: u64 = block.flits("given"),
        pub departing: u64 = block.flits("departing"),
        /// But for the place.
        pub around: Surroundings<'a> = (Sees { place: false, ..block.sees() }, block.ports),
        pub write: Option<Write> = WRITE_INPUT,
        pub read_address: u16 = word_address("read_address", 10).of(REGISTERS),
    }
}

impl Block for MechanismBlock {
    type Inputs<'a> = MechanismFrame<'a>;

    fn outputs(&self, seen: &MechanismFrame, rows: &mut RegisterRows) {
        let ports = |name| flags(name, Owner::Port, self.ports);
        let (seen, read_address) = (seen.inputs(), seen.read_address);
        let shown = self.mechanism.outputs(&seen);
        rows.one(data("read_data").of(REGISTERS), self.mechanism.read(read_address));
        rows.one(ports("grantable"), shown.grantable);
        rows.one(ports("preferred"), shown.preferred);
        rows.one(ports("ready"), shown.ready);
        rows.one(ports("steady"), shown.steady);
        rows.many(phase("phase").of(Owner::Port), shown.phase);
        rows.many(level("level").of(Owner::Port), shown.level);
        rows.one(ports("waking"), self.mechanism.waking(&seen));
        rows.one(ports("hint"), shown.hint);
        rows.one(ports("serves"), shown.serves);
        if let ring @ Some(_) = self.sees().ring {
            rows.one(ring_word("ring_out", ring).of(RING), shown.ring);
        }
        show_lookup(shown.lookup, self.sees(), rows);
    }

    fn edge(&mut self, rst: bool, seen: &MechanismFrame) {
        if rst { self.mechanism.reset() } else { self.mechanism.clock(&seen.inputs()) }
    }
}
