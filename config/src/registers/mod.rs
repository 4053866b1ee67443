//! The registers of the switch, each declared once (`docs/microarchitecture/registers.md`): those of every switch here, those of a power
//! mechanism in its folder, those of a routing in its file.
//!
//! Both models take their addresses from here, and the C header, the Markdown page, the JSON and the SystemRDL file are written from it.
//! The map is data: what stands in a word is each model's own business.
//!
//! ```
//! use powar_config::{presets, registers};
//! let config = presets::by_name("fat-tree-8").unwrap();
//! let register = registers::lookup(0x1044, &config).unwrap();
//! assert_eq!((register.word.name, register.owner), ("entering_cycles", registers::RegisterOwner::Counter { port: 1, counter: 1 }));
//! assert!(registers::lookup(0x1046, &config).is_none());
//! ```

mod c_header;
pub mod demonstrator;
mod json;
mod markdown;
mod reset_value;
mod systemrdl;
mod word;

pub use c_header::c_header;
pub use json::json;
pub use markdown::{markdown, markdown_of};
pub use systemrdl::systemrdl;
pub use word::{Access, Field, Reset, WORD_BYTES, Word};

use crate::mechanism::Mechanism;
use crate::{Config, Prefix, Shape};
use word::field;

/// Bits of a byte address.
pub const ADDRESS_BITS: usize = 16;
/// What `id` reads as: "POWA".
pub const ID: u32 = 0x504F_5741;
/// Byte address of port 0.
pub const PORT_BASE: u16 = 0x1000;
/// Least bytes from a port to the next.
pub const LEAST_PORT_STRIDE: u16 = 0x0040;

/// The words that no mechanism changes: what the switch is, and the clear of its counters.
pub static SWITCH: [Word; 4] = [
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
    Word::written(
        0x000C,
        "clear_counters",
        1,
        Reset::Value(0),
        "Write 1: every counter of every port back to 0; lasts one cycle",
    ),
];

/// Counters of a port behind those of its residency: names and one line each.
const EVENTS: [(&str, &str); 2] = [("wake_ups", "Times the port was woken"), ("flits", "Flits sent")];

/// Events of a port of the switch that are errors, in the order of `power_manager.error`: their counters and one line each.
pub const ERRORS: [(&str, &str); 5] = [
    ("dropped_packets", "Packets that came in and were dropped: destination or header not valid"),
    ("framing_errors", "Flits that came in with a wrong head mark or virtual channel"),
    ("overflow_errors", "Flits that came in without a credit and were lost"),
    ("closed_link_flits", "Flits that came in while the sender said that its port doesn't send"),
    ("credit_errors", "Credits that came back for nothing or a wrong virtual channel, flits sent without one"),
];

/// The status of a port, behind its counters; its offset is that of the first of them.
static STATUS: Word = Word::read("status", 0, Reset::Value(0b111 << 7), "State of the port now").with(
    10,
    &[
        field("phase", 0, 3, "0 On, 1 GoingOff, 2 Off, 3 ComingOn, 4 Refreshing, 5 Draining"),
        field("level", 3, 3, "rate and voltage, or how deeply it sleeps"),
        field("held", 6, 1, "a packet holds the port"),
        field("grantable", 7, 1, "the port may be given to a packet"),
        field("preferred", 8, 1, "the port is taken before those that are not"),
        field("ready", 9, 1, "the port may send"),
    ],
);

fn geometry(shape: &Shape) -> u32 {
    let parts = [shape.ports, shape.switch.vcs, shape.switch.flit_words()];
    parts.iter().rev().fold(0, |word, &part| word << 8 | part as u32)
}

fn buffers(shape: &Shape) -> u32 {
    (shape.switch.max_packet_flits as u32) << 16 | shape.switch.vc_depth() as u32
}

/// The counters of a port, by name and one line: residency, wake-ups and flits, then those of errors.
pub fn counters(mechanism: &Mechanism) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
    let residency = mechanism.residency.iter().map(|residency| (residency.counter, residency.doc));
    residency.chain(EVENTS).chain(ERRORS)
}

/// The bits that are used of the prescalers of a port with so many counters, of 8: a number below 2^8 to whose bits they count.
///
/// A prescaler passes its events on once in as many cycles as there are counters, so it must tell that number from 0.
pub fn prescaler_mask(counters: usize) -> u8 {
    u8::MAX >> (counters as u8).leading_zeros()
}

