//! The registers of the demonstrator over AXI4-Lite: those that are one for all nodes are here, the others are asked for.
//!
//! Use:      slave of window 1 of `axi_lite_decoder`; 32 bits of data, 16 of byte address, whole words only (`wstrb` = 1111).
//! Owners:   `write_enable` writes a word of a node. `read` asks for the one at `read_address` until `read_done` comes with it, whenever
//!           that is.
//! Latency:  a write is answered one cycle later, a read of a word that is here two cycles later.
//! Range:    2 to 60 nodes. Addresses without a word, and writes to one that can only be read, are answered with SLVERR.
//! Map:      docs/registers-demonstrator.md.
//! Reset:    no answer pending, nothing runs, time 0.
//! Source:   AMBA AXI4-Lite (ARM IHI 0022); docs/microarchitecture/demonstrator.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::registers::runs;
use crate::rtl_signals;
use powar_config::Config;
use powar_config::registers::demonstrator::{NODE_BASE, NODE_STRIDE, OWN, access_in_node};
use powar_config::registers::{Access, WORD_BYTES};
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct DemonstratorRegisters {
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
    /// The word that is asked for is here; 0 while nobody answers.
    pub read_done: Signal<In, Bit>,
    pub read_data: Signal<In, Bits<32>>,
    /// Events: an access over the serial port was answered with an error; a byte was lost there.
    pub bus_error: Signal<In, Bit>,
    pub serial_error: Signal<In, Bit>,
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
    /// Write `write_data` to the word of a node at `write_address`, byte address / 4, at the end of this cycle.
    pub write_enable: Signal<Out, Bit>,
    pub write_address: Signal<Out, Bits<14>>,
    pub write_data: Signal<Out, Bits<32>>,
    /// The word of a node at `read_address` is asked for, until `read_done`.
    pub read: Signal<Out, Bit>,
    pub read_address: Signal<Out, Bits<14>>,
    /// The generators run.
    pub run: Signal<Out, Bit>,
    /// Counters go to 0.
    pub clear: Signal<Out, Bit>,
    /// Time: cycles since the reset.
    pub cycles: Signal<Out, Bits<32>>,
    s_axi_bvalid_r: Register<Bit>,
    s_axi_bresp_r: Register<Bits<2>>,
    s_axi_rvalid_r: Register<Bit>,
    s_axi_rresp_r: Register<Bits<2>>,
    s_axi_rdata_r: Register<Bits<32>>,
    read_r: Register<Bit>,
    read_address_r: Register<Bits<14>>,
    run_r: Register<Bit>,
    clear_r: Register<Bit>,
    cycles_r: Register<Bits<32>>,
    bus_errors_r: Register<Bits<32>>,
    serial_errors_r: Register<Bits<32>>,
    /// A read of a word that is here, or of none, was taken in the cycle before.
    pending_r: Register<Bit>,
    /// It was the address of a word.
    exists_r: Register<Bit>,
    /// Its number among the words that are here.
    own_r: Register<Bits<3>>,
    write_now: Signal<Local, Bit>,
    read_now: Signal<Local, Bit>,
    /// Bytes from the first word of node 0, and the number of the word in its node.
    write_offset: Signal<Local, Bits<16>>,
    read_offset: Signal<Local, Bits<16>>,
    write_place: Signal<Local, Bits<7>>,
    read_place: Signal<Local, Bits<7>>,
    /// The address is that of a word of a node that there is, and that can be written; of a word here.
    write_of_node: Signal<Local, Bit>,
    write_control: Signal<Local, Bit>,
    write_clear: Signal<Local, Bit>,
    /// A whole word at a whole address.
    write_whole: Signal<Local, Bit>,
    writable: Signal<Local, Bit>,
    read_of_node: Signal<Local, Bit>,
    read_own: Signal<Local, Bit>,
    /// A node answers.
    done: Signal<Local, Bit>,
    /// The word that is here.
    own_word: Signal<Local, Bits<32>>,
    /// Runs of words in a node: numbers of the first word, and of the one behind the last.
    writable_from: Table,
    writable_to: Table,
    writable_runs: Size,
    readable_from: Table,
    readable_to: Table,
    readable_runs: Size,
    /// First word of node 0, and bytes of all nodes.
    node_base: Constant<Bits<16>>,
    node_bytes: Constant<Bits<16>>,
    /// Bytes of the words that are here.
    own_bytes: Constant<Bits<16>>,
    control_at: Constant<Bits<16>>,
    clear_at: Constant<Bits<16>>,
    id: Constant<Bits<32>>,
    geometry: Constant<Bits<32>>,
    okay: Constant<Bits<2>>,
    slverr: Constant<Bits<2>>,
    info: BlockInfo,
}

