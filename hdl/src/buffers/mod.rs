//! Input side: flits wait in virtual channels over one memory.

pub mod input_port;
pub mod vc_queue;
pub mod virtual_channel;

pub use input_port::InputPort;
pub use vc_queue::VcQueue;
pub use virtual_channel::VirtualChannel;

/// Bits of a header that are kept: the length 25:16 and the destination 15:0, or all if the routing sees the header.
pub(crate) const HEADER_BITS: usize = 26;
pub(crate) const WHOLE_HEADER_BITS: usize = 32;
