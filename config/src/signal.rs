//! What a signal is: what it is to its block, to what it belongs, what its bits mean, and how random inputs drive it.
//!
//! A block of the reference model declares each of its signals as a [`SignalSpec`], most of them with one of the functions of this
//! module: `flag("sleeps")`, `elapsed("count", 24)`, `flags("held", Owner::Port, ports)`. Stimuli and waves go by what is said here;
//! names are names only.

use crate::mechanism::PolicyEntry;
pub use crate::ring_format::RingFormat;

/// What a signal is to the block that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    Input,
    Output,
    /// An architectural register, seen with the value it has during the cycle.
    Register,
}

/// To what a row of a signal belongs, or a bit of a vector of flags. Rows are in the order of their owners; where there are more of
/// them, each owner has several that follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The block that shows the signal.
    #[default]
    Block,
    /// A part of the block of which there is one, by its name: `registers`, `timer`.
    Part(&'static str),
    /// A group of ports.
    Group,
    /// A requester of the controller.
    Requester,
    /// A port, neither of its directions alone.
    Port,
    InputPort,
    /// The link at an input port.
    InputLink,
    /// A virtual channel of an input port; those of port 0 come first.
    InputVc,
    OutputPort,
    /// The link at an output port.
    OutputLink,
    /// A virtual channel at the other end of an output port's link; those of port 0 come first.
    OutputVc,
}

/// What the bits of a row mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Meaning {
    /// A number, or bits of which no more is to be said.
    #[default]
    Number,
    /// A reset.
    Reset,
    /// Whether a clock rises with that of the test bench at the end of the cycle: of a block with several clocks, `NAME_edge` for `NAME_clk`.
    ClockEdge,
    /// Yes or no. Of a single row with several bits, each bit is that of one owner.
    Flag,
    /// A set, one bit for each that may be a member: ports, virtual channels, requesters.
    Set,
    /// A set with one member or none.
    Choice,
    /// A set with one member: where a round robin starts.
    Pointer,
    /// How many there are of something.
    Count,
    /// Flits in a buffer.
    Fill,
    /// A time that is set, in cycles.
    Duration,
    /// Cycles that have passed since something began.
    Elapsed,
    /// The counters of a port: a row each, in the order of their addresses.
    PortCounter,
    /// A code, with the names of its values from 0 on.
    Code(&'static [&'static str]),
    /// The code of a policy. One that none of them has stands for the first.
    Policy(&'static [PolicyEntry]),
    /// The code of a [`Phase`](crate::Phase).
    Phase,
    /// The level of a port.
    Level,
    /// The number of a virtual channel.
    VcNumber,
    /// The number of a port.
    PortNumber,
    /// The number of a counter of a port, when the counters take turns.
    Slot,
    /// The packed address of a switch.
    Position,
    /// The stage of a switch.
    Stage,
    /// The packed address of a node.
    Destination,
    /// A packet's header; what stands above it marks a header that is stored.
    Header,
    /// Flits: a row for each of their words, a flit's first word first.
    Flit,
    /// The byte address of a register word.
    ByteAddress,
    /// The same divided by 4.
    WordAddress,
    /// The value of a register word.
    Data,
    /// Which bytes of a register word are written.
    ByteEnables,
    /// The byte address of a word of the demonstrator.
    DemonstratorAddress,
    /// A byte of the protocol of the serial port.
    SerialByte,
    /// The level of a serial line.
    SerialLine,
    /// A word of the control ring.
    RingWord(&'static RingFormat),
}

/// How random inputs drive a signal, where its meaning alone would show little of the block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Habit {
    /// As its meaning says.
    #[default]
    AsMeant,
    /// About as seldom as values that are held change, so that what it clears has time to grow.
    Rare,
    /// In a quarter of the cycles or more, at most one bit of a row.
    Frequent,
    /// Any value, for a while.
    Held,
    /// Often for a while, then seldom for a while: what it fills runs full, what it empties runs empty.
    Tide,
    /// Often for a while, then not at all for a while: what waits for it waits as long as can be. Of phases: one for a while, at times
    /// all of them off.
    Drought,
    /// As it mostly is in a switch at work: flags set, ports on, small values in register words.
    Usual,
    /// Now and then next to a value that the block has just shown, so that limits are met.
    Beside,
    /// Hint bits of links: of a mechanism whose nodes send words, mostly those of addresses that exist; else as `Drought`.
    Lane,
    /// One of the signals by which software writes a word: they are drawn together.
    Write,
}

