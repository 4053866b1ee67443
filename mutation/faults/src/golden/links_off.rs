//! Faults of the routing units for when links are off, in the golden model: the same of either graph, and those of
//! two virtual networks.

use super::GoldenFault;
use super::switch::{asked_otherwise, routing};
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
    GoldenFault {
        name: "nodes send where one flit more is under way",
        block: "injection_limit",
        build: |config| limit(config, 2),
    },
    GoldenFault { name: "nodes wait for one flit less", block: "injection_limit", build: |config| limit(config, -2) },
];

pub(super) static STAIRCASE: [GoldenFault; 14] = of("staircase_escape_routing");
pub(super) static ALTERNATING: [GoldenFault; 14] = of("alternating_escape_routing");

const fn of(block: &'static str) -> [GoldenFault; 14] {
    [
        GoldenFault {
            name: "ports that do not serve are open",
            block,
            build: |config| asked_otherwise(config, |inputs, _| inputs.serves = u64::MAX),
        },
        GoldenFault {
            name: "nothing is on but port +x",
            block,
            build: |config| asked_otherwise(config, |inputs, _| inputs.serves &= 1),
        },
        GoldenFault {
            name: "packets from nodes never wait for room",
            block,
            build: |config| asked_otherwise(config, |_, occupancy| occupancy.fill(0)),
        },
        GoldenFault {
            name: "packets from switches wait for room",
            block,
            build: |config| {
                routing(config, |route, inputs| {
                    let full = |port: usize| inputs.occupancy[port] > 40;
                    if inputs.input_port < 4 {
                        route.adaptive &= !(0..4).filter(|&port| full(port)).fold(0, |ports, port| ports | 1 << port);
                    }
                })
            },
        },
        GoldenFault {
            name: "packets turn back",
            block,
            build: |config| {
                routing(config, |route, inputs| {
                    if route.adaptive != 0 && inputs.input_port < 4 {
                        route.adaptive |= 1 << inputs.input_port;
                    }
                })
            },
        },
        GoldenFault {
            name: "packets from switches are misrouted like those from nodes",
            block,
            build: |config| {
                asked_otherwise(config, |inputs, _| {
                    if inputs.input_vc == 0 {
                        inputs.input_port = 63;
                    }
                })
            },
        },
        GoldenFault {
            name: "what is on the escape may leave it",
            block,
            build: |config| asked_otherwise(config, |inputs, _| inputs.input_vc = 0),
        },
        GoldenFault {
            name: "packets from nodes are on the escape",
            block,
            build: |config| {
                routing(config, |route, inputs| {
                    if inputs.input_port >= 4 && inputs.input_vc == 2 {
                        (route.adaptive, route.adaptive_vcs) = (0, 0);
                    }
                })
            },
        },
        GoldenFault {
            name: "the lowest way only",
            block,
            build: |config| routing(config, |route, _| route.adaptive &= route.adaptive.wrapping_neg()),
        },
        GoldenFault {
            name: "the escape goes the other way along x",
            block,
            build: |config| {
                routing(config, |route, _| {
                    if route.deterministic & 3 != 0 {
                        route.deterministic ^= 3;
                    }
                })
            },
        },
        GoldenFault {
            name: "the escape goes the other way along y",
            block,
            build: |config| {
                routing(config, |route, _| {
                    if route.deterministic & 12 != 0 {
                        route.deterministic ^= 12;
                    }
                })
            },
        },
        GoldenFault {
            name: "the escape is on the last VC only",
            block,
            build: |config| {
                routing(config, |route, _| {
                    if route.deterministic & 15 != 0 {
                        route.deterministic_vcs <<= u64::from(route.deterministic_vcs == route.adaptive_vcs + 1);
                    }
                })
            },
        },
        GoldenFault {
            name: "there is no escape where there are ways",
            block,
            build: |config| {
                routing(config, |route, _| {
                    if route.adaptive != 0 {
                        (route.deterministic, route.deterministic_vcs) = (0, 0);
                    }
                })
            },
        },
        GoldenFault {
            name: "nodes take packets on VC 0 alone",
            block,
            build: |config| {
                routing(config, |route, _| {
                    if route.deterministic >> 4 != 0 {
                        route.deterministic_vcs &= 1;
                    }
                })
            },
        },
    ]
}

/// In a mesh of three virtual channels.
pub(super) const WEST_LAST_EAST_LAST: &[GoldenFault] = &[
    GoldenFault {
        name: "ports that do not serve are open",
        block: "west_last_east_last_routing",
        build: |config| asked_otherwise(config, |inputs, _| inputs.serves = u64::MAX),
    },
    GoldenFault {
        name: "the networks are on each other's channels",
        block: "west_last_east_last_routing",
        build: |config| {
            routing(config, |route, _| route.adaptive_vcs ^= if route.adaptive_vcs == 0 { 0 } else { 0b111 })
        },
    },
    GoldenFault {
        name: "channels of a packet's network are those of the other",
        block: "west_last_east_last_routing",
        build: |config| asked_otherwise(config, |inputs, _| inputs.input_vc ^= 1),
    },
    GoldenFault {
        name: "packets from nodes are in the network of their channel",
        block: "west_last_east_last_routing",
        build: |config| {
            asked_otherwise(config, |inputs, _| {
                if inputs.input_port == 4 {
                    // As if it had come up, which forbids nothing but to go down.
                    inputs.input_port = 3;
                }
            })
        },
    },
    GoldenFault {
        name: "packets from switches choose a network again",
        block: "west_last_east_last_routing",
        build: |config| asked_otherwise(config, |inputs, _| inputs.input_port = 4),
    },
    GoldenFault {
        name: "packets turn back",
        block: "west_last_east_last_routing",
        build: |config| {
            routing(config, |route, inputs| {
                if route.adaptive != 0 && inputs.input_port < 4 {
                    route.adaptive |= 1 << inputs.input_port;
                }
            })
        },
    },
    GoldenFault {
        name: "the lowest way only",
        block: "west_last_east_last_routing",
        build: |config| routing(config, |route, _| route.adaptive &= route.adaptive.wrapping_neg()),
    },
    GoldenFault {
        name: "all ways lead there",
        block: "west_last_east_last_routing",
        build: |config| {
            routing(config, |route, inputs| {
                if route.adaptive != 0 {
                    route.adaptive = 0b1111 & inputs.serves & !(1 << inputs.input_port);
                }
            })
        },
    },
    GoldenFault {
        name: "nodes take packets on VC 0 alone",
        block: "west_last_east_last_routing",
        build: |config| {
            routing(config, |route, _| {
                if route.deterministic >> 4 != 0 {
                    route.deterministic_vcs &= 1;
                }
            })
        },
    },
];
