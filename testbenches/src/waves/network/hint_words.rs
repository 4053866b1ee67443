//! Words on the lane beside a link, from the changes of its bit (`docs/microarchitecture/mechanisms/wake_hints.md`, the lane).

/// Bits of an address, the lowest first, behind the start bit and before their parity.
const ADDRESS: u64 = 16;
/// Cycles of a word.
const WORD: u64 = 1 + ADDRESS + 1;

/// A word on a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HintWord {
    /// The cycle of its start bit.
    pub start: u64,
    /// Behind its last one.
    pub end: u64,
    /// The packed address that it is about; `None`: its parity is wrong.
    pub address: Option<u16>,
}

/// The words of a lane that is 0 at first and takes these values from these cycles on.
pub(super) fn words(changes: &[(u64, bool)]) -> Vec<HintWord> {
    let at = |cycle: u64| {
        let behind = changes.partition_point(|(from, _)| *from <= cycle);
        behind > 0 && changes[behind - 1].1
    };
    let mut words: Vec<HintWord> = vec![];
    for &(cycle, _) in changes.iter().filter(|(_, bit)| *bit) {
        // A bit may stay up from one word into the next.
        let mut start = cycle.max(words.last().map_or(0, |word| word.end));
        let until = changes.iter().find(|(from, bit)| *from > cycle && !bit).map_or(start + 1, |(from, _)| *from);
        while start < until {
            let bits = (0..ADDRESS).map(|bit| u16::from(at(start + 1 + bit)) << bit);
            let address: u16 = bits.sum();
            let sound = (address.count_ones() % 2 == 1) == at(start + WORD - 1);
            words.push(HintWord { start, end: start + WORD, address: sound.then_some(address) });
            start += WORD;
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_golden::reference::mechanisms::wake_hints::HintSender;

    /// What a sender sends that is given addresses, against what is read.
    #[test]
    fn words_are_those_that_were_sent() {
        let given = [(3, 0u16), (4, 0xffff), (5, 1), (100, 0x8000), (119, 7), (200, 40)];
        let (mut sender, mut changes, mut bit) = (HintSender::new(), vec![], false);
        for now in 0..300 {
            let hint = sender.hint(true);
            if hint != bit {
                changes.push((now, hint));
                bit = hint;
            }
            let push = given.iter().find(|(cycle, _)| *cycle == now);
            sender.clock(push.is_some(), push.map_or(0, |push| push.1), true);
        }
        let read = words(&changes);
        let addresses: Vec<Option<u16>> = read.iter().map(|word| word.address).collect();
        assert_eq!(addresses, given.map(|(_, address)| Some(address)));
        assert!(read.windows(2).all(|pair| pair[0].end <= pair[1].start), "{read:?}");
        assert_eq!((read[0].start, read[0].end), (4, 22));
    }

    #[test]
    fn a_word_whose_parity_is_wrong_is_none() {
        assert_eq!(words(&[(5, true), (7, false)]), [HintWord { start: 5, end: 23, address: None }]);
        assert_eq!(words(&[]), []);
    }
}
