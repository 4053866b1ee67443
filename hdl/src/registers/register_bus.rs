//! Configuration and status of the switch over AXI4-Lite.
//!
//! Use:      connect to any AXI4-Lite master, 32 bits of data, 16 of byte address. Writes take whole words (`wstrb` = 1111).
//! Ready:    awready, wready and arready hang on registers alone, so that no output of AXI follows an input in the same cycle. What comes
//!           while it can't go on is taken and kept, one of each.
//! Latency:  a write is done once its address and its data have come; the answer comes one cycle later. One write a cycle. The answer
//!           to a read comes two cycles later if the word is one that never changes or there is none, else when its owner has it; the next
//!           read begins then.
//! Owners:   every word belongs to another block, but those that never change: `write_enable` writes it; `read_request` asks for the one
//!           at `read_address`, which stays until `read_done` comes with `read_data`.
//! Range:    2 to 64 ports. Addresses without a word, and writes to one that can only be read, are answered with SLVERR.
//! Map:      docs/registers.md.
//! Reset:    no answer pending.
//! Source:   AMBA AXI4-Lite (ARM IHI 0022); docs/microarchitecture/registers.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::registers::runs;
use crate::rtl_signals;
use powar_config::registers::{self, Access, Word};
use powar_config::{Config, Mechanism};
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
    /// The word that was asked for is there in this cycle.
    pub read_done: Signal<In, Bit>,
    pub read_data: Signal<In, Bits<32>>,
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
    /// Write `write_data` to the word at `write_address`, byte address / 4, at the end of this cycle.
    pub write_enable: Signal<Out, Bit>,
    pub write_address: Signal<Out, Bits<10>>,
    pub write_data: Signal<Out, Bits<32>>,
    /// The word at `read_address` is asked for, byte address / 4.
    pub read_request: Signal<Out, Bit>,
    pub read_address: Signal<Out, Bits<14>>,
    /// Address, word and strobes of a write, and address of a read, that were taken and could not go on; whether there is one.
    aw_waits_r: Register<Bit>,
    aw_address_r: Register<Bits<16>>,
    w_waits_r: Register<Bit>,
    w_data_r: Register<Bits<32>>,
    w_strobes_r: Register<Bits<4>>,
    ar_waits_r: Register<Bit>,
    ar_address_r: Register<Bits<16>>,
    s_axi_bvalid_r: Register<Bit>,
    s_axi_bresp_r: Register<Bits<2>>,
    s_axi_rvalid_r: Register<Bit>,
    s_axi_rresp_r: Register<Bits<2>>,
    s_axi_rdata_r: Register<Bits<32>>,
    read_request_r: Register<Bit>,
    read_address_r: Register<Bits<14>>,
    /// A read has been taken and has no answer yet.
    reading_r: Register<Bit>,
    /// Which of the words of this block it was: 1 `id`, 2 `geometry`, 3 `buffers`, 0 none.
    constant_r: Register<Bits<2>>,
    /// It was the address of a word.
    exists_r: Register<Bit>,
    /// What there is to be done: what waits, else what comes.
    aw_there: Signal<Local, Bit>,
    w_there: Signal<Local, Bit>,
    ar_there: Signal<Local, Bit>,
    address: Signal<Local, Bits<16>>,
    data: Signal<Local, Bits<32>>,
    strobes: Signal<Local, Bits<4>>,
    read_at: Signal<Local, Bits<16>>,
    /// A write is done in this cycle; its address is that of a word that can be written.
    write_now: Signal<Local, Bit>,
    writable: Signal<Local, Bit>,
    /// A read begins in this cycle; its address is that of a word; of which of this block.
    read_now: Signal<Local, Bit>,
    readable: Signal<Local, Bit>,
    own: Signal<Local, Bits<2>>,
    /// The word of the read that was taken is there, or there is none.
    answer: Signal<Local, Bit>,
    /// Bytes from the first word of port 0 to the address that is read, and from the first word of its port.
    port_offset: Signal<Local, Bits<16>>,
    word_offset: Signal<Local, Bits<16>>,
    /// Runs of words without a gap, those that can be written, and all below those of the ports: byte addresses of the first word,
    /// and behind the last.
    writable_from: Table,
    writable_to: Table,
    writable_runs: Size,
    readable_from: Table,
    readable_to: Table,
    readable_runs: Size,
    /// First word of port 0, bytes of all ports, of the words of a port, and address bits within a port.
    port_base: Constant<Bits<16>>,
    port_bytes: Constant<Bits<16>>,
    word_bytes: Constant<Bits<16>>,
    offset_mask: Constant<Bits<16>>,
    /// The words of this block and their byte addresses.
    id: Constant<Bits<32>>,
    geometry: Constant<Bits<32>>,
    buffers: Constant<Bits<32>>,
    id_at: Constant<Bits<16>>,
    geometry_at: Constant<Bits<16>>,
    buffers_at: Constant<Bits<16>>,
    /// Responses.
    okay: Constant<Bits<2>>,
    slverr: Constant<Bits<2>>,
    info: BlockInfo,
}

