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

/// Address bits of so many places.
fn address_bits(places: usize) -> usize {
    places.next_power_of_two().trailing_zeros() as usize
}
