//! Faults of the switch's blocks in the golden model.

use super::{GoldenFault, spoilt};
use powar_config::{Config, CycleModel};
use powar_golden::lock_step::LockStep;
use powar_golden::reference::allocation::*;
use powar_golden::reference::arbiters::*;
use powar_golden::reference::buffers::*;
use powar_golden::reference::links::*;
use powar_golden::reference::registers::*;
use powar_golden::reference::routing::{Route, RoutingBlock, RoutingInputs, RoutingTable, RoutingUnit, TableLoader};
use std::sync::Arc;

/// A routing unit that is put wrong.
#[derive(Debug)]
struct WrongWay {
    unit: Arc<dyn RoutingUnit>,
    /// Gets the route and what the unit sees.
    spoil: fn(&mut Route, &RoutingInputs),
}

impl RoutingUnit for WrongWay {
    fn name(&self) -> &'static str {
        self.unit.name()
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        let mut route = self.unit.route(inputs);
        (self.spoil)(&mut route, inputs);
        route
    }
}

pub(super) fn routing(config: &Config, spoil: fn(&mut Route, &RoutingInputs)) -> Box<dyn CycleModel + Send> {
    let mut block = RoutingBlock::new(config).expect("a routing unit is tried in its own network");
    block.unit = Arc::new(WrongWay { unit: block.unit, spoil });
    Box::new(LockStep::new(block))
}

/// A routing unit that sees something else than there is.
#[derive(Debug)]
struct WrongSight {
    unit: Arc<dyn RoutingUnit>,
    /// Gets what the unit sees, but for the occupancies; and those.
    spoil: fn(&mut RoutingInputs, &mut [u64]),
}

impl RoutingUnit for WrongSight {
    fn name(&self) -> &'static str {
        self.unit.name()
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        let (mut inputs, mut occupancy) = (*inputs, inputs.occupancy.to_vec());
        (self.spoil)(&mut inputs, &mut occupancy);
        self.unit.route(&RoutingInputs { occupancy: &occupancy, ..inputs })
    }
}

pub(super) fn asked_otherwise(
    config: &Config,
    spoil: fn(&mut RoutingInputs, &mut [u64]),
) -> Box<dyn CycleModel + Send> {
    let mut block = RoutingBlock::new(config).expect("a routing unit is tried in its own network");
    block.unit = Arc::new(WrongSight { unit: block.unit, spoil });
    Box::new(LockStep::new(block))
}

fn queue(config: &Config, spoil: fn(&VcQueue, &mut VcQueue)) -> Box<dyn CycleModel + Send> {
    spoilt(VcQueue::new(config.switch.vc_depth()), spoil)
}

fn channel(config: &Config, spoil: fn(&VirtualChannel, &mut VirtualChannel)) -> Box<dyn CycleModel + Send> {
    spoilt(VirtualChannel::new(config, config.mechanism().sees), spoil)
}

fn credits(config: &Config, spoil: fn(&CreditCounter, &mut CreditCounter)) -> Box<dyn CycleModel + Send> {
    spoilt(CreditCounter::new(config, config.mechanism().sees), spoil)
}

fn output(config: &Config, spoil: fn(&OutputPort, &mut OutputPort)) -> Box<dyn CycleModel + Send> {
    spoilt(OutputPort::new(config, config.mechanism().sees), spoil)
}

fn bus(config: &Config, spoil: fn(&RegisterBus, &mut RegisterBus)) -> Box<dyn CycleModel + Send> {
    spoilt(RegisterBus::new(config), spoil)
}

