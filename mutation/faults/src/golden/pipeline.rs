//! Faults of the golden model in what stands between the stages of the pipeline: routes, picks, grants, early release, choice of the
//! output VC.

use super::{GoldenFault, spoilt};
use powar_config::{Config, CycleModel};
use powar_golden::reference::allocation::*;
use powar_golden::reference::buffers::*;
use powar_golden::reference::links::*;
use powar_golden::reference::routing::RouteRegister;

fn route(config: &Config, spoil: fn(&RouteRegister, &mut RouteRegister)) -> Box<dyn CycleModel + Send> {
    spoilt(RouteRegister::new(config), spoil)
}

fn allocator(config: &Config, spoil: fn(&Allocator, &mut Allocator)) -> Box<dyn CycleModel + Send> {
    spoilt(Allocator::new(config, config.mechanism().sees), spoil)
}

fn channel(config: &Config, spoil: fn(&VirtualChannel, &mut VirtualChannel)) -> Box<dyn CycleModel + Send> {
    spoilt(VirtualChannel::new(config, config.mechanism().sees), spoil)
}

fn input(config: &Config, spoil: fn(&InputPort, &mut InputPort)) -> Box<dyn CycleModel + Send> {
    spoilt(InputPort::new(config, config.mechanism().sees), spoil)
}

fn output(config: &Config, spoil: fn(&OutputPort, &mut OutputPort)) -> Box<dyn CycleModel + Send> {
    spoilt(OutputPort::new(config, config.mechanism().sees), spoil)
}

