//! Output side: the crossbar, credits of the next buffers, the links.

pub mod credit_counter;
pub mod crossbar;
pub mod link_stage;
pub mod output_port;

pub use credit_counter::CreditCounter;
pub use crossbar::Crossbar;
pub use link_stage::LinkStage;
pub use output_port::OutputPort;
