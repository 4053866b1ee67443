//! Breadth-first search from many switches at a time.

use crate::topology::wiring::{End, Wiring};
use std::ops::Range;

/// Searches that go on side by side: a bit each of a word (Then et al., *The more the merrier: efficient multi-source graph traversal*, VLDB 2014).
pub(super) const LANES: usize = u64::BITS as usize;

/// No way: more links than there are switches.
pub(super) const NONE: u16 = u16::MAX;

/// Of a switch: its links to where each search began.
pub(super) type Lanes = [u16; LANES];

/// The switches beside each, without those at parallel cables again.
pub(super) struct Neighbours {
    /// Where those of each switch begin, and where the last's end.
    starts: Vec<usize>,
    all: Vec<u32>,
}

impl Neighbours {
    pub fn of(wiring: &Wiring) -> Neighbours {
        let (mut starts, mut all) = (vec![0], vec![]);
        for ends in &wiring.ends {
            let switch = |end: &End| if let End::Switch { switch, .. } = *end { Some(switch) } else { None };
            let mut neighbours: Vec<u32> = ends.iter().filter_map(switch).collect();
            neighbours.sort_unstable();
            neighbours.dedup();
            all.extend(neighbours);
            starts.push(all.len());
        }
        Neighbours { starts, all }
    }

    pub fn switches(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn at(&self, switch: usize) -> &[u32] {
        &self.all[self.starts[switch]..self.starts[switch + 1]]
    }

    /// All switches, [`LANES`] at a time.
    pub fn blocks(&self) -> impl Iterator<Item = Range<usize>> {
        let switches = self.switches();
        (0..switches).step_by(LANES).map(move |first| first..switches.min(first + LANES))
    }

    /// Links from every switch to each of some, [`LANES`] at most, over links that may be taken from the latter on; [`NONE`] if there is no way.
    pub fn search(&self, from: Range<usize>, links: &mut [Lanes], may: impl Fn(usize, usize) -> bool) {
        links.fill([NONE; LANES]);
        let (mut reached, mut next) = (vec![0u64; self.switches()], vec![0u64; self.switches()]);
        // Switches that some searches have just come to, and which ones.
        let mut front: Vec<(u32, u64)> =
            from.clone().zip(0..).map(|(switch, lane)| (switch as u32, 1 << lane)).collect();
        for (lane, switch) in from.enumerate() {
            reached[switch] = 1 << lane;
            links[switch][lane] = 0;
        }
        let mut distance = 0;
        while !front.is_empty() {
            distance += 1;
            let mut met = vec![];
            for &(switch, lanes) in &front {
                for &beside in self.at(switch as usize) {
                    let new = lanes & !reached[beside as usize];
                    if new != 0 && may(switch as usize, beside as usize) {
                        if next[beside as usize] == 0 {
                            met.push(beside);
                        }
                        next[beside as usize] |= new;
                    }
                }
            }
            front.clear();
            for switch in met {
                let lanes = std::mem::take(&mut next[switch as usize]);
                reached[switch as usize] |= lanes;
                front.push((switch, lanes));
                let mut left = lanes;
                while left != 0 {
                    links[switch as usize][left.trailing_zeros() as usize] = distance;
                    left &= left - 1;
                }
            }
        }
    }
}
