//! Faults of network interfaces and of links in the golden model.

use super::{GoldenFault, golden_fault, spoilt};
use powar_golden::reference::links::LinkStage;
use powar_golden::reference::network_interface::*;

pub(super) const FAULTS: &[GoldenFault] = &[
    golden_fault("header_queue", "an entry that comes is lost", |config| {
        spoilt(HeaderQueue::new(config), |before, after: &mut HeaderQueue| {
            if before.fetching {
                after.entry = before.entry;
            }
        })
    }),
    golden_fault("header_queue", "the head register is never free", |config| {
        spoilt(HeaderQueue::new(config), |before, after: &mut HeaderQueue| after.valid |= before.valid)
    }),
    golden_fault("packet_queue", "a packet that is given up keeps its places", |config| {
        spoilt(PacketQueue::new(config), |before, after: &mut PacketQueue| {
            if after.place == before.base && before.place != before.base {
                after.place = before.place;
            }
        })
    }),
    golden_fault("packet_queue", "the packet under way begins with each beat", |config| {
        spoilt(PacketQueue::new(config), |_, after: &mut PacketQueue| after.base = after.place)
    }),
    golden_fault("injection_queues", "the destination of the last beat counts", |config| {
        spoilt(InjectionQueues::new(config), |before, after: &mut InjectionQueues| {
            after.opening |= before.opening && !after.beat_last;
        })
    }),
    golden_fault("injection_queues", "a packet is spoilt for ever", |config| {
        spoilt(InjectionQueues::new(config), |before, after: &mut InjectionQueues| after.spoilt |= before.spoilt)
    }),
    golden_fault("injection", "the virtual channel that has sent goes first again", |config| {
        spoilt(Injection::new(config), |before, after: &mut Injection| after.pointer = before.pointer)
    }),
    golden_fault("injection", "credits count a cycle early", |config| {
        spoilt(Injection::new(config), |before, after: &mut Injection| {
            if after.returned_valid && !before.returned_valid && after.returned_vc == 0 {
                after.credits[0] += 1;
            }
        })
    }),
    golden_fault("injection", "the hint is a cycle early", |config| {
        spoilt(Injection::new(config), |_, after: &mut Injection| after.out_hint = after.hint_early)
    }),
    golden_fault("reception", "a damaged packet is told once only", |config| {
        spoilt(Reception::new(config), |_, after: &mut Reception| after.damaged = false)
    }),
    golden_fault("reception", "a packet counts as complete with its head flit", |config| {
        spoilt(Reception::new(config), |before, after: &mut Reception| {
            if before.arriving[0] == 0 && after.arriving[0] != 0 {
                after.whole[0] += 1;
            }
        })
    }),
    golden_fault("network_interface", "the clear leaves the packets sent", |config| {
        spoilt(NetworkInterface::new(config), |before, after: &mut NetworkInterface| {
            if before.statistics[0] != 0 && after.statistics.iter().all(|&count| count == 0) {
                after.statistics[0] = before.statistics[0];
            }
        })
    }),
    golden_fault("link_stage", "credits skip a stage", |config| {
        spoilt(LinkStage::new(config), |_, after: &mut LinkStage| after.back[1] = after.back[0])
    }),
];
