//! The registers of the FPGA demonstrator (`docs/microarchitecture/demonstrator.md`), each declared once, and where the windows of its bus
//! begin.
//!
//! ```
//! use powar_config::{presets, registers::demonstrator};
//! let config = presets::by_name("fat-tree-2").unwrap();
//! let register = demonstrator::lookup(0x1208, &config).unwrap();
//! assert_eq!((register.node, register.word.name), (Some(1), "load"));
//! assert!(demonstrator::lookup(0x1209, &config).is_none());
//! ```

mod files;
mod site;

pub use files::{c_header, files, json, markdown, systemrdl};
pub use site::Site;

use super::{Access, Reset, WORD_BYTES, Word, field};
use crate::{Config, Shape, SwitchConfig, Topology};
use anyhow::{Result, ensure};

/// Windows of the bus, each of 2^16 bytes: the switch's, then the demonstrator's own.
pub const WINDOWS: usize = 2;
/// Byte address of the registers of the switch.
pub const SWITCH_WINDOW: u32 = 0x0000_0000;
/// Byte address of the registers of the demonstrator.
pub const OWN_WINDOW: u32 = 0x0001_0000;
/// What `id` reads as: "POWD".
pub const ID: u32 = 0x504F_5744;
/// Byte address of node 0 in its window, and bytes from a node to the next.
pub const NODE_BASE: u16 = 0x1000;
pub const NODE_STRIDE: u16 = 0x0200;
/// Nodes that the window has room for.
pub const MOST_NODES: usize = 60;
/// Words of a flit, at least: the checker needs two words in the first beat.
pub const LEAST_FLIT_WORDS: usize = 2;
/// Number of the checker's first word in a node, of the histogram's, and of the network interface's.
pub const CHECKER: usize = 16;
pub const HISTOGRAM: usize = 32;
pub const INTERFACE: usize = 64;
/// Bins of the histogram of latencies.
pub const BINS: usize = 32;

/// Patterns of traffic, by code.
pub const PATTERNS: [&str; 4] = ["uniform", "fixed", "complement", "neighbour"];

const fn read(place: u16, name: &'static str, doc: &'static str) -> Word {
    Word::read(name, place * WORD_BYTES, Reset::Value(0), doc)
}

const fn written(place: u16, name: &'static str, bits: u32, reset: Reset, doc: &'static str) -> Word {
    Word::written(place * WORD_BYTES, name, bits, reset, doc)
}

/// The words that are one for all nodes.
pub static OWN: [Word; 7] = [
    Word::read("id", 0x0000, Reset::Value(ID), "The text \"POWD\": a powar demonstrator answers here"),
    Word::read("geometry", 0x0004, Reset::Configured(geometry), "Size of the demonstrator").with(
        32,
        &[
            field("nodes", 0, 8, "nodes, one at each port of the switch"),
            field("flit_words", 8, 8, "words of 32 bits in a flit"),
            field("max_packet_flits", 16, 16, "flits of the longest packet, with its head flit"),
        ],
    ),
    written(2, "control", 1, Reset::Value(0), "What runs").with(1, &[field("run", 0, 1, "generators send")]),
    written(3, "clear", 1, Reset::Value(0), "Write 1: counters and histograms back to 0; lasts one cycle"),
    read(4, "cycles", "Time: cycles since the reset; wraps at 32 bits"),
    read(5, "bus_errors", "Accesses over the serial port that were answered with an error"),
    read(6, "serial_errors", "Bytes lost on the serial port: wrong stop bit, or nobody took them"),
];

