//! How the payload of a collective is divided.

use std::sync::Arc;

/// Size of the elements that reductions combine, bytes: that of a `MPI_DOUBLE`.
///
/// No recording says it. It decides how vectors are cut, and whether they have enough elements for an algorithm that cuts them.
pub const ELEMENT: u64 = 8;

/// What is of, or for, each of the members, bytes.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    n: usize,
    sizes: Sizes,
}

#[derive(Clone, Debug)]
enum Sizes {
    Same(u64),
    Each(Arc<[u64]>),
    /// The sum.
    Split(u64),
}

impl Blocks {
    pub fn same(n: usize, bytes: u64) -> Blocks {
        Blocks { n, sizes: Sizes::Same(bytes) }
    }

    pub fn each(sizes: Arc<[u64]>) -> Blocks {
        Blocks { n: sizes.len(), sizes: Sizes::Each(sizes) }
    }

    /// `bytes`, split evenly; what is left over goes to the first ones.
    pub fn split(n: usize, bytes: u64) -> Blocks {
        Blocks { n, sizes: Sizes::Split(bytes) }
    }

    /// Whether all have the same size, and which.
    pub fn same_size(&self) -> Option<u64> {
        match self.sizes {
            Sizes::Same(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Whether the sizes are stated one by one, which is what only the member that states them may know.
    pub fn are_own(&self) -> bool {
        matches!(self.sizes, Sizes::Each(_))
    }

    pub fn of(&self, member: usize) -> u64 {
        match &self.sizes {
            Sizes::Same(bytes) => *bytes,
            Sizes::Each(sizes) => sizes[member],
            Sizes::Split(bytes) => bytes / self.n as u64 + u64::from((member as u64) < bytes % self.n as u64),
        }
    }

    /// Those of `count` members from `first` on, around the end if need be.
    pub fn sum(&self, first: usize, count: usize) -> u64 {
        match &self.sizes {
            Sizes::Same(bytes) => bytes.saturating_mul(count as u64),
            _ => (first..first + count).fold(0, |sum: u64, member| sum.saturating_add(self.of(member % self.n))),
        }
    }

    pub fn total(&self) -> u64 {
        match self.sizes {
            Sizes::Split(bytes) => bytes,
            _ => self.sum(0, self.n),
        }
    }

    /// What a decision by the size of one block goes by: the mean, rounded down.
    pub fn mean(&self) -> u64 {
        self.same_size().unwrap_or_else(|| self.total() / self.n as u64)
    }
}

/// A vector that members combine, or hand on as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vector {
    pub bytes: u64,
}

impl Vector {
    /// Of [`ELEMENT`] bytes each; the last one may be shorter.
    pub fn elements(self) -> u64 {
        self.bytes.div_ceil(ELEMENT)
    }

    /// Bytes of `count` elements from `first` on.
    pub fn part(self, first: u64, count: u64) -> u64 {
        let up_to = |element: u64| element.saturating_mul(ELEMENT).min(self.bytes);
        up_to(first + count) - up_to(first)
    }

    /// Bytes of the `block`-th of `blocks` parts, of which the first ones have an element more if it does not come out even.
    pub fn block(self, block: usize, blocks: usize) -> u64 {
        let (block, blocks) = (block as u64, blocks as u64);
        let (each, more) = (self.elements() / blocks, self.elements() % blocks);
        self.part(block * each + block.min(more), each + u64::from(block < more))
    }
}