pub(super) const FAULTS: &[GoldenFault] = &[
    GoldenFault {
        name: "a packet to be dropped has a way",
        block: "route_register",
        build: |config| {
            route(config, |before, after| {
                if after.current.drop && before.current.valid {
                    after.current.adaptive = before.current.adaptive;
                }
            })
        },
    },
    GoldenFault {
        name: "the VCs of a packet stand still while it waits",
        block: "route_register",
        build: |config| {
            route(config, |before, after| {
                if before.current.valid && after.current.valid {
                    after.current.adaptive_vcs = before.current.adaptive_vcs;
                }
            })
        },
    },
    GoldenFault {
        name: "the sets of a packet stand still while it waits",
        block: "route_register",
        build: |config| {
            route(config, |before, after| {
                if before.current.valid && after.current.valid && !before.current.drop {
                    after.current.deterministic = before.current.deterministic;
                }
            })
        },
    },
    GoldenFault {
        name: "a packet is dropped without being shown",
        block: "route_register",
        build: |config| route(config, |_, after| after.current.valid &= !after.current.drop),
    },
    GoldenFault {
        name: "a packet without a VC of D asks for no port of it",
        block: "route_register",
        build: |config| {
            route(config, |_, after| {
                if after.current.deterministic_vcs == 0 {
                    after.current.deterministic = 0;
                }
            })
        },
    },
    GoldenFault {
        name: "an input port that has a packet accepted picks none",
        block: "allocator",
        build: |config| {
            allocator(config, |_, after| {
                for (picked, &accept) in after.picked.vc.iter_mut().zip(&after.granted.accept) {
                    if accept != 0 {
                        *picked = 0;
                    }
                }
            })
        },
    },
    GoldenFault {
        name: "a packet to be dropped asks for a port",
        block: "allocator",
        build: |config| {
            allocator(config, |_, after| {
                if after.picked.drop & 1 == 1 {
                    after.picked.wish[0] |= after.selectors[0].choice;
                }
            })
        },
    },
    GoldenFault {
        name: "no pick is ever overdue",
        block: "allocator",
        build: |config| {
            allocator(config, |_, after| {
                after.picked.stale = after.granted.served;
                for (i, wish) in after.picked.wish.iter_mut().enumerate() {
                    *wish *= u64::from(after.picked.stale >> i & 1 == 0);
                }
            })
        },
    },
    GoldenFault {
        name: "a stale pick asks for its port",
        block: "allocator",
        build: |config| {
            allocator(config, |_, after| {
                for i in (0..after.picked.vc.len()).filter(|i| after.picked.stale >> i & 1 == 1) {
                    let row = i * after.selectors.len() / after.picked.vc.len();
                    let vc = after.picked.vc[i].trailing_zeros() as usize;
                    after.picked.wish[i] |= after.selectors.get(row + vc).map_or(0, |selector| selector.choice);
                }
            })
        },
    },
    GoldenFault {
        name: "a pick without a packet is never stale",
        block: "allocator",
        build: |config| {
            allocator(config, |_, after| {
                let picked = after.picked.vc.iter().enumerate().filter(|(_, row)| **row != 0);
                after.picked.stale &= picked.fold(0, |ports, (i, _)| ports | 1 << i);
            })
        },
    },
    GoldenFault {
        name: "a packet that is dropped does not count as served",
        block: "allocator",
        build: |config| allocator(config, |_, after| after.granted.served &= !after.granted.drop),
    },
    GoldenFault {
        name: "the granted port is ready if the one before was",
        block: "allocator",
        build: |config| allocator(config, |before, after| after.granted.ready = before.granted.ready),
    },
    GoldenFault {
        name: "a packet that is dropped is granted a port",
        block: "allocator",
        build: |config| {
            allocator(config, |_, after| {
                if after.granted.drop & 2 == 2 {
                    after.granted.grant[1] |= 1;
                }
            })
        },
    },
    GoldenFault {
        name: "a grant of P allows the VCs of the grant before",
        block: "allocator",
        build: |config| {
            allocator(config, |before, after| {
                if after.granted.adaptive & 4 == 4 {
                    after.granted.vcs[2] = before.granted.vcs[2];
                }
            })
        },
    },
    GoldenFault {
        name: "what has been missed is forgotten with a pick",
        block: "allocator",
        build: |config| {
            allocator(config, |_, after| {
                if after.picked.vc[0] & 1 == 1 {
                    after.missed[0] = 0;
                }
            })
        },
    },
    GoldenFault {
        name: "the next packet can be taken only behind the tail",
        block: "virtual_channel",
        build: |config| channel(config, |_, after| after.can_take &= !after.holding),
    },
    GoldenFault {
        name: "a port that was ready stays so",
        block: "virtual_channel",
        build: |config| {
            channel(config, |before, after| {
                if before.port == after.port && before.holding && after.holding {
                    after.go |= before.go;
                }
            })
        },
    },
    GoldenFault {
        name: "what is ready is steady",
        block: "virtual_channel",
        build: |config| channel(config, |_, after| after.port_steady |= after.go),
    },
    GoldenFault {
        name: "what is dropped waits for a port",
        block: "virtual_channel",
        build: |config| channel(config, |_, after| after.go &= !after.dropping),
    },
    GoldenFault {
        name: "the port is forgotten with the tail",
        block: "virtual_channel",
        build: |config| {
            channel(config, |_, after| {
                if !after.holding {
                    after.port = 0;
                }
            })
        },
    },
    GoldenFault {
        name: "a queue that is filled and emptied at once is empty",
        block: "vc_queue",
        build: |config| {
            spoilt(VcQueue::new(config.switch.vc_depth()), |before: &VcQueue, after: &mut VcQueue| {
                let both = before.write_pointer != after.write_pointer && before.read_pointer != after.read_pointer;
                after.some &= !(both && after.count == 1);
            })
        },
    },
    GoldenFault {
        name: "every flit but the last is a head flit",
        block: "virtual_channel",
        build: |config| channel(config, |_, after| after.first |= after.remaining > 1 && after.holding),
    },
    GoldenFault {
        name: "a packet can be read right behind a tail only",
        block: "input_port",
        build: |config| input(config, |_, after| after.can_read &= after.reading == 0),
    },
    GoldenFault {
        name: "a head flit releases its port only as the tail",
        block: "input_port",
        build: |config| input(config, |_, after| after.select_release &= !after.select_head),
    },
    GoldenFault {
        name: "flits for the last port are not read for it",
        block: "input_port",
        build: |config| input(config, |_, after| after.sent *= u64::from(after.select() >> 7 == 0)),
    },
    GoldenFault {
        name: "the source of a port with no flit stands still",
        block: "crossbar",
        build: |config| {
            spoilt(Crossbar::new(config), |before: &Crossbar, after: &mut Crossbar| {
                for (p, source) in after.source.iter_mut().enumerate() {
                    if after.valid >> p & 1 == 0 {
                        *source = before.source[p];
                    }
                }
            })
        },
    },
    GoldenFault {
        name: "the number of the input port has no bit 1",
        block: "crossbar",
        build: |config| {
            spoilt(Crossbar::new(config), |_, after: &mut Crossbar| {
                after.source.iter_mut().for_each(|source| *source &= 5);
            })
        },
    },
    GoldenFault {
        name: "a port is open while its VC is chosen",
        block: "output_port",
        build: |config| {
            output(config, |before, after| {
                if after.choosing {
                    after.open |= before.open;
                }
            })
        },
    },
    GoldenFault {
        name: "without a VC that fits the one before stays",
        block: "output_port",
        build: |config| {
            output(config, |before, after| {
                if after.next_vc == 0 {
                    after.next_vc = before.next_vc;
                }
            })
        },
    },
    GoldenFault {
        name: "flits change to the next packet's VC once it is chosen",
        block: "output_port",
        build: |config| {
            output(config, |before, after| {
                if before.choosing {
                    after.current_vc = after.next_vc;
                }
            })
        },
    },
    GoldenFault {
        name: "the oldest hint on its way is skipped",
        block: "output_port",
        build: |config| output(config, |_, after| after.hint_early[2] = after.hint_early[1]),
    },
    GoldenFault {
        name: "a preferred port is so for two cycles",
        block: "output_port",
        build: |config| output(config, |before, after| after.prefer |= before.prefer),
    },
    GoldenFault {
        name: "the packet behind one that goes is as long as that",
        block: "route_register",
        build: |config| {
            route(config, |before, after| {
                if before.next.valid && !after.next.valid {
                    after.current.length = before.current.length;
                }
            })
        },
    },
    GoldenFault {
        name: "a packet in the second place may go where the first one may",
        block: "route_register",
        build: |config| {
            route(config, |before, after| {
                if !before.next.valid && after.next.valid {
                    after.next.deterministic = after.current.deterministic;
                }
            })
        },
    },
    GoldenFault {
        name: "a packet that moves up is not dropped",
        block: "route_register",
        build: |config| {
            route(config, |before, after| {
                if before.next.valid && !after.next.valid {
                    after.current.drop = false;
                }
            })
        },
    },
    GoldenFault {
        name: "a packet that is accepted is as long as the one in the head register",
        block: "virtual_channel",
        build: |config| {
            channel(config, |before, after| {
                let is_accepted = !before.holding && after.holding;
                if is_accepted && after.first && after.remaining != 0 {
                    after.remaining = before.length;
                }
            })
        },
    },
    GoldenFault {
        name: "the head register is empty only while a header is fetched",
        block: "virtual_channel",
        build: |config| channel(config, |before, after| after.head_valid |= before.head_valid && !after.fetching),
    },
    GoldenFault {
        name: "a port is not open while the VC of its packet is chosen",
        block: "output_port",
        build: |config| {
            output(config, |_, after| {
                if after.choosing {
                    after.open = 0;
                }
            })
        },
    },
    GoldenFault {
        name: "no choice follows an accept at once",
        block: "selector",
        build: |config| {
            spoilt(Selector::of(config), |before: &Selector, after: &mut Selector| {
                if before.rrp != after.rrp {
                    after.choice = 0;
                }
            })
        },
    },
];
