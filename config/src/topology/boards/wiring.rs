//! Boards wavelength by wavelength.

use super::Boards;
use crate::topology::wiring::{Place, Wiring};
use crate::topology::{Topology, pack_address};

/// Of boards that have passed [`Topology::check`]: few enough to be held.
pub(super) fn cables(boards: &Boards) -> Wiring {
    let &Boards { boards: count, nodes } = boards;
    let ports = boards.ports_of_a_switch();
    let bases = boards.bases(ports);
    let mut wiring = Wiring::open(count, ports, count * nodes);
    for board in 0..count {
        wiring.places[board] = Place { position: pack_address(&bases, board * nodes), stage: 0 };
        for node in 0..nodes {
            wiring.attach(board * nodes + node, board, node);
        }
        for other in board + 1..count {
            let [there, back] = [boards.further(board, other), boards.further(other, board)];
            for wavelength in 0..count {
                wiring.connect((board, boards.port(there, wavelength)), (other, boards.port(back, wavelength)));
            }
        }
    }
    wiring
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::wiring::End;

    /// Every size that a switch can be built for: what each port leads to, as the numbers say.
    #[test]
    fn every_port_leads_where_its_number_says() {
        for boards in 2..=8 {
            for nodes in [1, 2, 3, 7, 8, 64 - boards * (boards - 1)] {
                let network = Boards { boards, nodes };
                if network.check().is_err() {
                    continue;
                }
                let wiring = cables(&network);
                assert_eq!((wiring.ends.len(), wiring.nodes.len()), (boards, boards * nodes));
                for (me, ends) in wiring.ends.iter().enumerate() {
                    assert_eq!(ends.len(), nodes + boards * (boards - 1), "{network:?}");
                    for (port, &end) in ends.iter().enumerate() {
                        let expected = if port < nodes {
                            End::Node { node: (me * nodes + port) as u32, link: 0 }
                        } else {
                            let (o, w) = ((port - nodes) / boards + 1, (port - nodes) % boards);
                            let there = nodes + (boards - o - 1) * boards + w;
                            End::Switch { switch: ((me + o) % boards) as u32, port: there as u8 }
                        };
                        assert_eq!(end, expected, "{network:?}, board {me}, port {port}");
                    }
                    let groups = network.groups(ends.len());
                    let members: Vec<_> =
                        groups.iter().flat_map(|group| group.first..group.first + group.size).collect();
                    assert_eq!(members, (nodes..ends.len()).collect::<Vec<_>>());
                    assert!(groups.iter().all(|group| group.size == boards));
                }
            }
        }
    }

    /// Section 2.1: board s has wavelength B - (d - s) to board d > s, and s - d to d < s; no two boards have the same one to a third.
    #[test]
    fn wavelengths_of_the_paper() {
        let network = Boards { boards: 4, nodes: 4 };
        for from in 0..4 {
            for to in (0..4).filter(|&to| to != from) {
                let assigned = network.assigned_wavelength(network.further(from, to));
                assert_eq!(assigned, if to > from { 4 - (to - from) } else { from - to });
            }
        }
        for to in 0..4 {
            let mut all: Vec<usize> = (0..4)
                .filter(|&from| from != to)
                .map(|from| network.assigned_wavelength(network.further(from, to)))
                .collect();
            all.sort_unstable();
            assert_eq!(all, [1, 2, 3]);
        }
    }
}
