//! Messages and packets that are under way in a network.

use super::NetPacket;
use powar_config::Message;

/// A message under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct MessageEntry {
    pub message: Message,
    pub given: u64,
    /// Flits that are in no packet yet.
    pub to_send: u64,
    /// Packets that have not come in, counting those not made yet.
    pub to_come: u64,
    pub header: u32,
}

/// A packet under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct PacketEntry {
    pub message: u32,
    pub entered: u64,
}

/// Messages and packets under way, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    pub messages: Vec<MessageEntry>,
    pub free_messages: Vec<u32>,
    pub packets: Vec<PacketEntry>,
    pub free_packets: Vec<u32>,
    pub packet_flits: u16,
    pub now: u64,
}

pub(super) fn place<T>(table: &mut Vec<T>, free: &mut Vec<u32>, entry: T) -> u32 {
    match free.pop() {
        Some(place) => {
            table[place as usize] = entry;
            place
        }
        None => {
            table.push(entry);
            table.len() as u32 - 1
        }
    }
}

impl Tables {
    /// Makes the next packet of a message: its flits' header and number, its length, and whether it is the message's last.
    pub fn next_packet(&mut self, message: u32) -> (NetPacket, u16, bool) {
        let length = self.next_length(message);
        let entry = &mut self.messages[message as usize];
        entry.to_send -= u64::from(length);
        let (header, last) = (entry.header | u32::from(length) << 16, entry.to_send == 0);
        let packet = place(&mut self.packets, &mut self.free_packets, PacketEntry { message, entered: self.now });
        (NetPacket { header, packet }, length, last)
    }

    #[inline]
    pub fn next_length(&self, message: u32) -> u16 {
        self.messages[message as usize].to_send.min(self.packet_flits.into()) as u16
    }
}