impl DemonstratorRegisters {
    /// For a checked configuration with up to 60 ports.
    pub fn new(config: &Config) -> Self {
        let own = |name: &str| OWN.iter().find(|word| word.name == name).expect("a word of the demonstrator");
        let value = |name: &str| Constant::new(own(name).reset_value(config).to_bits());
        let at = |name: &str| Constant::new(own(name).offset.to_bits());
        let (writable_from, writable_to) =
            runs((0..128).filter(|&place| access_in_node(place) == Some(Access::ReadWrite)), 1);
        let (readable_from, readable_to) = runs((0..128).filter(|&place| access_in_node(place).is_some()), 1);
        build!(DemonstratorRegisters {
            (
                clk, rst, s_axi_awvalid, s_axi_awaddr, s_axi_wvalid, s_axi_wdata, s_axi_wstrb, s_axi_bready, s_axi_arvalid,
                s_axi_araddr, s_axi_rready, read_done, read_data, bus_error, serial_error, s_axi_awready, s_axi_wready,
                s_axi_arready, s_axi_bvalid, s_axi_bresp, s_axi_rvalid, s_axi_rresp, s_axi_rdata, write_enable, write_address,
                write_data, read, read_address, run, clear, cycles, s_axi_bvalid_r, s_axi_bresp_r, s_axi_rvalid_r,
                s_axi_rresp_r, s_axi_rdata_r, read_r, read_address_r, run_r, clear_r, cycles_r, bus_errors_r, serial_errors_r,
                pending_r, exists_r, own_r, write_now, read_now, write_offset, read_offset, write_place, read_place,
                write_of_node, write_control, write_clear, write_whole, writable, read_of_node, read_own, done, own_word,
            )
            writable_runs: writable_from.len().into(),
            writable_from: Table::new(writable_from),
            writable_to: Table::new(writable_to),
            readable_runs: readable_from.len().into(),
            readable_from: Table::new(readable_from),
            readable_to: Table::new(readable_to),
            node_base: Constant::new(NODE_BASE.to_bits()),
            node_bytes: Constant::new((config.ports * usize::from(NODE_STRIDE)).to_bits()),
            own_bytes: Constant::new((OWN.len() * usize::from(WORD_BYTES)).to_bits()),
            control_at: at("control"),
            clear_at: at("clear"),
            id: value("id"),
            geometry: value("geometry"),
            okay: Constant::new(0.into()),
            slverr: Constant::new(2.into()),
            info: BlockInfo::new("demonstrator_registers", include_str!("demonstrator_registers.rs")),
        })
    }
}

