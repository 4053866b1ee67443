//! What makes one switch an FPGA demonstrator: the serial port to its registers, and traffic at its ports.

pub mod axi_lite_decoder;
pub mod board;
#[allow(clippy::module_inception)]
pub mod demonstrator;
pub mod demonstrator_registers;
pub mod pll;
pub mod reset_synchroniser;
pub mod statistics_reader;
pub mod traffic_checker;
pub mod traffic_generator;
pub mod uart_bridge;
pub mod uart_receiver;
pub mod uart_transmitter;

pub use axi_lite_decoder::AxiLiteDecoder;
pub use demonstrator::{DEMONSTRATOR, Demonstrator, demonstrator};
pub use demonstrator_registers::DemonstratorRegisters;
pub use pll::Pll;
pub use reset_synchroniser::ResetSynchroniser;
pub use statistics_reader::StatisticsReader;
pub use traffic_checker::TrafficChecker;
pub use traffic_generator::TrafficGenerator;
pub use uart_bridge::UartBridge;
pub use uart_receiver::UartReceiver;
pub use uart_transmitter::UartTransmitter;
