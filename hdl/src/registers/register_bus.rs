//! Configuration and status of the switch over AXI4-Lite.
//!
//! Use:      connect to any AXI4-Lite master, 32 bits of data, 16 of byte address. Writes take whole words (`wstrb` = 1111).
//! Latency:  address and data of a write are taken together; the answer comes one cycle later, a word that is read likewise. A
//!           control register that is written shows from the next cycle on. One transfer a cycle in each direction.
//! Range:    2 to 64 ports. Addresses without a register, and writes to one that can only be read, are answered with SLVERR.
//! Map:      docs/registers.md.
//! Reset:    no answer pending; the control registers as configured.
//! Source:   AMBA AXI4-Lite (ARM IHI 0022); docs/microarchitecture.md 5.12.

use crate::dff_setup;
use crate::mechanisms::powar::ControlRegisters;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::Config;
use powar_config::register_map as map;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct RegisterBus {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Write: address, data, answer.
    pub s_axi_awvalid: Signal<In, Bit>,
    pub s_axi_awaddr: Signal<In, Bits<16>>,
    pub s_axi_wvalid: Signal<In, Bit>,
    pub s_axi_wdata: Signal<In, Bits<32>>,
    pub s_axi_wstrb: Signal<In, Bits<4>>,
    pub s_axi_bready: Signal<In, Bit>,
    /// Read: address, answer.
    pub s_axi_arvalid: Signal<In, Bit>,
    pub s_axi_araddr: Signal<In, Bits<16>>,
    pub s_axi_rready: Signal<In, Bit>,
    /// Statistics of each port, 32 bits each: cycles in `Active`.
    pub active_cycles: Vec<Signal<In, Bits<32>>>,
    /// Cycles in `EnteringSleep`.
    pub entering_cycles: Vec<Signal<In, Bits<32>>>,
    /// Cycles in `Asleep`, quiet.
    pub quiet_cycles: Vec<Signal<In, Bits<32>>>,
    /// Cycles in `Asleep`, refreshing.
    pub refresh_cycles: Vec<Signal<In, Bits<32>>>,
    /// Cycles in `Waking`.
    pub waking_cycles: Vec<Signal<In, Bits<32>>>,
    /// Times the port was woken.
    pub wake_ups: Vec<Signal<In, Bits<32>>>,
    /// Flits sent.
    pub flits: Vec<Signal<In, Bits<32>>>,
    /// Packets that came in and were dropped.
    pub dropped_packets: Vec<Signal<In, Bits<32>>>,
    /// Flits that came in with a wrong head mark or virtual channel.
    pub framing_errors: Vec<Signal<In, Bits<32>>>,
    /// Flits that came in without a credit.
    pub overflow_errors: Vec<Signal<In, Bits<32>>>,
    /// Flits that came in while the sender said that its port sleeps.
    pub sleeping_link_flits: Vec<Signal<In, Bits<32>>>,
    /// Credits that came back for nothing, flits sent without one.
    pub credit_errors: Vec<Signal<In, Bits<32>>>,
    /// Power state of each port: 0 Active, 1 EnteringSleep, 2 Asleep, 3 Waking.
    pub power_state: Vec<Signal<In, Bits<2>>>,
    /// The port is held by a packet.
    pub busy: Vec<Signal<In, Bit>>,
    /// The port is `Active`.
    pub awake: Vec<Signal<In, Bit>>,
    /// The port may be selected.
    pub selectable: Vec<Signal<In, Bit>>,
    pub s_axi_awready: Signal<Out, Bit>,
    pub s_axi_wready: Signal<Out, Bit>,
    pub s_axi_arready: Signal<Out, Bit>,
    /// The answer to a write; its response is 0 OKAY or 2 SLVERR.
    pub s_axi_bvalid: Signal<Out, Bit>,
    pub s_axi_bresp: Signal<Out, Bits<2>>,
    /// The answer to a read, likewise; 0 with SLVERR.
    pub s_axi_rvalid: Signal<Out, Bit>,
    pub s_axi_rresp: Signal<Out, Bits<2>>,
    pub s_axi_rdata: Signal<Out, Bits<32>>,
    /// Policy code.
    pub policy: Signal<Out, Bits<2>>,
    /// Power-down threshold, cycles.
    pub pdt: Signal<Out, Bits<24>>,
    /// Check period, cycles.
    pub check_period: Signal<Out, Bits<16>>,
    /// T_on, flits per selectable port and check period.
    pub on_flits: Signal<Out, Bits<16>>,
    /// T_off likewise.
    pub off_flits: Signal<Out, Bits<16>>,
    /// T_s, cycles.
    pub t_sleep: Signal<Out, Bits<24>>,
    /// T_w, cycles.
    pub t_wake: Signal<Out, Bits<24>>,
    /// T_q, cycles; 0 = no refresh.
    pub t_quiet: Signal<Out, Bits<24>>,
    /// T_r, cycles; 0 = no refresh.
    pub t_refresh: Signal<Out, Bits<24>>,
    /// A wake request aborts `EnteringSleep`.
    pub abort_sleep: Signal<Out, Bit>,
    /// Lasts one cycle: all statistics back to 0.
    pub clear_statistics: Signal<Out, Bit>,
    s_axi_bvalid_r: Register<Bit>,
    s_axi_bresp_r: Register<Bits<2>>,
    s_axi_rvalid_r: Register<Bit>,
    s_axi_rresp_r: Register<Bits<2>>,
    s_axi_rdata_r: Register<Bits<32>>,
    registers: Settled<ControlRegisters>,
    /// A write is taken in this cycle.
    write_now: Signal<Local, Bit>,
    /// Its register can be written.
    writable: Signal<Local, Bit>,
    /// A read is taken in this cycle, and there is a register at its address.
    read_now: Signal<Local, Bit>,
    readable: Signal<Local, Bit>,
    /// Bytes from the first control register to the address that is written.
    write_offset: Signal<Local, Bits<16>>,
    /// The port at the address that is read, and the place of the word in it.
    port: Signal<Local, Bits<16>>,
    offset: Signal<Local, Bits<16>>,
    /// The word at the address.
    word: Signal<Local, Bits<32>>,
    /// That of one port.
    picked: Signal<Local, Bits<32>>,
    /// Power state of that port.
    state: Signal<Local, Bits<2>>,
    /// First control register, and bytes of all of them.
    control_base: Constant<Bits<16>>,
    control_bytes: Constant<Bits<16>>,
    /// First port, how many, bytes of the words of a port, address bits within a port and how many they are.
    port_base: Constant<Bits<16>>,
    ports: Constant<Bits<16>>,
    port_bytes: Constant<Bits<16>>,
    offset_mask: Constant<Bits<16>>,
    offset_bits: Constant<Bits<16>>,
    /// What the identity words read as.
    id: Constant<Bits<32>>,
    geometry: Constant<Bits<32>>,
    buffers: Constant<Bits<32>>,
    /// Their byte addresses.
    id_at: Constant<Bits<16>>,
    geometry_at: Constant<Bits<16>>,
    buffers_at: Constant<Bits<16>>,
    okay: Constant<Bits<2>>,
    slverr: Constant<Bits<2>>,
    /// Byte addresses of the control registers.
    policy_at: Constant<Bits<16>>,
    pdt_at: Constant<Bits<16>>,
    check_period_at: Constant<Bits<16>>,
    on_flits_at: Constant<Bits<16>>,
    off_flits_at: Constant<Bits<16>>,
    t_sleep_at: Constant<Bits<16>>,
    t_wake_at: Constant<Bits<16>>,
    t_quiet_at: Constant<Bits<16>>,
    t_refresh_at: Constant<Bits<16>>,
    abort_sleep_at: Constant<Bits<16>>,
    clear_statistics_at: Constant<Bits<16>>,
    /// Places of the words of a port.
    active_cycles_at: Constant<Bits<16>>,
    entering_cycles_at: Constant<Bits<16>>,
    quiet_cycles_at: Constant<Bits<16>>,
    refresh_cycles_at: Constant<Bits<16>>,
    waking_cycles_at: Constant<Bits<16>>,
    wake_ups_at: Constant<Bits<16>>,
    flits_at: Constant<Bits<16>>,
    dropped_packets_at: Constant<Bits<16>>,
    framing_errors_at: Constant<Bits<16>>,
    overflow_errors_at: Constant<Bits<16>>,
    sleeping_link_flits_at: Constant<Bits<16>>,
    credit_errors_at: Constant<Bits<16>>,
    status_at: Constant<Bits<16>>,
    n: Size,
    /// Bits of the status word.
    state_bit: Size,
    busy_bit: Size,
    awake_bit: Size,
    selectable_bit: Size,
    info: BlockInfo,
}

