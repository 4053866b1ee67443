//! k-ary n-meshes: a switch at every point; ports +0, -0, +1, -1, .., then those of its nodes.

use super::Mesh;
use crate::topology::wiring::{Place, Wiring, switches};
use crate::topology::{Topology, pack_address};
use anyhow::Result;

pub(super) fn cables(mesh: &Mesh) -> Result<Wiring> {
    let Mesh { dimensions: sizes, nodes } = mesh;
    let count = switches(sizes.iter().try_fold(1usize, |product, &size| product.checked_mul(size)))?;
    let ports = mesh.ports_of_a_switch();
    let bases = mesh.bases(ports);
    let mut wiring = Wiring::open(count, ports, count * nodes);
    for switch in 0..count {
        wiring.places[switch] = Place { position: pack_address(&bases, switch * nodes), stage: 0 };
        let mut weight = 1;
        for (i, size) in sizes.iter().enumerate() {
            if switch / weight % size + 1 < *size {
                wiring.connect((switch, 2 * i), (switch + weight, 2 * i + 1));
            }
            weight *= size;
        }
        for node in 0..*nodes {
            wiring.attach(switch * nodes + node, switch, mesh.first_node_port() + node);
        }
    }
    Ok(wiring)
}
