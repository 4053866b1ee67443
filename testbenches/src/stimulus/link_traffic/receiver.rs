//! The buffers behind an output port: takes its flits, gives credits back.

use super::options::{Disturbances, Receivers};
use crate::random::Random;

/// The buffers behind one output port.
#[derive(Clone, Debug)]
pub(super) struct Receiver {
    /// Flits in the buffer of each virtual channel.
    buffered: Vec<u32>,
    stalled: bool,
}

impl Receiver {
    pub(super) fn new(vcs: usize) -> Self {
        Receiver { buffered: vec![0; vcs], stalled: false }
    }

    /// Forgets everything: a reset.
    pub(super) fn reset(&mut self) {
        *self = Receiver::new(self.buffered.len());
    }

    /// Takes the flit that was on the link in the cycle before.
    pub(super) fn take(&mut self, vc: u64) {
        if let Some(buffered) = self.buffered.get_mut(vc as usize) {
            *buffered += 1;
        }
    }

    /// The virtual channel of the credit to be returned in this cycle.
    pub(super) fn credit(&mut self, rate: &Receivers, disturbances: &Disturbances, random: &mut Random) -> Option<u64> {
        if random.one_in(disturbances.false_credit) {
            return Some(random.below(8));
        }
        self.stalled ^= random.one_in(if self.stalled { rate.resume } else { rate.stall });
        if self.stalled || rate.drain < 1.0 && !random.chance(rate.drain) {
            return None;
        }
        let waiting = self.buffered.iter().enumerate().filter(|(_, buffered)| **buffered != 0);
        let waiting = waiting.fold(0u64, |mask, (vc, _)| mask | 1 << vc);
        (waiting != 0).then(|| {
            let vc = random.bit_of(waiting);
            self.buffered[vc] -= 1;
            vc as u64
        })
    }
}
