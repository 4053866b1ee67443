//! Faults of the routing units for when links are off, in the golden model: the same of either graph, and those of
//! two virtual networks.

use super::switch::{asked_otherwise, routing};
use super::{GoldenFault, golden_fault};
use powar_config::topology::connectivity::DIRECTIONS;
use powar_config::{Config, CycleModel};
use powar_golden::lock_step::LockStep;
use powar_golden::reference::routing::injection_limit::InjectionLimit;

/// The limit of a switch with deeper or shallower virtual channels, by so many flits each, of which half count.
fn limit(config: &Config, more: isize) -> Box<dyn CycleModel + Send> {
    let mut config = config.clone();
    config.switch.buffer_flits = config.switch.buffer_flits.wrapping_add_signed(more * config.switch.vcs as isize);
    Box::new(LockStep::new(InjectionLimit::new(&config, DIRECTIONS.len())))
}

pub(super) const INJECTION_LIMIT: &[GoldenFault] = &[
    golden_fault("injection_limit", "nodes send where one flit more is under way", |config| limit(config, 2)),
    golden_fault("injection_limit", "nodes wait for one flit less", |config| limit(config, -2)),
];

pub(super) static STAIRCASE: [GoldenFault; 14] = of("staircase_escape_routing");
pub(super) static ALTERNATING: [GoldenFault; 14] = of("alternating_escape_routing");

const fn of(block: &'static str) -> [GoldenFault; 14] {
    [
        golden_fault(block, "ports that do not serve are open", |config| {
            asked_otherwise(config, |inputs, _| inputs.serves = u64::MAX)
        }),
        golden_fault(block, "nothing is on but port +x", |config| {
            asked_otherwise(config, |inputs, _| inputs.serves &= 1)
        }),
        golden_fault(block, "packets from nodes never wait for room", |config| {
            asked_otherwise(config, |_, occupancy| occupancy.fill(0))
        }),
        golden_fault(block, "packets from switches wait for room", |config| {
            routing(config, |route, inputs| {
                let full = |port: usize| inputs.occupancy[port] > 40;
                if inputs.input_port < 4 {
                    route.adaptive &= !(0..4).filter(|&port| full(port)).fold(0, |ports, port| ports | 1 << port);
                }
            })
        }),
        golden_fault(block, "packets turn back", |config| {
            routing(config, |route, inputs| {
                if route.adaptive != 0 && inputs.input_port < 4 {
                    route.adaptive |= 1 << inputs.input_port;
                }
            })
        }),
        golden_fault(block, "packets from switches are misrouted like those from nodes", |config| {
            asked_otherwise(config, |inputs, _| {
                if inputs.input_vc == 0 {
                    inputs.input_port = 63;
                }
            })
        }),
        golden_fault(block, "what is on the escape may leave it", |config| {
            asked_otherwise(config, |inputs, _| inputs.input_vc = 0)
        }),
        golden_fault(block, "packets from nodes are on the escape", |config| {
            routing(config, |route, inputs| {
                if inputs.input_port >= 4 && inputs.input_vc == 2 {
                    (route.adaptive, route.adaptive_vcs) = (0, 0);
                }
            })
        }),
        golden_fault(block, "the lowest way only", |config| {
            routing(config, |route, _| route.adaptive &= route.adaptive.wrapping_neg())
        }),
        golden_fault(block, "the escape goes the other way along x", |config| {
            routing(config, |route, _| {
                if route.deterministic & 3 != 0 {
                    route.deterministic ^= 3;
                }
            })
        }),
        golden_fault(block, "the escape goes the other way along y", |config| {
            routing(config, |route, _| {
                if route.deterministic & 12 != 0 {
                    route.deterministic ^= 12;
                }
            })
        }),
        golden_fault(block, "the escape is on the last VC only", |config| {
            routing(config, |route, _| {
                if route.deterministic & 15 != 0 {
                    route.deterministic_vcs <<= u64::from(route.deterministic_vcs == route.adaptive_vcs + 1);
                }
            })
        }),
        golden_fault(block, "there is no escape where there are ways", |config| {
            routing(config, |route, _| {
                if route.adaptive != 0 {
                    (route.deterministic, route.deterministic_vcs) = (0, 0);
                }
            })
        }),
        golden_fault(block, "nodes take packets on VC 0 alone", |config| {
            routing(config, |route, _| {
                if route.deterministic >> 4 != 0 {
                    route.deterministic_vcs &= 1;
                }
            })
        }),
    ]
}

/// In a mesh of three virtual channels.
pub(super) const WEST_LAST_EAST_LAST: &[GoldenFault] = &[
    golden_fault("west_last_east_last_routing", "ports that do not serve are open", |config| {
        asked_otherwise(config, |inputs, _| inputs.serves = u64::MAX)
    }),
    golden_fault("west_last_east_last_routing", "the networks are on each other's channels", |config| {
        routing(config, |route, _| route.adaptive_vcs ^= if route.adaptive_vcs == 0 { 0 } else { 0b111 })
    }),
    golden_fault("west_last_east_last_routing", "channels of a packet's network are those of the other", |config| {
        asked_otherwise(config, |inputs, _| inputs.input_vc ^= 1)
    }),
    golden_fault("west_last_east_last_routing", "packets from nodes are in the network of their channel", |config| {
        asked_otherwise(config, |inputs, _| {
            if inputs.input_port == 4 {
                // As if it had come up, which forbids nothing but to go down.
                inputs.input_port = 3;
            }
        })
    }),
    golden_fault("west_last_east_last_routing", "packets from switches choose a network again", |config| {
        asked_otherwise(config, |inputs, _| inputs.input_port = 4)
    }),
    golden_fault("west_last_east_last_routing", "packets turn back", |config| {
        routing(config, |route, inputs| {
            if route.adaptive != 0 && inputs.input_port < 4 {
                route.adaptive |= 1 << inputs.input_port;
            }
        })
    }),
    golden_fault("west_last_east_last_routing", "the lowest way only", |config| {
        routing(config, |route, _| route.adaptive &= route.adaptive.wrapping_neg())
    }),
    golden_fault("west_last_east_last_routing", "all ways lead there", |config| {
        routing(config, |route, inputs| {
            if route.adaptive != 0 {
                route.adaptive = 0b1111 & inputs.serves & !(1 << inputs.input_port);
            }
        })
    }),
    golden_fault("west_last_east_last_routing", "nodes take packets on VC 0 alone", |config| {
        routing(config, |route, _| {
            if route.deterministic >> 4 != 0 {
                route.deterministic_vcs &= 1;
            }
        })
    }),
];
