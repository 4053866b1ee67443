//! What sleeps and wakes: holds output ports for the packets that are given them, lets idle ports sleep and wakes them, and keeps
//! only as many ports selectable as the load needs.
//!
//! Use:      `given` holds a port from the next cycle on. Its packet may send in every cycle with `transmit`, marking its flits with
//!           `flit_valid`; `released` with a flit frees the port from the next cycle on, whether or not more flits follow.
//! Latency:  a given port that is awake may `transmit` one cycle later, one that is not when it has woken (T_w, or what is left of
//!           T_s and T_w). A port is in use while it is held or has a flit on it.
//! Range:    2 to 64 ports; groups of any size, ports outside every group always selectable. A port may be given in the cycle in
//!           which it is released: it stays held.
//! Reset:    all ports `Active`, free and selectable; statistics 0.
//! Source:   POWAR sections 3 and 4.1, Algorithms 2 and 3; docs/microarchitecture.md 3.13.

use crate::dff_setup;
use crate::mechanisms::powar::policy_table::property;
use crate::mechanisms::powar::{CheckTimer, PortGroup, PortPowerFsm};
use crate::power::PortStatistics;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::Config;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct PowerManager {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Policy code.
    pub policy: Signal<In, Bits<2>>,
    /// Power-down threshold, cycles.
    pub pdt: Signal<In, Bits<24>>,
    /// Check period, cycles.
    pub check_period: Signal<In, Bits<16>>,
    /// T_on in flits per selectable port and check period.
    pub on_flits: Signal<In, Bits<16>>,
    /// T_off likewise.
    pub off_flits: Signal<In, Bits<16>>,
    /// T_s, T_w, T_q and T_r, cycles.
    pub t_sleep: Signal<In, Bits<24>>,
    pub t_wake: Signal<In, Bits<24>>,
    pub t_quiet: Signal<In, Bits<24>>,
    pub t_refresh: Signal<In, Bits<24>>,
    /// A wake request aborts `EnteringSleep`.
    pub abort_sleep: Signal<In, Bit>,
    pub clear_statistics: Signal<In, Bit>,
    /// The port is given to a packet in this cycle.
    pub given: Vec<Signal<In, Bit>>,
    /// A flit of the packet sets out for the port in this cycle.
    pub flit_valid: Vec<Signal<In, Bit>>,
    /// With that flit the port is released.
    pub released: Vec<Signal<In, Bit>>,
    /// The port is held and `Active`: its packet may send.
    pub transmit: Vec<Signal<Out, Bit>>,
    /// The port is held by a packet.
    pub busy: Vec<Signal<Out, Bit>>,
    /// The port is `Active`.
    pub awake: Vec<Signal<Out, Bit>>,
    /// The port is asleep, in a refresh period.
    pub refreshing: Vec<Signal<Out, Bit>>,
    /// The port draws full power.
    pub full_power: Vec<Signal<Out, Bit>>,
    /// The port may be selected.
    pub selectable: Vec<Signal<Out, Bit>>,
    /// Power state of each port: 0 Active, 1 EnteringSleep, 2 Asleep, 3 Waking.
    pub power_state: Vec<Signal<Out, Bits<2>>>,
    /// Last cycle of a check period.
    pub check: Signal<Out, Bit>,
    /// Statistics of each port, 32 bits each: cycles in `Active`.
    pub active_cycles: Vec<Signal<Out, Bits<32>>>,
    /// Cycles in `EnteringSleep`.
    pub entering_cycles: Vec<Signal<Out, Bits<32>>>,
    /// Cycles in `Asleep`, quiet.
    pub quiet_cycles: Vec<Signal<Out, Bits<32>>>,
    /// Cycles in `Asleep`, refreshing.
    pub refresh_cycles: Vec<Signal<Out, Bits<32>>>,
    /// Cycles in `Waking`.
    pub waking_cycles: Vec<Signal<Out, Bits<32>>>,
    /// Times the port was woken.
    pub wake_ups: Vec<Signal<Out, Bits<32>>>,
    /// Flits forwarded.
    pub flits: Vec<Signal<Out, Bits<32>>>,
    busy_r: BitRegister,
    timer: Settled<CheckTimer>,
    /// One per group of ports.
    group: Vec<Settled<PortGroup>>,
    /// One per port.
    fsm: Vec<Settled<PortPowerFsm>>,
    /// One per port.
    statistics: Vec<Settled<PortStatistics>>,
    /// The policy lets ports sleep.
    sleep_enable: Signal<Local, Bit>,
    /// Policies that let ports sleep, by code.
    sleeps: Constant<Bits<4>>,
    /// Ports.
    n: Size,
    groups: Size,
    /// Ports that are in some group, group after group.
    members: Size,
    /// The group of each member, its place in the group, and the port it is.
    group_of: Table,
    place_of: Table,
    port_of: Table,
    info: BlockInfo,
}