/// The words of a port of a switch, offsets from its first: its counters and its status.
pub fn port_words(mechanism: &Mechanism) -> Vec<Word> {
    let counters = counters(mechanism).enumerate();
    let offset = |place: usize| place as u16 * WORD_BYTES;
    let mut words: Vec<Word> =
        counters.map(|(place, (name, doc))| Word::read(name, offset(place), Reset::Value(0), doc)).collect();
    words.push(Word { offset: offset(words.len()), ..STATUS });
    words
}

/// Bytes from the first word of a port to that of the next.
pub fn port_stride(mechanism: &Mechanism) -> u16 {
    let words = counters(mechanism).count() as u16 + 1;
    (words * WORD_BYTES).next_power_of_two().max(LEAST_PORT_STRIDE)
}

/// Where a register is in the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegisterOwner {
    /// Place in [`SWITCH`].
    Switch(usize),
    /// Place in the words of the routing.
    Routing(usize),
    /// Place in the words of the mechanism.
    Mechanism(usize),
    /// A counter of a port.
    Counter { port: usize, counter: usize },
    /// The status of a port.
    Status { port: usize },
}

/// A word at its byte address in a configuration.
#[derive(Clone, Copy, Debug)]
pub struct Register {
    pub address: u16,
    pub owner: RegisterOwner,
    pub word: Word,
}

/// The registers of a configuration below those of its ports, lowest address first.
fn below_ports(config: &Config) -> Vec<Register> {
    let switch = SWITCH.iter().copied().enumerate().map(|(place, word)| (RegisterOwner::Switch(place), word));
    let routing = routing_words(config);
    let routing = routing.into_iter().enumerate().map(|(place, word)| (RegisterOwner::Routing(place), word));
    let mechanism = config.mechanism().words.iter().copied().enumerate();
    let mechanism = mechanism.map(|(place, word)| (RegisterOwner::Mechanism(place), word));
    let register = |(owner, word): (RegisterOwner, Word)| Register { address: word.offset, owner, word };
    switch.chain(routing).chain(mechanism).map(register).collect()
}

/// The words of the routing, lowest address first; none without a topology.
pub fn routing_words(config: &Config) -> Vec<Word> {
    config.routing().map_or_else(Vec::new, |routing| (routing.words)(&config.shape()))
}

/// Every register of a configuration, lowest address first.
pub fn registers(config: &Config) -> Vec<Register> {
    let mechanism = config.mechanism();
    let mut list = below_ports(config);
    let (words, stride) = (port_words(mechanism), port_stride(mechanism));
    for port in 0..config.ports {
        for (place, &word) in words.iter().enumerate() {
            let address = PORT_BASE + port as u16 * stride + word.offset;
            let last = place + 1 == words.len();
            let owner =
                if last { RegisterOwner::Status { port } } else { RegisterOwner::Counter { port, counter: place } };
            list.push(Register { address, owner, word });
        }
    }
    list
}

/// The register at a byte address; `None` where the bus answers with an error.
pub fn lookup(address: u16, config: &Config) -> Option<Register> {
    let mechanism = config.mechanism();
    if let Some(rest) = address.checked_sub(PORT_BASE) {
        let stride = port_stride(mechanism);
        let (port, offset) = (usize::from(rest / stride), rest % stride);
        let words = counters(mechanism).count();
        let place = usize::from(offset / WORD_BYTES);
        if port >= config.ports || offset % WORD_BYTES != 0 || place > words {
            return None;
        }
        let word = port_words(mechanism)[place];
        let owner = if place == words {
            RegisterOwner::Status { port }
        } else {
            RegisterOwner::Counter { port, counter: place }
        };
        return Some(Register { address, owner, word });
    }
    below_ports(config).into_iter().find(|register| register.address == address)
}

/// The map of a configuration as files, for drivers, people, programs and register generators: names and texts, with the prefix
/// before the names.
pub fn files(config: &Config, prefix: &Prefix) -> Vec<(String, String)> {
    let file = |ending: &str, text| (prefix.before(&format!("powar_registers.{ending}")), text);
    vec![
        file("h", c_header(config, prefix)),
        file("md", markdown_of(config)),
        file("json", json(config)),
        file("rdl", systemrdl(config, prefix)),
    ]
}

/// The byte address of a mechanism's word.
///
/// # Panics
/// If there is none with this name: names are written in sources, not by users.
pub fn mechanism_address(mechanism: &Mechanism, name: &str) -> u16 {
    let word = mechanism.words.iter().find(|word| word.name == name);
    word.unwrap_or_else(|| panic!("{} has no register `{name}`", mechanism.name)).offset
}
