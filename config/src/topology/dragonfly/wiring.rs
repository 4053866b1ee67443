//! Dragonflies link by link.

use super::Dragonfly;
use crate::topology::wiring::{Place, Wiring, switches};
use crate::topology::{Topology, pack_address};
use anyhow::Result;

pub(super) fn cables(dragonfly: &Dragonfly) -> Result<Wiring> {
    let &Dragonfly { p, a, h } = dragonfly;
    let groups = dragonfly.groups_of_switches();
    let count = switches(a.checked_mul(groups))?;
    let ports = dragonfly.ports_of_a_switch();
    let bases = dragonfly.bases(ports);
    let mut wiring = Wiring::open(count, ports, count * p);
    for switch in 0..count {
        wiring.places[switch] = Place { position: pack_address(&bases, switch * p), stage: 0 };
        for node in 0..p {
            wiring.attach(switch * p + node, switch, node);
        }
        let (group, own) = (switch / a, switch % a);
        for other in own + 1..a {
            let there = (group * a + other, dragonfly.local_port(other, own));
            wiring.connect((switch, dragonfly.local_port(own, other)), there);
        }
        for port in 0..h {
            let other = (group + own * h + port + 1) % groups;
            if group < other {
                let back = dragonfly.global_link(other, group);
                let there = (other * a + back / h, dragonfly.first_global_port() + back % h);
                wiring.connect((switch, dragonfly.first_global_port() + port), there);
            }
        }
    }
    Ok(wiring)
}
