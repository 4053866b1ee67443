//! Reductions of long vectors: by halving, each member of a power of two gets its part of the result; by doubling, all get all.
//!
//! R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication Operations in MPICH", IJHPCA 19(1), 2005, as
//! Open MPI 4.1.4 has it: `redscat_allgather` in `ompi/mca/coll/base/coll_base_allreduce.c`.

use super::fold::Fold;
use super::member::Membership;
use super::sizes::Vector;
use super::{Step, Steps, powers_of_two};
use Step::{Exchange, Receive, Reduce, Send};

/// One step of the halving.
struct Halving {
    /// The partner's index is that of this member with this bit flipped.
    bit: usize,
    given: u64,
    kept: u64,
}

/// Whether there is an element for each member that is left when others have stepped back.
pub(super) fn applies(n: usize, vector: Vector) -> bool {
    vector.elements() >= Fold::onto_even(n).power as u64
}

pub(super) fn all_reduce(place: Membership, vector: Vector) -> Steps {
    let fold = Fold::onto_even(place.n);
    let (mut steps, me) = (step_back(place, fold, vector), place.me);
    if let Some(index) = fold.index(me) {
        let halvings = halvings(vector, fold, index);
        steps.extend(halvings.iter().flat_map(|halving| halve(fold, index, halving)));
        steps.extend(halvings.iter().rev().map(|halving| {
            let other = fold.member(index ^ halving.bit);
            Exchange { to: other, bytes: halving.kept, from: other }
        }));
    }
    steps.extend(fold.pair(me).map(|other| match fold.index(me) {
        Some(_) => Send { to: other, bytes: vector.bytes },
        None => Receive { from: other },
    }));
    Box::new(steps.into_iter())
}

/// Of each pair the odd member steps back: both combine a half, and the even one gets the odd one's.
fn step_back(place: Membership, fold: Fold, vector: Vector) -> Vec<Step> {
    let Some(other) = fold.pair(place.me) else {
        return Vec::new();
    };
    let left = vector.part(0, vector.elements() / 2);
    let right = vector.bytes - left;
    if fold.index(place.me).is_none() {
        vec![
            Exchange { to: other, bytes: left, from: other },
            Reduce { bytes: right },
            Send { to: other, bytes: right },
        ]
    } else {
        vec![Exchange { to: other, bytes: right, from: other }, Reduce { bytes: left }, Receive { from: other }]
    }
}

fn halvings(vector: Vector, fold: Fold, index: usize) -> Vec<Halving> {
    let (mut first, mut count) = (0, vector.elements());
    let halving = |bit| {
        let half = count / 2;
        let (low, high) = ((first, half), (first + half, count - half));
        let (kept, given) = if index & bit == 0 { (low, high) } else { (high, low) };
        (first, count) = kept;
        Halving { bit, given: vector.part(given.0, given.1), kept: vector.part(kept.0, kept.1) }
    };
    powers_of_two(fold.power).map(halving).collect()
}

fn halve(fold: Fold, index: usize, halving: &Halving) -> [Step; 2] {
    let other = fold.member(index ^ halving.bit);
    [Exchange { to: other, bytes: halving.given, from: other }, Reduce { bytes: halving.kept }]
}
