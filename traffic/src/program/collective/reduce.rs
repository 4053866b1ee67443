//! Reductions to a root. Operations are taken to be commutative.
//!
//! As in Open MPI 4.1.4, `ompi/mca/coll/base/coll_base_reduce.c`, whose fixed table never cuts a vector into segments.

use super::member::Membership;
use super::tree::Tree;
use super::{Step, Steps};
use Step::{Receive, Send};

/// How the operands get together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reduce {
    /// All send to the root, which takes the last member's first.
    Linear,
    /// Chains that end at the root: one, as the fixed table states no number.
    Chain,
    /// From one to the next.
    Pipeline,
    Binary,
    /// The in-order one.
    Binomial,
    /// To the last member, which sends the result to the root.
    InOrderBinary,
    /// Halving, then gathering. The table names it below 8 B only, where there is but one element to halve: linear.
    Rabenseifner,
}

impl Reduce {
    pub fn name(self) -> &'static str {
        match self {
            Reduce::Linear => "linear",
            Reduce::Chain => "chain",
            Reduce::Pipeline => "pipeline",
            Reduce::Binary => "binary tree",
            Reduce::Binomial => "binomial tree",
            Reduce::InOrderBinary => "in-order binary tree",
            Reduce::Rabenseifner => "Rabenseifner",
        }
    }

    /// What runs.
    pub fn in_effect(self) -> Reduce {
        match self {
            Reduce::Rabenseifner => Reduce::Linear,
            other => other,
        }
    }

    pub fn steps(self, place: Membership, bytes: u64) -> Steps {
        match self {
            Reduce::Linear | Reduce::Rabenseifner => linear(place, bytes),
            Reduce::Chain | Reduce::Pipeline => combine(Tree::chain(place), bytes),
            Reduce::Binary => combine(Tree::binary(place), bytes),
            Reduce::Binomial => combine(Tree::in_order_binomial(place), bytes),
            Reduce::InOrderBinary => in_order_binary(place, bytes),
        }
    }
}

fn linear(place: Membership, bytes: u64) -> Steps {
    if !place.is_root() {
        return Box::new(std::iter::once(Send { to: place.root, bytes }));
    }
    let Membership { n, me, .. } = place;
    Box::new((0..n).rev().flat_map(move |member| {
        let receive = (member != me).then_some(Receive { from: member });
        let reduce = (member != n - 1).then_some(Step::Reduce { bytes });
        receive.into_iter().chain(reduce)
    }))
}

/// Combine what the children send, one after the other, and send it to the parent.
pub(super) fn combine(tree: Tree, bytes: u64) -> Steps {
    let children = tree.children.into_iter().flat_map(move |from| [Receive { from }, Step::Reduce { bytes }]);
    Box::new(children.chain(tree.parent.map(|to| Send { to, bytes })))
}

fn in_order_binary(place: Membership, bytes: u64) -> Steps {
    let last = place.n - 1;
    let hand_on = match (place.me == last, place.is_root()) {
        (true, false) => Some(Send { to: place.root, bytes }),
        (false, true) => Some(Receive { from: last }),
        _ => None,
    };
    Box::new(combine(Tree::in_order_binary(place), bytes).chain(hand_on))
}
