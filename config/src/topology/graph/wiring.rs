//! A network from a list: ports of nodes first, then those of cables.

use super::Graph;
use crate::topology::wiring::{Place, Wiring};

pub(super) fn cables(graph: &Graph) -> Wiring {
    let mut wiring = Wiring::open(graph.switches(), graph.network.ports, graph.nodes().len());
    for (switch, place) in wiring.places.iter_mut().enumerate() {
        *place = Place { position: switch as u16, stage: 0 };
    }
    let mut free = vec![0; graph.switches()];
    let mut next = |switch: u32| {
        let port: &mut usize = &mut free[switch as usize];
        *port += 1;
        (switch as usize, *port - 1)
    };
    for (node, &(switch, links)) in graph.nodes().iter().enumerate() {
        for _ in 0..links {
            let (switch, port) = next(switch);
            wiring.attach(node, switch, port);
        }
    }
    for &(one, other) in graph.cables() {
        wiring.connect(next(one), next(other));
    }
    wiring
}