/// Byte address of a control register.
fn control_at(name: &str) -> Constant<Bits<16>> {
    Constant::new(map::CONTROL[map::control_address(name)].offset.to_bits())
}

/// Place of a word in its port.
fn port_at(name: &str) -> Constant<Bits<16>> {
    Constant::new(map::PORT[map::port_word(name)].offset.to_bits())
}

/// Lowest bit of a field of the status word.
fn status_bit(name: &str) -> Size {
    let status = &map::PORT[map::port_word("status")];
    let field = status.fields.iter().find(|field| field.name == name);
    (field.expect("a field of the status word").low as usize).into()
}

impl RegisterBus {
    /// For a checked configuration.
    pub fn new(config: &Config) -> Self {
        let n = config.ports;
        let id = |word: usize| Constant::new(map::IDENTITY[word].reset.value(config).to_bits());
        let id_at = |word: usize| Constant::new(map::IDENTITY[word].offset.to_bits());
        RegisterBus {
            clk: Default::default(),
            rst: Default::default(),
            s_axi_awvalid: Default::default(),
            s_axi_awaddr: Default::default(),
            s_axi_wvalid: Default::default(),
            s_axi_wdata: Default::default(),
            s_axi_wstrb: Default::default(),
            s_axi_bready: Default::default(),
            s_axi_arvalid: Default::default(),
            s_axi_araddr: Default::default(),
            s_axi_rready: Default::default(),
            active_cycles: vector(n),
            entering_cycles: vector(n),
            quiet_cycles: vector(n),
            refresh_cycles: vector(n),
            waking_cycles: vector(n),
            wake_ups: vector(n),
            flits: vector(n),
            dropped_packets: vector(n),
            framing_errors: vector(n),
            overflow_errors: vector(n),
            sleeping_link_flits: vector(n),
            credit_errors: vector(n),
            power_state: vector(n),
            busy: vector(n),
            awake: vector(n),
            selectable: vector(n),
            s_axi_awready: Default::default(),
            s_axi_wready: Default::default(),
            s_axi_arready: Default::default(),
            s_axi_bvalid: Default::default(),
            s_axi_bresp: Default::default(),
            s_axi_rvalid: Default::default(),
            s_axi_rresp: Default::default(),
            s_axi_rdata: Default::default(),
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
            s_axi_bvalid_r: Register::new(false),
            s_axi_bresp_r: Register::new(0.into()),
            s_axi_rvalid_r: Register::new(false),
            s_axi_rresp_r: Register::new(0.into()),
            s_axi_rdata_r: Register::new(0.into()),
            registers: ControlRegisters::new(&config.register_values()).into(),
            write_now: Default::default(),
            writable: Default::default(),
            read_now: Default::default(),
            readable: Default::default(),
            write_offset: Default::default(),
            port: Default::default(),
            offset: Default::default(),
            word: Default::default(),
            picked: Default::default(),
            state: Default::default(),
            control_base: Constant::new(map::CONTROL_BASE.to_bits()),
            control_bytes: Constant::new((map::CONTROL.len() * usize::from(map::WORD_BYTES)).to_bits()),
            port_base: Constant::new(map::PORT_BASE.to_bits()),
            ports: Constant::new(n.to_bits()),
            port_bytes: Constant::new((map::PORT.len() * usize::from(map::WORD_BYTES)).to_bits()),
            offset_mask: Constant::new((map::PORT_STRIDE - 1).to_bits()),
            offset_bits: Constant::new(map::PORT_STRIDE.ilog2().to_bits()),
            id: id(0),
            geometry: id(1),
            buffers: id(2),
            id_at: id_at(0),
            geometry_at: id_at(1),
            buffers_at: id_at(2),
            okay: Constant::new(0.into()),
            slverr: Constant::new(2.into()),
            policy_at: control_at("policy"),
            pdt_at: control_at("pdt"),
            check_period_at: control_at("check_period"),
            on_flits_at: control_at("on_flits"),
            off_flits_at: control_at("off_flits"),
            t_sleep_at: control_at("t_sleep"),
            t_wake_at: control_at("t_wake"),
            t_quiet_at: control_at("t_quiet"),
            t_refresh_at: control_at("t_refresh"),
            abort_sleep_at: control_at("abort_sleep"),
            clear_statistics_at: control_at("clear_statistics"),
            active_cycles_at: port_at("active_cycles"),
            entering_cycles_at: port_at("entering_cycles"),
            quiet_cycles_at: port_at("quiet_cycles"),
            refresh_cycles_at: port_at("refresh_cycles"),
            waking_cycles_at: port_at("waking_cycles"),
            wake_ups_at: port_at("wake_ups"),
            flits_at: port_at("flits"),
            dropped_packets_at: port_at("dropped_packets"),
            framing_errors_at: port_at("framing_errors"),
            overflow_errors_at: port_at("overflow_errors"),
            sleeping_link_flits_at: port_at("sleeping_link_flits"),
            credit_errors_at: port_at("credit_errors"),
            status_at: port_at("status"),
            n: n.into(),
            state_bit: status_bit("power_state"),
            busy_bit: status_bit("busy"),
            awake_bit: status_bit("awake"),
            selectable_bit: status_bit("selectable"),
            info: BlockInfo::new("register_bus", include_str!("register_bus.rs")),
        }
    }
}

