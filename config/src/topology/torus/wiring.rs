//! k-ary n-cubes with trunks: a switch at every point; ports +0, -0, +1, -1, .., `trunk` links each, and those of its nodes.

use super::Torus;
use crate::topology::wiring::{Place, Wiring, switches};
use crate::topology::{Topology, pack_address};
use anyhow::Result;

pub(super) fn cables(torus: &Torus) -> Result<Wiring> {
    let Torus { dimensions: sizes, trunk, nodes } = torus;
    let (trunk, nodes) = (*trunk, *nodes);
    let count = switches(sizes.iter().try_fold(1usize, |product, &size| product.checked_mul(size)))?;
    let ports = torus.ports_of_a_switch();
    let bases = torus.bases(ports);
    let mut wiring = Wiring::open(count, ports, count * nodes);
    for switch in 0..count {
        wiring.places[switch] = Place { position: pack_address(&bases, switch * nodes), stage: 0 };
        let mut weight = 1;
        for (i, size) in sizes.iter().enumerate() {
            let digit = switch / weight % size;
            let next = switch - digit * weight + (digit + 1) % size * weight;
            for link in 0..trunk {
                wiring.connect((switch, 2 * i * trunk + link), (next, (2 * i + 1) * trunk + link));
            }
            weight *= size;
        }
        for link in 0..torus.node_ports() {
            wiring.attach(switch * nodes + link % nodes, switch, torus.first_node_port() + link);
        }
    }
    Ok(wiring)
}
