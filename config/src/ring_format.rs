//! What stimuli and waves have to know of the control ring of a mechanism.

/// What the words of a control ring are; the mechanism that has a ring says so.
pub struct RingFormat {
    /// Bits of a word, 1..=64.
    pub bits: usize,
    /// A word in words, for waves, without blanks.
    pub told: fn(u64) -> String,
    /// A word that shows much of the blocks, of random numbers of 64 bits.
    pub drawn: fn(&mut dyn FnMut() -> u64) -> u64,
}

/// Each is one of its kind.
impl PartialEq for RingFormat {
    fn eq(&self, other: &RingFormat) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for RingFormat {}

impl std::fmt::Debug for RingFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "words of {} bits", self.bits)
    }
}
