//! Gathers with the result at all members, with the same size for all or not.
//!
//! As in Open MPI 4.1.4, `ompi/mca/coll/base/coll_base_allgather.c` and `coll_base_allgatherv.c`.

use super::broadcast::Broadcast;
use super::fold::group;
use super::member::Membership;
use super::sizes::Blocks;
use super::{Step, Steps, gather, one_after_the_other, powers_of_two};
use Step::Exchange;

/// How blocks get to all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AllGather {
    /// Send all one has to the member 1, 2, 4 .. in front, as far as it lacks it.
    Bruck,
    /// With the members at 1, 2, 4 ..
    RecursiveDoubling,
    /// Blocks go around.
    Ring,
    /// With both neighbours in turn, two blocks at a time.
    NeighborExchange,
    /// The two exchange.
    TwoMembers,
    /// A gather to member 0 and a broadcast.
    GatherThenBroadcast,
}

impl AllGather {
    pub fn name(self) -> &'static str {
        match self {
            AllGather::Bruck => "Bruck",
            AllGather::RecursiveDoubling => "recursive doubling",
            AllGather::Ring => "ring",
            AllGather::NeighborExchange => "neighbour exchange",
            AllGather::TwoMembers => "two members",
            AllGather::GatherThenBroadcast => "gather and broadcast",
        }
    }

    /// What runs for so many members: some are for special numbers.
    pub fn in_effect(self, n: usize) -> AllGather {
        match self {
            AllGather::RecursiveDoubling if !n.is_power_of_two() => AllGather::Bruck,
            AllGather::NeighborExchange if !n.is_multiple_of(2) => AllGather::Ring,
            other => other,
        }
    }

    /// `broadcast` chooses that of [`AllGather::GatherThenBroadcast`], by members and bytes.
    pub fn steps(self, place: Membership, blocks: Blocks, broadcast: fn(usize, u64) -> Broadcast) -> Steps {
        let Membership { n, me, .. } = place;
        match self.in_effect(n) {
            AllGather::Bruck => Box::new(powers_of_two(n).map(move |distance| Exchange {
                to: place.down(distance),
                bytes: blocks.sum(me, distance.min(n - distance)),
                from: place.up(distance),
            })),
            AllGather::RecursiveDoubling => Box::new(powers_of_two(n).map(move |distance| Exchange {
                to: me ^ distance,
                bytes: blocks.sum(group(me, distance), distance),
                from: me ^ distance,
            })),
            AllGather::Ring => Box::new((0..n - 1).map(move |round| Exchange {
                to: place.up(1),
                bytes: blocks.of(place.down(round)),
                from: place.down(1),
            })),
            AllGather::NeighborExchange => neighbor_exchange(place, blocks),
            AllGather::TwoMembers => {
                Box::new(std::iter::once(Exchange { to: 1 - me, bytes: blocks.of(me), from: 1 - me }))
            }
            AllGather::GatherThenBroadcast => {
                let (place, total) = (place.with_root(0), blocks.total());
                let to_first = gather::linear(place, move |member| Some(blocks.of(member)).filter(|&bytes| bytes > 0));
                one_after_the_other(to_first, broadcast(n, total).steps(place, total))
            }
        }
    }
}

fn neighbor_exchange(place: Membership, blocks: Blocks) -> Steps {
    let Membership { n, me, .. } = place;
    let (even, pair) = (me.is_multiple_of(2), group(me, 2));
    let exchange = |other, bytes| Exchange { to: other, bytes, from: other };
    let first = exchange(me ^ 1, blocks.of(me));
    let rest = (1..n / 2).map(move |round| {
        let inward = round.is_multiple_of(2);
        let other = if even == inward { place.up(1) } else { place.down(1) };
        // The two blocks that came in last, from the other side; in the first round those of the pair.
        let blocks_at = if inward == even { pair + n - shift(round) } else { pair + shift(round) };
        exchange(other, blocks.sum(blocks_at % n, 2))
    });
    Box::new(std::iter::once(first).chain(rest))
}

/// How far from the own pair the blocks are that go out in this round.
fn shift(round: usize) -> usize {
    round - round % 2
}
