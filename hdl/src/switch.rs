//! A switch for networks whose links sleep: input-queued, virtual cut-through, with credit-based flow control and the power
//! manager of POWAR.
//!
//! Use:      give it its `position` and `stage` in the network, connect the links and, if it is to be configured or watched, a
//!           master of AXI4-Lite. A link takes one flit a cycle; a sender needs a credit for each, and has as many as the
//!           virtual channel at the receiver has room for.
//! Latency:  5 cycles from head to head through an idle switch, and T_w more if the output port sleeps. Packets of 3 flits and
//!           more follow each other without a gap.
//! Promise:  no flit that came in with a credit is lost, none is doubled, those of a packet stay together and in order; no flit
//!           leaves on a link that is not `Active`.
//! Range:    2 to 64 ports, 1, 2, 4 or 8 virtual channels, buffers up to 4096 flits a port, flits of 32 to 512 bits.
//! Reset:    all buffers empty, all ports `Active`, all credits there; the control registers as configured.
//! Source:   POWAR sections 3 and 4.1; Kermani and Kleinrock 1979; docs/microarchitecture.md 5.13.

use crate::allocation::Allocator;
use crate::buffers::InputPort;
use crate::links::{Crossbar, OutputPort};
use crate::mechanisms::powar::PowerManager;
use crate::primitives::*;
use crate::registers::RegisterBus;
use crate::routing::{RoutingUnit, unit};
use crate::rtl_signals;
use powar_config::{Config, Topology};
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub const SWITCH: &str = "powar_switch";

#[derive(LogicBlock)]
pub struct PowarSwitch {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Packed address of this switch.
    pub position: Signal<In, Bits<16>>,
    /// Stage of this switch in a tree: 0 is the leaf stage.
    pub stage: Signal<In, Bits<4>>,
    /// Links towards the switch: a flit comes in, and it is the head of its packet.
    pub in_valid: Vec<Signal<In, Bit>>,
    pub in_head: Vec<Signal<In, Bit>>,
    /// Its virtual channel.
    pub in_vc: Vec<Signal<In, Bits<3>>>,
    /// Words of the flit: word w of port p is element p*W + w.
    pub in_flit: Vec<Signal<In, Bits<32>>>,
    /// Power state of the sender's port.
    pub in_power_state: Vec<Signal<In, Bits<2>>>,
    /// Links away from the switch: the receiver has taken a flit of this virtual channel out of its buffer.
    pub out_credit_valid: Vec<Signal<In, Bit>>,
    pub out_credit_vc: Vec<Signal<In, Bits<3>>>,
    /// AXI4-Lite, see `register_bus`.
    pub s_axi_awvalid: Signal<In, Bit>,
    pub s_axi_awaddr: Signal<In, Bits<16>>,
    pub s_axi_wvalid: Signal<In, Bit>,
    pub s_axi_wdata: Signal<In, Bits<32>>,
    pub s_axi_wstrb: Signal<In, Bits<4>>,
    pub s_axi_bready: Signal<In, Bit>,
    pub s_axi_arvalid: Signal<In, Bit>,
    pub s_axi_araddr: Signal<In, Bits<16>>,
    pub s_axi_rready: Signal<In, Bit>,
    /// Links away from the switch: a flit leaves, and it is the head of its packet.
    pub out_valid: Vec<Signal<Out, Bit>>,
    pub out_head: Vec<Signal<Out, Bit>>,
    /// Its virtual channel at the receiver.
    pub out_vc: Vec<Signal<Out, Bits<3>>>,
    /// Words of the flit, as they came in.
    pub out_flit: Vec<Signal<Out, Bits<32>>>,
    /// Power state of the port: 0 Active, 1 EnteringSleep, 2 Asleep, 3 Waking.
    pub out_power_state: Vec<Signal<Out, Bits<2>>>,
    /// Links towards the switch: a flit of this virtual channel has left the buffer.
    pub in_credit_valid: Vec<Signal<Out, Bit>>,
    pub in_credit_vc: Vec<Signal<Out, Bits<3>>>,
    /// The output port is held by a packet.
    pub busy: Vec<Signal<Out, Bit>>,
    /// The output port is `Active`.
    pub awake: Vec<Signal<Out, Bit>>,
    /// The output port may be selected.
    pub selectable: Vec<Signal<Out, Bit>>,
    /// The output port draws full power.
    pub full_power: Vec<Signal<Out, Bit>>,
    /// Last cycle of a check period.
    pub check: Signal<Out, Bit>,
    pub s_axi_awready: Signal<Out, Bit>,
    pub s_axi_wready: Signal<Out, Bit>,
    pub s_axi_arready: Signal<Out, Bit>,
    pub s_axi_bvalid: Signal<Out, Bit>,
    pub s_axi_bresp: Signal<Out, Bits<2>>,
    pub s_axi_rvalid: Signal<Out, Bit>,
    pub s_axi_rresp: Signal<Out, Bits<2>>,
    pub s_axi_rdata: Signal<Out, Bits<32>>,
    bus: Settled<RegisterBus>,
    power: Settled<PowerManager>,
    /// One per port.
    input_port: Vec<Settled<InputPort>>,
    /// One per virtual channel of each input port.
    routing: Vec<Settled<Box<dyn RoutingUnit>>>,
    allocator: Settled<Allocator>,
    crossbar: Settled<Crossbar>,
    /// One per port.
    output_port: Vec<Settled<OutputPort>>,
    /// Bit i*N + p: a packet of input port i is given output port p.
    won: Vec<Signal<Local, Bit>>,
    /// Bit w*N + p: the packet that is given output port p is given virtual channel w.
    given_vc: Vec<Signal<Local, Bit>>,
    /// Bit i*V + w: that of the packet of input port i.
    grant_vc: Vec<Signal<Local, Bit>>,
    /// Ports.
    n: Size,
    /// Virtual channels of a port.
    vcs: Size,
    /// Words of a flit.
    words: Size,
    info: BlockInfo,
}

