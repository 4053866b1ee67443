//! Network interface: packets of an AXI4-Stream into the network and out of it.

pub mod header_queue;
pub mod injection;
pub mod injection_queues;
#[allow(clippy::module_inception)]
pub mod network_interface;
pub mod packet_queue;
pub mod reception;

pub use header_queue::HeaderQueue;
pub use injection::Injection;
pub use injection_queues::InjectionQueues;
pub use network_interface::NetworkInterface;
pub use packet_queue::PacketQueue;
pub use reception::Reception;

use header_queue::ENTRY_BITS;

/// The parts of a header queue's entry: address 15:0, length 25:16, bytes of the last beat less one 31:26.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    pub address: u16,
    pub length: u16,
    pub last_bytes: u8,
}

impl Entry {
    /// The entry in its 32 bits.
    pub fn packed(self) -> u32 {
        u32::from(self.last_bytes) << 26 | u32::from(self.length) << 16 | u32::from(self.address)
    }

    /// The parts of 32 bits.
    pub fn of(entry: u32) -> Entry {
        Entry {
            address: entry as u16,
            length: (entry >> 16) as u16 & 0x3ff,
            last_bytes: (entry >> (ENTRY_BITS - 6)) as u8,
        }
    }
}

/// The virtual channel whose header memory is read: the lowest that wants to, one-hot.
fn fetch(wants: u64) -> u64 {
    wants & wants.wrapping_neg()
}
