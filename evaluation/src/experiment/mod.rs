//! Experiments: files that say which simulations to run, what to compare them with and what to draw.
//!
//! ```toml
//! title = "POWAR, Figure 4"
//!
//! [simulation]                     # a `Simulation`; what is not given has its default
//! topology = "8-ary-2-tree"
//! traffic = { kind = "trace" }
//!
//! [[sweep]]                        # every combination of the values of all sweeps is a point
//! name = "application"             # its column in the results
//! key = "traffic.input"            # what it sets; `name` if not given
//! values = ["hpl-64.tar.xz"]       # files: relative to this one
//! labels = ["Linpack"]             # the values themselves if not given
//!
//! [[sweep]]
//! name = "policy"
//! values = ["round-robin", "powar"]
//!
//! [[sweep]]
//! name = "thresholds"
//! keys = ["mechanism.powar.t_on", "mechanism.powar.t_off"] # several at a time
//! values = [[0.5, 0.25], [0.2, 0.1]]
//!
//! [[extra]]                        # points beside the product: one for each combination of the sweeps whose keys it leaves alone
//! label = "Ideal"
//! set = { policy = "ideal" }
//!
//! [repeat]                         # every point for each of these values: columns are means, with their 95 % confidence intervals
//! key = "traffic.seed"             # behind them, as `cycles.ci95`; bars have whiskers. Of what is no seed, standard deviations, `cycles.sd`
//! values = [1, 2, 3]
//!
//! [baseline]                       # what a point is normalised to: the same with these values
//! policy = "reference"
//!
//! [[figure]]
//! name = "energy"                  # of its files
//! title = "Energy"
//! kind = "bars"                    # or "lines", "series", "scatter", "profile"
//! groups = ["application", "policy"]
//! bars = "thresholds"              # one in a group for each of its values
//! panels = [{ y = "relative.e_net", label = "E_net", percent = true, max = 120 }]
//! ```
//!
//! A figure of lines has `x`, the sweep along the axis (`x_label` writes its unit), and `series`, those that make a line each; `groups` makes a plot for each value of another. One of
//! series shows what happens over time, of simulations with an `interval`: `x` is a column of their intervals, such as `cycle`. Points of
//! an extra are drawn as lines: over a whole group of bars, or across the plot.
//!
//! A figure of kind `scatter` shows a column of the results (`x`) against others (`panels`), with the Pareto front of both: the first sweep of `series` gives points
//! their colours, a second one their marks; `groups` makes a plot for each value of another.
//!
//! One of kind `profile` shows columns whose names end in numbers over these numbers, on a logarithmic axis: `y = "idle.oracle"` stands for
//! `idle.oracle.1`, `idle.oracle.10` and so on; `series` are the sweeps that name the lines, and `groups`
//! makes a plot for each value of another.
//!
//! [`Plan::read`] makes points of a file, [`run`] runs those that are not in the results folder yet, [`write()`] writes tables and figures, [`write_page`] a web
//! page of them.

// Each module uses only those before it: overlay, confidence, sweep, file, column, meaning, csv, repeat, cells, defaults, store, plan, repetition, results,
// readable, runner, slurm, figure, index, output, page.
mod cells;
mod column;
mod confidence;
mod csv;
mod defaults;
mod figure;
mod file;
mod former;
mod index;
mod meaning;
mod output;
mod overlay;
mod page;
mod plan;
mod readable;
mod repeat;
mod repetition;
mod results;
mod runner;
pub mod slurm;
mod store;
mod sweep;

pub use confidence::{Estimate, quantile};
pub use csv::csv;
pub use file::{Extra, Figure, FigureKind, File, Panel, Published, Repeat, ScaleKind};
pub use former::{check_folder, title_in};
pub(crate) use meaning::described as columns_described;
pub use meaning::{json as columns_json, page as columns_page};
pub use output::write;
pub use page::write_page;
pub use plan::{Plan, Point};
pub use readable::Readable;
pub use results::{Results, Row};
pub use runner::{RunOptions, Status, run, run_in_memory};
pub use store::{MODEL, read_point};
pub use sweep::{Group, Sweep};
