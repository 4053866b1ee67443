//! How big and how fast a module is on an FPGA, and bitstreams for boards: synthesis with Yosys, place and route with
//! nextpnr, and the reports made of what they say. Chips and boards are parts, a file each.
//!
//! A module rarely has as few ports as a chip has pins, so it is measured inside a harness of registers (see
//! [`Harness`]). Its size is that of the module alone; its clock rate is that of the module between the harness's
//! registers.
//!
//! ```no_run
//! use powar_synth::{Design, Options, Target, synthesise};
//! use powar_tools::{Progress, Tools};
//!
//! let progress = Progress::stderr();
//! let design = Design::new("selector").source_file("build/selector.v".as_ref())?;
//! let options = Options::new(Target::named("ecp5-85f")?);
//! let report = synthesise(&design, &options, &Tools::ensure(&progress)?, &progress)?;
//! report.write("build/synth/selector".as_ref())?;
//! println!("{:.1} MHz", report.median_fmax_mhz);
//! # Ok::<(), anyhow::Error>(())
//! ```

mod area;
mod area_figure;
mod area_markdown;
mod area_terminal;
mod bitstream;
mod bitstream_markdown;
mod board;
mod crossing;
mod design;
mod flow;
mod harness;
mod hierarchy;
mod identifier;
mod mapped;
mod markdown;
mod netlist;
mod options;
mod pins;
mod ports;
mod report;
mod resources;
mod script;
mod sizes;
mod target;
mod timing;
mod vivado;
mod ways;
mod wiring;
mod workspace;

pub use area::{AreaReport, measure_area, measure_wiring};
pub use area_markdown::{aligned, area_comparison};
pub use bitstream::{Bitstream, bitstream};
pub use board::{Board, Maker, board, board_names};
pub use crossing::{Crossing, crossing_constraints};
pub use design::Design;
pub use flow::synthesise;
pub use harness::Harness;
pub use hierarchy::BlockArea;
pub use options::Options;
pub use ports::{Direction, Port};
pub use report::{Report, SeedResult, ToolUsed};
pub use resources::Resources;
pub use sizes::{clock_rates, sizes};
pub use target::Target;
pub use timing::{Clock, PathStep, TimingPath};
pub use vivado::{Clocked, vivado_project, vivado_scripts, vivado_target};
pub use wiring::Wiring;