/// Outputs without which an input may not come: in the cycle before, each of these lists had one that was not 0. Outputs as wide as
/// the input are taken bit by bit. A register with `!` before its name must have been 0; so must, bit by bit, the rows of one that has
/// as many rows as the input has bits.
pub type OnlyAfter = &'static [&'static [&'static str]];

/// A signal as its block declares it, whatever its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignalSpec {
    pub name: &'static str,
    /// See [`SignalDecl::own_name`].
    pub own_name: &'static str,
    pub rows: usize,
    /// Bits of a row, 1..=64.
    pub width: usize,
    pub owner: Owner,
    pub meaning: Meaning,
    pub habit: Habit,
    pub only_after: OnlyAfter,
}

impl SignalSpec {
    /// A row of so many bits, with this meaning.
    pub const fn new(name: &'static str, width: usize, meaning: Meaning) -> Self {
        SignalSpec {
            name,
            own_name: name,
            rows: 1,
            width,
            owner: Owner::Block,
            meaning,
            habit: Habit::AsMeant,
            only_after: &[],
        }
    }

    /// Its rows, or the bits of its one row, belong to these owners.
    pub const fn of(self, owner: Owner) -> Self {
        SignalSpec { owner, ..self }
    }

    /// So many rows, which belong to these owners.
    pub const fn rows(self, owner: Owner, rows: usize) -> Self {
        SignalSpec { owner, rows, ..self }
    }

    /// An input that is there only on a condition: without rows it is none.
    pub const fn only_if(self, there: bool) -> Self {
        SignalSpec { rows: if there { self.rows } else { 0 }, ..self }
    }

    /// Its owner knows it by another name.
    pub const fn known_as(self, own_name: &'static str) -> Self {
        SignalSpec { own_name, ..self }
    }

    /// Random inputs drive it this way.
    pub const fn habit(self, habit: Habit) -> Self {
        SignalSpec { habit, ..self }
    }

    /// As an input it may come only where these outputs allow it.
    pub const fn only_after(self, only_after: OnlyAfter) -> Self {
        SignalSpec { only_after, ..self }
    }

    /// The declaration in this role.
    pub fn declare(self, role: Role) -> SignalDecl {
        let SignalSpec { name, own_name, rows, width, owner, meaning, habit, only_after } = self;
        SignalDecl {
            owner,
            own_name: own_name.into(),
            meaning,
            habit,
            only_after,
            ..SignalDecl::new(role, name, rows, width)
        }
    }
}

/// A signal of a block: `rows` values of `width` bits, one `u64` slot a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignalDecl {
    /// Path below the block, as in the microarchitecture page: `check`, `power.mechanism.fsm.state`.
    pub name: String,
    pub role: Role,
    /// 1 for a scalar or a vector; the number of elements for an array or of rows for a matrix.
    pub rows: usize,
    /// Bits of a row, 1..=64.
    pub width: usize,
    pub owner: Owner,
    /// Path below the owner: `fsm.state` of a port.
    pub own_name: String,
    pub meaning: Meaning,
    /// Of an input.
    pub habit: Habit,
    /// Of an input.
    pub only_after: OnlyAfter,
}

impl SignalDecl {
    /// A signal of which no more is said: models that are compared with the reference model need not.
    pub fn new(role: Role, name: impl Into<String>, rows: usize, width: usize) -> Self {
        let name = name.into();
        assert!((1..=64).contains(&width), "{name}: a row has 1 to 64 bits, not {width}");
        SignalDecl {
            own_name: name.clone(),
            name,
            role,
            rows,
            width,
            owner: Owner::default(),
            meaning: Meaning::default(),
            habit: Habit::default(),
            only_after: &[],
        }
    }
}

/// `rst`.
pub const RST: SignalSpec = SignalSpec::new("rst", 1, Meaning::Reset);

/// A reset of a block with several, and whether a clock of such a block rises at the end of the cycle.
pub const fn reset(name: &'static str) -> SignalSpec {
    SignalSpec::new(name, 1, Meaning::Reset)
}

pub const fn clock_edge(name: &'static str) -> SignalSpec {
    SignalSpec::new(name, 1, Meaning::ClockEdge)
}

/// A number of which no more is to be said.
pub const fn number(name: &'static str, width: usize) -> SignalSpec {
    SignalSpec::new(name, width, Meaning::Number)
}

