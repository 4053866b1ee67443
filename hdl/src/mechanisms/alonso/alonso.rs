//! The power mechanism of Alonso et al.: links go off and on with the load of a switch, around a Minimal Tree that is never off.
//!
//! Tree:     the up-links are a group. In the Minimal Tree one of them and all down-links stay on. Outside they follow what goes on at
//!           the other ends of the switch's links; a packet that waits for a link that is off turns one on.
//! Torus:    the links of a trunk are a group, one of which stays on.
//! Policy:   what the `policy` register names: every link on, or a constant or a dynamic threshold for off.
//! Latency:  what happens in cycle t shows in the links that are to be on from cycle t+1 on, and in phases from t+2 on.
//! Range:    k-ary n-trees with k up to 32, roots not folded; tori with trunks of up to 32 links. Ports of a torus outside every group
//!           are always on.
//! Reset:    all links on; in the next cycle the Minimal Tree alone if `start` says so. The control registers as configured.
//! Source:   Alonso et al. 2015; docs/microarchitecture/mechanisms/alonso.md.

use super::{ControlRegisters, LinkFsm, LinkGroup};
use crate::block;
use crate::power::{CheckTimer, MechanismPorts, phase_code, policy_code};
use powar_config::mechanism::alonso::{AlonsoValues, MECHANISM};
use powar_config::topology::{FatTree, digit_bits};
use powar_config::{Config, Phase};
use rust_hdl::prelude::*;

block! {
    pub struct Alonso(
        MECHANISM.name,
        include_str!("alonso.rs"),
        MechanismPorts = MechanismPorts::new(n, MECHANISM.sees)
    )
    /// For a checked configuration.
    pub fn new(config: &Config) -> Self {
        let n = config.ports;
        // A torus has no stages: its switches have no digits to look at.
        let (k, stages) = match config.topology.as_ref().and_then(|topology| topology.of()) {
            Some(&FatTree { k, n, .. }) => (k, n),
            None => (0, 0),
        };
        let (trees, width) = (usize::from(k > 0), digit_bits(k));
        let members: Vec<(usize, usize, usize)> = (config.groups.iter().enumerate())
            .flat_map(|(g, group)| group.ports().enumerate().map(move |(place, port)| (g, place, port)))
            .collect();
    }
    registers {
        /// `near_on` of the cycle before.
        was_on_r = vec![true; n],
        /// The down-ports of a tree are to be on.
        down_active_r: Bit = true,
        /// This is not the first cycle after a reset.
        started_r: Bit,
    }
    children {
        registers: ControlRegisters = ControlRegisters::new(&AlonsoValues::of(config)),
        timer: CheckTimer = CheckTimer::new(),
        /// One per group of ports.
        group[config.groups.len(); g]: LinkGroup = LinkGroup::new(config.groups[g].size),
        /// One per port.
        fsm[n]: LinkFsm = LinkFsm::new(),
    }
    locals {
        /// The policy lets links go off; by a threshold that depends on how many are on.
        sleeps: Bit,
        dynamic: Bit,
        /// All groups go down to what always stays on: with `start`, in the first cycle after a reset.
        starts: Bit,
        /// Stage and position, 0 in a torus; the position with room to take a digit at any place, and its
        /// digits but the lowest.
        own_stage: Bits<4>,
        own_position: Bits<16>,
        wide_position: Bits<24>,
        position_digit[stages.saturating_sub(1)]: Bits<6>,
        /// The switch is in the Minimal Tree; it is not; its up-ports have no cable.
        in_tree: Bit,
        outside: Bit,
        root: Bit,
        /// The port has a cable.
        linked[n]: Bit,
        /// The port at the other end is on or comes on; it is off, or there is none.
        near_on[n]: Bit,
        near_off[n]: Bit,
        any_near_on: Bit,
        all_near_off: Bit,
        /// Some port below is on or comes on; some port above has just begun to.
        below_on: Bit,
        above_rises: Bit,
        /// A packet wants a down-port; an up-port.
        asked_down: Bit,
        asked_up: Bit,
        /// A whole message waits at a node.
        waiting: Bit,
        hinted: Bit,
        /// No up-link is to be on.
        none_up: Bit,
        /// The last link of a group must not go off.
        keep: Bit,
        /// For the links of groups, group after group: the neighbours want it on; off.
        neighbour_on[members.len()]: Bit,
        neighbour_off[members.len()]: Bit,
        /// The link of the port is to be on.
        active[n]: Bit,
    }
    constants {
        /// The codes of phases, and of policies.
        phase_on: Bits<3> = phase_code(Phase::On),
        phase_off: Bits<3> = phase_code(Phase::Off),
        phase_coming_on: Bits<3> = phase_code(Phase::ComingOn),
        phase_draining: Bits<3> = phase_code(Phase::Draining),
        static_policy: Bits<2> = policy_code(&MECHANISM, "alonso-static"),
        dynamic_policy: Bits<2> = policy_code(&MECHANISM, "alonso-dynamic"),
        /// The bits of a digit of the position, the width of one, and how many there are.
        digit_mask: Bits<6> = ((1_usize << width) - 1).to_bits(),
    }
    sizes {
        width = width,
        digits = stages,
        n = n,
        groups = config.groups.len(),
        /// Down-ports of a tree, which are as many as up-ports; 0 in a torus. Trees: 1 or 0.
        k = k,
        trees = trees,
        /// Ports that are in some group, group after group.
        members = members.len(),
    }
    tables {
        /// The group of each member, its place in the group, and the port it is.
        group_of = members.iter().map(|member| member.0).collect(),
        place_of = members.iter().map(|member| member.1).collect(),
        port_of = members.iter().map(|member| member.2).collect(),
    }
}

