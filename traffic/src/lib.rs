//! Real MPI traffic as one switch sees it: recorded logs in, packet arrivals out.
//!
//! ```text
//! rNNNNN.txt   one log per rank        trace::Trace, format::mpi_log
//! x.vef        or one VEF trace        trace::Trace, format::vef
//!     |        compute gaps, causality
//!     v
//! messages     which node sends when   replay::Replay, vef::VefReplay
//!     |        packets, routing sets
//!     v
//! arrivals     what one switch sees    Arrivals, SwitchView of a topology
//!     |        input queues, one head packet each
//! requests     what a controller sees  SwitchQueues
//! ```
//!
//! For a whole network the same programs are a [`workload`]: [`ProgramReplay`], in which ranks wait for what the network
//! carries ([`program`]). Traffic for whole networks that no program made is in [`synthetic`].
//!
//! ```no_run
//! use powar_traffic::{Arrivals, Trace, TrafficOptions, view};
//!
//! # fn main() -> anyhow::Result<()> {
//! let trace = Trace::open("testbenches/traces/hpl-64.tar.xz".as_ref())?;
//! let leaf = view::view("8-ary-2-tree", 0)?;
//! for packet in Arrivals::new(&trace, leaf, &TrafficOptions::default())? {
//!     let packet = packet?;
//!     println!("{} enters on port {}", packet.cycle, packet.input);
//! }
//! # Ok(())
//! # }
//! ```

pub mod arrivals;
pub mod cut;
pub mod format;
pub(crate) mod hash;
pub mod jobs;
pub(crate) mod labels;
pub mod options;
pub(crate) mod packet_arrival;
pub mod program;
pub mod queues;
pub mod replay;
pub mod skeleton;
pub mod summary;
pub mod synthetic;
pub mod trace;

pub use arrivals::Arrivals;
pub use jobs::{Cluster, JobRecord, Jobs, Mix};
pub use options::{Polls, ReplayOptions, TrafficOptions};
pub use packet_arrival::PacketArrival;
pub use powar_config::topology::view::{self, PortSet, Sighting, SwitchView};
pub use powar_config::workload;
pub use program::{Placement, PlacementOptions, ProgramReplay, RankPlacement};
pub use queues::{Departure, Presented, SwitchQueues};
pub use summary::Summary;
pub use trace::Trace;
