//! Scatters: each member gets its share from the root.
//!
//! As in Open MPI 4.1.4, `ompi/mca/coll/base/coll_base_scatter.c` and `ompi/mca/coll/basic/coll_basic_scatterv.c`.

use super::member::Membership;
use super::sizes::Blocks;
use super::tree::Tree;
use super::{Step, Steps};
use Step::{Receive, Send, StartSend, WaitAll};

/// How the root sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scatter {
    /// To one after the other.
    Linear,
    /// Over the in-order binomial tree, to each with what is for its children; the largest subtree first.
    Binomial,
    /// To all at once.
    LinearNonBlocking,
}

impl Scatter {
    pub fn name(self) -> &'static str {
        match self {
            Scatter::Linear => "linear",
            Scatter::Binomial => "binomial tree",
            Scatter::LinearNonBlocking => "linear, non-blocking",
        }
    }

    pub fn steps(self, place: Membership, blocks: Blocks) -> Steps {
        match self {
            Scatter::Linear => linear(place, move |member| Some(blocks.of(member))),
            Scatter::Binomial => binomial(place, blocks),
            Scatter::LinearNonBlocking if place.is_root() => {
                let all = place.others().map(move |to| StartSend { to, bytes: blocks.of(to) });
                Box::new(all.chain([WaitAll]))
            }
            Scatter::LinearNonBlocking => Box::new(std::iter::once(Receive { from: place.root })),
        }
    }
}

/// One after the other; members without a message get none.
pub(super) fn linear(place: Membership, message: impl Fn(usize) -> Option<u64> + std::marker::Send + 'static) -> Steps {
    if place.is_root() {
        Box::new(place.others().filter_map(move |to| message(to).map(|bytes| Send { to, bytes })))
    } else {
        Box::new(message(place.me).map(|_| Receive { from: place.root }).into_iter())
    }
}

fn binomial(place: Membership, blocks: Blocks) -> Steps {
    let tree = Tree::in_order_binomial(place);
    let down = tree.children.into_iter().rev().map(move |to| {
        let subtree = Tree::in_order_subtree(place.n, place.position(), place.position_of(to));
        Send { to, bytes: blocks.sum(to, subtree) }
    });
    Box::new(tree.parent.map(|from| Receive { from }).into_iter().chain(down))
}
