//! Which packet gets which output port.

pub mod allocator;
pub mod selector;

pub use allocator::Allocator;
pub use selector::Selector;
