//! One member of a collective call.

use super::sizes::{Blocks, Vector};
use crate::program::call::{Collective, Payload};
use anyhow::{Context, Result, bail, ensure};
use std::sync::Arc;

/// Where a member stands among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Membership {
    /// Number of members.
    pub n: usize,
    pub me: usize,
    pub root: usize,
}

impl Membership {
    /// The same member in an operation with another root.
    pub fn with_root(self, root: usize) -> Membership {
        Membership { root, ..self }
    }

    pub fn is_root(self) -> bool {
        self.me == self.root
    }

    /// How far behind the root this member is, around the end.
    pub fn position(self) -> usize {
        self.position_of(self.me)
    }

    pub fn position_of(self, member: usize) -> usize {
        (member + self.n - self.root) % self.n
    }

    /// The member that is `position` behind the root.
    pub fn at(self, position: usize) -> usize {
        (self.root + position) % self.n
    }

    /// The member `distance` (at most n) behind this one.
    pub fn up(self, distance: usize) -> usize {
        (self.me + distance) % self.n
    }

    /// The member `distance` (at most n) in front of this one.
    pub fn down(self, distance: usize) -> usize {
        (self.me + self.n - distance) % self.n
    }

    /// The others, by their numbers.
    pub fn others(self) -> impl DoubleEndedIterator<Item = usize> + Send {
        (0..self.n).filter(move |&member| member != self.me)
    }
}

/// One member's part of a collective call, with members as indices into the communicator.
///
/// All members of an operation on one vector, or with one size for all, have to name the same size, and in operations with a
/// size for each member the same sizes (`GatherV`, `ScatterV` and `AllToAllV` excepted), as MPI demands: the algorithm
/// depends on it.
#[derive(Clone, Debug)]
pub struct Member {
    pub(super) place: Membership,
    load: Load,
}

#[derive(Clone, Debug)]
enum Load {
    Blocks(Blocks),
    Neighbors { to: Arc<[(usize, u64)]>, from: Arc<[usize]> },
}

impl Member {
    /// Member `me` of `n`; `root` is 0 in an operation without one. `index` gives the member that a rank of the world is.
    ///
    /// # Errors
    /// Members that are not there, a size for each of more or fewer members, and a neighbour outside the communicator.
    pub fn new(
        n: usize,
        me: usize,
        root: usize,
        payload: &Payload,
        index: &dyn Fn(u32) -> Option<usize>,
    ) -> Result<Member> {
        ensure!(me < n && root < n, "member {} of a communicator of {n}, expected less", me.max(root));
        let neighbor = |rank: u32| {
            let member = index(rank).filter(|&member| member < n);
            member.with_context(|| format!("neighbour `{rank}` is not a member of the communicator"))
        };
        let load = match payload {
            Payload::Each(bytes) => Load::Blocks(Blocks::same(n, *bytes)),
            Payload::Split(bytes) => Load::Blocks(Blocks::split(n, *bytes)),
            Payload::Members(sizes) => {
                ensure!(sizes.len() == n, "{} sizes, expected {n}, one for each member", sizes.len());
                Load::Blocks(Blocks::each(sizes.clone()))
            }
            Payload::Neighbors { to, from } => Load::Neighbors {
                to: to.iter().map(|&(rank, bytes)| Ok((neighbor(rank)?, bytes))).collect::<Result<_>>()?,
                from: from.iter().map(|&rank| neighbor(rank)).collect::<Result<_>>()?,
            },
        };
        Ok(Member { place: Membership { n, me, root }, load })
    }

    /// The vector of an operation that has one.
    pub(super) fn vector(&self, operation: Collective) -> Result<Vector> {
        match &self.load {
            Load::Blocks(blocks) if blocks.same_size().is_some() => Ok(Vector { bytes: blocks.of(0) }),
            Load::Blocks(_) => bail!("{operation:?} with sizes for its members, expected one size"),
            Load::Neighbors { .. } => bail!("{operation:?} with neighbours, expected one size"),
        }
    }

    /// What is of, or for, each member.
    pub(super) fn blocks(&self, operation: Collective) -> Result<Blocks> {
        match &self.load {
            Load::Blocks(blocks) => Ok(blocks.clone()),
            Load::Neighbors { .. } => bail!("{operation:?} with neighbours, expected sizes"),
        }
    }

    #[expect(clippy::type_complexity, reason = "a pair of lists, taken apart where it is asked for")]
    pub(super) fn neighbors(&self, operation: Collective) -> Result<(Arc<[(usize, u64)]>, Arc<[usize]>)> {
        match &self.load {
            Load::Neighbors { to, from } => Ok((to.clone(), from.clone())),
            Load::Blocks(_) => bail!("{operation:?} with sizes, expected neighbours"),
        }
    }
}
