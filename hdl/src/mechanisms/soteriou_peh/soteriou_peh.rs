//! The power mechanism of Soteriou and Peh: links go off and on with the load of their router, or after an idle time and on demand.
//!
//! Policy:   what the `policy` register names: every link on; by load, around the links of a staircase or an alternating row-column graph
//!           that are never off (Design I); all links by their idle times (Design II).
//! Links:    in a mesh or torus of two dimensions without trunks ports 0 to 3; ports to nodes are always on. Elsewhere all ports, and all
//!           may go off under any policy but the first.
//! Latency:  a decision by load shows in the links that are to be on in the fourth cycle behind the end of a window.
//! Range:    2 to 64 ports.
//! Reset:    all links on; the control registers as configured.
//! Source:   Soteriou and Peh 2004; docs/microarchitecture/mechanisms/soteriou_peh.md.

use super::{AgeMonitor, ControlRegisters, LinkChoice, LoadPredictor, OnOffFsm, WindowSums};
use crate::block;
use crate::power::{CheckTimer, MechanismPorts, phase_code, policy_code};
use powar_config::mechanism::soteriou_peh::{MECHANISM, Places, SoteriouPehValues, links};
use powar_config::{Config, Phase};
use rust_hdl::prelude::*;

block! {
    pub struct SoteriouPeh(
        MECHANISM.name,
        include_str!("soteriou_peh.rs"),
        MechanismPorts = MechanismPorts::new(n, MECHANISM.sees)
    )
    /// For a checked configuration.
    pub fn new(config: &Config) -> Self {
        let (n, size, places) = (config.ports, links(config), Places::of(config));
        let dimensions = if places.is_some() { 2 } else { 0 };
        let of_kind = |is_it: bool| if is_it { dimensions } else { 0 };
        let (meshes, tori) = (
            of_kind(places.is_some_and(|places| !places.grid.wraps)),
            of_kind(places.is_some_and(|places| places.grid.wraps)),
        );
        let table = |of: fn(&Places, usize) -> usize| {
            places.iter().flat_map(|places| [of(places, 0), of(places, 1)]).collect()
        };
    }
    registers {
        /// Idle cycles after which a link goes off.
        idle_limit_r: Bits<24> = 0xFF_FFFF.into(),
    }
    children {
        registers: ControlRegisters = ControlRegisters::new(&SoteriouPehValues::of(config)),
        timer: CheckTimer = CheckTimer::new(),
        sums: WindowSums = WindowSums::new(size),
        predictor: LoadPredictor = LoadPredictor::new(config.switch.buffer_flits),
        age: AgeMonitor = AgeMonitor::new(),
        choice: LinkChoice = LinkChoice::new(size),
        /// One per link.
        fsm[size]: OnOffFsm = OnOffFsm::new(),
    }
    locals {
        /// The policy is one by load; lets idle links go off.
        by_load: Bit,
        on_demand: Bit,
        /// Cycles of a window, at least 4.
        period: Bits<16>,
        /// Of a grid: the position with room to take a digit at any place, its digits x and y, and whether the switch is in the first or
        /// last row or column of a mesh.
        wide_position: Bits<32>,
        digit[dimensions]: Bits<9>,
        at_start[dimensions]: Bit,
        at_end[dimensions]: Bit,
        odd[dimensions]: Bit,
        /// Of a grid, by direction: the link may go off by the staircase graph; by the alternating one.
        staircase[2 * dimensions]: Bit,
        alternating[2 * dimensions]: Bit,
        /// The link has a cable; it may go off.
        linked[size]: Bit,
        may_sleep[size]: Bit,
        /// The link is in a phase in which it sends; so is the other end.
        sends[size]: Bit,
        near_sends[size]: Bit,
        /// Active ports; links that are to be on, and that are not.
        in_ports: Bits<7>,
        out_ports: Bits<7>,
        links_on: Bits<7>,
        links_off: Bits<7>,
        sleep_index: Bits<2>,
        wake_index: Bits<2>,
        /// The idle time for as many links on.
        idle: Bits<23>,
    }
    constants {
        /// Codes of phases and policies.
        phase_on: Bits<3> = phase_code(Phase::On),
        phase_off: Bits<3> = phase_code(Phase::Off),
        phase_coming_on: Bits<3> = phase_code(Phase::ComingOn),
        phase_draining: Bits<3> = phase_code(Phase::Draining),
        staircase_policy: Bits<2> = policy_code(&MECHANISM, "on-off-staircase"),
        alternating_policy: Bits<2> = policy_code(&MECHANISM, "on-off-alternating"),
        on_demand_policy: Bits<2> = policy_code(&MECHANISM, "on-off-on-demand"),
    }
    sizes {
        /// Links, and ports behind them.
        links = size,
        others = n - size,
        /// Links of a grid (4 or 0), those of a mesh and of a torus likewise, and its dimensions (2 or 0); those of a mesh.
        grid_links = 2 * dimensions,
        torus_links = 2 * tori,
        plain_links = if dimensions == 0 { size } else { 0 },
        dimensions = dimensions,
        mesh_dimensions = meshes,
        torus_dimensions = tori,
    }
    tables {
        /// Lowest bits of the digits, the bits that they have, and the last switch along each dimension.
        low = table(|places, i| places.low[i]),
        mask = table(|places, i| (1 << places.bits[i]) - 1),
        last = table(|places, i| places.grid.size(i) - 1),
    }
}

