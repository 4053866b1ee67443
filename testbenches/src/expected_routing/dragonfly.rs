//! Dragonflies: the shortest way, and the ways over another group.

use super::{ExpectedRouting, Head, Route, Rules, links};
use powar_config::topology::Dragonfly;
use powar_config::{Config, Topology};
use std::ops::Range;
use std::sync::Arc;

#[derive(Debug)]
struct DragonflyRules {
    dragonfly: Dragonfly,
    /// UGAL-L: packets may go over another group.
    around: bool,
}

fn of(topology: &dyn Topology, around: bool) -> Option<Arc<dyn Rules>> {
    topology.of().map(|&dragonfly| Arc::new(DragonflyRules { dragonfly, around }) as _)
}

pub(super) fn minimal(_: &Config, topology: &dyn Topology) -> Option<Arc<dyn Rules>> {
    of(topology, false)
}

pub(super) fn ugal(_: &Config, topology: &dyn Topology) -> Option<Arc<dyn Rules>> {
    of(topology, true)
}

/// What is at the other end of a port's link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leads {
    Node(usize),
    Switch(usize),
    Group(usize),
}

impl DragonflyRules {
    fn leads(&self, at: &ExpectedRouting, port: usize) -> Leads {
        let Dragonfly { p, a, h } = self.dragonfly;
        let (switch, group) = (at.position[1], at.position[2]);
        if port < p {
            Leads::Node(port)
        } else if port < p + a - 1 {
            let others: Vec<usize> = (0..a).filter(|&other| other != switch).collect();
            Leads::Switch(others[port - p])
        } else {
            Leads::Group((group + 1 + switch * h + port - (p + a - 1)) % (a * h + 1))
        }
    }

    /// The first port that leads there.
    fn port(&self, at: &ExpectedRouting, to: Leads) -> Option<usize> {
        (0..at.ports).find(|&port| self.leads(at, port) == to)
    }

    /// The switch of this group with the link to another one.
    fn gateway(&self, at: &ExpectedRouting, group: usize) -> usize {
        let groups = self.dragonfly.a * self.dragonfly.h + 1;
        let link = (0..groups).find(|link| (at.position[2] + 1 + link) % groups == group);
        link.expect("another group") / self.dragonfly.h
    }
}

impl Rules for DragonflyRules {
    /// Which buffers were how full in the cycle of the choice is not to be seen on the links: at its first switch a packet may take every port to another
    /// one. That the choice among them is right the lock-step of the two models shows.
    fn route(&self, at: &ExpectedRouting, to: &[usize], head: &Head) -> Route {
        let one =
            |port: usize, vcs: u64| Route { deterministic: 1 << port, deterministic_vcs: vcs, ..Route::default() };
        let any = |ports: u64| Route { adaptive: ports, adaptive_vcs: 1, ..Route::default() };
        if to[1..] == at.position[1..] {
            return one(to[0], links(0, at.vcs));
        }
        let from = self.leads(at, head.input);
        let crossed = match from {
            Leads::Node(_) => 0,
            Leads::Switch(_) => head.vc.min(2),
            Leads::Group(_) => (head.vc + 1).min(2),
        };
        let Dragonfly { p, a, h } = self.dragonfly;
        if to[2] == at.position[2] {
            let port = self.port(at, Leads::Switch(to[1]));
            return one(port.expect("a switch of the group"), 1 << crossed);
        }
        let direct = self.port(at, Leads::Group(to[2]));
        match (from, direct) {
            (Leads::Node(_), _) if self.around => any(links(p, a - 1 + h)),
            (Leads::Switch(_), None) if self.around && head.vc == 0 => any(links(p + a - 1, h)),
            (_, Some(port)) => one(port, 1 << crossed),
            (_, None) => {
                let port = self.port(at, Leads::Switch(self.gateway(at, to[2])));
                one(port.expect("a switch of the group"), 1 << crossed)
            }
        }
    }

    fn brings(&self, at: &ExpectedRouting, input: usize, to: &[usize]) -> bool {
        let (same_group, same_switch) = (to[2] == at.position[2], to[1] == at.position[1]);
        match self.leads(at, input) {
            Leads::Node(node) => !(same_group && same_switch && to[0] == node),
            Leads::Switch(_) if same_group => same_switch,
            Leads::Switch(_) => self.around || self.port(at, Leads::Group(to[2])).is_some(),
            Leads::Group(group) => same_group || self.around && to[2] != group,
        }
    }

    /// Nodes take that of the destination, switches count the links between groups.
    fn input_vcs(&self, at: &ExpectedRouting, _vc: usize) -> (Range<usize>, Range<usize>) {
        (0..3, 0..at.vcs)
    }
}
