//! What flits carry in a network.

use crate::fast::switch::Payload;

/// A packet, as each of its flits carries it: the header, and its place in the network's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetPacket {
    /// Destination 15:0, packed, and length 25:16 (`docs/microarchitecture/switch.md`).
    pub header: u32,
    pub packet: u32,
}

impl NetPacket {
    /// Flits of the packet.
    pub fn length(&self) -> u16 {
        (self.header >> 16 & 0x3ff) as u16
    }
}

impl Payload for NetPacket {
    const EMPTY: Self = NetPacket { header: 0, packet: 0 };

    #[inline]
    fn header(&self) -> u32 {
        self.header
    }

    /// All flits of a packet look alike.
    #[inline]
    fn behind(&self, _: u16) -> Self {
        *self
    }
}
