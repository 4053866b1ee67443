//! Waves of a lock-step run: the RTL and the golden model side by side, for GTKWave and Surfer.
//!
//! A [`WaveWriter`] streams the frames of a run into `<name>.vcd` and puts two small files beside it:
//!
//! * `<name>.gtkw`, a GTKWave save file: `gtkwave <name>.gtkw`, from any folder, opens the dump with the ports
//!   grouped, their power states by name, and markers at the first mismatch and the first wake-up;
//! * `<name>.sucl`, a Surfer command file with the same groups: `surfer --command-file <name>.sucl <name>.vcd`.
//!
//! `vcd2fst`, which comes with GTKWave, makes a long dump about fifteen times smaller; both viewers read the result.
//!
//! Names. A signal of the RTL keeps its name of the microarchitecture page; its golden twin is `<name>_golden`, and a
//! register that is an output too is `<name>_reg`. `power_controller` is shown by port: `port3.busy` is bit 3 of `busy`,
//! `port3.fsm.count` row 3 of `power.fsm.count`; likewise `requester0`, `group0` and `registers`, each with a bit `mismatch`.
//! Every other block has the scopes `inputs`, `rtl` and `golden`. Codes that have names (power states, policies) come with
//! a text variable, `power_state_name`, beside the number.

mod activity;
mod gtkwave;
mod placement;
mod surfer;
mod timebase;
mod variables;
mod view;
mod window;
mod writer;

pub use window::save_window;
pub use writer::{WaveOptions, WaveWriter, Waves};