impl Logic for RegisterBus {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, s_axi_bvalid_r, s_axi_bresp_r, s_axi_rvalid_r, s_axi_rresp_r, s_axi_rdata_r);
        // Write: address and data together.
        self.write_now.next = self.s_axi_awvalid.val()
            & self.s_axi_wvalid.val()
            & (!self.s_axi_bvalid_r.q.val() | self.s_axi_bready.val());
        self.s_axi_awready.next = self.write_now.val();
        self.s_axi_wready.next = self.write_now.val();
        self.write_offset.next = self.s_axi_awaddr.val() - self.control_base.val();
        self.writable.next = (self.write_offset.val() < self.control_bytes.val())
            & (self.s_axi_awaddr.val().get_bits::<2>(0) == 0)
            & self.s_axi_wstrb.val().all();
        self.registers.clk.next = self.clk.val();
        self.registers.rst.next = self.rst.val();
        self.registers.write_enable.next = self.write_now.val() & self.writable.val();
        self.registers.write_address.next = self.s_axi_awaddr.val().get_bits::<4>(2);
        self.registers.write_data.next = self.s_axi_wdata.val();
        self.s_axi_bvalid_r.d.next = self.write_now.val() | (self.s_axi_bvalid_r.q.val() & !self.s_axi_bready.val());
        if self.write_now.val() {
            self.s_axi_bresp_r.d.next = self.slverr.val();
            if self.writable.val() {
                self.s_axi_bresp_r.d.next = self.okay.val();
            }
        }
        // Read. The words are looked at only when one is asked for: that keeps simulation fast.
        self.read_now.next = self.s_axi_arvalid.val() & (!self.s_axi_rvalid_r.q.val() | self.s_axi_rready.val());
        self.s_axi_arready.next = self.read_now.val();
        self.port.next = (self.s_axi_araddr.val() - self.port_base.val()) >> self.offset_bits.val();
        self.offset.next = self.s_axi_araddr.val() & self.offset_mask.val();
        self.readable.next = false;
        self.word.next = 0.into();
        self.picked.next = 0.into();
        self.state.next = 0.into();
        if self.read_now.val() {
            self.readable.next = true;
            if self.s_axi_araddr.val() == self.id_at.val() {
                self.word.next = self.id.val();
            } else if self.s_axi_araddr.val() == self.geometry_at.val() {
                self.word.next = self.geometry.val();
            } else if self.s_axi_araddr.val() == self.buffers_at.val() {
                self.word.next = self.buffers.val();
            } else if self.s_axi_araddr.val() == self.policy_at.val() {
                self.word.next = bit_cast::<32, 2>(self.registers.policy.val());
            } else if self.s_axi_araddr.val() == self.pdt_at.val() {
                self.word.next = bit_cast::<32, 24>(self.registers.pdt.val());
            } else if self.s_axi_araddr.val() == self.check_period_at.val() {
                self.word.next = bit_cast::<32, 16>(self.registers.check_period.val());
            } else if self.s_axi_araddr.val() == self.on_flits_at.val() {
                self.word.next = bit_cast::<32, 16>(self.registers.on_flits.val());
            } else if self.s_axi_araddr.val() == self.off_flits_at.val() {
                self.word.next = bit_cast::<32, 16>(self.registers.off_flits.val());
            } else if self.s_axi_araddr.val() == self.t_sleep_at.val() {
                self.word.next = bit_cast::<32, 24>(self.registers.t_sleep.val());
            } else if self.s_axi_araddr.val() == self.t_wake_at.val() {
                self.word.next = bit_cast::<32, 24>(self.registers.t_wake.val());
            } else if self.s_axi_araddr.val() == self.t_quiet_at.val() {
                self.word.next = bit_cast::<32, 24>(self.registers.t_quiet.val());
            } else if self.s_axi_araddr.val() == self.t_refresh_at.val() {
                self.word.next = bit_cast::<32, 24>(self.registers.t_refresh.val());
            } else if self.s_axi_araddr.val() == self.abort_sleep_at.val() {
                self.word.next = self.word.val().replace_bit(0, self.registers.abort_sleep.val());
            } else if self.s_axi_araddr.val() == self.clear_statistics_at.val() {
                self.word.next = self.word.val().replace_bit(0, self.registers.clear_statistics.val());
            } else {
                self.readable.next = (self.port.val() < self.ports.val())
                    & (self.offset.val() < self.port_bytes.val())
                    & (self.s_axi_araddr.val().get_bits::<2>(0) == 0);
            }
            for p in 0..self.n.get() {
                self.picked.next = 0.into();
                self.state.next = self.power_state[p].val();
                if self.port.val() == p.to_bits() {
                    if self.offset.val() == self.active_cycles_at.val() {
                        self.picked.next = self.active_cycles[p].val();
                    } else if self.offset.val() == self.entering_cycles_at.val() {
                        self.picked.next = self.entering_cycles[p].val();
                    } else if self.offset.val() == self.quiet_cycles_at.val() {
                        self.picked.next = self.quiet_cycles[p].val();
                    } else if self.offset.val() == self.refresh_cycles_at.val() {
                        self.picked.next = self.refresh_cycles[p].val();
                    } else if self.offset.val() == self.waking_cycles_at.val() {
                        self.picked.next = self.waking_cycles[p].val();
                    } else if self.offset.val() == self.wake_ups_at.val() {
                        self.picked.next = self.wake_ups[p].val();
                    } else if self.offset.val() == self.flits_at.val() {
                        self.picked.next = self.flits[p].val();
                    } else if self.offset.val() == self.dropped_packets_at.val() {
                        self.picked.next = self.dropped_packets[p].val();
                    } else if self.offset.val() == self.framing_errors_at.val() {
                        self.picked.next = self.framing_errors[p].val();
                    } else if self.offset.val() == self.overflow_errors_at.val() {
                        self.picked.next = self.overflow_errors[p].val();
                    } else if self.offset.val() == self.sleeping_link_flits_at.val() {
                        self.picked.next = self.sleeping_link_flits[p].val();
                    } else if self.offset.val() == self.credit_errors_at.val() {
                        self.picked.next = self.credit_errors[p].val();
                    } else if self.offset.val() == self.status_at.val() {
                        self.picked.next =
                            self.picked.val().replace_bit(self.state_bit.into(), self.state.val().get_bit(0));
                        self.picked.next =
                            self.picked.val().replace_bit(self.state_bit + 1, self.state.val().get_bit(1));
                        self.picked.next = self.picked.val().replace_bit(self.busy_bit.into(), self.busy[p].val());
                        self.picked.next = self.picked.val().replace_bit(self.awake_bit.into(), self.awake[p].val());
                        self.picked.next =
                            self.picked.val().replace_bit(self.selectable_bit.into(), self.selectable[p].val());
                    }
                }
                self.word.next = self.word.val() | self.picked.val();
            }
            self.s_axi_rdata_r.d.next = self.word.val();
            self.s_axi_rresp_r.d.next = self.slverr.val();
            if self.readable.val() {
                self.s_axi_rresp_r.d.next = self.okay.val();
            }
        }
        self.s_axi_rvalid_r.d.next = self.read_now.val() | (self.s_axi_rvalid_r.q.val() & !self.s_axi_rready.val());
        self.s_axi_bvalid.next = self.s_axi_bvalid_r.q.val();
        self.s_axi_bresp.next = self.s_axi_bresp_r.q.val();
        self.s_axi_rvalid.next = self.s_axi_rvalid_r.q.val();
        self.s_axi_rresp.next = self.s_axi_rresp_r.q.val();
        self.s_axi_rdata.next = self.s_axi_rdata_r.q.val();
        self.policy.next = self.registers.policy.val();
        self.pdt.next = self.registers.pdt.val();
        self.check_period.next = self.registers.check_period.val();
        self.on_flits.next = self.registers.on_flits.val();
        self.off_flits.next = self.registers.off_flits.val();
        self.t_sleep.next = self.registers.t_sleep.val();
        self.t_wake.next = self.registers.t_wake.val();
        self.t_quiet.next = self.registers.t_quiet.val();
        self.t_refresh.next = self.registers.t_refresh.val();
        self.abort_sleep.next = self.registers.abort_sleep.val();
        self.clear_statistics.next = self.registers.clear_statistics.val();
    }
}

rtl_signals!(
    RegisterBus,
    clocked,
    inputs(
        s_axi_awvalid,
        s_axi_awaddr,
        s_axi_wvalid,
        s_axi_wdata,
        s_axi_wstrb,
        s_axi_bready,
        s_axi_arvalid,
        s_axi_araddr,
        s_axi_rready,
        active_cycles,
        entering_cycles,
        quiet_cycles,
        refresh_cycles,
        waking_cycles,
        wake_ups,
        flits,
        dropped_packets,
        framing_errors,
        overflow_errors,
        sleeping_link_flits,
        credit_errors,
        power_state,
        busy,
        awake,
        selectable,
    ),
    outputs(
        s_axi_awready,
        s_axi_wready,
        s_axi_arready,
        s_axi_bvalid,
        s_axi_bresp,
        s_axi_rvalid,
        s_axi_rresp,
        s_axi_rdata,
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
    ),
    registers(s_axi_bvalid_r as "s_axi_bvalid", s_axi_bresp_r as "s_axi_bresp", s_axi_rvalid_r as "s_axi_rvalid", s_axi_rresp_r as "s_axi_rresp", s_axi_rdata_r as "s_axi_rdata"),
    children(registers),
);
