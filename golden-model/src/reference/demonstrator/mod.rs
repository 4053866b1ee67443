//! The FPGA demonstrator: the serial port to the registers, and traffic at the ports.

pub mod axi_lite_decoder;
#[allow(clippy::module_inception)]
pub mod demonstrator;
pub mod demonstrator_registers;
pub mod packet;
pub mod reset_synchroniser;
pub mod statistics_reader;
pub mod traffic_checker;
pub mod traffic_generator;
pub mod uart_bridge;
pub mod uart_receiver;
pub mod uart_transmitter;

pub use axi_lite_decoder::AxiLiteDecoder;
pub use demonstrator::Demonstrator;
pub use demonstrator_registers::DemonstratorRegisters;
pub use packet::{Beat, content_start, content_step};
pub use reset_synchroniser::ResetSynchroniser;
pub use statistics_reader::StatisticsReader;
pub use traffic_checker::TrafficChecker;
pub use traffic_generator::TrafficGenerator;
pub use uart_bridge::UartBridge;
pub use uart_receiver::UartReceiver;
pub use uart_transmitter::UartTransmitter;
