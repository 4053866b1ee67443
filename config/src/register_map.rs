//! The registers of the switch, described once (`docs/microarchitecture.md`, 3.12 and 5.12).
//!
//! Both models take their addresses from here, and the C header, the Markdown page and the JSON file are written from it. The map
//! is data: what stands in a word is each model's own business.
//!
//! ```
//! use powar_config::{presets, register_map};
//! let config = presets::by_name("fat-tree-8").unwrap();
//! let register = register_map::lookup(0x1044, &config).unwrap();
//! assert_eq!((register.word.name, register.place), ("entering_cycles", register_map::Place::Port { port: 1, word: 1 }));
//! assert!(register_map::lookup(0x1046, &config).is_none());
//! ```

mod c_header;
mod json;
mod markdown;

pub use c_header::c_header;
pub use json::json;
pub use markdown::markdown;

use crate::Config;

/// Bits of a byte address.
pub const ADDRESS_BITS: usize = 16;
/// Bytes of a word; every register is one.
pub const WORD_BYTES: u16 = 4;
/// What `id` reads as: "POWA".
pub const ID: u32 = 0x504F_5741;
/// Byte address of control register 0; the others follow word by word.
pub const CONTROL_BASE: u16 = 0x0040;
/// Byte address of port 0.
pub const PORT_BASE: u16 = 0x1000;
/// Bytes from a port to the next.
pub const PORT_STRIDE: u16 = 0x0040;

/// What software may do with a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    ReadWrite,
}

impl Access {
    /// As documents write it.
    pub fn name(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::ReadWrite => "read, write",
        }
    }
}

/// Bits of a word that mean something together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: &'static str,
    /// Lowest bit.
    pub low: u32,
    pub bits: u32,
    pub doc: &'static str,
}

impl Field {
    /// The field's bits in the word.
    pub fn mask(&self) -> u32 {
        mask(self.bits) << self.low
    }
}

/// One word of the map. Bits above `bits` read as 0 and are ignored when written.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    pub name: &'static str,
    /// Byte address; of a word of a port: bytes from the port's first.
    pub offset: u16,
    pub access: Access,
    /// Low bits that exist.
    pub bits: u32,
    /// The parts, lowest first; none if the word is one number.
    pub fields: &'static [Field],
    pub reset: Reset,
    /// One line.
    pub doc: &'static str,
}

/// Value of a word after reset.
#[derive(Clone, Copy, Debug)]
pub enum Reset {
    /// The same in every configuration.
    Value(u32),
    /// What the configuration says.
    Configured(fn(&Config) -> u32),
}

impl Reset {
    /// The value in this configuration, which must have passed [`Config::check`].
    pub fn value(self, config: &Config) -> u32 {
        match self {
            Reset::Value(value) => value,
            Reset::Configured(of) => of(config),
        }
    }
}

impl Word {
    const fn read(name: &'static str, offset: u16, reset: Reset, doc: &'static str) -> Word {
        Word { name, offset, access: Access::Read, bits: 32, fields: &[], reset, doc }
    }

    /// The bits that exist.
    pub fn mask(&self) -> u32 {
        mask(self.bits)
    }

    const fn with(self, bits: u32, fields: &'static [Field]) -> Word {
        Word { bits, fields, ..self }
    }

    /// Control register `a` of 3.12.
    const fn control(a: u16, name: &'static str, bits: u32, reset: Reset, doc: &'static str) -> Word {
        let offset = CONTROL_BASE + a * WORD_BYTES;
        Word { name, offset, access: Access::ReadWrite, bits, fields: &[], reset, doc }
    }

    /// Word `j` of a port that counts from 0.
    const fn counter(j: u16, name: &'static str, doc: &'static str) -> Word {
        Word::read(name, j * WORD_BYTES, Reset::Value(0), doc)
    }
}

