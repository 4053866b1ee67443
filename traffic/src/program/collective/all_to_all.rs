//! Each member has something for each other one.
//!
//! As in Open MPI 4.1.4, `ompi/mca/coll/base/coll_base_alltoall.c` and `coll_base_alltoallv.c`.

use super::member::Membership;
use super::sizes::Blocks;
use super::{Step, Steps, powers_of_two};
use Step::{Exchange, StartReceive, StartSend, WaitAll};

/// How it gets there, if all sizes are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AllToAll {
    /// All receives at once, from the next member on, and all sends, from the previous one backwards.
    Linear,
    /// The same with a limit to how many are started at once; there is none unless a user sets it.
    LinearSync,
    /// In step s to the member s behind, from the one s in front.
    Pairwise,
    /// In the step of distance 1, 2, 4 .. all blocks go whose way has this bit.
    Bruck,
    /// The two exchange.
    TwoMembers,
}

impl AllToAll {
    pub fn name(self) -> &'static str {
        match self {
            AllToAll::Linear => "linear",
            AllToAll::LinearSync => "linear, limited",
            AllToAll::Pairwise => "pairwise exchange",
            AllToAll::Bruck => "Bruck",
            AllToAll::TwoMembers => "two members",
        }
    }

    /// `blocks` is what goes to each member, the same list at all members.
    pub fn steps(self, place: Membership, blocks: Blocks) -> Steps {
        let n = place.n;
        match self {
            AllToAll::Linear | AllToAll::LinearSync => {
                let receives = (1..n).map(move |distance| StartReceive { from: place.up(distance) });
                let sends = (1..n).map(move |distance| {
                    let to = place.down(distance);
                    StartSend { to, bytes: blocks.of(to) }
                });
                Box::new(receives.chain(sends).chain([WaitAll]))
            }
            AllToAll::Pairwise | AllToAll::TwoMembers => pairwise(place, blocks),
            AllToAll::Bruck => Box::new(powers_of_two(n).map(move |distance| Exchange {
                to: place.up(distance),
                bytes: in_transit(place, &blocks, distance),
                from: place.down(distance),
            })),
        }
    }
}

/// How it gets there, if each has a size of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AllToAllV {
    /// All receives and all sends at once, by the numbers of the members.
    Linear,
    /// In step s to the member s behind, from the one s in front.
    Pairwise,
}

impl AllToAllV {
    pub fn name(self) -> &'static str {
        match self {
            AllToAllV::Linear => "linear",
            AllToAllV::Pairwise => "pairwise exchange",
        }
    }

    pub fn steps(self, place: Membership, blocks: Blocks) -> Steps {
        match self {
            AllToAllV::Linear => {
                let receives = place.others().map(|from| StartReceive { from });
                let sends = place.others().map(move |to| StartSend { to, bytes: blocks.of(to) });
                Box::new(receives.chain(sends).chain([WaitAll]))
            }
            AllToAllV::Pairwise => pairwise(place, blocks),
        }
    }
}

fn pairwise(place: Membership, blocks: Blocks) -> Steps {
    Box::new((1..place.n).map(move |distance| {
        let to = place.up(distance);
        Exchange { to, bytes: blocks.of(to), from: place.down(distance) }
    }))
}

/// What goes `distance` further from this member: the blocks with this bit in the length of their way, here or on their way.
fn in_transit(place: Membership, blocks: &Blocks, distance: usize) -> u64 {
    let n = place.n;
    if let Some(bytes) = blocks.same_size() {
        let rest = n % (2 * distance);
        let count = n / (2 * distance) * distance + rest.saturating_sub(distance);
        return bytes.saturating_mul(count as u64);
    }
    let ways = (1..n).filter(|way| way & distance != 0);
    // The lower bits of its way are behind a block.
    ways.fold(0, |sum: u64, way| sum.saturating_add(blocks.of(place.up(way - way % distance))))
}
