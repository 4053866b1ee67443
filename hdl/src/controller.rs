//! The power brain for a switch that somebody else builds: gives output ports to requesters, lets idle ports sleep and wakes them, and keeps only as
//! many ports selectable as the load needs.
//!
//! Use:      present a requester's candidate ports in its row of `adaptive` and `deterministic` and hold them until its row of
//!           `grant` is not 0; from the next cycle on the packet holds the port. It may send in every cycle with `transmit`,
//!           marking its flits with `flit_valid` and the last with `flit_tail`, which frees the port.
//! Latency:  request to grant two cycles when a port is free; grant to `transmit` one cycle when the port is awake, else
//!           until it has woken (T_w, or what is left of T_s and T_w).
//! Promise:  no port is given to two requesters, no requester gets two ports.
//! Range:    2 to 64 ports, 1 to 64 requesters; groups of any size, ports outside every group always selectable.
//! Registers: policy, PDT, thresholds, check period and transition times can be written while the switch runs; the map
//!           is in `control_registers`.
//! Reset:    all ports `Active` and free, registers as configured.
//! Source:   POWAR sections 3 and 4.1, Algorithms 1 to 3; docs/microarchitecture.md 3.14.

use crate::allocation::Selector;
use crate::arbiters::PortArbiter;
use crate::mechanisms::powar::{ControlRegisters, PowerManager};
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::Config;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct PowerController {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Candidate set P of each requester: bit r*N + p is requester r, port p.
    pub adaptive: Vec<Signal<In, Bit>>,
    /// Deterministic set D of each requester, likewise.
    pub deterministic: Vec<Signal<In, Bit>>,
    /// A flit leaves on the port in this cycle.
    pub flit_valid: Vec<Signal<In, Bit>>,
    /// That flit is its packet's tail.
    pub flit_tail: Vec<Signal<In, Bit>>,
    /// Write `write_data` to register `write_address` at the end of this cycle.
    pub write_enable: Signal<In, Bit>,
    pub write_address: Signal<In, Bits<4>>,
    pub write_data: Signal<In, Bits<32>>,
    /// Bit r*N + p: requester r is given port p.
    pub grant: Vec<Signal<Out, Bit>>,
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
    registers: Settled<ControlRegisters>,
    power: Settled<PowerManager>,
    /// One per requester.
    selector: Vec<Settled<Selector>>,
    /// One per port.
    arbiter: Vec<Settled<PortArbiter>>,
    /// The port is given to a requester in this cycle.
    given: Vec<Signal<Local, Bit>>,
    /// The requester is given a port in this cycle.
    accepted: Vec<Signal<Local, Bit>>,
    /// Ports.
    n: Size,
    /// Requesters.
    requesters: Size,
    info: BlockInfo,
}

impl PowerController {
    /// For a checked configuration.
    pub fn new(config: &Config) -> Self {
        let (n, r) = (config.ports, config.requesters());
        PowerController {
            clk: Default::default(),
            rst: Default::default(),
            adaptive: vector(r * n),
            deterministic: vector(r * n),
            flit_valid: vector(n),
            flit_tail: vector(n),
            write_enable: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            grant: vector(r * n),
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
            registers: ControlRegisters::new(&config.register_values()).into(),
            power: PowerManager::new(config).into(),
            selector: (0..r).map(|_| Selector::new(n, config.deterministic).into()).collect(),
            arbiter: (0..n).map(|_| PortArbiter::new(r).into()).collect(),
            given: vector(n),
            accepted: vector(r),
            n: n.into(),
            requesters: r.into(),
            info: BlockInfo::new("power_controller", include_str!("controller.rs")),
        }
    }
}

