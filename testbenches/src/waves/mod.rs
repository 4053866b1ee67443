//! Waves of a lock-step run: the RTL and the golden model side by side, for GTKWave and Surfer.
//!
//! A [`WaveWriter`] streams the frames of a run into `<name>.vcd` and puts two small files beside it:
//!
//! * `<name>.gtkw`, a GTKWave save file: `gtkwave <name>.gtkw`, from any folder, opens the dump with the ports
//!   grouped, their phases by name, and markers at the first mismatch and the first wake-up;
//! * `<name>.sucl`, a Surfer command file with the same groups: `surfer --command-file <name>.sucl <name>.vcd`.
//!
//! `vcd2fst`, which comes with GTKWave, makes a long dump about fifteen times smaller; both viewers read the result.
//!
//! Names. Scopes follow from the owners of signals, texts and radices from their meanings, both as the golden model declares them
//! ([`powar_config::signal`]). A signal of the RTL keeps its name of the microarchitecture page; its golden twin is `<name>_golden`, and a
//! register that is an output too is `<name>_reg`. `power_controller` is shown by port: `port3.held` is bit 3 of `held`,
//! `port3.fsm.elapsed` row 3 of `power.mechanism.fsm.elapsed`, `port3.counters.prescaler.flits` the prescaler of that counter;
//! likewise `requester0`, `group0`, `registers`, `ring` (the control ring) and `slots` (whose turn it is among the counters), each with a bit `mismatch`.
//! The block of the power mechanism alone is shown in the same way.
//! `powar_switch` is shown by port as well, with everything of the port: `port3.link_in.valid` is bit 3 of `in_valid`,
//! `port3.vc1.flits.some` row 3V + 1 of `input_port.vc.flits.some`, `port3.vc1.selector.choice` that of `allocator.selector.choice`,
//! `port3.output.credit1.credits` that of `output_port.credit.credits`. `port3.vc1.state_name`
//! says what the virtual channel does: `asks` for an output port, `sends` (it holds one), `drops`, `sends+asks`, `idle`.
//! Every other block has the scopes `inputs`, `rtl` and `golden`. Codes that have names (phases, policies) come with
//! a text variable, `phase_name`, beside the number.
//!
//! [`counterexample`] does the same for the run in which a solver sees a property fail, and [`network`] for the ports of a whole network.

mod activity;
mod counterexample;
mod gtkwave;
pub mod network;
mod placement;
mod surfer;
mod switch_view;
mod timebase;
mod variables;
mod view;
mod window;
mod writer;

pub use counterexample::{CounterexampleFiles, ViolatedProperty, counterexample};
pub use gtkwave::is_saved_by_gtkwave;
pub use window::save_window;
pub use writer::{WaveOptions, WaveWriter, Waves};
