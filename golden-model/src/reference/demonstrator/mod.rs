//! The FPGA demonstrator: the serial port to the registers, and traffic at the ports.

pub mod axi_lite_decoder;
pub mod uart_bridge;
pub mod uart_receiver;
pub mod uart_transmitter;

pub use axi_lite_decoder::AxiLiteDecoder;
pub use uart_bridge::UartBridge;
pub use uart_receiver::UartReceiver;
pub use uart_transmitter::UartTransmitter;