impl Logic for Alonso {
    #[hdl_gen]
    fn update(&mut self) {
        self.registers.write_enable.next = self.ports.write_enable.val();
        self.registers.write_address.next = self.ports.write_address.val();
        self.registers.write_data.next = self.ports.write_data.val();
        self.registers.read_address.next = self.ports.read_address.val();
        self.ports.read_data.next = self.registers.read_data.val();
        self.timer.period.next = self.registers.check_period.val();
        self.dynamic.next = self.registers.policy.val() == self.dynamic_policy.val();
        self.sleeps.next = (self.registers.policy.val() == self.static_policy.val()) | self.dynamic.val();
        self.starts.next = self.registers.start.val() & !self.started_r.q.val();
        self.started_r.d.next = true;
        // Where the switch is.
        self.in_tree.next = true;
        self.root.next = false;
        self.own_stage.next = 0.into();
        self.own_position.next = 0.into();
        for t in 0..self.trees.get() {
            self.own_stage.next = self.ports.stage[t].val();
            self.own_position.next = self.ports.position[t].val();
            self.root.next = true;
        }
        self.wide_position.next = bit_cast::<24, 16>(self.own_position.val());
        for j in 1..self.digits.get() {
            self.position_digit[j - 1].next =
                self.wide_position.val().get_bits::<6>(j * self.width) & self.digit_mask.val();
            if self.own_stage.val() < j.to_bits() {
                self.root.next = false;
            } else if self.position_digit[j - 1].val().any() {
                self.in_tree.next = false;
            }
        }
        self.outside.next = !self.in_tree.val();
        // What the neighbours do.
        for p in 0..self.n.get() {
            self.linked[p].next = true;
        }
        for i in 0..self.k.get() {
            self.linked[self.k + i].next = !self.root.val();
        }
        self.any_near_on.next = false;
        self.all_near_off.next = true;
        for p in 0..self.n.get() {
            self.near_on[p].next = self.linked[p].val()
                & ((self.ports.neighbour_phase[p].val() == self.phase_on.val())
                    | (self.ports.neighbour_phase[p].val() == self.phase_coming_on.val()));
            self.near_off[p].next =
                !self.linked[p].val() | (self.ports.neighbour_phase[p].val() == self.phase_off.val());
            self.any_near_on.next = self.any_near_on.val() | self.near_on[p].val();
            self.all_near_off.next = self.all_near_off.val() & self.near_off[p].val();
            self.was_on_r.d[p].next = self.near_on[p].val();
        }
        // What the packets and the nodes want.
        self.below_on.next = false;
        self.above_rises.next = false;
        self.asked_down.next = false;
        self.asked_up.next = false;
        self.waiting.next = false;
        self.none_up.next = true;
        for i in 0..self.k.get() {
            self.below_on.next = self.below_on.val() | self.near_on[i].val();
            self.above_rises.next =
                self.above_rises.val() | (self.near_on[self.k + i].val() & !self.was_on_r.q[self.k + i].val());
            self.asked_down.next = self.asked_down.val() | self.ports.wanted[i].val();
            self.asked_up.next = self.asked_up.val() | self.ports.wanted[self.k + i].val();
            self.waiting.next = self.waiting.val() | self.ports.hint_in[i].val();
            self.none_up.next = self.none_up.val() & !self.group[0].active[i].val();
        }
        self.hinted.next = self.waiting.val() & self.registers.litmus.val() & !self.own_stage.val().any();
        // Groups: which links are to be on.
        self.keep.next = self.in_tree.val() | self.asked_up.val() | self.below_on.val();
        for m in 0..self.members.get() {
            self.neighbour_on[m].next = false;
            self.neighbour_off[m].next = false;
        }
        for i in 0..self.k.get() {
            self.neighbour_on[i].next = self.outside.val() & self.near_on[i].val() & !self.was_on_r.q[i].val();
            self.neighbour_off[i].next = self.outside.val() & !self.near_on[i].val() & self.was_on_r.q[i].val();
        }
        for t in 0..self.trees.get() {
            self.neighbour_on[t].next =
                self.neighbour_on[t].val() | (self.outside.val() & self.none_up.val() & self.above_rises.val());
        }
        for g in 0..self.groups.get() {
            self.group[g].check.next = self.timer.check.val();
            self.group[g].sleeps.next = self.sleeps.val();
            self.group[g].dynamic.next = self.dynamic.val();
            self.group[g].on_flits.next = self.registers.on_flits.val();
            self.group[g].off_flits.next = self.registers.off_flits.val();
            self.group[g].keep.next = self.keep.val();
            self.group[g].all_on.next = self.hinted.val();
            self.group[g].only_last.next = self.starts.val();
        }
        for m in 0..self.members.get() {
            self.group[self.group_of[m]].flit[self.place_of[m]].next = self.ports.departing[self.port_of[m]].val();
            self.group[self.group_of[m]].neighbour_on[self.place_of[m]].next = self.neighbour_on[m].val();
            self.group[self.group_of[m]].neighbour_off[self.place_of[m]].next = self.neighbour_off[m].val();
        }
        if self.in_tree.val() | !self.sleeps.val() | self.any_near_on.val() | self.asked_down.val() {
            self.down_active_r.d.next = true;
        } else if self.all_near_off.val() {
            self.down_active_r.d.next = false;
        }
        for p in 0..self.n.get() {
            self.active[p].next = true;
        }
        for i in 0..self.k.get() {
            self.active[i].next = self.down_active_r.q.val();
        }
        for m in 0..self.members.get() {
            self.active[self.port_of[m]].next = self.group[self.group_of[m]].active[self.place_of[m]].val();
        }
        // Ports: on their way to what they are to be.
        for p in 0..self.n.get() {
            self.fsm[p].active.next = self.active[p].val();
            self.fsm[p].in_use.next =
                self.ports.held[p].val() | self.ports.given[p].val() | self.ports.departing[p].val();
            self.fsm[p].turn_on.next = self.registers.turn_on.val();
            self.fsm[p].turn_off.next = self.registers.turn_off.val();
        }
        // What the switch is told. A port in use drains before it goes off, so one that is ready is steady as well.
        for p in 0..self.n.get() {
            self.ports.phase[p].next = self.fsm[p].phase.val();
            self.ports.grantable[p].next = self.active[p].val() & (self.fsm[p].phase.val() == self.phase_on.val());
            self.ports.preferred[p].next = true;
            self.ports.ready[p].next = (self.fsm[p].phase.val() == self.phase_on.val())
                | (self.fsm[p].phase.val() == self.phase_draining.val());
            self.ports.steady[p].next = self.ports.ready[p].val();
            self.ports.waking[p].next = self.fsm[p].coming_on.val();
            self.ports.hint[p].next = false;
            self.ports.serves[p].next = self.active[p].val();
            self.ports.level[p].next = 0.into();
        }
    }
}