const fn field(name: &'static str, low: u32, bits: u32, doc: &'static str) -> Field {
    Field { name, low, bits, doc }
}

const fn mask(bits: u32) -> u32 {
    u32::MAX >> (32 - bits)
}

/// What the switch is.
pub static IDENTITY: [Word; 3] = [
    Word::read("id", 0x0000, Reset::Value(ID), "The text \"POWA\": a powar switch answers here"),
    Word::read("geometry", 0x0004, Reset::Configured(geometry), "Size of the switch").with(
        24,
        &[
            field("ports", 0, 8, "ports"),
            field("vcs", 8, 8, "virtual channels of a port"),
            field("flit_words", 16, 8, "words of 32 bits in a flit"),
        ],
    ),
    Word::read("buffers", 0x0008, Reset::Configured(buffers), "Its buffers").with(
        32,
        &[
            field("vc_depth", 0, 16, "flits that a virtual channel holds"),
            field("max_packet_flits", 16, 16, "flits of the longest packet"),
        ],
    ),
];

/// The control registers, by the address of 3.12: number `a` is at [`CONTROL_BASE`] + 4a on the bus.
pub static CONTROL: [Word; 11] = [
    Word::control(
        0,
        "policy",
        2,
        Reset::Configured(|c| c.register_values().policy.into()),
        "Power policy, by its code",
    ),
    Word::control(
        1,
        "pdt",
        24,
        Reset::Configured(|c| c.register_values().pdt),
        "Power-down threshold, cycles: an idle port sleeps after it",
    ),
    Word::control(
        2,
        "check_period",
        16,
        Reset::Configured(|c| c.register_values().check_period.into()),
        "Check period, cycles",
    ),
    Word::control(
        3,
        "on_flits",
        16,
        Reset::Configured(|c| c.register_values().on_flits.into()),
        "T_on, flits per selectable port and check period",
    ),
    Word::control(4, "off_flits", 16, Reset::Configured(|c| c.register_values().off_flits.into()), "T_off, likewise"),
    Word::control(5, "t_sleep", 24, Reset::Configured(|c| c.register_values().t_sleep), "T_s, cycles to enter sleep"),
    Word::control(6, "t_wake", 24, Reset::Configured(|c| c.register_values().t_wake), "T_w, cycles to wake"),
    Word::control(
        7,
        "t_quiet",
        24,
        Reset::Configured(|c| c.register_values().t_quiet),
        "T_q, cycles of a quiet period while asleep; 0 = no refresh",
    ),
    Word::control(
        8,
        "t_refresh",
        24,
        Reset::Configured(|c| c.register_values().t_refresh),
        "T_r, cycles of a refresh while asleep; 0 = no refresh",
    ),
    Word::control(
        9,
        "abort_sleep",
        1,
        Reset::Configured(|c| c.register_values().abort_sleep.into()),
        "A wake request aborts the way to sleep",
    ),
    Word::control(
        10,
        "clear_statistics",
        1,
        Reset::Value(0),
        "Write 1: every counter of every port back to 0; lasts one cycle",
    ),
];

/// The words of each port: port p is at [`PORT_BASE`] + p x [`PORT_STRIDE`]. Counters wrap: software takes differences.
pub static PORT: [Word; 13] = [
    Word::counter(0, "active_cycles", "Cycles awake"),
    Word::counter(1, "entering_cycles", "Cycles on the way to sleep"),
    Word::counter(2, "quiet_cycles", "Cycles asleep and quiet: the ones that save power"),
    Word::counter(3, "refresh_cycles", "Cycles asleep and refreshing"),
    Word::counter(4, "waking_cycles", "Cycles on the way to awake"),
    Word::counter(5, "wake_ups", "Times the port was woken"),
    Word::counter(6, "flits", "Flits sent"),
    Word::counter(7, "dropped_packets", "Packets that came in and were dropped: destination or header not valid"),
    Word::counter(8, "framing_errors", "Flits that came in with a wrong head mark or virtual channel"),
    Word::counter(9, "overflow_errors", "Flits that came in without a credit and were lost"),
    Word::counter(10, "sleeping_link_flits", "Flits that came in while the sender said that its port sleeps"),
    Word::counter(
        11,
        "credit_errors",
        "Credits that came back for nothing or a wrong virtual channel, flits sent without one",
    ),
    Word::read("status", 12 * WORD_BYTES, Reset::Value(0b11 << 3), "State of the port now").with(
        5,
        &[
            field("power_state", 0, 2, "0 Active, 1 EnteringSleep, 2 Asleep, 3 Waking"),
            field("busy", 2, 1, "a packet holds the port"),
            field("awake", 3, 1, "the port is Active"),
            field("selectable", 4, 1, "the port may be selected"),
        ],
    ),
];

