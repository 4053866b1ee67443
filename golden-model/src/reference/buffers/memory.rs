//! The synchronous memory of an `input_port`, and of `port_counters`: one write and one read port, a word a cycle after its address and
//! once more a cycle later.

/// A memory whose contents and outputs know no reset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    words: Vec<u64>,
    /// The word read last; 0 before the first read.
    pub output: u64,
    /// The second register at the output, which the flit memory has: `output` of the cycle before.
    pub later: u64,
}

impl Memory {
    /// A memory of so many words, of up to 64 bits each.
    pub fn new(words: usize) -> Self {
        Memory { words: vec![0; words], output: 0, later: 0 }
    }

    /// What is stored at an address, whether or not it has been read.
    pub fn stored(&self, address: usize) -> u64 {
        self.words[address]
    }

    /// The clock edge: an address to read, an address and a word to write. A read sees what was written before.
    pub fn clock(&mut self, read: Option<usize>, write: Option<(usize, u64)>) {
        self.later = self.output;
        if let Some(address) = read {
            self.output = self.words[address];
        }
        if let Some((address, word)) = write {
            self.words[address] = word;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_comes_a_cycle_after_its_address_and_stays() {
        let mut memory = Memory::new(4);
        memory.clock(None, Some((3, 7)));
        assert_eq!(memory.output, 0);
        memory.clock(Some(3), Some((2, 8)));
        assert_eq!((memory.output, memory.later), (7, 0));
        memory.clock(None, Some((3, 9)));
        assert_eq!((memory.output, memory.later), (7, 7));
        memory.clock(Some(2), None);
        assert_eq!((memory.output, memory.later), (8, 7));
    }
}
