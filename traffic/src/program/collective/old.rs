//! Collective operations as the messages they consist of.
//!
//! A log holds one line per rank and collective call, not the messages inside the MPI library,
//! so a replay has to choose the algorithms. These are the textbook ones:
//!
//! | operation | algorithm | steps |
//! | --- | --- | --- |
//! | Barrier | dissemination, empty messages | ceil(log2 n) |
//! | Bcast, Reduce | binomial tree | ceil(log2 n) |
//! | Allreduce | recursive doubling; ranks beyond a power of two fold in first and out last | log2 n |
//! | Allgather, Comm_split | Bruck; Comm_split gathers 8 bytes (colour and key) a rank | ceil(log2 n) |
//! | Gather(v), Scatter(v) | linear: every rank straight to or from the root | n - 1 |
//! | Alltoall | pairwise exchange: in step s to rank + s, from rank - s | n - 1 |
//!
//! In a log, `Scatterv` sends what the root's own line says to everyone, because only the receivers'
//! lines know the single sizes. A VEF trace may have sizes of its own for each member ([`Sizes`]).

use crate::format::mpi_log::record::Operation;

/// What one rank does next inside a collective; ranks are indices into the communicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectiveStep {
    Send { to: usize, bytes: u64 },
    Receive { from: usize },
}

use CollectiveStep::{Receive, Send};

/// Bytes every rank contributes to a `Comm_split`: its colour and its key.
pub(crate) const COLOUR_AND_KEY: u64 = 8;

/// Payload of the members of a collective.
#[derive(Clone, Copy, Debug)]
pub enum Sizes<'a> {
    /// The same of every member or to every member.
    Same(u64),
    /// Of or to each member.
    Each(&'a [u64]),
    /// So much, split evenly between all destinations; what is left over goes to the first ones.
    Split(u64),
}

impl Sizes<'_> {
    /// Bytes of or to one of `n` members.
    fn of(self, member: usize, n: usize) -> u64 {
        match self {
            Sizes::Same(bytes) => bytes,
            Sizes::Each(sizes) => sizes[member],
            Sizes::Split(bytes) => bytes / n as u64 + u64::from((member as u64) < bytes % n as u64),
        }
    }

    /// Bytes of `count` of `n` members from `first` on, around the end if need be.
    fn sum(self, first: usize, count: usize, n: usize) -> u64 {
        match self {
            Sizes::Same(bytes) => bytes.saturating_mul(count as u64),
            _ => (first..first + count).map(|member| self.of(member % n, n)).sum(),
        }
    }
}

/// The steps of member `me` of `n` in one collective call with the given `root` (0 if it has none)
/// and payload. Returns nothing for an operation that is no collective.
///
/// Of [`Sizes::Each`], a Scatter sends the entry of the receiver, the others that of the sender.
pub fn steps(operation: Operation, n: usize, me: usize, root: usize, sizes: Sizes) -> Vec<CollectiveStep> {
    let bytes = || sizes.of(me, n);
    match operation {
        Operation::Barrier => dissemination(n, me),
        Operation::Bcast => broadcast(n, me, root, bytes()),
        Operation::Reduce => reduce(n, me, root, bytes()),
        Operation::Allreduce => recursive_doubling(n, me, bytes()),
        Operation::Allgather => bruck(n, me, sizes),
        Operation::CommSplit => bruck(n, me, Sizes::Same(COLOUR_AND_KEY)),
        Operation::Gather | Operation::Gatherv => gather(n, me, root, bytes()),
        Operation::Scatter | Operation::Scatterv => scatter(n, me, root, sizes),
        Operation::Alltoall => pairwise(n, me, sizes),
        _ => Vec::new(),
    }
}

/// 1, 2, 4, ... below `n`.
fn powers_of_two(n: usize) -> impl DoubleEndedIterator<Item = usize> {
    (0..usize::BITS).map(|bit| 1usize << bit).take_while(move |&power| power < n).collect::<Vec<_>>().into_iter()
}

