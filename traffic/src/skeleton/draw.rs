//! Random numbers that depend on where they are drawn, not on when: sender and receiver draw the same.

/// A number that is as good as random for every pair of `seed` and `index` (SplitMix64: Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", OOPSLA 2014).
pub(super) fn draw(seed: u64, index: u64) -> u64 {
    mix(mix(seed).wrapping_add(index.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// The same, uniform below `n`, which is at least 1.
pub(super) fn below(seed: u64, index: u64, n: u64) -> u64 {
    ((u128::from(draw(seed, index)) * u128::from(n)) >> 64) as u64
}

/// The same, uniform in [0, 1).
pub(super) fn unit(seed: u64, index: u64) -> f64 {
    (draw(seed, index) >> 11) as f64 / (1_u64 << 53) as f64
}
