//! What is in the beats that nodes send, and how a node that gets them knows that they are what was sent.

use crate::network::net_packet::NetPacket;
use anyhow::{Context, Result, ensure};

/// Places in word 1 of a beat: its number in its packet 9:0, the packet's beats 19:10, the number of the packet at its source 31:20.
const BEATS: u32 = 10;
const SERIAL: u32 = 20;
const TEN_BITS: u32 = 0x3ff;

/// Word `word` of a flit on a link of a network with network interfaces. The network carries words 0 and 1; those above are 0 in a head
/// flit (`docs/microarchitecture/network_interface.md`), and follow from these two in a beat.
pub fn flit_word(flit: &NetPacket, head: bool, word: usize) -> u64 {
    match word {
        0 => flit.header.into(),
        1 => flit.packet.into(),
        _ if head => 0,
        _ => (flit.header.wrapping_mul(0x9e37_79b9) ^ flit.packet).rotate_left(7 * word as u32).into(),
    }
}

/// A packet as a node puts it into its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Beats {
    /// Its place in the network's table.
    pub packet: u32,
    /// Its number at its source, modulo 2^12.
    pub serial: u32,
    /// 1..=1022.
    pub beats: u16,
}

impl Beats {
    /// The first two words of a beat, counted from 0.
    pub fn beat(&self, number: u16) -> NetPacket {
        let place = self.serial << SERIAL | u32::from(self.beats) << BEATS | u32::from(number);
        NetPacket { header: self.packet, packet: place }
    }

    /// Bytes of a beat that are kept, if a flit has so many, as a mask: all but of the last beat, of which they depend on the packet.
    pub fn keep(&self, number: u16, flit_bytes: u32) -> u64 {
        let last = number + 1 == self.beats;
        let kept = if last { 1 + self.serial % flit_bytes } else { flit_bytes };
        u64::MAX >> (64 - kept)
    }
}

/// What a node has got of the packet that is on its stream.
#[derive(Clone, Debug, Default)]
pub(super) struct Check {
    /// The packet, and its beats so far.
    under_way: Option<(Beats, u16)>,
}

/// A beat as a network interface shows it to its user.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beat<'a> {
    pub words: &'a [u64],
    /// A bit a byte.
    pub keep: u64,
    pub last: bool,
    /// Address of the node that it comes from.
    pub source: u16,
    /// With the last beat: the interface says that the packet may be wrong.
    pub damaged: bool,
}

impl Check {
    /// Takes a beat: the packet that has come in completely with it, if one has. `source`: the address from which a packet was sent.
    ///
    /// # Errors
    /// It is not the beat that was sent behind those before.
    pub fn take(&mut self, beat: &Beat, source: impl Fn(u32) -> Option<u16>) -> Result<Option<u32>> {
        let [packet, place] = [0, 1].map(|word| beat.words[word] as u32);
        let (sent, number) = self.under_way.unwrap_or_else(|| {
            let beats = (place >> BEATS & TEN_BITS) as u16;
            (Beats { packet, serial: place >> SERIAL, beats }, 0)
        });
        let packet = sent.packet;
        let from = source(packet).with_context(|| format!("a beat of packet {packet}, which nobody has sent"))?;
        let flit = sent.beat(number);
        for (word, &is) in beat.words.iter().enumerate() {
            let was = flit_word(&flit, false, word);
            ensure!(is == was, "word {word} of beat {number} of packet {packet} is {is:#010x} and was {was:#010x}");
        }
        ensure!(
            beat.source == from,
            "packet {packet} comes from {from:#06x} and is said to come from {:#06x}",
            beat.source
        );
        let (keep, last) = (sent.keep(number, 4 * beat.words.len() as u32), number + 1 == sent.beats);
        ensure!(beat.keep == keep, "beat {number} of packet {packet} keeps {:#x} and should keep {keep:#x}", beat.keep);
        let end = |last: bool| if last { "its last" } else { "not its last" };
        ensure!(
            beat.last == last,
            "beat {number} of packet {packet} is {}, and said to be {}",
            end(last),
            end(beat.last)
        );
        ensure!(!beat.damaged, "packet {packet} is said to be damaged");
        self.under_way = (!last).then_some((sent, number + 1));
        Ok(last.then_some(packet))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: usize = 3;

    /// What of a beat is changed.
    type Change = fn(&mut Vec<u64>, &mut Beat<'static>);

    /// Sends the beats of a packet, the one of that number changed.
    fn sent(changed: u16, change: Change) -> Result<Option<u32>> {
        let packet = Beats { packet: 77, serial: 4094, beats: 4 };
        let mut check = Check::default();
        let mut come = None;
        for number in 0..packet.beats {
            let mut words: Vec<u64> = (0..WORDS).map(|word| flit_word(&packet.beat(number), false, word)).collect();
            let keep = packet.keep(number, 4 * WORDS as u32);
            let mut beat = Beat { words: &[], keep, last: number == 3, source: 5, damaged: false };
            if number == changed {
                change(&mut words, &mut beat);
            }
            assert!(come.is_none(), "only with the last beat");
            come = check.take(&Beat { words: &words, ..beat }, |packet| (packet == 77).then_some(5))?;
        }
        Ok(come)
    }

    #[test]
    fn whatever_is_wrong_with_a_beat_is_seen() {
        assert_eq!(sent(9, |_, _| ()).unwrap(), Some(77));
        let changes: [(Change, &str); 8] = [
            (|words, _| words[0] ^= 1, "word 0 of beat 2"),
            (|words, _| words[1] ^= 1, "word 1 of beat 2"),
            (|words, _| words[2] ^= 1 << 31, "word 2 of beat 2"),
            (|words, _| words.swap(0, 1), "word 0 of beat 2"),
            (|_, beat| beat.keep >>= 1, "beat 2 of packet 77 keeps"),
            (|_, beat| beat.last = true, "not its last, and said to be its last"),
            (|_, beat| beat.source = 4, "said to come from 0x0004"),
            (|_, beat| beat.damaged = true, "said to be damaged"),
        ];
        for (change, said) in changes {
            let error = sent(2, change).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        let error = sent(0, |words, _| words[0] = 78).unwrap_err().to_string();
        assert!(error.contains("packet 78, which nobody has sent"), "{error}");
        let error = sent(3, |_, beat| beat.last = false).unwrap_err().to_string();
        assert!(error.contains("its last, and said to be not its last"), "{error}");
    }
}