fn dissemination(n: usize, me: usize) -> Vec<CollectiveStep> {
    powers_of_two(n)
        .flat_map(|distance| {
            let to = (me + distance) % n;
            let from = (me + n - distance) % n;
            [Send { to, bytes: 0 }, Receive { from }]
        })
        .collect()
}

fn broadcast(n: usize, me: usize, root: usize, bytes: u64) -> Vec<CollectiveStep> {
    // A tree rooted at position 0: the parent of a position is the position without its lowest
    // set bit, its children set one bit below that.
    let position = (me + n - root) % n;
    let rank = |position: usize| (position + root) % n;
    let mut steps = Vec::new();
    if position != 0 {
        let parent = position & (position - 1);
        steps.push(Receive { from: rank(parent) });
    }
    for bit in powers_of_two(n).rev() {
        if position.trailing_zeros() > bit.trailing_zeros() && position + bit < n {
            let to = rank(position + bit);
            steps.push(Send { to, bytes });
        }
    }
    steps
}

fn reduce(n: usize, me: usize, root: usize, bytes: u64) -> Vec<CollectiveStep> {
    // The broadcast tree run backwards.
    broadcast(n, me, root, bytes)
        .into_iter()
        .rev()
        .map(|step| match step {
            Send { to, .. } => Receive { from: to },
            Receive { from } => Send { to: from, bytes },
        })
        .collect()
}

fn recursive_doubling(n: usize, me: usize, bytes: u64) -> Vec<CollectiveStep> {
    let power = 1usize << n.ilog2();
    let extra = n - power;
    // Of the first 2 * extra ranks the even ones hand their data to their odd neighbour.
    if me < 2 * extra && me.is_multiple_of(2) {
        let (to, from) = (me + 1, me + 1);
        return vec![Send { to, bytes }, Receive { from }];
    }
    let rank = |i: usize| if i < extra { 2 * i + 1 } else { i + extra };
    let folded = me < 2 * extra;
    let index = if folded { me / 2 } else { me - extra };
    let mut steps = Vec::new();
    if folded {
        steps.push(Receive { from: me - 1 });
    }
    for bit in powers_of_two(power) {
        let partner = rank(index ^ bit);
        steps.push(Send { to: partner, bytes });
        steps.push(Receive { from: partner });
    }
    if folded {
        steps.push(Send { to: me - 1, bytes });
    }
    steps
}

fn bruck(n: usize, me: usize, sizes: Sizes) -> Vec<CollectiveStep> {
    powers_of_two(n)
        .flat_map(|distance| {
            // The blocks a member holds so far are its own and those of the members behind it.
            let blocks = distance.min(n - distance);
            let send = Send { to: (me + n - distance) % n, bytes: sizes.sum(me, blocks, n) };
            let from = (me + distance) % n;
            [send, Receive { from }]
        })
        .collect()
}

fn gather(n: usize, me: usize, root: usize, bytes: u64) -> Vec<CollectiveStep> {
    if me != root {
        return vec![Send { to: root, bytes }];
    }
    let others = (1..n).map(|distance| (root + distance) % n);
    others.map(|from| Receive { from }).collect()
}

fn scatter(n: usize, me: usize, root: usize, sizes: Sizes) -> Vec<CollectiveStep> {
    if me != root {
        return vec![Receive { from: root }];
    }
    let others = (1..n).map(|distance| (root + distance) % n);
    others.map(|to| Send { to, bytes: sizes.of(to, n) }).collect()
}

