//! Reductions of which each member gets a part. Operations are taken to be commutative.
//!
//! As in Open MPI 4.1.4, `ompi/mca/coll/base/coll_base_reduce_scatter.c` and `coll_base_reduce_scatter_block.c`.

use super::fold::{Fold, HandOver, group, hand_overs};
use super::member::Membership;
use super::reduce::Reduce;
use super::scatter::{self, Scatter};
use super::sizes::Blocks;
use super::{Step, Steps, one_after_the_other, powers_of_two};
use Step::{Exchange, Receive, Send, StartReceive, WaitAll};

/// How operands get together and the parts to their members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReduceScatter {
    /// A reduction to member 0, and a linear scatter of parts of different sizes.
    ReduceThenScatterV,
    /// The same, with a scatter of parts of the same size.
    ReduceThenScatter,
    /// Exchange halves with the farthest first; those beyond a power of two step back.
    RecursiveHalving,
    /// Exchange all but what both have combined, with the nearest first.
    RecursiveDoubling,
    /// Parts go around and are combined.
    Ring,
    /// Exchange halves with the nearest first, then bring the parts into order.
    Butterfly,
    /// The same, but for powers of two the parts are put into order at first, which takes no messages.
    BlockButterfly,
}

impl ReduceScatter {
    pub fn name(self) -> &'static str {
        match self {
            ReduceScatter::ReduceThenScatterV | ReduceScatter::ReduceThenScatter => "reduce and scatter",
            ReduceScatter::RecursiveHalving => "recursive halving",
            ReduceScatter::RecursiveDoubling => "recursive doubling",
            ReduceScatter::Ring => "ring",
            ReduceScatter::Butterfly | ReduceScatter::BlockButterfly => "butterfly",
        }
    }

    /// The functions choose the reduction and the scatter where it is these, by members and bytes.
    pub fn steps(
        self,
        place: Membership,
        blocks: Blocks,
        reduce: fn(usize, u64) -> Reduce,
        scatter: fn(usize, u64) -> Scatter,
    ) -> Steps {
        let (at_first, n) = (place.with_root(0), place.n);
        let reduced = || {
            let total = blocks.total();
            reduce(n, total).steps(at_first, total)
        };
        match self {
            ReduceScatter::ReduceThenScatterV => {
                let reduced = reduced();
                let message = move |member| Some(blocks.of(member)).filter(|&bytes| bytes > 0);
                one_after_the_other(reduced, scatter::linear(at_first, message))
            }
            ReduceScatter::ReduceThenScatter => {
                one_after_the_other(reduced(), scatter(n, blocks.mean()).steps(at_first, blocks))
            }
            ReduceScatter::RecursiveHalving => Box::new(recursive_halving(place, &blocks).into_iter()),
            ReduceScatter::RecursiveDoubling => Box::new(recursive_doubling(place, &blocks).into_iter()),
            ReduceScatter::Ring => ring(place, blocks),
            ReduceScatter::Butterfly => Box::new(butterfly(place, &blocks, true).into_iter()),
            ReduceScatter::BlockButterfly => Box::new(butterfly(place, &blocks, !n.is_power_of_two()).into_iter()),
        }
    }
}

/// Of a pair the even member gives all it has to the odd one.
fn step_back(fold: Fold, place: Membership, total: u64) -> Vec<Step> {
    match (fold.pair(place.me), fold.index(place.me)) {
        (Some(to), None) => vec![Send { to, bytes: total }],
        (Some(from), Some(_)) => vec![Receive { from }, Step::Reduce { bytes: total }],
        (None, _) => Vec::new(),
    }
}

fn recursive_halving(place: Membership, blocks: &Blocks) -> Vec<Step> {
    let (me, fold) = (place.me, Fold::onto_odd(place.n));
    let mut steps = step_back(fold, place, blocks.total());
    if let Some(index) = fold.index(me) {
        for bit in powers_of_two(fold.power).rev() {
            let partner = fold.member(index ^ bit);
            let (given, kept) = (group(index ^ bit, bit), group(index, bit));
            let (given, kept) = (fold.sum(blocks, given, bit), fold.sum(blocks, kept, bit));
            // Empty messages are not sent.
            steps.extend((kept > 0).then_some(StartReceive { from: partner }));
            steps.extend((given > 0).then_some(Send { to: partner, bytes: given }));
            steps.extend((kept > 0).then_some([WaitAll, Step::Reduce { bytes: kept }]).into_iter().flatten());
        }
    }
    if let Some(other) = fold.pair(me) {
        let bytes = blocks.of(me.min(other));
        let last = if me < other { Receive { from: other } } else { Send { to: other, bytes } };
        steps.extend((bytes > 0).then_some(last));
    }
    steps
}

fn recursive_doubling(place: Membership, blocks: &Blocks) -> Vec<Step> {
    let Membership { n, me, .. } = place;
    let total = blocks.total();
    // All but what the members of the group have combined.
    let lacking = |first: usize, size: usize| total - blocks.sum(first, size.min(n - first));
    let mut steps = Vec::new();
    for distance in powers_of_two(n) {
        let partner = me ^ distance;
        let other = group(partner, distance);
        if other >= n {
            continue;
        }
        let bytes = lacking(other, distance);
        let exchange = Exchange { to: partner, bytes: lacking(group(me, distance), distance), from: partner };
        let mut arrived = partner < n;
        steps.extend(arrived.then_some(exchange));
        for over in hand_overs(n, me, distance) {
            steps.push(match over {
                HandOver::To(to) => Send { to, bytes },
                HandOver::From(from) => Receive { from },
            });
            arrived |= matches!(over, HandOver::From(_));
        }
        steps.extend(arrived.then_some(Step::Reduce { bytes }));
    }
    steps
}

fn ring(place: Membership, blocks: Blocks) -> Steps {
    Box::new((1..place.n).flat_map(move |round| {
        let exchange = Exchange { to: place.up(1), bytes: blocks.of(place.down(round)), from: place.down(1) };
        [exchange, Step::Reduce { bytes: blocks.of(place.down(round + 1)) }]
    }))
}

fn butterfly(place: Membership, blocks: &Blocks, out_of_order: bool) -> Vec<Step> {
    let fold = Fold::onto_odd(place.n);
    let mut steps = step_back(fold, place, blocks.total());
    let Some(index) = fold.index(place.me) else {
        // The one that has the parts of this pair.
        steps.push(Receive { from: fold.member(fold.mirrored(place.me / 2)) });
        return steps;
    };
    let (mut first, mut count) = (0, fold.power);
    for bit in powers_of_two(fold.power) {
        let partner = fold.member(index ^ bit);
        count /= 2;
        let (kept, given) = if index & bit == 0 { (first, first + count) } else { (first + count, first) };
        steps.push(Exchange { to: partner, bytes: fold.sum(blocks, given, count), from: partner });
        steps.push(Step::Reduce { bytes: fold.sum(blocks, kept, count) });
        first = kept;
    }
    if !out_of_order {
        return steps;
    }
    // What is here is for the mirrored index, and for the one that stepped back before it.
    let (here_for, member) = (fold.mirrored(index), fold.member(fold.mirrored(index)));
    steps.extend(fold.pair(member).map(|to| Send { to, bytes: blocks.of(to) }));
    if here_for != index {
        steps.push(Exchange { to: member, bytes: blocks.of(member), from: member });
    }
    steps
}
