//! What algorithms for powers of two do with other numbers of members.

use super::sizes::Blocks;

/// The largest power of two that fits: of the first `2 * extra` members one of each pair steps back, so that a power of two is
/// left. Those left are counted anew, by an index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fold {
    /// How many are left.
    pub power: usize,
    /// How many step back.
    pub extra: usize,
    /// Which of a pair stays: 0 or 1.
    stays: usize,
}

impl Fold {
    /// The even ones of the pairs step back.
    pub fn onto_odd(n: usize) -> Fold {
        let power = 1 << n.ilog2();
        Fold { power, extra: n - power, stays: 1 }
    }

    /// The odd ones of the pairs step back.
    pub fn onto_even(n: usize) -> Fold {
        Fold { stays: 0, ..Fold::onto_odd(n) }
    }

    /// The other of the pair, of a member that is in one.
    pub fn pair(self, member: usize) -> Option<usize> {
        (member < 2 * self.extra).then_some(member ^ 1)
    }

    /// `None` of a member that steps back.
    pub fn index(self, member: usize) -> Option<usize> {
        match self.pair(member) {
            Some(_) => (member % 2 == self.stays).then_some(member / 2),
            None => Some(member - self.extra),
        }
    }

    pub fn member(self, index: usize) -> usize {
        if index < self.extra { 2 * index + self.stays } else { index + self.extra }
    }

    /// The first member whose block goes with those of `index`: that of a pair goes with the one that stays.
    fn first(self, index: usize) -> usize {
        if index < self.extra { 2 * index } else { index + self.extra }
    }

    /// Bytes of the blocks of `count` indices from `index` on.
    pub fn sum(self, blocks: &Blocks, index: usize, count: usize) -> u64 {
        let first = self.first(index);
        blocks.sum(first, self.first(index + count) - first)
    }

    /// The bits of `index` in the opposite order.
    pub fn mirrored(self, index: usize) -> usize {
        match self.power.ilog2() {
            0 => index,
            bits => index.reverse_bits() >> (usize::BITS - bits),
        }
    }
}

/// What a member of a doubling exchange among `n` members, no power of two, has to do for those whose partner is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HandOver {
    To(usize),
    From(usize),
}

/// The start of the group of `size` members that `member` is in.
pub(super) fn group(member: usize, size: usize) -> usize {
    member - member % size
}

/// Behind the exchange with the member at `distance`: who hands what came in to whom, by halving.
pub(super) fn hand_overs(n: usize, me: usize, distance: usize) -> Vec<HandOver> {
    let other = group(me ^ distance, distance);
    let mut all = Vec::new();
    if other + distance <= n {
        return all;
    }
    // Members of this group whose partner is there.
    let served = n.saturating_sub(group(me, distance) + distance);
    let mut half = distance / 2;
    while half > 0 {
        let partner = me ^ half;
        let limit = group(me, 2 * half) + served;
        if partner > me && me < limit && partner >= limit {
            all.push(HandOver::To(partner));
        } else if partner < me && partner < limit && me >= limit {
            all.push(HandOver::From(partner));
        }
        half /= 2;
    }
    all
}
