//! The places of a circular queue in a memory, in the order in which its pointers go through them (docs/microarchitecture/buffers.md).

/// Bits of a place, 1 for the lowest, whose sum goes into the next one, for places of 1, 2, .. 12 bits.
const TAPS: [&[u32]; 12] = [
    &[1],
    &[2, 1],
    &[3, 2],
    &[4, 3],
    &[5, 3],
    &[6, 5],
    &[7, 6],
    &[8, 6, 5, 4],
    &[9, 5],
    &[10, 7],
    &[11, 9],
    &[12, 11, 10, 4],
];

/// The place behind `place`, if there are 2^bits of them.
fn behind(place: u16, bits: u32) -> u16 {
    let Some(taps) = bits.checked_sub(1).map(|row| TAPS[row as usize]) else { return 0 };
    let sum = taps.iter().map(|tap| place >> (tap - 1) & 1).sum::<u16>() % 2;
    let highest = 1 << (bits - 1);
    let low_are_zero = u16::from(place.is_multiple_of(highest));
    place % highest * 2 + (sum ^ low_are_zero)
}

/// The places of a queue of `depth` entries, 1..=4096, in their order, from 0 on.
pub fn order(depth: usize) -> Vec<u16> {
    let bits = depth.next_power_of_two().ilog2();
    std::iter::successors(Some(0), |&place| Some(behind(place, bits))).take(depth).collect()
}

/// The place behind one of a queue of `depth` entries whose last place is `last`.
pub fn next(place: u16, depth: u16, last: u16) -> u16 {
    if place == last { 0 } else { behind(place, depth.next_power_of_two().ilog2()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_of_a_power_of_two_has_all_places_of_so_many_bits_and_then_the_first_again() {
        for bits in 0..=12 {
            let mut order = order(1 << bits);
            assert_eq!(behind(*order.last().unwrap(), bits), 0, "{bits} bits");
            order.sort_unstable();
            assert!(order.iter().copied().eq(0..1 << bits), "{bits} bits");
        }
    }

    #[test]
    fn other_queues_leave_out_the_last_of_them() {
        assert_eq!(order(8), [0, 1, 2, 5, 3, 7, 6, 4]);
        assert_eq!(order(6), [0, 1, 2, 5, 3, 7]);
        assert_eq!([next(3, 6, 7), next(7, 6, 7), next(0, 1, 0)], [7, 0, 0]);
    }
}