impl Logic for SoteriouPeh {
    #[hdl_gen]
    fn update(&mut self) {
        self.registers.write_enable.next = self.ports.write_enable.val();
        self.registers.write_address.next = self.ports.write_address.val();
        self.registers.write_data.next = self.ports.write_data.val();
        self.registers.read_address.next = self.ports.read_address.val();
        self.ports.read_data.next = self.registers.read_data.val();
        self.on_demand.next = self.registers.policy.val() == self.on_demand_policy.val();
        self.by_load.next = (self.registers.policy.val() == self.staircase_policy.val())
            | (self.registers.policy.val() == self.alternating_policy.val());
        self.period.next = self.registers.window.val();
        if self.registers.window.val() < 4 {
            self.period.next = 4.into();
        }
        self.timer.period.next = self.period.val();
        // Where the switch is, and which of its links may go off.
        self.wide_position.next = bit_cast::<32, 16>(self.ports.position[0].val());
        for i in 0..self.dimensions.get() {
            self.digit[i].next = self.wide_position.val().get_bits::<9>(self.low[i]) & self.mask[i].to_bits();
            self.odd[i].next = self.digit[i].val().get_bit(0);
        }
        for i in 0..self.mesh_dimensions.get() {
            self.at_start[i].next = self.digit[i].val() == 0;
            self.at_end[i].next = self.digit[i].val() >= self.last[i].to_bits();
            self.linked[2 * i].next = !self.at_end[i].val();
            self.linked[2 * i + 1].next = !self.at_start[i].val();
        }
        for i in 0..self.torus_dimensions.get() {
            self.at_start[i].next = false;
            self.at_end[i].next = false;
        }
        for p in 0..self.torus_links.get() {
            self.linked[p].next = true;
        }
        for p in 0..self.plain_links.get() {
            self.linked[p].next = true;
        }
        for i in 0..self.dimensions.get() {
            // Links along x in odd places of the staircase, along y in even ones; streets go one way along x, by the parity of y, and back.
            if i == 0 {
                self.staircase[2 * i].next = self.odd[0].val() ^ self.odd[1].val();
            } else {
                self.staircase[2 * i].next = !(self.odd[0].val() ^ self.odd[1].val());
            }
            self.staircase[2 * i + 1].next = self.staircase[2 * i].val();
            self.alternating[2 * i].next =
                self.odd[1 - i].val() & !self.at_start[1 - i].val() & !self.at_end[1 - i].val();
            self.alternating[2 * i + 1].next =
                !self.odd[1 - i].val() & !self.at_start[1 - i].val() & !self.at_end[1 - i].val();
        }
        for p in 0..self.plain_links.get() {
            self.may_sleep[p].next = true;
        }
        for p in 0..self.grid_links.get() {
            self.may_sleep[p].next = self.linked[p].val()
                & (self.on_demand.val()
                    | (self.staircase[p].val() & (self.registers.policy.val() == self.staircase_policy.val()))
                    | (self.alternating[p].val() & (self.registers.policy.val() == self.alternating_policy.val())));
        }
        // How many are on.
        self.in_ports.next = 0.into();
        self.out_ports.next = 0.into();
        self.links_on.next = 0.into();
        self.links_off.next = 0.into();
        for p in 0..self.links.get() {
            self.sends[p].next = (self.fsm[p].phase.val() == self.phase_on.val())
                | (self.fsm[p].phase.val() == self.phase_draining.val());
            self.near_sends[p].next = (self.ports.neighbour_phase[p].val() == self.phase_on.val())
                | (self.ports.neighbour_phase[p].val() == self.phase_draining.val());
            self.in_ports.next = self.in_ports.val() + (self.linked[p].val() & self.near_sends[p].val());
            self.out_ports.next = self.out_ports.val() + (self.linked[p].val() & self.sends[p].val());
            self.links_on.next = self.links_on.val() + (self.linked[p].val() & self.choice.active[p].val());
            self.links_off.next = self.links_off.val() + (self.linked[p].val() & !self.choice.active[p].val());
        }
        self.sleep_index.next = 0.into();
        if self.links_on.val() >= 4 {
            self.sleep_index.next = 3.into();
        } else if self.links_on.val() == 3 {
            self.sleep_index.next = 2.into();
        } else if self.links_on.val() == 2 {
            self.sleep_index.next = 1.into();
        }
        self.wake_index.next = 0.into();
        if self.links_off.val() >= 4 {
            self.wake_index.next = 3.into();
        } else if self.links_off.val() == 3 {
            self.wake_index.next = 2.into();
        } else if self.links_off.val() == 2 {
            self.wake_index.next = 1.into();
        }
        self.idle.next = self.registers.idle_1.val();
        if self.out_ports.val() >= 4 {
            self.idle.next = self.registers.idle_4.val();
        } else if self.out_ports.val() == 3 {
            self.idle.next = self.registers.idle_3.val();
        } else if self.out_ports.val() == 2 {
            self.idle.next = self.registers.idle_2.val();
        }
        self.idle_limit_r.d.next = bit_cast::<24, 23>(self.idle.val());
        if self.age.late.val() {
            self.idle_limit_r.d.next = bit_cast::<24, 23>(self.idle.val()) << 1;
        }
        // Statistics.
        self.sums.check.next = self.timer.check.val();
        for p in 0..self.links.get() {
            self.sums.flit[p].next = self.ports.departing[p].val();
            self.sums.leaving[p].next = self.ports.leaving[p].val();
            self.sums.fill[p].next = self.ports.fill[p].val();
        }
        self.predictor.check.next = self.timer.check.val();
        self.predictor.filled.next = self.sums.filled.val();
        self.predictor.flits.next = self.sums.flits.val();
        self.predictor.in_ports.next = self.in_ports.val();
        self.predictor.out_ports.next = self.out_ports.val();
        self.predictor.sleep_index.next = self.sleep_index.val();
        self.predictor.wake_index.next = self.wake_index.val();
        self.predictor.sleep_load.next = self.registers.sleep_load.val();
        self.predictor.sleep_step.next = self.registers.sleep_step.val();
        self.predictor.wake_load.next = self.registers.wake_load.val();
        self.predictor.wake_step.next = self.registers.wake_step.val();
        self.age.check.next = self.timer.check.val();
        self.age.departures.next = self.sums.departures.val();
        self.age.stage.next = self.predictor.stage.val();
        self.age.past_filled.next = self.predictor.past_filled.val();
        self.age.age_limit.next = self.registers.age_limit.val();
        // Links that are to be on by the load, and each on its way there.
        self.choice.by_load.next = self.by_load.val();
        self.choice.below.next = self.predictor.below.val();
        self.choice.above.next = self.predictor.above.val();
        for p in 0..self.links.get() {
            self.choice.may_sleep[p].next = self.may_sleep[p].val();
            self.choice.woken[p].next = self.ports.wanted[p].val()
                & ((self.fsm[p].phase.val() == self.phase_off.val())
                    | (self.fsm[p].phase.val() == self.phase_coming_on.val()));
        }
        for p in 0..self.links.get() {
            self.fsm[p].active.next = self.choice.active[p].val();
            self.fsm[p].dozes.next = self.on_demand.val() & self.may_sleep[p].val();
            self.fsm[p].in_use.next =
                self.ports.held[p].val() | self.ports.given[p].val() | self.ports.departing[p].val();
            self.fsm[p].wanted.next = self.ports.wanted[p].val();
            self.fsm[p].idle_limit.next = self.idle_limit_r.q.val();
            self.fsm[p].t_trans.next = self.registers.t_trans.val();
        }
        // What the switch is told.
        for p in 0..self.links.get() {
            self.ports.phase[p].next = self.fsm[p].phase.val();
            self.ports.grantable[p].next =
                self.choice.active[p].val() & (self.fsm[p].phase.val() == self.phase_on.val());
            self.ports.serves[p].next = self.ports.grantable[p].val();
            self.ports.ready[p].next = self.sends[p].val();
            self.ports.steady[p].next = self.sends[p].val();
            self.ports.waking[p].next = self.fsm[p].coming_on.val();
        }
        for p in 0..self.others.get() {
            self.ports.phase[self.links + p].next = self.phase_on.val();
            self.ports.grantable[self.links + p].next = true;
            self.ports.serves[self.links + p].next = true;
            self.ports.ready[self.links + p].next = true;
            self.ports.steady[self.links + p].next = true;
            self.ports.waking[self.links + p].next = false;
        }
        for p in 0..self.links.get() {
            self.ports.preferred[p].next = true;
            self.ports.hint[p].next = false;
            self.ports.level[p].next = 0.into();
        }
        for p in 0..self.others.get() {
            self.ports.preferred[self.links + p].next = true;
            self.ports.hint[self.links + p].next = false;
            self.ports.level[self.links + p].next = 0.into();
        }
    }
}
