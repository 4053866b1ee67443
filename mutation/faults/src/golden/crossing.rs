//! Faults of links between two clocks in the golden model.

use super::{GoldenFault, spoilt};
use powar_golden::reference::links::*;

pub(super) const FAULTS: &[GoldenFault] = &[
    GoldenFault {
        name: "the code is the number",
        block: "gray_counter",
        build: |config| {
            spoilt(GrayCounter::new(crossing_pointer_bits(config)), |_, after: &mut GrayCounter| {
                after.gray = after.count;
            })
        },
    },
    GoldenFault {
        name: "there is one flip-flop",
        block: "synchroniser",
        build: |config| {
            spoilt(Synchroniser::new(crossing_pointer_bits(config)), |_, after: &mut Synchroniser| {
                after.second = after.first;
            })
        },
    },
    GoldenFault {
        name: "the virtual channel that has given goes first again",
        block: "crossing_sender",
        build: |config| {
            spoilt(CrossingSender::new(config), |before, after: &mut CrossingSender| after.pointer = before.pointer)
        },
    },
    GoldenFault {
        name: "a phase is told again and again",
        block: "crossing_sender",
        build: |config| {
            spoilt(CrossingSender::new(config), |before, after: &mut CrossingSender| {
                after.told_phase = before.told_phase;
            })
        },
    },
    GoldenFault {
        name: "a lost flit is told once only",
        block: "crossing_sender",
        build: |config| {
            spoilt(CrossingSender::new(config), |before, after: &mut CrossingSender| {
                after.overflow_error &= !before.overflow_error;
            })
        },
    },
    GoldenFault {
        name: "what was told before a reset is told after it",
        block: "crossing_receiver",
        build: |config| {
            spoilt(CrossingReceiver::new(config), |before, after: &mut CrossingReceiver| after.told |= before.told)
        },
    },
    GoldenFault {
        name: "entries are seen an edge early",
        block: "link_crossing",
        build: |config| {
            spoilt(LinkCrossing::new(config), |_, after: &mut LinkCrossing| {
                after.receiver.written.second = after.receiver.written.first;
            })
        },
    },
    GoldenFault {
        name: "a credit stays on the link until the next",
        block: "link_crossing",
        build: |config| {
            spoilt(LinkCrossing::new(config), |before, after: &mut LinkCrossing| {
                if before.sender.given == after.sender.given {
                    after.sender.credit.credit_valid = before.sender.credit.credit_valid;
                }
            })
        },
    },
    GoldenFault {
        name: "the phase is on the link before its entry",
        block: "link_crossing",
        build: |config| {
            spoilt(LinkCrossing::new(config), |before, after: &mut LinkCrossing| {
                after.receiver.told |= before.receiver.fetches().is_some() || after.receiver.fetches().is_some();
            })
        },
    },
];