impl PowarSwitch {
    /// For a configuration that has passed [`Config::check_switch`]; `None` if its topology is of another kind.
    pub fn new(config: &Config, topology: &Topology) -> Option<Self> {
        let (n, vcs, words) = (config.ports, config.switch.vcs, config.switch.flit_words());
        let (_, build) = unit(config, topology)?;
        let routing: Option<_> = (0..n * vcs).map(|_| build(config, topology).map(Into::into)).collect();
        Some(PowarSwitch {
            clk: Default::default(),
            rst: Default::default(),
            position: Default::default(),
            stage: Default::default(),
            in_valid: vector(n),
            in_head: vector(n),
            in_vc: vector(n),
            in_flit: vector(n * words),
            in_power_state: vector(n),
            out_credit_valid: vector(n),
            out_credit_vc: vector(n),
            s_axi_awvalid: Default::default(),
            s_axi_awaddr: Default::default(),
            s_axi_wvalid: Default::default(),
            s_axi_wdata: Default::default(),
            s_axi_wstrb: Default::default(),
            s_axi_bready: Default::default(),
            s_axi_arvalid: Default::default(),
            s_axi_araddr: Default::default(),
            s_axi_rready: Default::default(),
            out_valid: vector(n),
            out_head: vector(n),
            out_vc: vector(n),
            out_flit: vector(n * words),
            out_power_state: vector(n),
            in_credit_valid: vector(n),
            in_credit_vc: vector(n),
            busy: vector(n),
            awake: vector(n),
            selectable: vector(n),
            full_power: vector(n),
            check: Default::default(),
            s_axi_awready: Default::default(),
            s_axi_wready: Default::default(),
            s_axi_arready: Default::default(),
            s_axi_bvalid: Default::default(),
            s_axi_bresp: Default::default(),
            s_axi_rvalid: Default::default(),
            s_axi_rresp: Default::default(),
            s_axi_rdata: Default::default(),
            bus: RegisterBus::new(config).into(),
            power: PowerManager::new(config).into(),
            input_port: (0..n).map(|_| InputPort::new(n, &config.switch).into()).collect(),
            routing: routing?,
            allocator: Allocator::new(n, vcs, config.deterministic).into(),
            crossbar: Crossbar::new(n, vcs, words).into(),
            output_port: (0..n).map(|_| OutputPort::new(&config.switch).into()).collect(),
            won: vector(n * n),
            given_vc: vector(vcs * n),
            grant_vc: vector(n * vcs),
            n: n.into(),
            vcs: vcs.into(),
            words: words.into(),
            info: BlockInfo::new(SWITCH, include_str!("switch.rs")),
        })
    }
}

