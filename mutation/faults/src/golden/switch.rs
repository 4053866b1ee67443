//! Faults of the switch's blocks in the golden model.

use super::{GoldenFault, golden_fault, spoilt};
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
    spoilt(VcQueue::of_flits(config, config.mechanism().sees.buffers), spoil)
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
    golden_fault("vc_queue", "the write pointer skips the last place", |config| {
        queue(config, |before, after| {
            // The place before place 0.
            if after.write_pointer != 0 && after.write_next == 0 && before.write_pointer != after.write_pointer {
                after.write_pointer = 0;
            }
        })
    }),
    golden_fault("vc_queue", "push and pop in one cycle lose an entry", |config| {
        queue(config, |before, after| {
            let moved = |old, new| old != new;
            if moved(before.write_pointer, after.write_pointer) && moved(before.read_pointer, after.read_pointer) {
                after.some = before.read_next != before.write_pointer;
            }
        })
    }),
    golden_fault("virtual_channel", "the tail frees the VC of the next packet", |config| {
        channel(config, |before, after| {
            if before.holding && before.remaining == 1 && after.first {
                after.holding = false;
            }
        })
    }),
    golden_fault("virtual_channel", "a dropped packet keeps the last port", |config| {
        channel(config, |before, after| {
            if after.dropping && after.port == 0 {
                after.port = before.port;
            }
        })
    }),
    golden_fault("virtual_channel", "the fetched header comes at once", |config| {
        channel(config, |_, after| after.head_valid |= after.fetching)
    }),
    golden_fault("virtual_channel", "a malformed packet takes the flits of its length", |config| {
        channel(config, |before, after| {
            if after.malformed && before.length > 1 && after.length == 1 {
                after.length = before.length;
            }
        })
    }),
    golden_fault("input_port", "the pointer moves with every tail", |config| {
        spoilt(InputPort::new(config, config.mechanism().sees), |before: &InputPort, after: &mut InputPort| {
            if before.reading != 0 && after.reading == 0 {
                after.pointer = before.reading;
            }
        })
    }),
    golden_fault("input_port", "a dropped flit gives no credit", |config| {
        spoilt(InputPort::new(config, config.mechanism().sees), |before: &InputPort, after: &mut InputPort| {
            if before.vcs[usize::from(after.in_credit_vc)].dropping {
                after.in_credit_valid = false;
            }
        })
    }),
    golden_fault("vc_arbiter", "the VC arbiter's pointer stands on the pick", |config| {
        spoilt(VcArbiter::new(config.switch.vcs), |before: &VcArbiter, after: &mut VcArbiter| {
            if before.pointer != after.pointer {
                after.pointer = before.pointer;
            }
        })
    }),
    golden_fault("allocator", "a selector's pointer moves without a grant", |config| {
        spoilt(Allocator::new(config, config.mechanism().sees), |_, after: &mut Allocator| {
            let chosen = &mut after.selectors[5];
            if chosen.choice_adaptive {
                chosen.rrp = chosen.choice;
            }
        })
    }),
    golden_fault("crossbar", "no head flit goes to the last output port", |config| {
        spoilt(Crossbar::new(config), |_, after: &mut Crossbar| after.head &= 0x7f)
    }),
    golden_fault("credit_counter", "a credit beside a flit is lost", |config| {
        credits(config, |before, after| {
            if before.credits == after.credits && after.credits == 10 {
                after.credits -= 1;
            }
        })
    }),
    golden_fault("credit_counter", "the last credit is never used", |config| {
        credits(config, |_, after| after.credits = after.credits.max(1))
    }),
    golden_fault("output_port", "the phase is a cycle early on the link", |config| {
        output(config, |_, after| after.out_phase = after.phase_early[2])
    }),
    golden_fault("output_port", "the hint does not reach the link", |config| {
        output(config, |_, after| after.out_hint = false)
    }),
    golden_fault("output_port", "the phase on the link has 2 bits", |config| {
        output(config, |_, after| after.phase_early[0] &= 3)
    }),
    golden_fault("output_port", "a flit without VC stays on the last one", |config| {
        output(config, |before, after| {
            if !after.out_valid {
                after.out_vc = before.out_vc;
            }
        })
    }),
    golden_fault("output_port", "the output VC goes by VC 0 first", |config| {
        output(config, |_, after| after.vc_allocator.pointer = 1)
    }),
    golden_fault("register_bus", "an answer is SLVERR until the next", |config| {
        bus(config, |before, after| {
            if before.bvalid && !after.bvalid {
                after.bresp = 2;
            }
        })
    }),
    golden_fault("register_bus", "an address that waits is forgotten", |config| {
        bus(config, |_, after| after.held.aw_waits = false)
    }),
    golden_fault("register_bus", "all strobes of a word that waits are there", |config| {
        bus(config, |_, after| {
            if after.held.w_waits {
                after.held.w_strobes = 15;
            }
        })
    }),
    golden_fault("register_bus", "a read that waits behind an answer is forgotten", |config| {
        bus(config, |before, after| {
            if before.rvalid && after.rvalid {
                after.held.ar_waits = false;
            }
        })
    }),
    golden_fault("register_bus", "the answer to a read comes a cycle early", |config| {
        bus(config, |_, after| after.rvalid |= after.reading)
    }),
    golden_fault("register_bus", "a word is asked for until it comes", |config| {
        bus(config, |before, after| after.read.request |= before.read.request && after.reading)
    }),
    golden_fault("register_bus", "the next address is asked for before the answer", |config| {
        bus(config, |before, after| {
            if after.reading && before.reading {
                after.read.address ^= 1;
            }
        })
    }),
    golden_fault("register_bus", "the words of the bus are not told from others", |config| {
        bus(config, |_, after| after.constant = 0)
    }),
    golden_fault("register_bus", "where a word is, is forgotten while none is read", |config| {
        bus(config, |_, after| after.exists &= after.reading)
    }),
    golden_fault("register_bus", "a refused read shows the last word", |config| {
        bus(config, |before, after| {
            if after.rresp == 2 {
                after.rdata = before.rdata;
            }
        })
    }),
    golden_fault("star_routing", "the last node is left out", |config| {
        routing(config, |route, inputs| {
            if inputs.destination == 11 {
                *route = Route::default();
            }
        })
    }),
    golden_fault("fat_tree_routing", "the last port up is never chosen", |config| {
        routing(config, |route, _| route.adaptive &= 0x7f)
    }),
    golden_fault("torus_routing", "at the dateline the class is the other", |config| {
        routing(config, |route, inputs| {
            if inputs.position & 3 == 3 && route.adaptive != 0 {
                route.deterministic_vcs ^= 0b1100;
            }
        })
    }),
    golden_fault("torus_limited_routing", "nodes never wait for room", |config| {
        asked_otherwise(config, |_, occupancy| occupancy.fill(0))
    }),
    golden_fault("torus_limited_routing", "packets from switches wait for room", |config| {
        asked_otherwise(config, |inputs, _| inputs.input_port = 9)
    }),
    golden_fault("torus_limited_routing", "each port has the room of the next", |config| {
        asked_otherwise(config, |_, occupancy| occupancy.rotate_left(1))
    }),
    golden_fault("torus_limited_routing", "the escape is there without room", |config| {
        routing(config, |route, _| {
            if route.deterministic == 0 && route.adaptive_vcs != 0 {
                route.deterministic = 0b11;
            }
        })
    }),
    golden_fault("torus_limited_routing", "packets wait for their node", |config| {
        routing(config, |route, inputs| {
            if inputs.input_port >= 8 && inputs.occupancy[8] > 10 {
                route.deterministic &= 0xff;
            }
        })
    }),
    golden_fault("mesh_routing", "the packet of node 2 goes to node 1", |config| {
        routing(config, |route, _| {
            if route.deterministic == 1 << 6 {
                route.deterministic = 1 << 5;
            }
        })
    }),
    golden_fault("dragonfly_minimal_routing", "packets stay on their VC when they come to another group", |config| {
        routing(config, |route, inputs| {
            if inputs.input_port >= 4 && route.deterministic >> 2 != 0 {
                route.deterministic_vcs = 1 << inputs.input_vc.min(2);
            }
        })
    }),
    golden_fault("boards_routing", "D is the spare wavelength", |config| {
        routing(config, |route, _| {
            if route.adaptive != 0 {
                route.deterministic = route.adaptive & route.adaptive.wrapping_neg();
            }
        })
    }),
    golden_fault("boards_routing", "wavelengths are counted the other way round", |config| {
        routing(config, |route, _| {
            if route.adaptive != 0 {
                let spare = route.adaptive.trailing_zeros();
                route.deterministic = 1 << (2 * spare + 3 - route.deterministic.trailing_zeros());
            }
        })
    }),
    golden_fault("boards_routing", "between boards there is one VC", |config| {
        routing(config, |route, _| route.adaptive_vcs &= 1)
    }),
    golden_fault("dragonfly_ugal_routing", "half a flit is none: the last bit of an occupancy is lost", |config| {
        asked_otherwise(config, |_, occupancy| occupancy.iter_mut().for_each(|flits| *flits &= !1))
    }),
    golden_fault("dragonfly_ugal_routing", "no packet goes round over the last link", |config| {
        routing(config, |route, _| {
            if route.adaptive.count_ones() > 1 {
                route.adaptive &= 0x1f;
            }
        })
    }),
    golden_fault("least_occupied_routing", "ports that do not serve are counted on", |config| {
        asked_otherwise(config, |inputs, _| inputs.serves = u64::MAX)
    }),
    golden_fault("least_occupied_routing", "the fewest flits are told by 3 bits", |config| {
        asked_otherwise(config, |_, occupancy| occupancy.iter_mut().for_each(|flits| *flits &= 7))
    }),
    golden_fault("least_occupied_routing", "the lowest of the emptiest ports only", |config| {
        routing(config, |route, _| route.adaptive &= route.adaptive.wrapping_neg())
    }),
    golden_fault("least_occupied_routing", "packets turn back", |config| {
        asked_otherwise(config, |inputs, _| inputs.input_port = 0)
    }),
    golden_fault("least_occupied_routing", "a way is deterministic by the user's second bit", |config| {
        asked_otherwise(config, |inputs, _| inputs.header >>= 1)
    }),
    golden_fault("least_occupied_routing", "packets go to the VC of their destination", |config| {
        asked_otherwise(config, |inputs, _| inputs.input_vc = (inputs.destination % 64 % 3) as u8)
    }),
    golden_fault("table_routing", "a packet takes the VCs of D with a port of P", |config| {
        routing(config, |route, _| route.adaptive_vcs = route.deterministic_vcs)
    }),
    golden_fault("table_limited_routing", "nobody waits for room", |config| {
        asked_otherwise(config, |_, occupancy| occupancy.fill(0))
    }),
    golden_fault("table_limited_routing", "packets from switches wait for room", |config| {
        asked_otherwise(config, |inputs, _| {
            if inputs.to_node != 0 {
                inputs.input_port = inputs.to_node.trailing_zeros() as u8;
            }
        })
    }),
    golden_fault("table_limited_routing", "each port has the room of the next", |config| {
        asked_otherwise(config, |_, occupancy| occupancy.rotate_left(1))
    }),
    golden_fault("table_limited_routing", "without room there is no VC either", |config| {
        routing(config, |route, _| {
            if route.adaptive == 0 {
                route.adaptive_vcs = 0;
            }
        })
    }),
    golden_fault("table_loader", "a reset leaves which ports lead to nodes", |config| {
        spoilt(TableLoader::new(config), |before: &TableLoader, after| {
            if after.word.iter().all(|&word| word == 0) && before.word.iter().any(|&word| word != 0) {
                after.node_ports.clone_from(&before.node_ports);
            }
        })
    }),
    golden_fault("table_loader", "behind an odd row comes the one after the next", |config| {
        spoilt(TableLoader::new(config), |before: &TableLoader, after| {
            if before.write && before.row & 1 == 1 && after.row == (before.row + 1) & 63 {
                after.row = (before.row + 2) & 63;
            }
        })
    }),
    golden_fault("routing_table", "a destination with a row above all rows is known", |config| {
        spoilt(RoutingTable::new(config), |before: &RoutingTable, after| after.exists |= before.exists)
    }),
    golden_fault("virtual_channel", "the user's bits stay those of the packet before", |config| {
        channel(config, |before, after| after.user = before.user)
    }),
    golden_fault("virtual_channel", "the user's bits of a malformed packet are lost", |config| {
        channel(config, |_, after| {
            if after.malformed {
                after.user = 0;
            }
        })
    }),
    golden_fault("virtual_channel", "the user's bits change with every accept", |config| {
        channel(config, |before, after| {
            if before.head_valid && !after.head_valid {
                after.user = 0;
            }
        })
    }),
];
