//! Where blocks are tried: at which switches, with which mechanism.

use crate::mechanisms;
use crate::test_switches::{ALL, TestSwitch, TriedAt, config};
use powar_config::Config;
use powar_hdl::demonstrator::DEMONSTRATOR;
use powar_hdl::registry;
use powar_hdl::switch::SWITCH;
use std::collections::BTreeSet;

/// Where blocks are tried that are not tried at the first switch that has them, or not there alone: they have more in
/// them elsewhere, or take long.
const TRIED_AT: &[TriedAt] = {
    use TestSwitch::*;
    &[
        ("allocator", &[FatTree, ShortPackets]),
        ("alternating_escape_routing", &[Streets, RingStreets]),
        ("grid_ways", &[Stairs, Streets]),
        ("held_ports", &[FatTree, ShortPackets]),
        ("injection_limit", &[Stairs]),
        ("input_port", &[FatTree, ShortPackets, LeastOccupied]),
        ("output_port", &[FatTree, ShortPackets]),
        ("power_manager", &[FatTree, ShortPackets]),
        ("route_register", &[FatTree, ShortPackets]),
        ("selector", &[FatTree, Trunks, ShortPackets]),
        ("table_loader", &[Table, LimitedTable]),
        ("torus_routing", &[Torus, SharedTorus]),
        ("traffic_checker", &[FatTree, Star]),
        ("traffic_generator", &[FatTree, Star, MeshDemonstrator]),
        ("virtual_channel", &[FatTree, ShortPackets, LeastOccupied, Table]),
        (SWITCH, &[SmallTree]),
        (DEMONSTRATOR, &[Demonstrator, TreeDemonstrator, MeshDemonstrator]),
    ]
};

/// The switches that a block is tried at; none of a block that no switch has.
pub fn switches_of(block: &str) -> BTreeSet<TestSwitch> {
    let listed = TRIED_AT.iter().chain(mechanisms::tried_at()).find(|(name, _)| *name == block);
    let has_it = |switch: &TestSwitch| registry::names(&config_of(*switch, block)).iter().any(|name| name == block);
    let first = || ALL.into_iter().find(has_it).into_iter().collect();
    listed.map_or_else(first, |(_, switches)| switches.iter().copied().collect())
}

/// The names of all blocks that one of these switches has, with one mechanism or another.
pub fn blocks() -> BTreeSet<String> {
    let variants = ALL.into_iter().flat_map(|switch| mechanisms::variants(&config(switch)));
    variants.flat_map(|variant| variant.blocks).collect()
}

/// The configuration of a switch that a block is tried at: [`config`], with the mechanism that the block is of.
pub fn config_of(switch: TestSwitch, block: &str) -> Config {
    mechanisms::config_of(config(switch), block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_is_tried_where_it_is() {
        let blocks = blocks();
        for block in &blocks {
            let switches = switches_of(block);
            assert!(!switches.is_empty(), "{block}");
            for switch in switches {
                let names = registry::names(&config_of(switch, block));
                assert!(names.contains(block), "{switch:?} has no {block}");
            }
        }
        let listed = TRIED_AT.iter().chain(mechanisms::tried_at());
        for (block, _) in listed {
            assert!(blocks.contains(*block), "{block} is listed, and no switch has it");
        }
        assert!(switches_of("nothing").is_empty());
    }
}
