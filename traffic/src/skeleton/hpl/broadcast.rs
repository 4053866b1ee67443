//! The broadcast of a panel along a row of ranks (HPL_1ring, HPL_1rinM, HPL_2ring, HPL_2rinM).

/// How panels go along the row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Broadcast {
    /// From each column to the next.
    Ring,
    /// The same, but the first column behind the root, which factorises next, does not forward.
    RingModified,
    /// Two rings at once, each over half of the columns.
    TwoRings,
    /// The same, but the first column does not forward.
    TwoRingsModified,
}

/// What a column does in the broadcast; distances count from the root.
pub(super) struct Part {
    /// `None`: the root.
    pub from: Option<u32>,
    /// In the order of sending.
    pub to: [Option<u32>; 3],
}

impl Broadcast {
    /// The part of the column at `distance` behind the root, of `size` columns, at least 2.
    pub fn part(self, distance: u32, size: u32) -> Part {
        let half = size.div_ceil(2);
        let next = (distance + 1) % size;
        let modified = matches!(self, Broadcast::RingModified | Broadcast::TwoRingsModified);
        let two = matches!(self, Broadcast::TwoRings | Broadcast::TwoRingsModified);
        if distance == 0 {
            let second = (modified && size > 2 && !(two && half == 2)).then_some(2);
            let middle = (two && size > 2).then_some(half);
            return Part { from: None, to: [Some(1), second, middle] };
        }
        let from_root = distance == 1 || (modified && distance == 2) || (two && distance == half);
        let last = next == 0 || (two && next == half) || (modified && distance == 1);
        Part { from: Some(if from_root { 0 } else { distance - 1 }), to: [(!last).then_some(next), None, None] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_gets_the_panel_once() {
        for kind in [Broadcast::Ring, Broadcast::RingModified, Broadcast::TwoRings, Broadcast::TwoRingsModified] {
            for size in 2..20 {
                let mut sent = Vec::new();
                let mut received = Vec::new();
                for distance in 0..size {
                    let part = kind.part(distance, size);
                    sent.extend(part.to.into_iter().flatten().map(|to| (distance, to)));
                    received.extend(part.from.map(|from| (from, distance)));
                }
                sent.sort_unstable();
                received.sort_unstable();
                assert_eq!(sent, received, "{size} columns");
                assert_eq!(received.len() as u32, size - 1);
            }
        }
    }
}
