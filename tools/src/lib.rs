//! The EDA tools this project works with (Verilator, Yosys, nextpnr, FuseSoC, a C++ compiler): installing a pinned set,
//! finding them and running them, and the small services every step needs around a tool: progress messages
//! and result files that are either complete or absent.
//!
//! ```no_run
//! use powar_tools::{Progress, Tools, run};
//!
//! let tools = Tools::ensure(&Progress::stderr())?;
//! run(tools.yosys()?.arg("-V"), "yosys -V")?;
//! # Ok::<(), powar_tools::ToolError>(())
//! ```

mod atomic_file;
mod content_hash;
mod environment;
mod error;
mod installation;
mod ipxact;
mod lock;
mod owned_files;
mod plain_name;
mod progress;
mod run;
mod shell_word;
mod surroundings;
mod systemrdl;
mod tool;
mod tools;
mod tools_or_skip;
mod unfinished;
mod verilated_library;
mod write_files;

pub use atomic_file::{AtomicFile, write_atomic};
pub use error::ToolError;
pub use installation::input_file;
pub use ipxact::{IpXactComponent, IpXactInterface, IpXactMemoryMap, IpXactPort, read_ip_xact};
pub use owned_files::{FILE_LIST, check_owned, write_owned};
pub use plain_name::plain_name;
pub use progress::{Progress, Step};
pub use run::{Captured, run, run_logged, run_within};
pub use shell_word::shell_word;
pub use surroundings::Surroundings;
pub use systemrdl::{RdlField, RdlRegister, compile_systemrdl};
pub use tool::Tool;
pub use tools::{Icarus, Source, ToolVersion, Tools};
pub use tools_or_skip::{pinned_tools_or_skip, skip, tools_for_tests, tools_or_skip};
pub use unfinished::{WorkFolder, end_unfinished};
pub use verilated_library::VerilatedLibrary;
pub use write_files::write_files;
