//! What the routings of meshes and tori with a connectivity graph are for.

use crate::config::Config;
use crate::topology::connectivity::Grid;
use crate::topology::{Mesh, Topology, Torus};
use anyhow::{Result, ensure};

/// Whether it is a mesh or a torus.
pub(super) fn is_for(topology: &dyn Topology) -> bool {
    topology.of::<Mesh>().is_some() || topology.of::<Torus>().is_some()
}

/// Whether it has connectivity graphs, and its rings tell one direction from the other.
pub(super) fn check(_: &Config, topology: &dyn Topology) -> Result<()> {
    let grid = Grid::of(topology)?;
    let sizes = [grid.columns, grid.rows];
    ensure!(
        !grid.wraps || sizes.iter().all(|&size| size >= 3),
        "topology.dimensions: {sizes:?} must be in 3..=256 in a torus with a connectivity graph"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::routing::staircase_escape::ROUTING;
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
            ("torus-3x2", 3, "topology.dimensions: [3, 2] must be in 3..=256 in a torus with a connectivity graph"),
            ("mesh-4x4x4", 3, "topology.dimensions: [4, 4, 4] must be two in a network with a connectivity graph"),
            ("torus-4x4-trunk2", 3, "topology.trunk: 2 must be 1 in a network with a connectivity graph"),
            ("mesh-4x4", 2, "switch.vcs: 2 is out of range 3..=8 for staircase-escape routing"),
            ("star-4", 3, "routing: `staircase-escape` is not for a star; it must be one of star"),
        ] {
            assert_eq!(error(name, &ROUTING, vcs), Err(said.to_string()));
        }
    }
}
