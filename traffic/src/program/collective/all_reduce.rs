//! Reductions with the result at all members. Operations are taken to be commutative.
//!
//! As in Open MPI 4.1.4, `ompi/mca/coll/base/coll_base_allreduce.c`.

use super::broadcast::Broadcast;
use super::fold::Fold;
use super::member::Membership;
use super::reduce::Reduce;
use super::sizes::Vector;
use super::{Step, Steps, one_after_the_other, powers_of_two, rabenseifner};
use Step::{Exchange, Receive, Send};

/// How operands get together and the result to all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AllReduce {
    /// Both halves linear, over member 0.
    Linear,
    /// A reduction to member 0 and a broadcast.
    ReduceThenBroadcast,
    /// With the members at 1, 2, 4 ..; those beyond a power of two step back.
    RecursiveDoubling,
    /// Parts of the vector go around, combined in the first round, handed on in the second.
    Ring,
    /// The same, in segments; the fixed table states no length, so that the vector is one.
    SegmentedRing,
    /// Halving, then doubling.
    Rabenseifner,
}

impl AllReduce {
    pub fn name(self) -> &'static str {
        match self {
            AllReduce::Linear => "linear",
            AllReduce::ReduceThenBroadcast => "reduce and broadcast",
            AllReduce::RecursiveDoubling => "recursive doubling",
            AllReduce::Ring => "ring",
            AllReduce::SegmentedRing => "segmented ring",
            AllReduce::Rabenseifner => "Rabenseifner",
        }
    }

    /// What runs for so many members and bytes: some need more elements than there are.
    pub fn in_effect(self, n: usize, vector: Vector) -> AllReduce {
        match self {
            AllReduce::SegmentedRing => AllReduce::Ring.in_effect(n, vector),
            AllReduce::Ring if vector.elements() < n as u64 => AllReduce::RecursiveDoubling,
            AllReduce::Rabenseifner if !rabenseifner::applies(n, vector) => AllReduce::Linear,
            other => other,
        }
    }

    /// The functions choose both parts of [`AllReduce::ReduceThenBroadcast`], by members and bytes.
    pub fn steps(
        self,
        place: Membership,
        vector: Vector,
        reduce: fn(usize, u64) -> Reduce,
        broadcast: fn(usize, u64) -> Broadcast,
    ) -> Steps {
        let (place, n, bytes) = (place.with_root(0), place.n, vector.bytes);
        let both = |reduce: Reduce, broadcast: Broadcast| {
            one_after_the_other(reduce.steps(place, bytes), broadcast.steps(place, bytes))
        };
        match self.in_effect(n, vector) {
            AllReduce::Linear => both(Reduce::Linear, Broadcast::Linear),
            AllReduce::ReduceThenBroadcast => both(reduce(n, bytes), broadcast(n, bytes)),
            AllReduce::RecursiveDoubling => recursive_doubling(place, bytes),
            AllReduce::Ring | AllReduce::SegmentedRing => ring(place, vector),
            AllReduce::Rabenseifner => rabenseifner::all_reduce(place, vector),
        }
    }
}

fn recursive_doubling(place: Membership, bytes: u64) -> Steps {
    let fold = Fold::onto_odd(place.n);
    let pair = fold.pair(place.me);
    let Some(index) = fold.index(place.me) else {
        let there_and_back = pair.map(|other| [Send { to: other, bytes }, Receive { from: other }]);
        return Box::new(there_and_back.into_iter().flatten());
    };
    let first = pair.map(|from| [Receive { from }, Step::Reduce { bytes }]).into_iter().flatten();
    let exchanges = powers_of_two(fold.power).flat_map(move |bit| {
        let other = fold.member(index ^ bit);
        [Exchange { to: other, bytes, from: other }, Step::Reduce { bytes }]
    });
    Box::new(first.chain(exchanges).chain(pair.map(|to| Send { to, bytes })))
}

fn ring(place: Membership, vector: Vector) -> Steps {
    let n = place.n;
    let (to, from) = (place.up(1), place.down(1));
    let part = move |member: usize| vector.block(member, n);
    let combine = (1..n).flat_map(move |round| {
        let exchange = Exchange { to, bytes: part(place.down(round - 1)), from };
        [exchange, Step::Reduce { bytes: part(place.down(round)) }]
    });
    // The part that is complete here is that of the next member.
    let hand_on = (1..n).map(move |round| Exchange { to, bytes: part((place.down(round - 1) + 1) % n), from });
    Box::new(combine.chain(hand_on))
}
