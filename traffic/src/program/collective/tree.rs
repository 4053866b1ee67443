//! The trees that broadcasts and reductions run over.
//!
//! Shapes and the order of children are those of Open MPI 4.1.4, `ompi/mca/coll/base/coll_base_topo.c`. A position is how far a
//! member is behind the root, around the end.

use super::member::Membership;
use super::powers_of_two;

/// One member's place in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tree {
    pub parent: Option<usize>,
    pub children: Vec<usize>,
}

impl Tree {
    /// Of positions, with the root at position 0.
    fn of_positions(place: Membership, parent: usize, children: impl Iterator<Item = usize>) -> Tree {
        let children = children.filter(|&child| child < place.n).map(|child| place.at(child)).collect();
        Tree { parent: (place.position() != 0).then(|| place.at(parent)), children }
    }

    /// Each hands on to the next.
    pub fn chain(place: Membership) -> Tree {
        let position = place.position();
        Tree::of_positions(place, position.wrapping_sub(1), std::iter::once(position + 1))
    }

    /// Two children each: level by level, those of the nodes of a level of w nodes at w and 2w behind them. Left of the root are the
    /// odd positions, right the even ones.
    pub fn binary(place: Membership) -> Tree {
        let position = place.position();
        let width = 1 << (position + 1).ilog2();
        // The level above begins half as far in and is half as wide.
        let mut parent = position;
        while parent + 1 >= width && parent > 0 {
            parent -= (width / 2).max(1);
        }
        Tree::of_positions(place, parent, [position + width, position + 2 * width].into_iter())
    }

    /// The parent of a position is the position without its highest set bit; the nearest child first.
    pub fn binomial(place: Membership) -> Tree {
        let position = place.position();
        let parent = if position == 0 { 0 } else { position & !(1 << position.ilog2()) };
        let children = powers_of_two(place.n).filter(|&bit| bit > position).map(|bit| position + bit);
        Tree::of_positions(place, parent, children)
    }

    /// The parent of a position is the position without its lowest set bit, so that subtrees are ranges; the nearest child first.
    pub fn in_order_binomial(place: Membership) -> Tree {
        let position = place.position();
        let below = if position == 0 { place.n } else { 1 << position.trailing_zeros() };
        let children = powers_of_two(below.min(place.n)).map(|bit| position + bit);
        Tree::of_positions(place, position & position.wrapping_sub(1), children)
    }

    /// As the in-order binomial tree with digits of base `radix` for bits; the farthest children first.
    pub fn knomial(place: Membership, radix: usize) -> Tree {
        let position = place.position();
        let mut span = 1;
        while span < place.n && position.is_multiple_of(radix * span) {
            span *= radix;
        }
        let spans = std::iter::successors(Some(span / radix), |span| Some(span / radix)).take_while(|&span| span > 0);
        let children = spans.flat_map(|span| (1..radix).map(move |digit| position + digit * span));
        Tree::of_positions(place, position / (radix * span) * (radix * span), children)
    }

    /// Two children each, subtrees are ranges of members in their order. Its root is the last member, whatever the root.
    pub fn in_order_binary(place: Membership) -> Tree {
        // The node of the subtree of members from `first` on is the last of them.
        let (mut first, mut size, mut parent) = (0, place.n, None);
        loop {
            let (node, right) = (first + size - 1, if size > 2 { size / 2 } else { 0 });
            if node == place.me {
                let left = (size > 1).then(|| node - 1);
                let right = (right > 0).then(|| first + right - 1);
                return Tree { parent, children: left.into_iter().chain(right).collect() };
            }
            parent = Some(node);
            (first, size) = if place.me < first + right { (first, right) } else { (first + right, size - right - 1) };
        }
    }

    /// Members in the subtree of the child at `child`, of the node at `position` of an in-order binomial tree.
    pub fn in_order_subtree(n: usize, position: usize, child: usize) -> usize {
        (child - position).min(n - child)
    }
}
