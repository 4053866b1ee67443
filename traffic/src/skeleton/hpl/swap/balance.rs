//! Evening out of the pieces of U (HPL_equil): whoever has rows beyond its share spreads them to its left, then to its
//! right.

/// What each member should have: `larger` members one row more than the others.
#[derive(Clone, Copy)]
pub(in super::super) struct Shares {
    least: u64,
    larger: u64,
}

/// What one member spreads.
#[derive(Clone, Copy)]
pub(in super::super) struct Spreading {
    /// Its position.
    pub source: u32,
    pub left: bool,
    pub right: bool,
    from: u64,
    to: u64,
}

impl Shares {
    /// First row of a position's share.
    pub fn start(self, position: u32) -> u64 {
        let position = u64::from(position);
        position * self.least + position.min(self.larger)
    }

    /// First of the rows that a member has for this position.
    pub fn start_of(self, spreading: &Spreading, position: u32) -> u64 {
        if position == 0 { spreading.from } else { self.start(position).clamp(spreading.from, spreading.to) }
    }
}

/// The shares, and what each spreads, in order; `None`: the pieces are even enough.
pub(super) fn balance(pieces: &[u64]) -> Option<(Shares, Box<[Spreading]>)> {
    let count = pieces.len() as u64 - 1;
    let rows = pieces[pieces.len() - 1];
    let shares = Shares { least: rows / count, larger: rows % count };
    let even = pieces.windows(2).all(|pair| (shares.least..=rows.div_ceil(count)).contains(&(pair[1] - pair[0])));
    // With two members or fewer there is nothing to gain.
    if count <= 2 || even {
        return None;
    }
    let spread = (0..count as u32).filter_map(|source| {
        let (from, to) = (pieces[source as usize], pieces[source as usize + 1]);
        let (left, right) = (from < shares.start(source), shares.start(source + 1) < to);
        (from < to && (left || right)).then_some(Spreading { source, left, right, from, to })
    });
    Some((shares, spread.collect()))
}