fn geometry(config: &Config) -> u32 {
    let parts = [config.ports, config.switch.vcs, config.switch.flit_words()];
    parts.iter().rev().fold(0, |word, &part| word << 8 | part as u32)
}

fn buffers(config: &Config) -> u32 {
    (config.switch.max_packet_flits as u32) << 16 | config.switch.vc_depth() as u32
}

/// Where a register is in the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Place in [`IDENTITY`].
    Identity(usize),
    /// Place in [`CONTROL`], which is the address of 3.12.
    Control(usize),
    /// Place in [`PORT`], of this port.
    Port { port: usize, word: usize },
}

/// A word at its byte address in a configuration.
#[derive(Clone, Copy, Debug)]
pub struct Register {
    pub address: u16,
    pub place: Place,
    pub word: &'static Word,
}

/// Every register of a configuration, lowest address first.
pub fn registers(config: &Config) -> impl Iterator<Item = Register> + use<> {
    let identity = IDENTITY.iter().enumerate();
    let identity = identity.map(|(a, word)| Register { address: word.offset, place: Place::Identity(a), word });
    let control = CONTROL.iter().enumerate();
    let control = control.map(|(a, word)| Register { address: word.offset, place: Place::Control(a), word });
    let ports = (0..config.ports).flat_map(|port| {
        PORT.iter().enumerate().map(move |(j, word)| {
            let address = PORT_BASE + port as u16 * PORT_STRIDE + word.offset;
            Register { address, place: Place::Port { port, word: j }, word }
        })
    });
    identity.chain(control).chain(ports)
}

/// The register at a byte address; `None` where the bus answers with an error.
pub fn lookup(address: u16, config: &Config) -> Option<Register> {
    let find = |words: &'static [Word], offset: u16| words.iter().position(|word| word.offset == offset);
    if let Some(rest) = address.checked_sub(PORT_BASE) {
        let (port, offset) = (usize::from(rest / PORT_STRIDE), rest % PORT_STRIDE);
        let word = find(&PORT, offset).filter(|_| port < config.ports)?;
        return Some(Register { address, place: Place::Port { port, word }, word: &PORT[word] });
    }
    if let Some(a) = find(&CONTROL, address) {
        return Some(Register { address, place: Place::Control(a), word: &CONTROL[a] });
    }
    let a = find(&IDENTITY, address)?;
    Some(Register { address, place: Place::Identity(a), word: &IDENTITY[a] })
}

/// The address of 3.12 of the control register with this name.
///
/// # Panics
/// If there is none: names are written in sources, not by users.
pub fn control_address(name: &str) -> usize {
    let place = CONTROL.iter().position(|word| word.name == name);
    place.unwrap_or_else(|| panic!("there is no control register `{name}`"))
}

/// The place in [`PORT`] of the word with this name.
///
/// # Panics
/// If there is none: names are written in sources, not by users.
pub fn port_word(name: &str) -> usize {
    let place = PORT.iter().position(|word| word.name == name);
    place.unwrap_or_else(|| panic!("a port has no register `{name}`"))
}
