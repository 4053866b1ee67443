//! The power mechanism POWAR: lets idle ports sleep, wakes them when they are given to a packet, and keeps only as many ports
//! selectable as the load needs.
//!
//! Policy:   what the `policy` register names; its properties are looked up in constants made from the table of policies.
//! Latency:  a port given in cycle t is ready one cycle later if it is awake, else when it has woken (T_w, or what is left of T_s
//!           and T_w). A port is in use, and stays awake, while it is held or has a flit on it.
//! Range:    2 to 64 ports; groups of any size, ports outside every group always selectable.
//! Reset:    all ports awake and selectable; the control registers as configured.
//! Source:   POWAR sections 3 and 4.1, Algorithms 2 and 3; docs/microarchitecture/mechanisms/powar.md.

use super::policy_table::property;
use super::port_power_fsm::DURATIONS;
use super::{ControlRegisters, PortGroup, PortPowerFsm};
use crate::block;
use crate::power::{CheckTimer, MechanismPorts};
use powar_config::mechanism::powar::MECHANISM;
use powar_config::{Config, Phase, PowarValues};
use rust_hdl::prelude::*;

block! {
    pub struct Powar(MECHANISM.name, include_str!("powar.rs"), MechanismPorts = MechanismPorts::new(n, MECHANISM.sees))
    /// For the ports and groups of a checked configuration, with these values after reset.
    pub fn with(config: &Config, reset: &PowarValues) -> Self {
        let n = config.ports;
        let members: Vec<(usize, usize, usize)> = (config.groups.iter().enumerate())
            .flat_map(|(g, group)| group.ports().enumerate().map(move |(place, port)| (g, place, port)))
            .collect();
    }
    registers {
        /// Durations of one cycle or none: PDT, T_s, T_w, T_q, T_r.
        short_durations_r = vec![false; DURATIONS],
        /// Ports that sleep alternate between quiet and refresh.
        refreshes_r: Bit,
    }
    children {
        registers: ControlRegisters = ControlRegisters::new(reset),
        timer: CheckTimer = CheckTimer::new(),
        /// One per group of ports.
        group[config.groups.len(); g]: PortGroup = PortGroup::new(config.groups[g].size),
        /// One per port.
        fsm[n]: PortPowerFsm = PortPowerFsm::new(),
    }
    locals {
        /// The policy lets ports sleep; prefers those awake; lets packets take ports that are not selectable.
        sleep_enable: Bit,
        prefer_awake: Bit,
        any_selectable: Bit,
        /// The port may be selected.
        selectable[n]: Bit,
        /// State of a port; it is the phase but in a refresh.
        state: Bits<2>,
    }
    constants {
        /// The phase in a refresh.
        refresh_phase: Bits<3> = (Phase::Refreshing as usize).to_bits(),
        /// Policies that let ports sleep, that prefer those awake, that take only selectable ones, by code.
        sleeps: Bits<4> = property(|policy| policy.sleeps),
        prefers_awake: Bits<4> = property(|policy| policy.prefers_awake),
        only_selectable: Bits<4> = property(|policy| policy.only_selectable),
    }
    sizes {
        n = n,
        groups = config.groups.len(),
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

impl Powar {
    /// For a checked configuration.
    pub fn new(config: &Config) -> Self {
        Powar::with(config, &PowarValues::of(config))
    }
}

impl Logic for Powar {
    #[hdl_gen]
    fn update(&mut self) {
        self.registers.write_enable.next = self.ports.write_enable.val();
        self.registers.write_address.next = self.ports.write_address.val();
        self.registers.write_data.next = self.ports.write_data.val();
        self.registers.read_address.next = self.ports.read_address.val();
        self.ports.read_data.next = self.registers.read_data.val();
        self.sleep_enable.next = self.sleeps.val().get_bit(self.registers.policy.val().index());
        self.prefer_awake.next = self.prefers_awake.val().get_bit(self.registers.policy.val().index());
        self.any_selectable.next = !self.only_selectable.val().get_bit(self.registers.policy.val().index());
        // Groups: which ports may be selected.
        self.timer.period.next = self.registers.check_period.val();
        for g in 0..self.groups.get() {
            self.group[g].check.next = self.timer.check.val();
            self.group[g].on_flits.next = self.registers.on_flits.val();
            self.group[g].off_flits.next = self.registers.off_flits.val();
        }
        for p in 0..self.n.get() {
            self.selectable[p].next = true;
        }
        for m in 0..self.members.get() {
            self.group[self.group_of[m]].flit[self.place_of[m]].next = self.ports.departing[self.port_of[m]].val();
            self.selectable[self.port_of[m]].next = self.group[self.group_of[m]].selectable[self.place_of[m]].val();
        }
        // Ports: asleep when idle.
        self.short_durations_r.d[0].next = !(self.registers.pdt.val() >> 1).any();
        self.short_durations_r.d[1].next = !(self.registers.t_sleep.val() >> 1).any();
        self.short_durations_r.d[2].next = !(self.registers.t_wake.val() >> 1).any();
        self.short_durations_r.d[3].next = !(self.registers.t_quiet.val() >> 1).any();
        self.short_durations_r.d[4].next = !(self.registers.t_refresh.val() >> 1).any();
        self.refreshes_r.d.next = self.registers.t_quiet.val().any() & self.registers.t_refresh.val().any();
        for p in 0..self.n.get() {
            self.fsm[p].sleep_enable.next = self.sleep_enable.val();
            self.fsm[p].abort_sleep.next = self.registers.abort_sleep.val();
            self.fsm[p].in_use.next = self.ports.held[p].val() | self.ports.departing[p].val();
            self.fsm[p].wake_request.next = self.ports.given[p].val();
            self.fsm[p].pdt.next = self.registers.pdt.val();
            self.fsm[p].t_sleep.next = self.registers.t_sleep.val();
            self.fsm[p].t_wake.next = self.registers.t_wake.val();
            self.fsm[p].t_quiet.next = self.registers.t_quiet.val();
            self.fsm[p].t_refresh.next = self.registers.t_refresh.val();
            self.fsm[p].refreshes.next = self.refreshes_r.q.val();
            for d in 0..DURATIONS {
                self.fsm[p].short_durations[d].next = self.short_durations_r.q[d].val();
            }
        }
        // What the switch is told. A port in use stays awake, so one that is ready is steady as well.
        for p in 0..self.n.get() {
            self.ports.grantable[p].next = self.selectable[p].val() | self.any_selectable.val();
            self.ports.preferred[p].next = self.fsm[p].awake.val() | !self.prefer_awake.val();
            self.ports.ready[p].next = self.fsm[p].awake.val();
            self.ports.steady[p].next = self.fsm[p].awake.val();
            self.ports.waking[p].next = self.fsm[p].wake_started.val();
            self.ports.hint[p].next = false;
            self.ports.serves[p].next = self.fsm[p].awake.val();
            self.ports.level[p].next = 0.into();
        }
        for p in 0..self.n.get() {
            self.state.next = self.fsm[p].state.val().into();
            if self.fsm[p].refreshing.val() {
                self.ports.phase[p].next = self.refresh_phase.val();
            } else {
                self.ports.phase[p].next = bit_cast::<3, 2>(self.state.val());
            }
        }
    }
}
