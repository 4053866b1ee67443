//! Host side of the FPGA demonstrator: its registers by name, over LiteX's UARTBone protocol on a serial port.
//!
//! ```text
//! line             a serial port, a pseudo-terminal or a TCP socket: bytes with a time-out
//! uartbone         words at addresses
//! names            the registers of a configuration by name: port3.flits, node0.load
//! files            their names for programs of others
//! device           both together: get and set
//! watch            what the ports and nodes did since the last look
//! table            that as text; live: on a terminal
//! traffic          the settings of the generators
//! routing_table    what is written to load the routing table of the switch
//! script           commands from a file
//! ```

pub mod device;
pub mod files;
pub mod line;
pub mod live;
pub mod names;
pub mod routing_table;
pub mod script;
pub mod table;
pub mod traffic;
pub mod uartbone;
pub mod watch;

pub use device::{Device, Value};
pub use names::{Name, Names};