/// The words of a node's generator and checker, offsets from its first; those of the histogram are in [`HISTOGRAM_WORDS`].
pub static NODE: [Word; 22] = [
    written(0, "pattern", 2, Reset::Value(0), "Where packets go: 0 uniform, 1 fixed, 2 complement, 3 neighbour"),
    written(1, "destination", 6, Reset::Value(0), "Node that they go to, pattern fixed"),
    written(2, "load", 17, Reset::Value(0), "Flits a cycle in a burst, of 0x10000; head flits count"),
    written(3, "burst_on", 16, Reset::Value(0), "Cycles of a burst"),
    written(4, "burst_off", 16, Reset::Value(0), "Cycles from a burst to the next; 0: one burst without an end"),
    written(5, "length", 10, Reset::Configured(length), "Beats of a packet; on the links it has a flit more"),
    written(6, "seed", 32, Reset::Value(1), "Start of the random numbers, taken while the generator stands still"),
    written(7, "enable", 1, Reset::Value(1), "This generator runs when `control` says so"),
    read(8, "packets_sent", "Packets that the network has taken"),
    read(9, "flits_offered", "Flits that were to be sent"),
    read(10, "flits_sent", "Flits that the network has taken"),
    read(16, "packets_received", "Packets that have come in"),
    read(17, "flits_received", "Flits that have come in"),
    read(18, "source_errors", "Packets from no node, or from another than the network says"),
    read(19, "sequence_errors", "Packets that are not the next from their source"),
    read(20, "content_errors", "Packets with wrong bits, or for another node"),
    read(21, "length_errors", "Packets that are longer or shorter than they say"),
    read(22, "keep_errors", "Packets with bytes that are not there"),
    Word::read(
        "latency_min",
        23 * WORD_BYTES,
        Reset::Value(u32::MAX),
        "Least latency, cycles, first beat out to last beat in",
    ),
    read(24, "latency_max", "Largest latency"),
    read(25, "latency_sum_low", "Sum of all latencies, low half"),
    read(26, "latency_sum_high", "Sum of all latencies, high half"),
];

/// Names of the words of the histogram: `latency_k` counts latencies of k bits.
const BIN_NAMES: [&str; BINS] = [
    "latency_0",
    "latency_1",
    "latency_2",
    "latency_3",
    "latency_4",
    "latency_5",
    "latency_6",
    "latency_7",
    "latency_8",
    "latency_9",
    "latency_10",
    "latency_11",
    "latency_12",
    "latency_13",
    "latency_14",
    "latency_15",
    "latency_16",
    "latency_17",
    "latency_18",
    "latency_19",
    "latency_20",
    "latency_21",
    "latency_22",
    "latency_23",
    "latency_24",
    "latency_25",
    "latency_26",
    "latency_27",
    "latency_28",
    "latency_29",
    "latency_30",
    "latency_31",
];

/// The words of the histogram, offsets from the first word of the node.
pub static HISTOGRAM_WORDS: [Word; BINS] = {
    const DOC: &str = "Packets with a latency of so many bits: 2^(k-1) to 2^k - 1 cycles for k; the last has all above";
    let mut words = [read(0, "", DOC); BINS];
    let mut bin = 0;
    while bin < BINS {
        words[bin] = read((HISTOGRAM + bin) as u16, BIN_NAMES[bin], DOC);
        bin += 1;
    }
    words
};

/// The words of a node's network interface, in the order of its statistics; offsets from the first word of the node.
pub static INTERFACE_WORDS: [Word; 10] = [
    read(64, "link_packets_sent", "Packets that the network interface has begun to send to the switch"),
    read(65, "link_flits_sent", "Flits that it has sent, with head flits"),
    read(66, "link_packets_received", "Packets that it has begun to deliver"),
    read(67, "link_flits_received", "Flits that it has taken out of its buffers, with head flits"),
    read(68, "refused_long", "Packets that it refused because they are too long"),
    read(69, "refused_keep", "Packets that it refused for the bytes they keep"),
    read(70, "refused_empty", "Packets that it refused because they are empty"),
    read(71, "framing_errors", "Flits from the switch with a wrong head mark"),
    read(72, "overflow_errors", "Flits from the switch that were lost because their buffer was full"),
    read(73, "credit_errors", "Wrong credits from the switch"),
];