impl Logic for PowerController {
    #[hdl_gen]
    fn update(&mut self) {
        self.registers.clk.next = self.clk.val();
        self.registers.rst.next = self.rst.val();
        self.registers.write_enable.next = self.write_enable.val();
        self.registers.write_address.next = self.write_address.val();
        self.registers.write_data.next = self.write_data.val();
        // Stage 1: every requester chooses a port.
        for r in 0..self.requesters.get() {
            self.selector[r].clk.next = self.clk.val();
            self.selector[r].rst.next = self.rst.val();
            self.selector[r].policy.next = self.registers.policy.val();
            for p in 0..self.n.get() {
                self.selector[r].adaptive[p].next = self.adaptive[r * self.n + p].val();
                self.selector[r].deterministic[p].next = self.deterministic[r * self.n + p].val();
                self.selector[r].busy[p].next = self.power.busy[p].val();
                self.selector[r].awake[p].next = self.power.awake[p].val();
                self.selector[r].selectable[p].next = self.power.selectable[p].val();
            }
        }
        // Stage 3: every free port takes one of the requesters that chose it.
        for p in 0..self.n.get() {
            self.arbiter[p].clk.next = self.clk.val();
            self.arbiter[p].rst.next = self.rst.val();
            self.arbiter[p].free.next = !self.power.busy[p].val();
            for r in 0..self.requesters.get() {
                self.arbiter[p].request[r].next = self.selector[r].choice[p].val();
            }
        }
        for p in 0..self.n.get() {
            self.given[p].next = false;
        }
        for r in 0..self.requesters.get() {
            for p in 0..self.n.get() {
                self.grant[r * self.n + p].next = self.arbiter[p].grant[r].val();
            }
        }
        for p in 0..self.n.get() {
            for r in 0..self.requesters.get() {
                self.given[p].next = self.given[p].val() | self.arbiter[p].grant[r].val();
            }
        }
        for r in 0..self.requesters.get() {
            self.accepted[r].next = false;
            for p in 0..self.n.get() {
                self.accepted[r].next = self.accepted[r].val() | self.grant[r * self.n + p].val();
            }
            self.selector[r].accept.next = self.accepted[r].val();
        }
        // Ports: held from the grant to the tail flit, asleep when idle.
        self.power.clk.next = self.clk.val();
        self.power.rst.next = self.rst.val();
        self.power.policy.next = self.registers.policy.val();
        self.power.pdt.next = self.registers.pdt.val();
        self.power.check_period.next = self.registers.check_period.val();
        self.power.on_flits.next = self.registers.on_flits.val();
        self.power.off_flits.next = self.registers.off_flits.val();
        self.power.t_sleep.next = self.registers.t_sleep.val();
        self.power.t_wake.next = self.registers.t_wake.val();
        self.power.t_quiet.next = self.registers.t_quiet.val();
        self.power.t_refresh.next = self.registers.t_refresh.val();
        self.power.abort_sleep.next = self.registers.abort_sleep.val();
        self.power.clear_statistics.next = self.registers.clear_statistics.val();
        self.check.next = self.power.check.val();
        for p in 0..self.n.get() {
            self.power.given[p].next = self.given[p].val();
            self.power.flit_valid[p].next = self.flit_valid[p].val();
            self.power.released[p].next = self.flit_tail[p].val();
            self.transmit[p].next = self.power.transmit[p].val();
            self.busy[p].next = self.power.busy[p].val();
            self.awake[p].next = self.power.awake[p].val();
            self.refreshing[p].next = self.power.refreshing[p].val();
            self.full_power[p].next = self.power.full_power[p].val();
            self.selectable[p].next = self.power.selectable[p].val();
            self.power_state[p].next = self.power.power_state[p].val();
            self.active_cycles[p].next = self.power.active_cycles[p].val();
            self.entering_cycles[p].next = self.power.entering_cycles[p].val();
            self.quiet_cycles[p].next = self.power.quiet_cycles[p].val();
            self.refresh_cycles[p].next = self.power.refresh_cycles[p].val();
            self.waking_cycles[p].next = self.power.waking_cycles[p].val();
            self.wake_ups[p].next = self.power.wake_ups[p].val();
            self.flits[p].next = self.power.flits[p].val();
        }
    }
}

rtl_signals!(
    PowerController,
    clocked,
    inputs(adaptive / n, deterministic / n, flit_valid, flit_tail, write_enable, write_address, write_data,),
    outputs(
        grant / n,
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
    registers(),
    children(registers, power, selector, arbiter),
);
