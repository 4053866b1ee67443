//! Which packets may stand where.

/// Packets that are followed side by side: a bit each of a word.
pub(super) const BATCH: usize = u64::BITS as usize;

/// Bits of a set, lowest first.
pub(super) fn members(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}

/// Where the packets of a batch may be: bit i is the i-th of them.
pub(super) struct Column {
    /// Of each channel: packets that may stand in it.
    pub channels: Vec<u64>,
    /// Of each switch: packets that may leave the network from it.
    pub leaving: Vec<u64>,
}

impl Column {
    pub fn new(channels: usize, switches: usize) -> Column {
        Column { channels: vec![0; channels], leaving: vec![0; switches] }
    }
}

/// A bit for each packet, row by row of `words` words.
pub(super) struct Rows {
    bits: Vec<u64>,
    words: usize,
}

impl Rows {
    fn new(rows: usize, words: usize) -> Rows {
        Rows { bits: vec![0; rows * words], words }
    }

    pub fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..][..self.words]
    }

    fn set_column(&mut self, word: usize, column: &[u64]) {
        self.bits.iter_mut().skip(word).step_by(self.words).zip(column).for_each(|(bits, &column)| *bits = column);
    }

    pub fn is(&self, row: usize, packet: usize) -> bool {
        self.bits[row * self.words + packet / BATCH] >> (packet % BATCH) & 1 == 1
    }

    pub fn count(&self, row: usize) -> u32 {
        self.row(row).iter().map(|word| word.count_ones()).sum()
    }
}

/// Which packets may stand in which channels, and leave the network from which switches.
pub(super) struct Reached {
    pub channels: Rows,
    pub leaving: Rows,
    /// Switches that a packet crosses at most; `None` if it may go in circles.
    pub most_hops: Option<u32>,
}

impl Reached {
    pub fn new(channels: usize, switches: usize, batches: usize) -> Reached {
        let rows = |rows| Rows::new(rows, batches);
        Reached { channels: rows(channels), leaving: rows(switches), most_hops: Some(0) }
    }

    /// Adds what was found of a batch.
    pub fn add(&mut self, batch: usize, column: &Column) {
        self.channels.set_column(batch, &column.channels);
        self.leaving.set_column(batch, &column.leaving);
    }
}
