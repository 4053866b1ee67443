//! Lock-step checks of the RTL against the golden model, and their waves.
//!
//! ```text
//! twins        a block and its golden twin
//! stimulus     what drives both
//! dut          rust-hdl's simulation, or the emitted Verilog in Verilator
//! lockstep     every output and register, every cycle; the first difference
//! waves        both sides by side, for GTKWave and Surfer
//! monitor      what must hold on the links of a switch, whatever model it is
//! mechanisms   what the harness knows of each power mechanism
//! link_slots   where the links of a switch lie in its frames
//! expected_routing   where packets may go from a switch at its place in the network
//! check        all of that in one call
//! network      whole networks with RTL in the loop
//! demonstrator  a whole demonstrator behind a pseudo-terminal, for `powar host`
//! test_switches  the switches that blocks are tried at
//! trials       which block is tried at which of them
//! hunt         what brings an error in a block to light
//! verilog_testbench  a bench in Verilog beside an emitted design
//! ```

pub(crate) mod batch;
pub mod bench;
pub mod check;
pub mod demonstrator;
pub mod dut;
pub mod expected_routing;
pub mod hunt;
mod link_slots;
pub mod lockstep;
pub mod mechanisms;
pub mod monitor;
pub mod network;
pub mod random;
pub mod stimulus;
pub mod test_switches;
pub mod trials;
pub mod twins;
pub mod verilog_testbench;
pub mod waves;
