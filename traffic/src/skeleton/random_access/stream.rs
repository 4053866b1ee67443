//! The messages of one rank: its part of the stream of random addresses, sorted into buckets.

use super::buckets::Buckets;

/// The table and how it is dealt.
#[derive(Clone, Copy)]
pub(super) struct Table {
    /// Base-two logarithm of its words.
    pub log_words: u32,
    pub ranks: u32,
    /// Updates that may wait in buckets.
    pub pending: u32,
}

impl Table {
    fn words(self) -> u64 {
        1 << self.log_words
    }

    /// Words of most ranks; the first ones of a number that is no power of two have one more.
    fn least(self) -> u64 {
        self.words() / u64::from(self.ranks)
    }

    fn larger(self) -> u64 {
        self.words() % u64::from(self.ranks)
    }

    /// Words of a rank.
    pub fn local(self, rank: u32) -> u64 {
        self.least() + u64::from(u64::from(rank) < self.larger())
    }

    /// First word of a rank.
    fn start(self, rank: u32) -> u64 {
        let rank = u64::from(rank);
        self.least() * rank + rank.min(self.larger())
    }

    /// The rank whose word an address is.
    fn owner(self, address: u64) -> u32 {
        let word = address & (self.words() - 1);
        let top = (self.least() + 1) * self.larger();
        (if word < top { word / (self.least() + 1) } else { (word - self.larger()) / self.least() }) as u32
    }
}

/// Number `n` of the sequence of powers of x modulo x^64 + x^2 + x + 1 over GF(2) (as HPCC_starts).
fn address(n: u64) -> u64 {
    // 2^n by squaring: the squares of 2^k are the 2^2k.
    let mut result = 1_u64;
    let mut square = 2_u64;
    let mut rest = n;
    while rest > 0 {
        if rest & 1 == 1 {
            result = product(result, square);
        }
        square = product(square, square);
        rest >>= 1;
    }
    result
}

fn double(word: u64) -> u64 {
    word << 1 ^ if word >> 63 == 1 { 7 } else { 0 }
}

fn product(a: u64, b: u64) -> u64 {
    (0..64).rev().fold(0, |sum, bit| double(sum) ^ if b >> bit & 1 == 1 { a } else { 0 })
}

/// A message as the stream has it.
pub(super) struct Filled {
    pub to: u32,
    pub updates: u32,
    /// Addresses drawn since the message before.
    pub drawn: u64,
}

/// The messages of a rank, in their order.
pub(super) struct Stream {
    table: Table,
    rank: u32,
    address: u64,
    left: u64,
    pending: u32,
    buckets: Buckets,
}

impl Stream {
    /// The first `updates` of a rank.
    pub fn new(table: Table, rank: u32, updates: u64) -> Stream {
        Stream {
            table,
            rank,
            address: address(4 * table.start(rank)),
            left: updates,
            pending: 0,
            buckets: Buckets::new(table.ranks),
        }
    }

    /// The next message, with the addresses drawn before it; behind the last one, what was drawn for nobody else.
    pub fn next(&mut self) -> Result<Filled, u64> {
        let mut drawn = 0;
        while self.left > 0 && self.pending < self.table.pending {
            self.address = double(self.address);
            self.left -= 1;
            drawn += 1;
            let owner = self.table.owner(self.address);
            if owner != self.rank {
                self.buckets.add(owner);
                self.pending += 1;
            }
        }
        let (to, updates) = self.buckets.take().ok_or(drawn)?;
        self.pending -= updates;
        Ok(Filled { to, updates, drawn })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_by_number() {
        let mut step_by_step = 1;
        for n in 0..200 {
            assert_eq!(address(n), step_by_step, "number {n}");
            step_by_step = double(step_by_step);
        }
    }

    #[test]
    fn every_word_has_one_owner() {
        for ranks in [1, 2, 3, 7, 8, 12] {
            let table = Table { log_words: 7, ranks, pending: 16 };
            for rank in 0..ranks {
                let words = table.start(rank)..table.start(rank) + table.local(rank);
                words.for_each(|word| assert_eq!(table.owner(word), rank, "word {word} of {ranks} ranks"));
            }
            assert_eq!(table.start(ranks - 1) + table.local(ranks - 1), 128);
        }
    }

    #[test]
    fn every_update_is_sent_or_made() {
        let table = Table { log_words: 10, ranks: 5, pending: 64 };
        for updates in [0, 1, 63, 64, 65, 1000] {
            let mut stream = Stream::new(table, 2, updates);
            let (mut drawn, mut sent) = (0, 0);
            let rest = loop {
                match stream.next() {
                    Ok(filled) => {
                        assert!(filled.to != 2 && filled.to < 5 && filled.updates > 0);
                        drawn += filled.drawn;
                        sent += u64::from(filled.updates);
                    }
                    Err(rest) => break rest,
                }
            };
            assert_eq!(drawn + rest, updates);
            assert!(sent <= updates && (updates < 63 || sent > updates / 2), "{sent} of {updates}");
        }
    }
}
