//! A k-ary n-tree: up on any port until the destination is below, then down.

use super::{Routing, RoutingSees, never, no_words, unconditional};
use crate::shape::{Deterministic, Shape};
use crate::topology::FatTree;

/// The line in the list of routings.
pub const ROUTING: Routing = Routing {
    name: "fat-tree",
    doc: "up on any port until the destination is below, then down",
    sees: RoutingSees { header: false, input: false, serves: false, occupancy: false, table: false, to_node: false },
    is_for: |topology| topology.of::<FatTree>().is_some(),
    comes_first: never,
    counts_on: None,
    limits: None,
    least_vcs: 1,
    keeps_order: true,
    takes_all: true,
    deterministic: Deterministic::Single,
    lowest_adaptive: lowest_up,
    near_ports: down_ports,
    check: unconditional,
    words: no_words,
};

/// Packets have a choice on their way up: of the ports from k on. Down from a folded root they have one too, of a port on either side.
pub(super) fn lowest_up(shape: &Shape) -> usize {
    match shape.topology.and_then(|topology| topology.of::<FatTree>()) {
        Some(&FatTree { k, folded: false, .. }) => k.min(shape.ports - 1),
        _ => 0,
    }
}

/// What comes from above never goes up again. Both halves of a folded root's ports lead down.
pub(super) fn down_ports(shape: &Shape) -> usize {
    match shape.topology.and_then(|topology| topology.of::<FatTree>()) {
        Some(&FatTree { k, folded: false, .. }) => k.min(shape.ports),
        _ => shape.ports,
    }
}

#[cfg(test)]
mod tests {
    use crate::presets::by_name;

    #[test]
    fn the_choice_is_on_the_way_up() {
        let lowest = |name: &str| by_name(name).unwrap().lowest_adaptive();
        assert_eq!((lowest("fat-tree-2"), lowest("fat-tree-8"), lowest("fat-tree-32")), (2, 8, 32));
        assert_eq!(lowest("torus-28"), 0);
        let mut folded = by_name("fat-tree-4").unwrap();
        folded.topology = Some(Box::new(crate::topology::FatTree { k: 4, n: 3, folded: true }));
        assert_eq!(folded.lowest_adaptive(), 0);
        folded.topology = None;
        assert_eq!(folded.lowest_adaptive(), 0);
    }

    #[test]
    fn nothing_turns_up_again() {
        let mut config = by_name("fat-tree-2").unwrap();
        assert_eq!((0..4).map(|input| config.turns(input)).collect::<Vec<_>>(), [0b1111, 0b1111, 0b0011, 0b0011]);
        config.switch.every_turn = true;
        assert_eq!((0..4).map(|input| config.turns(input)).collect::<Vec<_>>(), [0b1111; 4]);
        let mut folded = by_name("fat-tree-32").unwrap();
        assert_eq!((folded.turns(31), folded.turns(32), folded.near_ports()), (u64::MAX, 0xffff_ffff, 32));
        folded.topology = Some(Box::new(crate::topology::FatTree { k: 32, n: 2, folded: true }));
        assert_eq!((folded.turns(32), folded.near_ports()), (u64::MAX, 64));
        assert_eq!(by_name("torus-28").unwrap().near_ports(), 28);
    }
}
