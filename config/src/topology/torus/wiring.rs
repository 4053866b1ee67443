//! k-ary n-cubes with trunks: a switch and a node at every point; ports +0, -0, +1, -1, .., node, `trunk` links each.

use crate::topology::pack_address;
use crate::topology::wiring::{Place, Wiring, switches};
use anyhow::Result;

pub(super) fn cables(sizes: &[usize], trunk: usize) -> Result<Wiring> {
    let count = switches(sizes.iter().try_fold(1usize, |product, &size| product.checked_mul(size)))?;
    let mut wiring = Wiring::open(count, (2 * sizes.len() + 1) * trunk, count);
    for switch in 0..count {
        wiring.places[switch] = Place { position: pack_address(sizes, switch), stage: 0 };
        let mut weight = 1;
        for (i, size) in sizes.iter().enumerate() {
            let digit = switch / weight % size;
            let next = switch - digit * weight + (digit + 1) % size * weight;
            for link in 0..trunk {
                wiring.connect((switch, 2 * i * trunk + link), (next, (2 * i + 1) * trunk + link));
            }
            weight *= size;
        }
        for link in 0..trunk {
            wiring.attach(switch, switch, 2 * sizes.len() * trunk + link);
        }
    }
    Ok(wiring)
}
