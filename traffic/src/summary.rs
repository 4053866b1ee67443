//! Traffic in numbers.

use crate::packet_arrival::PacketArrival;
use crate::replay::message::Message;
use powar_config::topology::view::PortSet;
use std::collections::BTreeMap;

/// What a trace sends, and what of it one switch sees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Messages of all ranks, those of collectives included.
    pub messages: u64,
    /// Their payload, bytes.
    pub bytes: u64,
    /// Packets in the whole network.
    pub packets: u64,
    /// Packets that pass the switch.
    pub seen_packets: u64,
    /// Flits that pass the switch.
    pub seen_flits: u64,
    /// Cycle of the first arrival at the switch.
    pub first_cycle: u64,
    /// Cycle in which the last flit has come in.
    pub last_cycle: u64,
    /// Packets coming in on each port of the switch.
    pub input_packets: Vec<u64>,
    /// Packets per routing request, keyed by (adaptive, deterministic) ports.
    pub requests: BTreeMap<(PortSet, PortSet), u64>,
}

impl Summary {
    pub(crate) fn new(ports: u16) -> Summary {
        Summary { input_packets: vec![0; usize::from(ports)], ..Summary::default() }
    }

    pub(crate) fn count_message(&mut self, message: &Message) {
        self.messages += 1;
        self.bytes += message.bytes;
        self.packets += message.packets;
    }

    pub(crate) fn count_arrival(&mut self, packet: &PacketArrival) {
        if self.seen_packets == 0 {
            self.first_cycle = packet.cycle;
        }
        self.seen_packets += 1;
        self.seen_flits += u64::from(packet.flits);
        self.last_cycle = self.last_cycle.max(packet.cycle + u64::from(packet.flits));
        self.input_packets[usize::from(packet.input)] += 1;
        *self.requests.entry((packet.adaptive, packet.deterministic)).or_insert(0) += 1;
    }

    /// Cycles from the first arrival to the last flit.
    pub fn span_cycles(&self) -> u64 {
        self.last_cycle - self.first_cycle
    }

    /// Packets that want output `port` alone.
    pub fn only_for(&self, port: u16) -> u64 {
        let only = |&(adaptive, deterministic): &(PortSet, PortSet)| adaptive | deterministic == 1 << port;
        self.requests.iter().filter(|(ports, _)| only(ports)).map(|(_, packets)| packets).sum()
    }

    /// Packets with an adaptive choice.
    pub fn adaptive_packets(&self) -> u64 {
        self.requests.iter().filter(|((adaptive, _), _)| *adaptive != 0).map(|(_, packets)| packets).sum()
    }
}