fn geometry(shape: &Shape) -> u32 {
    let switch = &shape.switch;
    (switch.max_packet_flits as u32) << 16 | (switch.flit_words() as u32) << 8 | shape.ports as u32
}

/// Beats of the longest packet: the network interface adds a head flit.
pub fn most_beats(config: &Config) -> usize {
    beats_within(&config.switch)
}

fn beats_within(switch: &SwitchConfig) -> usize {
    switch.max_packet_flits - 1
}

fn length(shape: &Shape) -> u32 {
    beats_within(shape.switch).min(7) as u32
}

/// All words of a node, lowest offset first.
pub fn node_words() -> impl Iterator<Item = &'static Word> {
    NODE.iter().chain(&HISTOGRAM_WORDS).chain(&INTERFACE_WORDS)
}

/// Whether there are nodes of the demonstrator for a switch of this configuration.
pub fn fits(config: &Config) -> bool {
    config.ports <= MOST_NODES && config.switch.flit_words() >= LEAST_FLIT_WORDS && config.switch.max_packet_flits > 1
}

/// The topology of a configuration that there is a demonstrator of.
///
/// # Errors
/// It is not a switch, has too many ports, its flits and packets are too short, or its mechanism or its routing needs the other switches.
pub fn check(config: &Config) -> Result<&dyn Topology> {
    let topology = config.check_switch()?;
    config.switch.check_network_interface()?;
    ensure!(config.ports <= MOST_NODES, "ports: {} is out of range 2..={MOST_NODES} for a demonstrator", config.ports);
    let mechanism = config.mechanism();
    ensure!(
        mechanism.sees.ring.is_none(),
        "mechanism.kind: {} is not for a demonstrator, which has one switch: it needs a ring through several",
        mechanism.name
    );
    if let Some(routing) = config.routing() {
        ensure!(
            routing.takes_all,
            "routing: {} is not for a demonstrator, where packets come in at every port for every other: it has no way for some of them",
            routing.name
        );
    }
    Site::new(config)?;
    Ok(topology)
}

/// The configuration of the switch in a demonstrator: packets come in at every port for every other, so that it has every turn.
pub fn of_switch(config: &Config) -> Config {
    Config { switch: SwitchConfig { every_turn: true, ..config.switch }, ..config.clone() }
}

/// A word at its byte address in the demonstrator's window.
#[derive(Clone, Copy, Debug)]
pub struct Register {
    pub address: u16,
    /// The node that it is of; none: of all.
    pub node: Option<usize>,
    pub word: Word,
}

/// Every register of a demonstrator, lowest address first.
pub fn registers(config: &Config) -> Vec<Register> {
    let own = OWN.iter().map(|&word| Register { address: word.offset, node: None, word });
    let of_node = |node: usize| {
        let base = NODE_BASE + node as u16 * NODE_STRIDE;
        node_words().map(move |&word| Register { address: base + word.offset, node: Some(node), word })
    };
    own.chain((0..config.ports).flat_map(of_node)).collect()
}

/// The register at a byte address of the window; `None` where the bus answers with an error.
pub fn lookup(address: u16, config: &Config) -> Option<Register> {
    let Some(rest) = address.checked_sub(NODE_BASE) else {
        let word = *OWN.iter().find(|word| word.offset == address)?;
        return Some(Register { address, node: None, word });
    };
    let (node, offset) = (usize::from(rest / NODE_STRIDE), rest % NODE_STRIDE);
    let word = *node_words().find(|word| word.offset == offset).filter(|_| node < config.ports)?;
    Some(Register { address, node: Some(node), word })
}

/// Access of the word that has this number in a node.
pub fn access_in_node(place: usize) -> Option<Access> {
    node_words().find(|word| usize::from(word.offset / WORD_BYTES) == place).map(|word| word.access)
}
