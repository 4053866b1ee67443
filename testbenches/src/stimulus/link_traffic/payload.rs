//! What stands in the words of a flit.
//!
//! ```text
//! word 0   head flit: the header, its free bits random; other flits: scrambled number of packet and flit
//! word 1   number of the packet, unique in a run
//! word 2   31:18 sequence number at its source, 17:8 number of the flit, 7:0 input port
//! word 3   cycle in which the source made the packet
//! 4..      scrambled numbers of packet, flit and word
//! ```

use powar_evaluation::switch_measurement::{BORN, NUMBER};

/// A packet as its source makes it.
#[derive(Clone, Debug)]
pub struct Packet {
    pub number: u32,
    pub source: usize,
    pub sequence: u32,
    /// Low 32 bits of the cycle.
    pub born: u32,
    /// Virtual channel it is sent on.
    pub vc: usize,
    /// Word 0 of the head flit.
    pub header: u32,
    /// Flits that are sent, whatever the header says.
    pub flits: u16,
    /// Flits that have been sent.
    pub sent: u16,
}

impl Packet {
    /// The words of the flit to be sent next.
    pub fn words(&self, words: &mut [u64]) {
        let flit = u32::from(self.sent);
        let contents = |word: usize| match word {
            0 if flit == 0 => self.header,
            NUMBER => self.number,
            2 => (self.sequence << 18) | (flit & 0x3ff) << 8 | (self.source as u32 & 0xff),
            BORN => self.born,
            word => scrambled(self.number, flit << 8 | word as u32),
        };
        words.iter_mut().enumerate().for_each(|(word, slot)| *slot = u64::from(contents(word)));
    }
}

/// Word 0 of a head flit.
pub fn header(destination: u16, length: u16, free: u32) -> u32 {
    u32::from(destination) | u32::from(length & 0x3ff) << 16 | free << 26
}

/// A number that changes in about half its bits with any change of the two (the finaliser of MurmurHash3).
fn scrambled(a: u32, b: u32) -> u32 {
    let mut mixed = a.wrapping_mul(0x9e37_79b9) ^ b.wrapping_mul(0x85eb_ca6b);
    mixed = (mixed ^ mixed >> 16).wrapping_mul(0x85eb_ca6b);
    mixed = (mixed ^ mixed >> 13).wrapping_mul(0xc2b2_ae35);
    mixed ^ mixed >> 16
}
