//! What links show flit or not, on its way to mechanisms that see their neighbours: only changes travel.

use super::links::{Delayed, Row, ToSwitches};
use crate::bits::ones;
use crate::fast::power::{Sideband, Signal};
use powar_config::Phase;
use powar_config::topology::wiring::End;

/// Changes of phases and hints that are under way. A network whose mechanism sees no neighbours has none of it.
#[derive(Clone, Debug)]
pub(super) struct Neighbours {
    /// What the links of each switch, and the hint of each node, showed last.
    switches: Vec<Sideband>,
    nodes: Vec<bool>,
    /// Changes on links between switches and on those of nodes, each with the switch that it comes in at.
    links: Delayed<(u32, Signal)>,
    node_links: Delayed<(u32, Signal)>,
    /// By switch, what comes in in the cycle under way.
    now: Vec<Vec<Signal>>,
}

impl Neighbours {
    /// After reset all ports and nodes show that they are on, without a hint.
    pub fn new(switches: usize, nodes: usize) -> Neighbours {
        Neighbours {
            switches: vec![Sideband::default(); switches],
            nodes: vec![false; nodes],
            links: Delayed::default(),
            node_links: Delayed::default(),
            now: vec![Vec::new(); switches],
        }
    }

    /// What comes in at switches in cycle `now` is ready for them.
    pub fn begin(&mut self, now: u64) {
        for delayed in [&mut self.links, &mut self.node_links] {
            for _ in 0..delayed.due(now) {
                let Some((switch, signal)) = delayed.pop() else { break };
                self.now[switch as usize].push(signal);
            }
        }
    }

    /// What comes in at a switch.
    pub fn at(&self, switch: usize) -> &[Signal] {
        &self.now[switch]
    }

    /// A switch has been stepped, and its links show this in the next cycle; their other ends see it in the cycle of `row`.
    pub fn stepped(&mut self, switch: usize, sideband: &Sideband, ends: &[End], row: &mut Row) {
        self.now[switch].clear();
        for port in ones(sideband.differences(&self.switches[switch])) {
            if let End::Switch { switch: other, port: there } = ends[port] {
                self.links.push((other, Signal { port: there, ..sideband.of(port) }));
                row.add(other);
            }
        }
        self.switches[switch] = *sideband;
    }

    /// All switches of a cycle have been stepped: what they have changed comes in in that cycle.
    pub fn close_links(&mut self, cycle: u64) {
        self.links.close(cycle);
    }

    /// The interface of a node has done what it does in a cycle; its switch sees its hint in the cycle `at`.
    pub fn hint(&mut self, node: usize, hint: bool, places: &[(u32, u8)], at: u64, to_switches: &mut ToSwitches) {
        if std::mem::replace(&mut self.nodes[node], hint) != hint {
            for &(switch, port) in places {
                self.node_links.push((switch, Signal { port, phase: Phase::On as u8, hint }));
                to_switches.add(at, switch);
            }
        }
    }

    /// All interfaces have been asked for their hints of a cycle, which come in in that cycle.
    pub fn close_node_links(&mut self, cycle: u64) {
        self.node_links.close(cycle);
    }
}