pub(super) const FAULTS: &[GoldenFault] = &[
    GoldenFault {
        name: "the write pointer skips the last place",
        block: "vc_queue",
        build: |config| {
            queue(config, |before, after| {
                if after.write_pointer == 19 && before.write_pointer == 18 {
                    after.write_pointer = 0;
                }
            })
        },
    },
    GoldenFault {
        name: "push and pop in one cycle lose an entry",
        block: "vc_queue",
        build: |config| {
            queue(config, |before, after| {
                let moved = |old, new| old != new;
                if moved(before.write_pointer, after.write_pointer) && moved(before.read_pointer, after.read_pointer) {
                    after.count = before.count.wrapping_sub(1) & 0x1fff;
                }
            })
        },
    },
    GoldenFault {
        name: "the tail frees the VC of the next packet",
        block: "virtual_channel",
        build: |config| {
            channel(config, |before, after| {
                if before.holding && before.remaining == 1 && after.first {
                    after.holding = false;
                }
            })
        },
    },
    GoldenFault {
        name: "a dropped packet keeps the last port",
        block: "virtual_channel",
        build: |config| {
            channel(config, |before, after| {
                if after.dropping && after.port == 0 {
                    after.port = before.port;
                }
            })
        },
    },
    GoldenFault {
        name: "the fetched header comes at once",
        block: "virtual_channel",
        build: |config| channel(config, |_, after| after.head_valid |= after.fetching),
    },
    GoldenFault {
        name: "a malformed packet takes the flits of its length",
        block: "virtual_channel",
        build: |config| {
            channel(config, |before, after| {
                if after.malformed && before.length > 1 && after.length == 1 {
                    after.length = before.length;
                }
            })
        },
    },
    GoldenFault {
        name: "the pointer moves with every tail",
        block: "input_port",
        build: |config| {
            spoilt(InputPort::new(config, config.mechanism().sees), |before: &InputPort, after: &mut InputPort| {
                if before.reading != 0 && after.reading == 0 {
                    after.pointer = before.reading;
                }
            })
        },
    },
    GoldenFault {
        name: "a dropped flit gives no credit",
        block: "input_port",
        build: |config| {
            spoilt(InputPort::new(config, config.mechanism().sees), |before: &InputPort, after: &mut InputPort| {
                if before.vcs[usize::from(after.in_credit_vc)].dropping {
                    after.in_credit_valid = false;
                }
            })
        },
    },
    GoldenFault {
        name: "the VC arbiter's pointer stands on the pick",
        block: "vc_arbiter",
        build: |config| {
            spoilt(VcArbiter::new(config.switch.vcs), |before: &VcArbiter, after: &mut VcArbiter| {
                if before.pointer != after.pointer {
                    after.pointer = before.pointer;
                }
            })
        },
    },
    GoldenFault {
        name: "a selector's pointer moves without a grant",
        block: "allocator",
        build: |config| {
            spoilt(Allocator::new(config, config.mechanism().sees), |_, after: &mut Allocator| {
                let chosen = &mut after.selectors[5];
                if chosen.choice_adaptive {
                    chosen.rrp = chosen.choice;
                }
            })
        },
    },
    GoldenFault {
        name: "no head flit goes to the last output port",
        block: "crossbar",
        build: |config| spoilt(Crossbar::new(config), |_, after: &mut Crossbar| after.head &= 0x7f),
    },
    GoldenFault {
        name: "a credit beside a flit is lost",
        block: "credit_counter",
        build: |config| {
            credits(config, |before, after| {
                if before.credits == after.credits && after.credits == 10 {
                    after.credits -= 1;
                }
            })
        },
    },
    GoldenFault {
        name: "the last credit is never used",
        block: "credit_counter",
        build: |config| credits(config, |_, after| after.credits = after.credits.max(1)),
    },
    GoldenFault {
        name: "the phase is a cycle early on the link",
        block: "output_port",
        build: |config| output(config, |_, after| after.out_phase = after.phase_early[2]),
    },
    GoldenFault {
        name: "the hint does not reach the link",
        block: "output_port",
        build: |config| output(config, |_, after| after.out_hint = false),
    },
    GoldenFault {
        name: "the phase on the link has 2 bits",
        block: "output_port",
        build: |config| output(config, |_, after| after.phase_early[0] &= 3),
    },
    GoldenFault {
        name: "a flit without VC stays on the last one",
        block: "output_port",
        build: |config| {
            output(config, |before, after| {
                if !after.out_valid {
                    after.out_vc = before.out_vc;
                }
            })
        },
    },
    GoldenFault {
        name: "the output VC goes by VC 0 first",
        block: "output_port",
        build: |config| output(config, |_, after| after.vc_allocator.pointer = 1),
    },
    GoldenFault {
        name: "an answer is SLVERR until the next",
        block: "register_bus",
        build: |config| {
            bus(config, |before, after| {
                if before.bvalid && !after.bvalid {
                    after.bresp = 2;
                }
            })
        },
    },
    GoldenFault {
        name: "an address that waits is forgotten",
        block: "register_bus",
        build: |config| bus(config, |_, after| after.held.aw_waits = false),
    },
    GoldenFault {
        name: "all strobes of a word that waits are there",
        block: "register_bus",
        build: |config| {
            bus(config, |_, after| {
                if after.held.w_waits {
                    after.held.w_strobes = 15;
                }
            })
        },
    },
    GoldenFault {
        name: "a read that waits behind an answer is forgotten",
        block: "register_bus",
        build: |config| {
            bus(config, |before, after| {
                if before.rvalid && after.rvalid {
                    after.held.ar_waits = false;
                }
            })
        },
    },
    GoldenFault {
        name: "the answer to a read comes a cycle early",
        block: "register_bus",
        build: |config| bus(config, |_, after| after.rvalid |= after.reading),
    },
    GoldenFault {
        name: "a word is asked for until it comes",
        block: "register_bus",
        build: |config| bus(config, |before, after| after.read.request |= before.read.request && after.reading),
    },
    GoldenFault {
        name: "the next address is asked for before the answer",
        block: "register_bus",
        build: |config| {
            bus(config, |before, after| {
                if after.reading && before.reading {
                    after.read.address ^= 1;
                }
            })
        },
    },
    GoldenFault {
        name: "the words of the bus are not told from others",
        block: "register_bus",
        build: |config| bus(config, |_, after| after.constant = 0),
    },
    GoldenFault {
        name: "where a word is, is forgotten while none is read",
        block: "register_bus",
        build: |config| bus(config, |_, after| after.exists &= after.reading),
    },
    GoldenFault {
        name: "a refused read shows the last word",
        block: "register_bus",
        build: |config| {
            bus(config, |before, after| {
                if after.rresp == 2 {
                    after.rdata = before.rdata;
                }
            })
        },
    },
    GoldenFault {
        name: "the last node is left out",
        block: "star_routing",
        build: |config| {
            routing(config, |route, inputs| {
                if inputs.destination == 11 {
                    *route = Route::default();
                }
            })
        },
    },
    GoldenFault {
        name: "the last port up is never chosen",
        block: "fat_tree_routing",
        build: |config| routing(config, |route, _| route.adaptive &= 0x7f),
    },
    GoldenFault {
        name: "at the dateline the class is the other",
        block: "torus_routing",
        build: |config| {
            routing(config, |route, inputs| {
                if inputs.position & 3 == 3 && route.adaptive != 0 {
                    route.deterministic_vcs ^= 0b1100;
                }
            })
        },
    },
    GoldenFault {
        name: "nodes never wait for room",
        block: "torus_limited_routing",
        build: |config| asked_otherwise(config, |_, occupancy| occupancy.fill(0)),
    },
    GoldenFault {
        name: "packets from switches wait for room",
        block: "torus_limited_routing",
        build: |config| asked_otherwise(config, |inputs, _| inputs.input_port = 9),
    },
    GoldenFault {
        name: "each port has the room of the next",
        block: "torus_limited_routing",
        build: |config| asked_otherwise(config, |_, occupancy| occupancy.rotate_left(1)),
    },
    GoldenFault {
        name: "the escape is there without room",
        block: "torus_limited_routing",
        build: |config| {
            routing(config, |route, _| {
                if route.deterministic == 0 && route.adaptive_vcs != 0 {
                    route.deterministic = 0b11;
                }
            })
        },
    },
    GoldenFault {
        name: "packets wait for their node",
        block: "torus_limited_routing",
        build: |config| {
            routing(config, |route, inputs| {
                if inputs.input_port >= 8 && inputs.occupancy[8] > 10 {
                    route.deterministic &= 0xff;
                }
            })
        },
    },
    GoldenFault {
        name: "the packet of node 2 goes to node 1",
        block: "mesh_routing",
        build: |config| {
            routing(config, |route, _| {
                if route.deterministic == 1 << 6 {
                    route.deterministic = 1 << 5;
                }
            })
        },
    },
    GoldenFault {
        name: "packets stay on their VC when they come to another group",
        block: "dragonfly_minimal_routing",
        build: |config| {
            routing(config, |route, inputs| {
                if inputs.input_port >= 4 && route.deterministic >> 2 != 0 {
                    route.deterministic_vcs = 1 << inputs.input_vc.min(2);
                }
            })
        },
    },
    GoldenFault {
        name: "D is the spare wavelength",
        block: "boards_routing",
        build: |config| {
            routing(config, |route, _| {
                if route.adaptive != 0 {
                    route.deterministic = route.adaptive & route.adaptive.wrapping_neg();
                }
            })
        },
    },
    GoldenFault {
        name: "wavelengths are counted the other way round",
        block: "boards_routing",
        build: |config| {
            routing(config, |route, _| {
                if route.adaptive != 0 {
                    let spare = route.adaptive.trailing_zeros();
                    route.deterministic = 1 << (2 * spare + 3 - route.deterministic.trailing_zeros());
                }
            })
        },
    },
    GoldenFault {
        name: "between boards there is one VC",
        block: "boards_routing",
        build: |config| routing(config, |route, _| route.adaptive_vcs &= 1),
    },
    GoldenFault {
        name: "half a flit is none: the last bit of an occupancy is lost",
        block: "dragonfly_ugal_routing",
        build: |config| asked_otherwise(config, |_, occupancy| occupancy.iter_mut().for_each(|flits| *flits &= !1)),
    },
    GoldenFault {
        name: "no packet goes round over the last link",
        block: "dragonfly_ugal_routing",
        build: |config| {
            routing(config, |route, _| {
                if route.adaptive.count_ones() > 1 {
                    route.adaptive &= 0x1f;
                }
            })
        },
    },
    GoldenFault {
        name: "ports that do not serve are counted on",
        block: "least_occupied_routing",
        build: |config| asked_otherwise(config, |inputs, _| inputs.serves = u64::MAX),
    },
    GoldenFault {
        name: "the fewest flits are told by 3 bits",
        block: "least_occupied_routing",
        build: |config| asked_otherwise(config, |_, occupancy| occupancy.iter_mut().for_each(|flits| *flits &= 7)),
    },
    GoldenFault {
        name: "the lowest of the emptiest ports only",
        block: "least_occupied_routing",
        build: |config| routing(config, |route, _| route.adaptive &= route.adaptive.wrapping_neg()),
    },
    GoldenFault {
        name: "packets turn back",
        block: "least_occupied_routing",
        build: |config| asked_otherwise(config, |inputs, _| inputs.input_port = 0),
    },
    GoldenFault {
        name: "a way is deterministic by the user's second bit",
        block: "least_occupied_routing",
        build: |config| asked_otherwise(config, |inputs, _| inputs.header >>= 1),
    },
    GoldenFault {
        name: "packets go to the VC of their destination",
        block: "least_occupied_routing",
        build: |config| asked_otherwise(config, |inputs, _| inputs.input_vc = (inputs.destination % 64 % 3) as u8),
    },
    GoldenFault {
        name: "a packet takes the VCs of D with a port of P",
        block: "table_routing",
        build: |config| routing(config, |route, _| route.adaptive_vcs = route.deterministic_vcs),
    },
    GoldenFault {
        name: "nobody waits for room",
        block: "table_limited_routing",
        build: |config| asked_otherwise(config, |_, occupancy| occupancy.fill(0)),
    },
    GoldenFault {
        name: "packets from switches wait for room",
        block: "table_limited_routing",
        build: |config| {
            asked_otherwise(config, |inputs, _| {
                if inputs.to_node != 0 {
                    inputs.input_port = inputs.to_node.trailing_zeros() as u8;
                }
            })
        },
    },
    GoldenFault {
        name: "each port has the room of the next",
        block: "table_limited_routing",
        build: |config| asked_otherwise(config, |_, occupancy| occupancy.rotate_left(1)),
    },
    GoldenFault {
        name: "without room there is no VC either",
        block: "table_limited_routing",
        build: |config| {
            routing(config, |route, _| {
                if route.adaptive == 0 {
                    route.adaptive_vcs = 0;
                }
            })
        },
    },
    GoldenFault {
        name: "a reset leaves which ports lead to nodes",
        block: "table_loader",
        build: |config| {
            spoilt(TableLoader::new(config), |before: &TableLoader, after| {
                if after.word.iter().all(|&word| word == 0) && before.word.iter().any(|&word| word != 0) {
                    after.node_ports.clone_from(&before.node_ports);
                }
            })
        },
    },
    GoldenFault {
        name: "behind an odd row comes the one after the next",
        block: "table_loader",
        build: |config| {
            spoilt(TableLoader::new(config), |before: &TableLoader, after| {
                if before.write && before.row & 1 == 1 && after.row == (before.row + 1) & 63 {
                    after.row = (before.row + 2) & 63;
                }
            })
        },
    },
    GoldenFault {
        name: "a destination with a row above all rows is known",
        block: "routing_table",
        build: |config| spoilt(RoutingTable::new(config), |before: &RoutingTable, after| after.exists |= before.exists),
    },
    GoldenFault {
        name: "the user's bits stay those of the packet before",
        block: "virtual_channel",
        build: |config| channel(config, |before, after| after.user = before.user),
    },
    GoldenFault {
        name: "the user's bits of a malformed packet are lost",
        block: "virtual_channel",
        build: |config| {
            channel(config, |_, after| {
                if after.malformed {
                    after.user = 0;
                }
            })
        },
    },
    GoldenFault {
        name: "the user's bits change with every accept",
        block: "virtual_channel",
        build: |config| {
            channel(config, |before, after| {
                if before.head_valid && !after.head_valid {
                    after.user = 0;
                }
            })
        },
    },
];