impl Logic for PowarSwitch {
    #[hdl_gen]
    fn update(&mut self) {
        // Configuration and status.
        self.bus.clk.next = self.clk.val();
        self.bus.rst.next = self.rst.val();
        self.bus.s_axi_awvalid.next = self.s_axi_awvalid.val();
        self.bus.s_axi_awaddr.next = self.s_axi_awaddr.val();
        self.bus.s_axi_wvalid.next = self.s_axi_wvalid.val();
        self.bus.s_axi_wdata.next = self.s_axi_wdata.val();
        self.bus.s_axi_wstrb.next = self.s_axi_wstrb.val();
        self.bus.s_axi_bready.next = self.s_axi_bready.val();
        self.bus.s_axi_arvalid.next = self.s_axi_arvalid.val();
        self.bus.s_axi_araddr.next = self.s_axi_araddr.val();
        self.bus.s_axi_rready.next = self.s_axi_rready.val();
        self.s_axi_awready.next = self.bus.s_axi_awready.val();
        self.s_axi_wready.next = self.bus.s_axi_wready.val();
        self.s_axi_arready.next = self.bus.s_axi_arready.val();
        self.s_axi_bvalid.next = self.bus.s_axi_bvalid.val();
        self.s_axi_bresp.next = self.bus.s_axi_bresp.val();
        self.s_axi_rvalid.next = self.bus.s_axi_rvalid.val();
        self.s_axi_rresp.next = self.bus.s_axi_rresp.val();
        self.s_axi_rdata.next = self.bus.s_axi_rdata.val();
        for p in 0..self.n.get() {
            self.bus.active_cycles[p].next = self.power.active_cycles[p].val();
            self.bus.entering_cycles[p].next = self.power.entering_cycles[p].val();
            self.bus.quiet_cycles[p].next = self.power.quiet_cycles[p].val();
            self.bus.refresh_cycles[p].next = self.power.refresh_cycles[p].val();
            self.bus.waking_cycles[p].next = self.power.waking_cycles[p].val();
            self.bus.wake_ups[p].next = self.power.wake_ups[p].val();
            self.bus.flits[p].next = self.power.flits[p].val();
            self.bus.dropped_packets[p].next = self.input_port[p].dropped_packets.val();
            self.bus.framing_errors[p].next = self.input_port[p].framing_errors.val();
            self.bus.overflow_errors[p].next = self.input_port[p].overflow_errors.val();
            self.bus.sleeping_link_flits[p].next = self.input_port[p].sleeping_link_flits.val();
            self.bus.credit_errors[p].next = self.output_port[p].credit_errors.val();
            self.bus.power_state[p].next = self.power.power_state[p].val();
            self.bus.busy[p].next = self.power.busy[p].val();
            self.bus.awake[p].next = self.power.awake[p].val();
            self.bus.selectable[p].next = self.power.selectable[p].val();
        }
        // What sleeps and wakes.
        self.power.clk.next = self.clk.val();
        self.power.rst.next = self.rst.val();
        self.power.policy.next = self.bus.policy.val();
        self.power.pdt.next = self.bus.pdt.val();
        self.power.check_period.next = self.bus.check_period.val();
        self.power.on_flits.next = self.bus.on_flits.val();
        self.power.off_flits.next = self.bus.off_flits.val();
        self.power.t_sleep.next = self.bus.t_sleep.val();
        self.power.t_wake.next = self.bus.t_wake.val();
        self.power.t_quiet.next = self.bus.t_quiet.val();
        self.power.t_refresh.next = self.bus.t_refresh.val();
        self.power.abort_sleep.next = self.bus.abort_sleep.val();
        self.power.clear_statistics.next = self.bus.clear_statistics.val();
        self.check.next = self.power.check.val();
        for p in 0..self.n.get() {
            self.power.given[p].next = self.allocator.given[p].val();
            self.power.flit_valid[p].next = self.crossbar.departing[p].val();
            self.power.released[p].next = self.crossbar.released[p].val();
            self.busy[p].next = self.power.busy[p].val();
            self.awake[p].next = self.power.awake[p].val();
            self.selectable[p].next = self.power.selectable[p].val();
            self.full_power[p].next = self.power.full_power[p].val();
        }
        // Where the packets may go.
        for i in 0..self.n.get() {
            for v in 0..self.vcs.get() {
                self.routing[i * self.vcs + v].position.next = self.position.val();
                self.routing[i * self.vcs + v].stage.next = self.stage.val();
                self.routing[i * self.vcs + v].destination.next = self.input_port[i].destination[v].val();
                for p in 0..self.n.get() {
                    self.allocator.adaptive[(i * self.vcs + v) * self.n + p].next =
                        self.routing[i * self.vcs + v].adaptive[p].val() & self.input_port[i].present[v].val();
                    self.allocator.deterministic[(i * self.vcs + v) * self.n + p].next =
                        self.routing[i * self.vcs + v].deterministic[p].val() & self.input_port[i].present[v].val();
                }
                for w in 0..self.vcs.get() {
                    self.allocator.adaptive_vcs[(i * self.vcs + v) * self.vcs + w].next =
                        self.routing[i * self.vcs + v].adaptive_vcs[w].val();
                    self.allocator.deterministic_vcs[(i * self.vcs + v) * self.vcs + w].next =
                        self.routing[i * self.vcs + v].deterministic_vcs[w].val();
                }
            }
        }
        // Which of them goes where.
        self.allocator.clk.next = self.clk.val();
        self.allocator.rst.next = self.rst.val();
        self.allocator.policy.next = self.bus.policy.val();
        for p in 0..self.n.get() {
            self.allocator.ready[p].next = self.input_port[p].ready.val();
            self.allocator.busy[p].next = self.power.busy[p].val();
            self.allocator.awake[p].next = self.power.awake[p].val();
            self.allocator.selectable[p].next = self.power.selectable[p].val();
            for v in 0..self.vcs.get() {
                self.allocator.drop[p * self.vcs + v].next = self.input_port[p].drop[v].val();
                self.allocator.can_take[p * self.vcs + v].next = self.input_port[p].can_take[v].val();
            }
        }
        for w in 0..self.vcs.get() {
            for p in 0..self.n.get() {
                self.allocator.room[w * self.n + p].next = self.output_port[p].room[w].val();
                self.given_vc[w * self.n + p].next = self.output_port[p].given_vc[w].val();
            }
        }
        for i in 0..self.n.get() {
            for p in 0..self.n.get() {
                self.won[i * self.n + p].next = false;
                for v in 0..self.vcs.get() {
                    self.won[i * self.n + p].next =
                        self.won[i * self.n + p].val() | self.allocator.grant[(i * self.vcs + v) * self.n + p].val();
                }
            }
        }
        for i in 0..self.n.get() {
            for w in 0..self.vcs.get() {
                self.grant_vc[i * self.vcs + w].next = false;
                for p in 0..self.n.get() {
                    self.grant_vc[i * self.vcs + w].next = self.grant_vc[i * self.vcs + w].val()
                        | (self.won[i * self.n + p].val() & self.given_vc[w * self.n + p].val());
                }
            }
        }
        // Input ports: buffers.
        for i in 0..self.n.get() {
            self.input_port[i].clk.next = self.clk.val();
            self.input_port[i].rst.next = self.rst.val();
            self.input_port[i].clear.next = self.bus.clear_statistics.val();
            self.input_port[i].in_valid.next = self.in_valid[i].val();
            self.input_port[i].in_head.next = self.in_head[i].val();
            self.input_port[i].in_vc.next = self.in_vc[i].val();
            self.input_port[i].in_power_state.next = self.in_power_state[i].val();
            self.in_credit_valid[i].next = self.input_port[i].in_credit_valid.val();
            self.in_credit_vc[i].next = self.input_port[i].in_credit_vc.val();
            for w in 0..self.words.get() {
                self.input_port[i].in_flit[w].next = self.in_flit[i * self.words + w].val();
            }
            for p in 0..self.n.get() {
                self.input_port[i].awake[p].next = self.power.awake[p].val();
            }
            for v in 0..self.vcs.get() {
                self.input_port[i].routable[v].next = self.routing[i * self.vcs + v].routable.val();
                self.input_port[i].accept[v].next = self.allocator.accept[i * self.vcs + v].val();
                for p in 0..self.n.get() {
                    self.input_port[i].grant[v * self.n + p].next =
                        self.allocator.grant[(i * self.vcs + v) * self.n + p].val();
                }
            }
            for w in 0..self.vcs.get() {
                self.input_port[i].grant_vc[w].next = self.grant_vc[i * self.vcs + w].val();
            }
        }
        // From input ports to output ports.
        self.crossbar.clk.next = self.clk.val();
        self.crossbar.rst.next = self.rst.val();
        for i in 0..self.n.get() {
            self.crossbar.select_head[i].next = self.input_port[i].select_head.val();
            self.crossbar.select_release[i].next = self.input_port[i].select_release.val();
            for p in 0..self.n.get() {
                self.crossbar.select[i * self.n + p].next = self.input_port[i].select[p].val();
            }
            for w in 0..self.vcs.get() {
                self.crossbar.select_vc[i * self.vcs + w].next = self.input_port[i].select_vc[w].val();
            }
            for w in 0..self.words.get() {
                self.crossbar.data[i * self.words + w].next = self.input_port[i].data[w].val();
            }
        }
        // Output ports: credits and links.
        for p in 0..self.n.get() {
            self.output_port[p].clk.next = self.clk.val();
            self.output_port[p].rst.next = self.rst.val();
            self.output_port[p].clear.next = self.bus.clear_statistics.val();
            self.output_port[p].given.next = self.allocator.given[p].val();
            self.output_port[p].valid.next = self.crossbar.valid[p].val();
            self.output_port[p].head.next = self.crossbar.head[p].val();
            self.output_port[p].power_state.next = self.power.power_state[p].val();
            self.output_port[p].out_credit_valid.next = self.out_credit_valid[p].val();
            self.output_port[p].out_credit_vc.next = self.out_credit_vc[p].val();
            self.out_valid[p].next = self.output_port[p].out_valid.val();
            self.out_head[p].next = self.output_port[p].out_head.val();
            self.out_vc[p].next = self.output_port[p].out_vc.val();
            self.out_power_state[p].next = self.output_port[p].out_power_state.val();
            for w in 0..self.vcs.get() {
                self.output_port[p].allowed[w].next = self.allocator.allowed[p * self.vcs + w].val();
                self.output_port[p].departing_vc[w].next = self.crossbar.departing_vc[p * self.vcs + w].val();
                self.output_port[p].vc[w].next = self.crossbar.vc[p * self.vcs + w].val();
            }
            for w in 0..self.words.get() {
                self.output_port[p].flit[w].next = self.crossbar.flit[p * self.words + w].val();
                self.out_flit[p * self.words + w].next = self.output_port[p].out_flit[w].val();
            }
        }
    }
}

rtl_signals!(
    PowarSwitch,
    clocked,
    inputs(
        position,
        stage,
        in_valid,
        in_head,
        in_vc,
        in_power_state,
        in_flit,
        out_credit_valid,
        out_credit_vc,
        s_axi_awvalid,
        s_axi_awaddr,
        s_axi_wvalid,
        s_axi_wdata,
        s_axi_wstrb,
        s_axi_bready,
        s_axi_arvalid,
        s_axi_araddr,
        s_axi_rready,
    ),
    outputs(
        out_valid,
        out_head,
        out_vc,
        out_power_state,
        out_flit,
        in_credit_valid,
        in_credit_vc,
        busy,
        awake,
        selectable,
        full_power,
        check,
        s_axi_awready,
        s_axi_wready,
        s_axi_arready,
        s_axi_bvalid,
        s_axi_bresp,
        s_axi_rvalid,
        s_axi_rresp,
        s_axi_rdata,
    ),
    registers(),
    children(bus, power, input_port, routing, allocator, crossbar, output_port),
);