fn pairwise(n: usize, me: usize, sizes: Sizes) -> Vec<CollectiveStep> {
    (1..n)
        .flat_map(|distance| {
            let to = (me + distance) % n;
            let from = (me + n - distance) % n;
            [Send { to, bytes: sizes.of(to, n) }, Receive { from }]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::mpi_log::record::OPERATIONS;
    use std::collections::HashMap;

    /// Runs all members' steps; panics if they block, and returns the bytes each member received.
    fn run(operation: Operation, n: usize, root: usize, bytes: u64) -> Vec<u64> {
        run_sizes(operation, n, root, Sizes::Same(bytes))
    }

    fn run_sizes(operation: Operation, n: usize, root: usize, sizes: Sizes) -> Vec<u64> {
        let all: Vec<_> = (0..n).map(|me| steps(operation, n, me, root, sizes)).collect();
        let mut next = vec![0; n];
        let mut sent: HashMap<(usize, usize), Vec<u64>> = HashMap::new();
        let mut received = vec![0; n];
        loop {
            let mut moved = false;
            for me in 0..n {
                match all[me].get(next[me]) {
                    Some(Send { to, bytes }) => {
                        assert_ne!(*to, me, "{operation:?} sends to itself");
                        sent.entry((me, *to)).or_default().push(*bytes);
                    }
                    Some(Receive { from }) => match sent.get_mut(&(*from, me)) {
                        Some(queue) if !queue.is_empty() => received[me] += queue.remove(0),
                        _ => continue,
                    },
                    None => continue,
                }
                next[me] += 1;
                moved = true;
            }
            if !moved {
                break;
            }
        }
        for me in 0..n {
            assert_eq!(next[me], all[me].len(), "{operation:?} n={n} blocks {me}");
        }
        assert!(sent.values().all(Vec::is_empty), "{operation:?} n={n} sends too much");
        received
    }

    #[test]
    fn every_collective_ends_for_every_size_and_root() {
        for &(_, operation) in OPERATIONS.iter().filter(|(_, o)| o.is_collective()) {
            for n in 1..=17 {
                for root in 0..n {
                    run(operation, n, root, 5);
                }
            }
        }
    }

    #[test]
    fn every_rank_gets_what_the_operation_promises() {
        for n in 2..=17usize {
            let others = n as u64 - 1;
            assert_eq!(run(Operation::Bcast, n, 1, 5)[0], 5);
            assert_eq!(run(Operation::Bcast, n, 1, 5)[1], 0);
            assert_eq!(run(Operation::Gather, n, 1, 5)[1], 5 * others);
            assert_eq!(run(Operation::Scatter, n, 1, 5)[0], 5);
            assert_eq!(run(Operation::Allgather, n, 0, 5), vec![5 * others; n]);
            assert_eq!(run(Operation::Alltoall, n, 0, 5), vec![5 * others; n]);
            assert_eq!(run(Operation::Barrier, n, 0, 0), vec![0; n]);
            assert!(run(Operation::Allreduce, n, 0, 5).iter().all(|&b| b >= 5));
            // A tree has n - 1 edges, each carrying the value once.
            let reduced: u64 = run(Operation::Reduce, n, 1, 5).iter().sum();
            assert_eq!(reduced, 5 * others);
        }
    }

    #[test]
    fn members_with_sizes_of_their_own_move_just_these() {
        for n in 2..=9usize {
            let sizes: Vec<u64> = (0..n as u64).map(|member| 1 << member).collect();
            let all: u64 = sizes.iter().sum();
            let others: Vec<u64> = sizes.iter().map(|own| all - own).collect();
            assert_eq!(run_sizes(Operation::Allgather, n, 0, Sizes::Each(&sizes)), others);
            let scattered = run_sizes(Operation::Scatter, n, 1, Sizes::Each(&sizes));
            assert_eq!(scattered[0], 1);
            assert_eq!(scattered[2..], sizes[2..]);
            assert_eq!(run_sizes(Operation::Gather, n, 1, Sizes::Each(&sizes))[1], all - 2);
        }
        // 7 bytes to three members: 3, 2, 2.
        assert_eq!(run_sizes(Operation::Alltoall, 3, 0, Sizes::Split(7)), [6, 4, 4]);
    }

    #[test]
    fn a_broadcast_over_eight_ranks_is_the_binomial_tree() {
        let sends = |me| {
            steps(Operation::Bcast, 8, me, 0, Sizes::Same(1))
                .into_iter()
                .filter_map(|step| match step {
                    Send { to, .. } => Some(to),
                    Receive { .. } => None,
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(sends(0), [4, 2, 1]);
        assert_eq!(sends(4), [6, 5]);
        assert_eq!(sends(6), [7]);
        assert_eq!(sends(1), [0usize; 0]);
    }
}
