//! The routing units: where a packet may go, one unit for each kind of network.
//!
//! To add one: a file beside these with the ports of `docs/microarchitecture.md`, 5.11, and one line in the list below.

pub mod fat_tree_routing;
pub mod star_routing;
pub mod torus_routing;

pub use fat_tree_routing::FatTreeRouting;
pub use star_routing::StarRouting;
pub use torus_routing::TorusRouting;

use super::powar_switch::{SWITCH, switch_of};
use super::registry::Builder;
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
    switch: Build,
}

/// The list of kinds: a routing unit, and the module in which the switch around it is defined.
macro_rules! kinds {
    ($($unit:ident in $switch:ident),* $(,)?) => {
        $(switch_of!($switch, $unit);)*

        const KINDS: &[Kind] = &[$(Kind {
            name: $unit::NAME,
            unit: |config, topology| Some(Box::new($unit::for_topology(config, topology)?)),
            switch: |config, topology| Some(Box::new($switch::PowarSwitch::new(config, topology)?)),
        }),*];
    };
}

kinds! {
    StarRouting in star_switch,
    FatTreeRouting in fat_tree_switch,
    TorusRouting in torus_switch,
}

/// The routing unit and the whole switch of a configuration, by name; nothing if it describes no whole switch.
pub(super) fn builders(config: &Config) -> Vec<(&'static str, Builder<'_>)> {
    let Ok(topology) = config.check_switch() else { return vec![] };
    let Some(kind) = KINDS.iter().find(|kind| (kind.unit)(config, topology).is_some()) else { return vec![] };
    let builder = move |build: Build| -> Builder<'_> {
        Box::new(move || build(config, topology).expect("the unit is of the topology's kind"))
    };
    vec![(kind.name, builder(kind.unit)), (SWITCH, builder(kind.switch))]
}
