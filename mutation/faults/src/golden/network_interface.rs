//! Faults of network interfaces and of links in the golden model.

use super::{GoldenFault, spoilt};
use powar_golden::reference::links::LinkStage;
use powar_golden::reference::network_interface::*;

pub(super) const FAULTS: &[GoldenFault] = &[
    GoldenFault {
        name: "an entry that comes is lost",
        block: "header_queue",
        build: |config| {
            spoilt(HeaderQueue::new(config), |before, after: &mut HeaderQueue| {
                if before.fetching {
                    after.entry = before.entry;
                }
            })
        },
    },
    GoldenFault {
        name: "the head register is never free",
        block: "header_queue",
        build: |config| spoilt(HeaderQueue::new(config), |before, after: &mut HeaderQueue| after.valid |= before.valid),
    },
    GoldenFault {
        name: "a packet that is given up keeps its places",
        block: "packet_queue",
        build: |config| {
            spoilt(PacketQueue::new(config), |before, after: &mut PacketQueue| {
                if after.place == before.base && before.place != before.base {
                    after.place = before.place;
                }
            })
        },
    },
    GoldenFault {
        name: "the packet under way begins with each beat",
        block: "packet_queue",
        build: |config| spoilt(PacketQueue::new(config), |_, after: &mut PacketQueue| after.base = after.place),
    },
    GoldenFault {
        name: "the destination of the last beat counts",
        block: "injection_queues",
        build: |config| {
            spoilt(InjectionQueues::new(config), |before, after: &mut InjectionQueues| {
                after.opening |= before.opening && !after.beat_last;
            })
        },
    },
    GoldenFault {
        name: "a packet is spoilt for ever",
        block: "injection_queues",
        build: |config| {
            spoilt(InjectionQueues::new(config), |before, after: &mut InjectionQueues| after.spoilt |= before.spoilt)
        },
    },
    GoldenFault {
        name: "the virtual channel that has sent goes first again",
        block: "injection",
        build: |config| spoilt(Injection::new(config), |before, after: &mut Injection| after.pointer = before.pointer),
    },
    GoldenFault {
        name: "credits count a cycle early",
        block: "injection",
        build: |config| {
            spoilt(Injection::new(config), |before, after: &mut Injection| {
                if after.returned_valid && !before.returned_valid && after.returned_vc == 0 {
                    after.credits[0] += 1;
                }
            })
        },
    },
    GoldenFault {
        name: "the hint is a cycle early",
        block: "injection",
        build: |config| spoilt(Injection::new(config), |_, after: &mut Injection| after.out_hint = after.hint_early),
    },
    GoldenFault {
        name: "a damaged packet is told once only",
        block: "reception",
        build: |config| spoilt(Reception::new(config), |_, after: &mut Reception| after.damaged = false),
    },
    GoldenFault {
        name: "a packet counts as complete with its head flit",
        block: "reception",
        build: |config| {
            spoilt(Reception::new(config), |before, after: &mut Reception| {
                if before.arriving[0] == 0 && after.arriving[0] != 0 {
                    after.whole[0] += 1;
                }
            })
        },
    },
    GoldenFault {
        name: "the clear leaves the packets sent",
        block: "network_interface",
        build: |config| {
            spoilt(NetworkInterface::new(config), |before, after: &mut NetworkInterface| {
                if before.statistics[0] != 0 && after.statistics.iter().all(|&count| count == 0) {
                    after.statistics[0] = before.statistics[0];
                }
            })
        },
    },
    GoldenFault {
        name: "credits skip a stage",
        block: "link_stage",
        build: |config| spoilt(LinkStage::new(config), |_, after: &mut LinkStage| after.back[1] = after.back[0]),
    },
];
