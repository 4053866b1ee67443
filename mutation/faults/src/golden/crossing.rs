//! Faults of links between two clocks in the golden model.

use super::{GoldenFault, golden_fault, spoilt};
use powar_golden::reference::links::*;

pub(super) const FAULTS: &[GoldenFault] = &[
    golden_fault("gray_counter", "the code is the number", |config| {
        spoilt(GrayCounter::new(crossing_pointer_bits(config)), |_, after: &mut GrayCounter| {
            after.gray = after.count;
        })
    }),
    golden_fault("synchroniser", "there is one flip-flop", |config| {
        spoilt(Synchroniser::new(crossing_pointer_bits(config)), |_, after: &mut Synchroniser| {
            after.second = after.first;
        })
    }),
    golden_fault("crossing_sender", "the virtual channel that has given goes first again", |config| {
        spoilt(CrossingSender::new(config), |before, after: &mut CrossingSender| after.pointer = before.pointer)
    }),
    golden_fault("crossing_sender", "a phase is told again and again", |config| {
        spoilt(CrossingSender::new(config), |before, after: &mut CrossingSender| {
            after.told_phase = before.told_phase;
        })
    }),
    golden_fault("crossing_sender", "a lost flit is told once only", |config| {
        spoilt(CrossingSender::new(config), |before, after: &mut CrossingSender| {
            after.overflow_error &= !before.overflow_error;
        })
    }),
    golden_fault("crossing_receiver", "what was told before a reset is told after it", |config| {
        spoilt(CrossingReceiver::new(config), |before, after: &mut CrossingReceiver| after.told |= before.told)
    }),
    golden_fault("link_crossing", "entries are seen an edge early", |config| {
        spoilt(LinkCrossing::new(config), |_, after: &mut LinkCrossing| {
            after.receiver.written.second = after.receiver.written.first;
        })
    }),
    golden_fault("link_crossing", "a credit stays on the link until the next", |config| {
        spoilt(LinkCrossing::new(config), |before, after: &mut LinkCrossing| {
            if before.sender.given == after.sender.given {
                after.sender.credit.credit_valid = before.sender.credit.credit_valid;
            }
        })
    }),
    golden_fault("link_crossing", "the phase is on the link before its entry", |config| {
        spoilt(LinkCrossing::new(config), |before, after: &mut LinkCrossing| {
            after.receiver.told |= before.receiver.fetches().is_some() || after.receiver.fetches().is_some();
        })
    }),
];
