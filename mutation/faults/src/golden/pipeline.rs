//! Faults of the golden model in what stands between the stages of the pipeline: routes, picks, grants, early release, choice of the
//! output VC.

use super::{GoldenFault, golden_fault, spoilt};
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
    golden_fault("route_register", "a packet to be dropped has a way", |config| {
        route(config, |before, after| {
            if after.current.drop && before.current.valid {
                after.current.adaptive = before.current.adaptive;
            }
        })
    }),
    golden_fault("route_register", "the VCs of a packet stand still while it waits", |config| {
        route(config, |before, after| {
            if before.current.valid && after.current.valid {
                after.current.adaptive_vcs = before.current.adaptive_vcs;
            }
        })
    }),
    golden_fault("route_register", "the sets of a packet stand still while it waits", |config| {
        route(config, |before, after| {
            if before.current.valid && after.current.valid && !before.current.drop {
                after.current.deterministic = before.current.deterministic;
            }
        })
    }),
    golden_fault("route_register", "a packet is dropped without being shown", |config| {
        route(config, |_, after| after.current.valid &= !after.current.drop)
    }),
    golden_fault("route_register", "a packet without a VC of D asks for no port of it", |config| {
        route(config, |_, after| {
            if after.current.deterministic_vcs == 0 {
                after.current.deterministic = 0;
            }
        })
    }),
    golden_fault("allocator", "an input port that has a packet accepted picks none", |config| {
        allocator(config, |_, after| {
            for (picked, &accept) in after.picked.vc.iter_mut().zip(&after.granted.accept) {
                if accept != 0 {
                    *picked = 0;
                }
            }
        })
    }),
    golden_fault("allocator", "a packet to be dropped asks for a port", |config| {
        allocator(config, |_, after| {
            if after.picked.drop & 1 == 1 {
                after.picked.wish[0] |= after.selectors[0].choice;
            }
        })
    }),
    golden_fault("allocator", "no pick is ever overdue", |config| {
        allocator(config, |_, after| {
            after.picked.stale = after.granted.served;
            for (i, wish) in after.picked.wish.iter_mut().enumerate() {
                *wish *= u64::from(after.picked.stale >> i & 1 == 0);
            }
        })
    }),
    golden_fault("allocator", "a stale pick asks for its port", |config| {
        allocator(config, |_, after| {
            for i in (0..after.picked.vc.len()).filter(|i| after.picked.stale >> i & 1 == 1) {
                let row = i * after.selectors.len() / after.picked.vc.len();
                let vc = after.picked.vc[i].trailing_zeros() as usize;
                after.picked.wish[i] |= after.selectors.get(row + vc).map_or(0, |selector| selector.choice);
            }
        })
    }),
    golden_fault("allocator", "a pick without a packet is never stale", |config| {
        allocator(config, |_, after| {
            let picked = after.picked.vc.iter().enumerate().filter(|(_, row)| **row != 0);
            after.picked.stale &= picked.fold(0, |ports, (i, _)| ports | 1 << i);
        })
    }),
    golden_fault("allocator", "a packet that is dropped does not count as served", |config| {
        allocator(config, |_, after| after.granted.served &= !after.granted.drop)
    }),
    golden_fault("allocator", "the granted port is ready if the one before was", |config| {
        allocator(config, |before, after| after.granted.ready = before.granted.ready)
    }),
    golden_fault("allocator", "a packet that is dropped is granted a port", |config| {
        allocator(config, |_, after| {
            if after.granted.drop & 2 == 2 {
                after.granted.grant[1] |= 1;
            }
        })
    }),
    golden_fault("allocator", "a grant of P allows the VCs of the grant before", |config| {
        allocator(config, |before, after| {
            if after.granted.adaptive & 4 == 4 {
                after.granted.vcs[2] = before.granted.vcs[2];
            }
        })
    }),
    golden_fault("allocator", "what has been missed is forgotten with a pick", |config| {
        allocator(config, |_, after| {
            if after.picked.vc[0] & 1 == 1 {
                after.missed[0] = 0;
            }
        })
    }),
    golden_fault("virtual_channel", "the next packet can be taken only behind the tail", |config| {
        channel(config, |_, after| after.can_take &= !after.holding)
    }),
    golden_fault("virtual_channel", "a port that was ready stays so", |config| {
        channel(config, |before, after| {
            if before.port == after.port && before.holding && after.holding {
                after.go |= before.go;
            }
        })
    }),
    golden_fault("virtual_channel", "what is ready is steady", |config| {
        channel(config, |_, after| after.port_steady |= after.go)
    }),
    golden_fault("virtual_channel", "what is dropped waits for a port", |config| {
        channel(config, |_, after| after.go &= !after.dropping)
    }),
    golden_fault("virtual_channel", "the port is forgotten with the tail", |config| {
        channel(config, |_, after| {
            if !after.holding {
                after.port = 0;
            }
        })
    }),
    golden_fault("vc_queue", "a queue that is filled and emptied at once is empty", |config| {
        spoilt(VcQueue::of_flits(config, config.mechanism().sees.buffers), |before: &VcQueue, after: &mut VcQueue| {
            let both = before.write_pointer != after.write_pointer && before.read_pointer != after.read_pointer;
            after.some &= !(both && after.read_next == after.write_pointer);
        })
    }),
    golden_fault("virtual_channel", "every flit but the last is a head flit", |config| {
        channel(config, |_, after| after.first |= after.remaining > 1 && after.holding)
    }),
    golden_fault("input_port", "a packet can be read right behind a tail only", |config| {
        input(config, |_, after| after.can_read &= after.reading == 0)
    }),
    golden_fault("input_port", "a head flit releases its port only as the tail", |config| {
        input(config, |_, after| after.select_release &= !after.select_head)
    }),
    golden_fault("input_port", "flits for the last port are not read for it", |config| {
        input(config, |_, after| after.sent *= u64::from(after.select() >> 7 == 0))
    }),
    golden_fault("crossbar", "the source of a port with no flit stands still", |config| {
        spoilt(Crossbar::new(config), |before: &Crossbar, after: &mut Crossbar| {
            for (p, source) in after.source.iter_mut().enumerate() {
                if after.valid >> p & 1 == 0 {
                    *source = before.source[p];
                }
            }
        })
    }),
    golden_fault("crossbar", "the number of the input port has no bit 1", |config| {
        spoilt(Crossbar::new(config), |_, after: &mut Crossbar| {
            after.source.iter_mut().for_each(|source| *source &= 5);
        })
    }),
    golden_fault("output_port", "a port is open while its VC is chosen", |config| {
        output(config, |before, after| {
            if after.choosing {
                after.open |= before.open;
            }
        })
    }),
    golden_fault("output_port", "without a VC that fits the one before stays", |config| {
        output(config, |before, after| {
            if after.next_vc == 0 {
                after.next_vc = before.next_vc;
            }
        })
    }),
    golden_fault("output_port", "flits change to the next packet's VC once it is chosen", |config| {
        output(config, |before, after| {
            if before.choosing {
                after.current_vc = after.next_vc;
            }
        })
    }),
    golden_fault("output_port", "the oldest hint on its way is skipped", |config| {
        output(config, |_, after| after.hint_early[2] = after.hint_early[1])
    }),
    golden_fault("output_port", "a preferred port is so for two cycles", |config| {
        output(config, |before, after| after.prefer |= before.prefer)
    }),
    golden_fault("route_register", "the packet behind one that goes is as long as that", |config| {
        route(config, |before, after| {
            if before.next.valid && !after.next.valid {
                after.current.length = before.current.length;
            }
        })
    }),
    golden_fault("route_register", "a packet in the second place may go where the first one may", |config| {
        route(config, |before, after| {
            if !before.next.valid && after.next.valid {
                after.next.deterministic = after.current.deterministic;
            }
        })
    }),
    golden_fault("route_register", "a packet that moves up is not dropped", |config| {
        route(config, |before, after| {
            if before.next.valid && !after.next.valid {
                after.current.drop = false;
            }
        })
    }),
    golden_fault("virtual_channel", "a packet that is accepted is as long as the one in the head register", |config| {
        channel(config, |before, after| {
            let is_accepted = !before.holding && after.holding;
            if is_accepted && after.first && after.remaining != 0 {
                after.remaining = before.length;
            }
        })
    }),
    golden_fault("virtual_channel", "the head register is empty only while a header is fetched", |config| {
        channel(config, |before, after| after.head_valid |= before.head_valid && !after.fetching)
    }),
    golden_fault("output_port", "a port is not open while the VC of its packet is chosen", |config| {
        output(config, |_, after| {
            if after.choosing {
                after.open = 0;
            }
        })
    }),
    golden_fault("selector", "no choice follows an accept at once", |config| {
        spoilt(Selector::of(config), |before: &Selector, after: &mut Selector| {
            if before.rrp != after.rrp {
                after.choice = 0;
            }
        })
    }),
];
