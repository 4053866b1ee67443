//! Broadcasts: what the root has goes to all.
//!
//! As in Open MPI 4.1.4, `ompi/mca/coll/base/coll_base_bcast.c`, whose fixed table never cuts a broadcast into segments.

use super::fold::{HandOver, group, hand_overs};
use super::member::Membership;
use super::tree::Tree;
use super::{Step, Steps, powers_of_two};
use Step::{Exchange, Receive, Send, StartSend, WaitAll};

/// How what the root has gets to all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broadcast {
    /// The root sends to all at once.
    Linear,
    /// Chains that begin at the root: one, as the fixed table states no number.
    Chain,
    /// From one to the next.
    Pipeline,
    /// One half down each side of a binary tree, then members of both sides exchange.
    SplitBinary,
    Binary,
    Binomial,
    /// A tree of digits of this base.
    Knomial(usize),
    /// A share to each down a binomial tree, then all gather by recursive doubling.
    ScatterAllGather,
}

impl Broadcast {
    pub fn name(self) -> &'static str {
        match self {
            Broadcast::Linear => "linear",
            Broadcast::Chain => "chain",
            Broadcast::Pipeline => "pipeline",
            Broadcast::SplitBinary => "split binary tree",
            Broadcast::Binary => "binary tree",
            Broadcast::Binomial | Broadcast::Knomial(2) => "binomial tree",
            Broadcast::Knomial(_) => "k-nomial tree",
            Broadcast::ScatterAllGather => "scatter and all-gather",
        }
    }

    /// What runs for so many members and bytes: some need more bytes than there are.
    pub fn in_effect(self, n: usize, bytes: u64) -> Broadcast {
        match self {
            Broadcast::SplitBinary if bytes < 2 => Broadcast::Chain,
            Broadcast::ScatterAllGather if bytes < n as u64 => Broadcast::Linear,
            other => other,
        }
    }

    pub fn steps(self, place: Membership, bytes: u64) -> Steps {
        match self.in_effect(place.n, bytes) {
            Broadcast::Linear => linear(place, bytes),
            Broadcast::Chain | Broadcast::Pipeline => relay(Tree::chain(place), bytes),
            Broadcast::SplitBinary => split_binary(place, bytes),
            Broadcast::Binary => relay(Tree::binary(place), bytes),
            Broadcast::Binomial => relay(Tree::binomial(place), bytes),
            Broadcast::Knomial(radix) => relay(Tree::knomial(place, radix), bytes),
            Broadcast::ScatterAllGather => Box::new(scatter_all_gather(place, bytes).into_iter()),
        }
    }
}

fn linear(place: Membership, bytes: u64) -> Steps {
    if place.is_root() {
        Box::new(place.others().map(move |to| StartSend { to, bytes }).chain([WaitAll]))
    } else {
        Box::new(std::iter::once(Receive { from: place.root }))
    }
}

/// Receive from the parent, then send to all children at once.
pub(super) fn relay(tree: Tree, bytes: u64) -> Steps {
    let wait = (!tree.children.is_empty()).then_some(WaitAll);
    let children = tree.children.into_iter().map(move |to| StartSend { to, bytes });
    Box::new(tree.parent.map(|from| Receive { from }).into_iter().chain(children).chain(wait))
}

fn split_binary(place: Membership, bytes: u64) -> Steps {
    let Membership { n, root, .. } = place;
    let (tree, position, last) = (Tree::binary(place), place.position(), place.at(n - 1));
    let halves = [bytes.div_ceil(2), bytes / 2];
    // Odd positions are on the left side and get the first half.
    let side = usize::from(position.is_multiple_of(2));
    let mut steps: Vec<_> = tree.parent.map(|from| Receive { from }).into_iter().collect();
    let half = |child: usize| if position == 0 { halves[child] } else { halves[side] };
    steps.extend(tree.children.iter().enumerate().map(|(child, &to)| Send { to, bytes: half(child) }));
    // An even number of members leaves the last one without a counterpart on the right side.
    if place.is_root() {
        steps.extend(n.is_multiple_of(2).then_some(Send { to: last, bytes: halves[1] }));
    } else if n.is_multiple_of(2) && place.me == last {
        steps.push(Receive { from: root });
    } else {
        let other = if side == 0 { place.up(1) } else { place.down(1) };
        steps.push(Exchange { to: other, bytes: halves[side], from: other });
    }
    Box::new(steps.into_iter())
}

fn scatter_all_gather(place: Membership, bytes: u64) -> Vec<Step> {
    let (n, position) = (place.n, place.position());
    let share = bytes.div_ceil(n as u64);
    // Shares of `count` positions from `first` on; the last ones may find nothing left.
    let shares = |first: usize, count: usize| {
        let up_to = |position: usize| share.saturating_mul(position as u64).min(bytes);
        up_to((first + count).min(n)) - up_to(first.min(n))
    };
    let mut steps = Vec::new();
    let tree = Tree::in_order_binomial(place);
    steps.extend(tree.parent.filter(|_| shares(position, 1) > 0).map(|from| Receive { from }));
    for to in tree.children.into_iter().rev() {
        let child = place.position_of(to);
        let bytes = shares(child, Tree::in_order_subtree(n, position, child));
        steps.extend((bytes > 0).then_some(Send { to, bytes }));
    }
    for distance in powers_of_two(n) {
        let partner = position ^ distance;
        if partner < n {
            let (other, bytes) = (place.at(partner), shares(group(position, distance), distance));
            steps.push(Exchange { to: other, bytes, from: other });
        }
        let bytes = shares(group(partner, distance), distance);
        steps.extend(hand_overs(n, position, distance).into_iter().map(|over| match over {
            HandOver::To(to) => Send { to: place.at(to), bytes },
            HandOver::From(from) => Receive { from: place.at(from) },
        }));
    }
    steps
}
