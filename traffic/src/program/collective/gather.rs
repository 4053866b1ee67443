//! Gathers: what each member has goes to the root.
//!
//! As in Open MPI 4.1.4, `ompi/mca/coll/base/coll_base_gather.c` and `ompi/mca/coll/basic/coll_basic_gatherv.c`.

use super::member::Membership;
use super::sizes::Blocks;
use super::tree::Tree;
use super::{Step, Steps};
use Step::{Exchange, Receive, Send, StartReceive, WaitAll};

/// How the root gets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gather {
    /// From one after the other.
    Linear,
    /// Over the in-order binomial tree, each with what its children have.
    Binomial,
    /// From one after the other, when the root asks for it; in two parts, the second of which is empty as the fixed table states no
    /// length of the first.
    LinearSync,
}

impl Gather {
    pub fn name(self) -> &'static str {
        match self {
            Gather::Linear => "linear",
            Gather::Binomial => "binomial tree",
            Gather::LinearSync => "linear, asked for",
        }
    }

    pub fn steps(self, place: Membership, blocks: Blocks) -> Steps {
        match self {
            Gather::Linear => linear(place, move |member| Some(blocks.of(member))),
            Gather::Binomial => binomial(place, &blocks),
            Gather::LinearSync => linear_sync(place, &blocks),
        }
    }
}

/// One after the other; members without a message send none.
pub(super) fn linear(place: Membership, message: impl Fn(usize) -> Option<u64> + std::marker::Send + 'static) -> Steps {
    if place.is_root() {
        let others = place.others().filter(move |&member| message(member).is_some());
        Box::new(others.map(|from| Receive { from }))
    } else {
        Box::new(message(place.me).map(|bytes| Send { to: place.root, bytes }).into_iter())
    }
}

fn binomial(place: Membership, blocks: &Blocks) -> Steps {
    let tree = Tree::in_order_binomial(place);
    let up = tree.parent.map(|to| {
        let subtree = Tree::in_order_subtree(place.n, place.position_of(to), place.position());
        Send { to, bytes: blocks.sum(place.me, subtree) }
    });
    Box::new(tree.children.into_iter().map(|from| Receive { from }).chain(up))
}

fn linear_sync(place: Membership, blocks: &Blocks) -> Steps {
    let to = place.root;
    if !place.is_root() {
        let bytes = blocks.of(place.me);
        return Box::new([Receive { from: to }, Send { to, bytes }, Send { to, bytes: 0 }].into_iter());
    }
    let asked = |from| [Exchange { to: from, bytes: 0, from }, StartReceive { from }];
    Box::new(place.others().flat_map(asked).chain([WaitAll]))
}
