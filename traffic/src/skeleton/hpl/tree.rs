//! Binomial trees as HPL walks them: down from the largest distance to the smallest, and up the other way.

/// What a member of a tree does with a peer; distances count from the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    SendTo(u32),
    ReceiveFrom(u32),
}

/// Largest power of two that is at most `n`, which is at least 1.
pub(super) fn power_below(n: u32) -> u32 {
    1 << n.ilog2()
}

/// The moves of the member at `distance` when the root's data goes to `size` members, in order. With each comes the
/// power of two that separates the two.
pub(super) fn down(distance: u32, size: u32) -> impl Iterator<Item = (Move, u32)> {
    let highest = if size > 1 { (size - 1).ilog2() + 1 } else { 0 };
    (0..highest).rev().map(|bit| 1 << bit).filter_map(move |power| {
        let active = distance & (power - 1) == 0;
        let peer = distance ^ power;
        match () {
            () if !active => None,
            () if distance & power != 0 => Some((Move::ReceiveFrom(peer), power)),
            () if peer < size => Some((Move::SendTo(peer), power)),
            () => None,
        }
    })
}

/// The moves of the member at `distance` when the data of `size` members comes together in the root, in order.
pub(super) fn up(distance: u32, size: u32) -> impl Iterator<Item = Move> {
    let highest = if size > 1 { (size - 1).ilog2() + 1 } else { 0 };
    (0..highest).map(|bit| 1 << bit).filter_map(move |power| {
        let active = distance & (power - 1) == 0;
        let peer = distance ^ power;
        match () {
            () if !active => None,
            () if distance & power != 0 => Some(Move::SendTo(peer)),
            () if peer < size => Some(Move::ReceiveFrom(peer)),
            () => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_reaches_every_member_once_from_one_that_was_reached_before() {
        for size in 1..40 {
            let mut sent = Vec::new();
            let mut received = Vec::new();
            for distance in 0..size {
                let moves: Vec<_> = down(distance, size).map(|(action, _)| action).collect();
                for (at, action) in moves.iter().enumerate() {
                    match *action {
                        Move::SendTo(peer) => sent.push((distance, peer)),
                        Move::ReceiveFrom(peer) => {
                            assert_eq!(at, 0, "the member at {distance} of {size} sends before it has the data");
                            received.push((peer, distance));
                        }
                    }
                }
                let mut reversed: Vec<_> = up(distance, size)
                    .map(|action| match action {
                        Move::SendTo(peer) => Move::ReceiveFrom(peer),
                        Move::ReceiveFrom(peer) => Move::SendTo(peer),
                    })
                    .collect();
                reversed.reverse();
                assert_eq!(moves, reversed, "up is down backwards");
            }
            sent.sort_unstable();
            received.sort_unstable();
            assert_eq!(sent, received);
            assert_eq!(received.len() as u32, size - 1);
        }
    }
}