impl Logic for DemonstratorRegisters {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            s_axi_bvalid_r,
            s_axi_bresp_r,
            s_axi_rvalid_r,
            s_axi_rresp_r,
            s_axi_rdata_r,
            read_r,
            read_address_r,
            run_r,
            clear_r,
            cycles_r,
            bus_errors_r,
            serial_errors_r,
            pending_r,
            exists_r,
            own_r
        );
        // Write: address and data together.
        self.write_now.next = self.s_axi_awvalid.val()
            & self.s_axi_wvalid.val()
            & (!self.s_axi_bvalid_r.q.val() | self.s_axi_bready.val());
        self.write_offset.next = self.s_axi_awaddr.val() - self.node_base.val();
        self.write_place.next = self.s_axi_awaddr.val().get_bits::<7>(2);
        self.write_of_node.next = false;
        for r in 0..self.writable_runs.get() {
            self.write_of_node.next = self.write_of_node.val()
                | ((bit_cast::<8, 7>(self.write_place.val()) >= self.writable_from[r].to_bits())
                    & (bit_cast::<8, 7>(self.write_place.val()) < self.writable_to[r].to_bits()));
        }
        self.write_whole.next = self.s_axi_wstrb.val().all() & (self.s_axi_awaddr.val().get_bits::<2>(0) == 0);
        self.write_of_node.next =
            self.write_of_node.val() & (self.write_offset.val() < self.node_bytes.val()) & self.write_whole.val();
        self.write_control.next = self.write_whole.val() & (self.s_axi_awaddr.val() == self.control_at.val());
        self.write_clear.next = self.write_whole.val() & (self.s_axi_awaddr.val() == self.clear_at.val());
        self.writable.next = self.write_of_node.val() | self.write_control.val() | self.write_clear.val();
        self.s_axi_awready.next = self.write_now.val();
        self.s_axi_wready.next = self.write_now.val();
        self.write_enable.next = self.write_now.val() & self.write_of_node.val();
        self.write_address.next = self.s_axi_awaddr.val().get_bits::<14>(2);
        self.write_data.next = self.s_axi_wdata.val();
        self.s_axi_bvalid_r.d.next = self.write_now.val() | (self.s_axi_bvalid_r.q.val() & !self.s_axi_bready.val());
        if self.write_now.val() {
            self.s_axi_bresp_r.d.next = self.slverr.val();
            if self.writable.val() {
                self.s_axi_bresp_r.d.next = self.okay.val();
            }
        }
        // The words that are here.
        if self.write_now.val() & self.write_control.val() {
            self.run_r.d.next = self.s_axi_wdata.val().get_bit(0);
        }
        self.clear_r.d.next = self.write_now.val() & self.write_clear.val() & self.s_axi_wdata.val().get_bit(0);
        self.cycles_r.d.next = self.cycles_r.q.val() + 1;
        if self.bus_error.val() {
            self.bus_errors_r.d.next = self.bus_errors_r.q.val() + 1;
        }
        if self.serial_error.val() {
            self.serial_errors_r.d.next = self.serial_errors_r.q.val() + 1;
        }
        if self.clear_r.q.val() {
            self.bus_errors_r.d.next = 0.into();
            self.serial_errors_r.d.next = 0.into();
        }
        // Read: the address.
        self.read_now.next = self.s_axi_arvalid.val()
            & !self.pending_r.q.val()
            & !self.read_r.q.val()
            & (!self.s_axi_rvalid_r.q.val() | self.s_axi_rready.val());
        self.read_offset.next = self.s_axi_araddr.val() - self.node_base.val();
        self.read_place.next = self.s_axi_araddr.val().get_bits::<7>(2);
        self.read_of_node.next = false;
        for r in 0..self.readable_runs.get() {
            self.read_of_node.next = self.read_of_node.val()
                | ((bit_cast::<8, 7>(self.read_place.val()) >= self.readable_from[r].to_bits())
                    & (bit_cast::<8, 7>(self.read_place.val()) < self.readable_to[r].to_bits()));
        }
        self.read_of_node.next = self.read_of_node.val()
            & (self.read_offset.val() < self.node_bytes.val())
            & (self.s_axi_araddr.val().get_bits::<2>(0) == 0);
        self.read_own.next =
            (self.s_axi_araddr.val() < self.own_bytes.val()) & (self.s_axi_araddr.val().get_bits::<2>(0) == 0);
        self.s_axi_arready.next = self.read_now.val();
        self.done.next = self.read_r.q.val() & self.read_done.val();
        self.pending_r.d.next = self.read_now.val() & !self.read_of_node.val();
        if self.done.val() {
            self.read_r.d.next = false;
        }
        if self.read_now.val() {
            self.read_r.d.next = self.read_of_node.val();
            self.read_address_r.d.next = self.s_axi_araddr.val().get_bits::<14>(2);
            self.exists_r.d.next = self.read_of_node.val() | self.read_own.val();
            self.own_r.d.next = self.s_axi_araddr.val().get_bits::<3>(2);
        }
        // The word.
        match self.own_r.q.val().index() {
            0 => self.own_word.next = self.id.val(),
            1 => self.own_word.next = self.geometry.val(),
            2 => self.own_word.next = bit_cast::<32, 1>(self.run_r.q.val().into()),
            3 => self.own_word.next = bit_cast::<32, 1>(self.clear_r.q.val().into()),
            4 => self.own_word.next = self.cycles_r.q.val(),
            5 => self.own_word.next = self.bus_errors_r.q.val(),
            _ => self.own_word.next = self.serial_errors_r.q.val(),
        }
        self.s_axi_rvalid_r.d.next =
            self.pending_r.q.val() | self.done.val() | (self.s_axi_rvalid_r.q.val() & !self.s_axi_rready.val());
        if self.pending_r.q.val() {
            self.s_axi_rresp_r.d.next = self.slverr.val();
            self.s_axi_rdata_r.d.next = 0.into();
            if self.exists_r.q.val() {
                self.s_axi_rresp_r.d.next = self.okay.val();
                self.s_axi_rdata_r.d.next = self.own_word.val();
            }
        } else if self.done.val() {
            self.s_axi_rresp_r.d.next = self.okay.val();
            self.s_axi_rdata_r.d.next = self.read_data.val();
        }
        self.s_axi_bvalid.next = self.s_axi_bvalid_r.q.val();
        self.s_axi_bresp.next = self.s_axi_bresp_r.q.val();
        self.s_axi_rvalid.next = self.s_axi_rvalid_r.q.val();
        self.s_axi_rresp.next = self.s_axi_rresp_r.q.val();
        self.s_axi_rdata.next = self.s_axi_rdata_r.q.val();
        self.read.next = self.read_r.q.val();
        self.read_address.next = self.read_address_r.q.val();
        self.run.next = self.run_r.q.val();
        self.clear.next = self.clear_r.q.val();
        self.cycles.next = self.cycles_r.q.val();
    }
}

rtl_signals!(
    DemonstratorRegisters,
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
        read_done,
        read_data,
        bus_error,
        serial_error,
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
        write_enable,
        write_address,
        write_data,
        read,
        read_address,
        run,
        clear,
        cycles,
    ),
    registers(
        s_axi_bvalid_r as "s_axi_bvalid",
        s_axi_bresp_r as "s_axi_bresp",
        s_axi_rvalid_r as "s_axi_rvalid",
        s_axi_rresp_r as "s_axi_rresp",
        s_axi_rdata_r as "s_axi_rdata",
        read_r as "read",
        read_address_r as "read_address",
        run_r as "run",
        clear_r as "clear",
        cycles_r as "cycles",
        bus_errors_r as "bus_errors",
        serial_errors_r as "serial_errors",
        pending_r as "pending",
        exists_r as "exists",
        own_r as "own",
    ),
    children(),
);