impl PowerManager {
    /// For a checked configuration.
    pub fn new(config: &Config) -> Self {
        let n = config.ports;
        let members: Vec<(usize, usize, usize)> = (config.groups.iter().enumerate())
            .flat_map(|(g, group)| group.ports().enumerate().map(move |(place, port)| (g, place, port)))
            .collect();
        PowerManager {
            clk: Default::default(),
            rst: Default::default(),
            policy: Default::default(),
            pdt: Default::default(),
            check_period: Default::default(),
            on_flits: Default::default(),
            off_flits: Default::default(),
            t_sleep: Default::default(),
            t_wake: Default::default(),
            t_quiet: Default::default(),
            t_refresh: Default::default(),
            abort_sleep: Default::default(),
            clear_statistics: Default::default(),
            given: vector(n),
            flit_valid: vector(n),
            released: vector(n),
            transmit: vector(n),
            busy: vector(n),
            awake: vector(n),
            refreshing: vector(n),
            full_power: vector(n),
            selectable: vector(n),
            power_state: vector(n),
            check: Default::default(),
            active_cycles: vector(n),
            entering_cycles: vector(n),
            quiet_cycles: vector(n),
            refresh_cycles: vector(n),
            waking_cycles: vector(n),
            wake_ups: vector(n),
            flits: vector(n),
            busy_r: BitRegister::new(vec![false; n]),
            timer: CheckTimer::new().into(),
            group: config.groups.iter().map(|group| PortGroup::new(group.size).into()).collect(),
            fsm: (0..n).map(|_| PortPowerFsm::new().into()).collect(),
            statistics: (0..n).map(|_| PortStatistics::new().into()).collect(),
            sleep_enable: Default::default(),
            sleeps: property(|policy| policy.sleeps),
            n: n.into(),
            groups: config.groups.len().into(),
            members: members.len().into(),
            group_of: Table::new(members.iter().map(|member| member.0).collect()),
            place_of: Table::new(members.iter().map(|member| member.1).collect()),
            port_of: Table::new(members.iter().map(|member| member.2).collect()),
            info: BlockInfo::new("power_manager", include_str!("power_manager.rs")),
        }
    }
}

impl Logic for PowerManager {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, busy_r);
        self.sleep_enable.next = self.sleeps.val().get_bit(self.policy.val().index());
        self.timer.clk.next = self.clk.val();
        self.timer.rst.next = self.rst.val();
        self.timer.period.next = self.check_period.val();
        self.check.next = self.timer.check.val();
        // Groups: which ports may be selected.
        for g in 0..self.groups.get() {
            self.group[g].clk.next = self.clk.val();
            self.group[g].rst.next = self.rst.val();
            self.group[g].check.next = self.timer.check.val();
            self.group[g].on_flits.next = self.on_flits.val();
            self.group[g].off_flits.next = self.off_flits.val();
        }
        for p in 0..self.n.get() {
            self.selectable[p].next = true;
        }
        for m in 0..self.members.get() {
            self.group[self.group_of[m]].flit[self.place_of[m]].next = self.flit_valid[self.port_of[m]].val();
            self.selectable[self.port_of[m]].next = self.group[self.group_of[m]].selectable[self.place_of[m]].val();
        }
        // Ports: held until they are released, asleep when idle.
        for p in 0..self.n.get() {
            self.busy_r.d[p].next =
                self.given[p].val() | (self.busy_r.q[p].val() & !(self.flit_valid[p].val() & self.released[p].val()));
            self.busy[p].next = self.busy_r.q[p].val();
            self.transmit[p].next = self.busy_r.q[p].val() & self.fsm[p].awake.val();
            self.awake[p].next = self.fsm[p].awake.val();
            self.refreshing[p].next = self.fsm[p].refreshing.val();
            self.full_power[p].next = self.fsm[p].full_power.val();
            self.power_state[p].next = self.fsm[p].state.val().into();
            self.fsm[p].clk.next = self.clk.val();
            self.fsm[p].rst.next = self.rst.val();
            self.fsm[p].sleep_enable.next = self.sleep_enable.val();
            self.fsm[p].abort_sleep.next = self.abort_sleep.val();
            self.fsm[p].in_use.next = self.busy_r.q[p].val() | self.flit_valid[p].val();
            self.fsm[p].wake_request.next = self.given[p].val();
            self.fsm[p].pdt.next = self.pdt.val();
            self.fsm[p].t_sleep.next = self.t_sleep.val();
            self.fsm[p].t_wake.next = self.t_wake.val();
            self.fsm[p].t_quiet.next = self.t_quiet.val();
            self.fsm[p].t_refresh.next = self.t_refresh.val();
            self.statistics[p].clk.next = self.clk.val();
            self.statistics[p].rst.next = self.rst.val();
            self.statistics[p].state.next = self.fsm[p].state.val();
            self.statistics[p].refreshing.next = self.fsm[p].refreshing.val();
            self.statistics[p].wake_started.next = self.fsm[p].wake_started.val();
            self.statistics[p].flit.next = self.flit_valid[p].val();
            self.statistics[p].clear.next = self.clear_statistics.val();
            self.active_cycles[p].next = self.statistics[p].active_cycles.val();
            self.entering_cycles[p].next = self.statistics[p].entering_cycles.val();
            self.quiet_cycles[p].next = self.statistics[p].quiet_cycles.val();
            self.refresh_cycles[p].next = self.statistics[p].refresh_cycles.val();
            self.waking_cycles[p].next = self.statistics[p].waking_cycles.val();
            self.wake_ups[p].next = self.statistics[p].wake_ups.val();
            self.flits[p].next = self.statistics[p].flits.val();
        }
    }
}

rtl_signals!(
    PowerManager,
    clocked,
    inputs(
        policy,
        pdt,
        check_period,
        on_flits,
        off_flits,
        t_sleep,
        t_wake,
        t_quiet,
        t_refresh,
        abort_sleep,
        clear_statistics,
        given,
        flit_valid,
        released,
    ),
    outputs(
        transmit,
        busy,
        awake,
        refreshing,
        full_power,
        selectable,
        power_state,
        check,
        active_cycles,
        entering_cycles,
        quiet_cycles,
        refresh_cycles,
        waking_cycles,
        wake_ups,
        flits,
    ),
    registers(busy_r as "busy"),
    children(timer, group, fsm, statistics),
);
