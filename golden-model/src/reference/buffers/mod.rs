//! Input side: flits wait in virtual channels over one memory.

pub mod input_port;
pub mod memory;
pub mod vc_queue;
pub mod virtual_channel;

pub use input_port::InputPort;
pub use vc_queue::VcQueue;
pub use virtual_channel::VirtualChannel;
