//! What the routings of meshes and tori with a connectivity graph are for.

use crate::topology::Topology;
use crate::topology::connectivity::Grid;

/// Whether it has connectivity graphs, and its rings tell one direction from the other: two dimensions, no trunks, in a torus of 3 switches and more.
pub(super) fn is_for(topology: &dyn Topology) -> bool {
    Grid::of(topology).is_ok_and(|grid| !grid.wraps || grid.columns.min(grid.rows) >= 3)
}

/// The same of a mesh alone.
pub(super) fn is_for_a_mesh(topology: &dyn Topology) -> bool {
    Grid::of(topology).is_ok_and(|grid| !grid.wraps)
}

#[cfg(test)]
mod tests {
    use crate::routing::staircase_escape::ROUTING;
    use crate::routing::west_last_east_last;
    use crate::{Config, Routing};

    #[test]
    fn networks_with_connectivity_graphs_only() {
        let error = |name, routing: &'static Routing, vcs| {
            let mut config = Config::of_network(name).unwrap();
            config.route_by(routing);
            (config.switch.vcs, config.switch.buffer_flits) = (vcs, 64 * vcs);
            config.check().and_then(|()| config.check_switch().map(|_| ())).map_err(|error| error.to_string())
        };
        assert_eq!(error("mesh-2x3-nodes2", &ROUTING, 3), Ok(()));
        assert_eq!(error("torus-3x4", &ROUTING, 8), Ok(()));
        for (name, vcs, said) in [
            (
                "torus-3x2",
                3,
                "routing: `staircase-escape` is not for this torus; it must be one of torus, torus-limited, table, table-limited",
            ),
            (
                "mesh-4x4x4",
                3,
                "routing: `staircase-escape` is not for this mesh; it must be one of mesh, table, table-limited",
            ),
            (
                "torus-4x4-trunk2",
                3,
                "routing: `staircase-escape` is not for this torus; it must be one of torus, torus-limited, table, table-limited",
            ),
            ("mesh-4x4", 2, "switch.vcs: 2 is out of range 3..=8 for staircase-escape routing"),
            (
                "star-4",
                3,
                "routing: `staircase-escape` is not for this star; it must be one of star, table, table-limited",
            ),
        ] {
            assert_eq!(error(name, &ROUTING, vcs), Err(said.to_string()));
        }
        let in_a_mesh = &west_last_east_last::ROUTING;
        assert_eq!(error("mesh-2x3-nodes2", in_a_mesh, 2), Ok(()));
        for (name, vcs, said) in [
            (
                "torus-4x4",
                2,
                "routing: `west-last-east-last` is not for this torus; it must be one of torus, torus-limited, staircase-escape, \
                 alternating-escape, table, table-limited",
            ),
            (
                "mesh-4x4x4",
                2,
                "routing: `west-last-east-last` is not for this mesh; it must be one of mesh, table, table-limited",
            ),
            ("mesh-4x4", 1, "switch.vcs: 1 is out of range 2..=8 for west-last-east-last routing"),
        ] {
            assert_eq!(error(name, in_a_mesh, vcs), Err(said.to_string()));
        }
    }
}