/// Byte addresses where runs of words without a gap begin, and where they end.
fn runs_of_words<'a>(words: impl Iterator<Item = &'a Word>) -> (Vec<usize>, Vec<usize>) {
    runs(words.map(|word| word.offset.into()), registers::WORD_BYTES.into())
}

impl RegisterBus {
    /// For a checked configuration, with the words of this mechanism.
    pub fn new(config: &Config, mechanism: &Mechanism) -> Self {
        let own = |name: &str| registers::SWITCH.iter().find(|word| word.name == name).expect("a word of every switch");
        let id = |name: &str| Constant::new(own(name).reset_value(config).to_bits());
        let id_at = |name: &str| Constant::new(own(name).offset.to_bits());
        let of_routing = registers::routing_words(config);
        let words = || registers::SWITCH.iter().chain(&of_routing).chain(mechanism.words);
        let (writable_from, writable_to) = runs_of_words(words().filter(|word| word.access == Access::ReadWrite));
        let (readable_from, readable_to) = runs_of_words(words());
        let stride = usize::from(registers::port_stride(mechanism));
        let word_bytes = registers::port_words(mechanism).len() * usize::from(registers::WORD_BYTES);
        build!(RegisterBus {
            (
                clk, rst, s_axi_awvalid, s_axi_awaddr, s_axi_wvalid, s_axi_wdata, s_axi_wstrb, s_axi_bready, s_axi_arvalid,
                s_axi_araddr, s_axi_rready, read_done, read_data, s_axi_awready, s_axi_wready, s_axi_arready, s_axi_bvalid, s_axi_bresp,
                s_axi_rvalid, s_axi_rresp, s_axi_rdata, write_enable, write_address, write_data, read_request, read_address, aw_waits_r,
                aw_address_r, w_waits_r, w_data_r, w_strobes_r, ar_waits_r, ar_address_r, aw_there, w_there, ar_there, address, data,
                strobes, read_at, s_axi_bvalid_r, s_axi_bresp_r, s_axi_rvalid_r, s_axi_rresp_r, s_axi_rdata_r, read_request_r, read_address_r, reading_r, constant_r, exists_r, write_now,
                writable, read_now, answer, readable, own, port_offset, word_offset,
            )
            writable_runs: writable_from.len().into(),
            writable_from: Table::new(writable_from),
            writable_to: Table::new(writable_to),
            readable_runs: readable_from.len().into(),
            readable_from: Table::new(readable_from),
            readable_to: Table::new(readable_to),
            port_base: Constant::new(registers::PORT_BASE.to_bits()),
            port_bytes: Constant::new((config.ports * stride).to_bits()),
            word_bytes: Constant::new(word_bytes.to_bits()),
            offset_mask: Constant::new((stride - 1).to_bits()),
            id: id("id"),
            geometry: id("geometry"),
            buffers: id("buffers"),
            id_at: id_at("id"),
            geometry_at: id_at("geometry"),
            buffers_at: id_at("buffers"),
            okay: Constant::new(0.into()),
            slverr: Constant::new(2.into()),
            info: BlockInfo::new("register_bus", include_str!("register_bus.rs")),
        })
    }
}