/// Yes or no.
pub const fn flag(name: &'static str) -> SignalSpec {
    SignalSpec::new(name, 1, Meaning::Flag)
}

/// A vector with a flag for each of `count` owners.
pub const fn flags(name: &'static str, owner: Owner, count: usize) -> SignalSpec {
    SignalSpec::new(name, count, Meaning::Flag).of(owner)
}

/// A set of some of `count`.
pub const fn set(name: &'static str, count: usize) -> SignalSpec {
    SignalSpec::new(name, count, Meaning::Set)
}

/// One of `count` or none, one-hot.
pub const fn choice(name: &'static str, count: usize) -> SignalSpec {
    SignalSpec::new(name, count, Meaning::Choice)
}

/// A round robin's start among `count`, one-hot.
pub const fn pointer(name: &'static str, count: usize) -> SignalSpec {
    SignalSpec::new(name, count, Meaning::Pointer)
}

/// How many there are of something.
pub const fn count(name: &'static str, width: usize) -> SignalSpec {
    SignalSpec::new(name, width, Meaning::Count)
}

/// Flits in a buffer.
pub const fn fill(name: &'static str) -> SignalSpec {
    SignalSpec::new(name, 13, Meaning::Fill)
}

/// A time that is set, in cycles.
pub const fn duration(name: &'static str, width: usize) -> SignalSpec {
    SignalSpec::new(name, width, Meaning::Duration)
}

/// Cycles that have passed.
pub const fn elapsed(name: &'static str, width: usize) -> SignalSpec {
    SignalSpec::new(name, width, Meaning::Elapsed)
}

/// A code with the names of its values.
pub const fn code(name: &'static str, width: usize, names: &'static [&'static str]) -> SignalSpec {
    SignalSpec::new(name, width, Meaning::Code(names))
}

/// The phase of a port.
pub const fn phase(name: &'static str) -> SignalSpec {
    SignalSpec::new(name, 3, Meaning::Phase)
}

/// The level of a port.
pub const fn level(name: &'static str) -> SignalSpec {
    SignalSpec::new(name, 3, Meaning::Level)
}

/// The number of a virtual channel.
pub const fn vc_number(name: &'static str) -> SignalSpec {
    SignalSpec::new(name, 3, Meaning::VcNumber)
}

/// The number of a port.
pub const fn port_number(name: &'static str) -> SignalSpec {
    SignalSpec::new(name, 6, Meaning::PortNumber)
}

/// The number of a counter of a port, when the counters take turns.
pub const fn slot(name: &'static str, width: usize) -> SignalSpec {
    SignalSpec::new(name, width, Meaning::Slot)
}

/// A word of a flit.
pub const fn flit_word(name: &'static str) -> SignalSpec {
    SignalSpec::new(name, 32, Meaning::Flit)
}

/// The value of a register word.
pub const fn data(name: &'static str) -> SignalSpec {
    SignalSpec::new(name, 32, Meaning::Data)
}

/// A word of the control ring; absent where there is no ring.
pub const fn ring_word(name: &'static str, ring: Option<&'static RingFormat>) -> SignalSpec {
    match ring {
        Some(format) => SignalSpec::new(name, format.bits, Meaning::RingWord(format)),
        None => SignalSpec::new(name, 1, Meaning::Flag).only_if(false),
    }
}

/// The address of a register word, its byte address / 4.
pub const fn word_address(name: &'static str, width: usize) -> SignalSpec {
    SignalSpec::new(name, width, Meaning::WordAddress)
}

/// The packed address of a switch.
pub const fn position(name: &'static str) -> SignalSpec {
    SignalSpec::new(name, 16, Meaning::Position)
}

/// The stage of a switch.
pub const fn stage(name: &'static str) -> SignalSpec {
    SignalSpec::new(name, 4, Meaning::Stage)
}

/// The packed address of a node.
pub const fn destination(name: &'static str) -> SignalSpec {
    SignalSpec::new(name, 16, Meaning::Destination)
}

/// The byte address of a register word.
pub const fn byte_address(name: &'static str) -> SignalSpec {
    SignalSpec::new(name, 16, Meaning::ByteAddress)
}

/// A packet's header of so many bits.
pub const fn header(name: &'static str, width: usize) -> SignalSpec {
    SignalSpec::new(name, width, Meaning::Header)
}
