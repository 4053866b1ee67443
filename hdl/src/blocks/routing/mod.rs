//! The routing units: where a packet may go, one unit for each kind of network.
//!
//! To add one: a file beside these with the ports of `docs/microarchitecture.md`, 5.11, and one line in the list below.

pub mod fat_tree_routing;
pub mod star_routing;
pub mod torus_routing;

pub use fat_tree_routing::FatTreeRouting;
pub use star_routing::StarRouting;
pub use torus_routing::TorusRouting;

use crate::rtl_block::RtlBlock;
use powar_config::{Config, Topology};

/// A block with the ports of a routing unit.
pub trait RoutingUnit: RtlBlock + Sized {
    /// Name of its Verilog module.
    const NAME: &'static str;

    /// The unit for the switches of a topology that has passed [`Config::check_switch`]; `None` if the topology is not of its kind.
    fn for_topology(config: &Config, topology: &Topology) -> Option<Self>;
}

/// Builds a block if the topology is of its kind.
type Build = fn(&Config, &Topology) -> Option<Box<dyn RtlBlock>>;

/// What there is for one kind of network.
struct Kind {
    name: &'static str,
    unit: Build,
}

const KINDS: &[Kind] = &[kind::<StarRouting>(), kind::<FatTreeRouting>(), kind::<TorusRouting>()];

const fn kind<U: RoutingUnit + 'static>() -> Kind {
    Kind { name: U::NAME, unit: |config, topology| Some(Box::new(U::for_topology(config, topology)?)) }
}

/// The routing unit of a configuration, with its name; `None` if the configuration describes no whole switch.
pub fn unit(config: &Config) -> Option<(&'static str, Box<dyn RtlBlock>)> {
    let topology = config.check_switch().ok()?;
    KINDS.iter().find_map(|kind| Some((kind.name, (kind.unit)(config, topology)?)))
}