impl Logic for RegisterBus {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            aw_waits_r,
            aw_address_r,
            w_waits_r,
            w_data_r,
            w_strobes_r,
            ar_waits_r,
            ar_address_r,
            s_axi_bvalid_r,
            s_axi_bresp_r,
            s_axi_rvalid_r,
            s_axi_rresp_r,
            s_axi_rdata_r,
            read_request_r,
            read_address_r,
            reading_r,
            constant_r,
            exists_r
        );
        // What is taken, and what there is to be done.
        self.s_axi_awready.next = !self.aw_waits_r.q.val();
        self.s_axi_wready.next = !self.w_waits_r.q.val();
        self.s_axi_arready.next = !self.ar_waits_r.q.val();
        if !self.aw_waits_r.q.val() & self.s_axi_awvalid.val() {
            self.aw_address_r.d.next = self.s_axi_awaddr.val();
        }
        if !self.w_waits_r.q.val() & self.s_axi_wvalid.val() {
            self.w_data_r.d.next = self.s_axi_wdata.val();
            self.w_strobes_r.d.next = self.s_axi_wstrb.val();
        }
        if !self.ar_waits_r.q.val() & self.s_axi_arvalid.val() {
            self.ar_address_r.d.next = self.s_axi_araddr.val();
        }
        self.address.next = self.s_axi_awaddr.val();
        if self.aw_waits_r.q.val() {
            self.address.next = self.aw_address_r.q.val();
        }
        self.data.next = self.s_axi_wdata.val();
        self.strobes.next = self.s_axi_wstrb.val();
        if self.w_waits_r.q.val() {
            self.data.next = self.w_data_r.q.val();
            self.strobes.next = self.w_strobes_r.q.val();
        }
        self.read_at.next = self.s_axi_araddr.val();
        if self.ar_waits_r.q.val() {
            self.read_at.next = self.ar_address_r.q.val();
        }
        self.aw_there.next = self.aw_waits_r.q.val() | self.s_axi_awvalid.val();
        self.w_there.next = self.w_waits_r.q.val() | self.s_axi_wvalid.val();
        self.ar_there.next = self.ar_waits_r.q.val() | self.s_axi_arvalid.val();
        // Write: address and data together.
        self.write_now.next =
            self.aw_there.val() & self.w_there.val() & (!self.s_axi_bvalid_r.q.val() | self.s_axi_bready.val());
        self.aw_waits_r.d.next = self.aw_there.val() & !self.write_now.val();
        self.w_waits_r.d.next = self.w_there.val() & !self.write_now.val();
        self.writable.next = false;
        for r in 0..self.writable_runs.get() {
            self.writable.next = self.writable.val()
                | ((self.address.val() >= self.writable_from[r].to_bits())
                    & (self.address.val() < self.writable_to[r].to_bits()));
        }
        self.writable.next =
            self.writable.val() & (self.address.val().get_bits::<2>(0) == 0) & self.strobes.val().all();
        self.write_enable.next = self.write_now.val() & self.writable.val();
        self.write_address.next = self.address.val().get_bits::<10>(2);
        self.write_data.next = self.data.val();
        self.s_axi_bvalid_r.d.next = self.write_now.val() | (self.s_axi_bvalid_r.q.val() & !self.s_axi_bready.val());
        if self.write_now.val() {
            self.s_axi_bresp_r.d.next = self.slverr.val();
            if self.writable.val() {
                self.s_axi_bresp_r.d.next = self.okay.val();
            }
        }
        // Read: the address.
        self.read_now.next =
            self.ar_there.val() & !self.reading_r.q.val() & (!self.s_axi_rvalid_r.q.val() | self.s_axi_rready.val());
        self.ar_waits_r.d.next = self.ar_there.val() & !self.read_now.val();
        self.port_offset.next = self.read_at.val() - self.port_base.val();
        self.word_offset.next = self.read_at.val() & self.offset_mask.val();
        self.readable.next =
            (self.port_offset.val() < self.port_bytes.val()) & (self.word_offset.val() < self.word_bytes.val());
        for r in 0..self.readable_runs.get() {
            self.readable.next = self.readable.val()
                | ((self.read_at.val() >= self.readable_from[r].to_bits())
                    & (self.read_at.val() < self.readable_to[r].to_bits()));
        }
        self.readable.next = self.readable.val() & (self.read_at.val().get_bits::<2>(0) == 0);
        if self.read_at.val() == self.id_at.val() {
            self.own.next = 1.into();
        } else if self.read_at.val() == self.geometry_at.val() {
            self.own.next = 2.into();
        } else if self.read_at.val() == self.buffers_at.val() {
            self.own.next = 3.into();
        } else {
            self.own.next = 0.into();
        }
        self.read_request_r.d.next = self.read_now.val() & self.readable.val() & (self.own.val() == 0);
        self.answer.next =
            self.reading_r.q.val() & (!self.exists_r.q.val() | self.constant_r.q.val().any() | self.read_done.val());
        self.reading_r.d.next = self.read_now.val() | (self.reading_r.q.val() & !self.answer.val());
        if self.read_now.val() {
            self.read_address_r.d.next = self.read_at.val().get_bits::<14>(2);
            self.exists_r.d.next = self.readable.val();
            self.constant_r.d.next = self.own.val();
        }
        // Its answer.
        self.s_axi_rvalid_r.d.next = self.answer.val() | (self.s_axi_rvalid_r.q.val() & !self.s_axi_rready.val());
        if self.answer.val() {
            if !self.exists_r.q.val() {
                self.s_axi_rresp_r.d.next = self.slverr.val();
                self.s_axi_rdata_r.d.next = 0.into();
            } else {
                self.s_axi_rresp_r.d.next = self.okay.val();
                match self.constant_r.q.val().index() {
                    1 => self.s_axi_rdata_r.d.next = self.id.val(),
                    2 => self.s_axi_rdata_r.d.next = self.geometry.val(),
                    3 => self.s_axi_rdata_r.d.next = self.buffers.val(),
                    _ => self.s_axi_rdata_r.d.next = self.read_data.val(),
                }
            }
        }
        self.read_request.next = self.read_request_r.q.val();
        self.read_address.next = self.read_address_r.q.val();
        self.s_axi_bvalid.next = self.s_axi_bvalid_r.q.val();
        self.s_axi_bresp.next = self.s_axi_bresp_r.q.val();
        self.s_axi_rvalid.next = self.s_axi_rvalid_r.q.val();
        self.s_axi_rresp.next = self.s_axi_rresp_r.q.val();
        self.s_axi_rdata.next = self.s_axi_rdata_r.q.val();
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
        read_done,
        read_data,
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
        read_request,
        read_address,
    ),
    registers(
        aw_waits_r as "aw_waits",
        aw_address_r as "aw_address",
        w_waits_r as "w_waits",
        w_data_r as "w_data",
        w_strobes_r as "w_strobes",
        ar_waits_r as "ar_waits",
        ar_address_r as "ar_address",
        s_axi_bvalid_r as "s_axi_bvalid",
        s_axi_bresp_r as "s_axi_bresp",
        s_axi_rvalid_r as "s_axi_rvalid",
        s_axi_rresp_r as "s_axi_rresp",
        s_axi_rdata_r as "s_axi_rdata",
        read_request_r as "read_request",
        read_address_r as "read_address",
        reading_r as "reading",
        constant_r as "constant",
        exists_r as "exists",
    ),
    children(),
);
