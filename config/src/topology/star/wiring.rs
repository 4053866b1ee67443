//! One switch with a node at every port.

use crate::topology::Wiring;

pub(super) fn cables(ports: usize) -> Wiring {
    let mut wiring = Wiring::open(1, ports, ports);
    (0..ports).for_each(|port| wiring.attach(port, 0, port));
    wiring
}
