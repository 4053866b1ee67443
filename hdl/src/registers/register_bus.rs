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

use crate::block;
use crate::registers::runs;
use powar_config::registers::{self, Access, Word};
use powar_config::{Config, Mechanism};
use rust_hdl::prelude::*;

/// Byte addresses where runs of words without a gap begin, and where they end.
fn runs_of_words<'a>(words: impl Iterator<Item = &'a Word>) -> (Vec<usize>, Vec<usize>) {
    runs(words.map(|word| word.offset.into()), registers::WORD_BYTES.into())
}

block! {
    pub struct RegisterBus("register_bus", include_str!("register_bus.rs"), clocked)
    /// For a checked configuration, with the words of this mechanism.
    pub fn new(config: &Config, mechanism: &Mechanism) -> Self {
        let own = |name: &str| registers::SWITCH.iter().find(|word| word.name == name).expect("a word of every switch");
        let id = |name: &str| own(name).reset_value(config).to_bits();
        let id_at = |name: &str| own(name).offset.to_bits();
        let of_routing = registers::routing_words(config);
        let words = || registers::SWITCH.iter().chain(&of_routing).chain(mechanism.words);
        let (writable_from, writable_to) = runs_of_words(words().filter(|word| word.access == Access::ReadWrite));
        let (readable_from, readable_to) = runs_of_words(words());
        let stride = usize::from(registers::port_stride(mechanism));
        let word_bytes = registers::port_words(mechanism).len() * usize::from(registers::WORD_BYTES);
    }
    inputs {
        /// Write: address, data, answer.
        s_axi_awvalid: Bit,
        s_axi_awaddr: Bits<16>,
        s_axi_wvalid: Bit,
        s_axi_wdata: Bits<32>,
        s_axi_wstrb: Bits<4>,
        s_axi_bready: Bit,
        /// Read: address, answer.
        s_axi_arvalid: Bit,
        s_axi_araddr: Bits<16>,
        s_axi_rready: Bit,
        /// The word that was asked for is there in this cycle.
        read_done: Bit,
        read_data: Bits<32>,
    }
    outputs {
        s_axi_awready: Bit,
        s_axi_wready: Bit,
        s_axi_arready: Bit,
        /// The answer to a write; its response is 0 OKAY or 2 SLVERR.
        s_axi_bvalid: Bit,
        s_axi_bresp: Bits<2>,
        /// The answer to a read, likewise; 0 with SLVERR.
        s_axi_rvalid: Bit,
        s_axi_rresp: Bits<2>,
        s_axi_rdata: Bits<32>,
        /// Write `write_data` to the word at `write_address`, byte address / 4, at the end of this cycle.
        write_enable: Bit,
        write_address: Bits<10>,
        write_data: Bits<32>,
        /// The word at `read_address` is asked for, byte address / 4.
        read_request: Bit,
        read_address: Bits<14>,
    }
    registers {
        /// Address, word and strobes of a write, and address of a read, that were taken and could not go on; whether there is one.
        aw_waits_r: Bit,
        aw_address_r: Bits<16>,
        w_waits_r: Bit,
        w_data_r: Bits<32>,
        w_strobes_r: Bits<4>,
        ar_waits_r: Bit,
        ar_address_r: Bits<16>,
        s_axi_bvalid_r: Bit,
        s_axi_bresp_r: Bits<2>,
        s_axi_rvalid_r: Bit,
        s_axi_rresp_r: Bits<2>,
        s_axi_rdata_r: Bits<32>,
        read_request_r: Bit,
        read_address_r: Bits<14>,
        /// A read has been taken and has no answer yet.
        reading_r: Bit,
        /// Which of the words of this block it was: 1 `id`, 2 `geometry`, 3 `buffers`, 0 none.
        constant_r: Bits<2>,
        /// It was the address of a word.
        exists_r: Bit,
    }
    locals {
        /// What there is to be done: what waits, else what comes.
        aw_there: Bit,
        w_there: Bit,
        ar_there: Bit,
        address: Bits<16>,
        data: Bits<32>,
        strobes: Bits<4>,
        read_at: Bits<16>,
        /// A write is done in this cycle; its address is that of a word that can be written.
        write_now: Bit,
        writable: Bit,
        /// A read begins in this cycle; its address is that of a word; of which of this block.
        read_now: Bit,
        readable: Bit,
        own: Bits<2>,
        /// The word of the read that was taken is there, or there is none.
        answer: Bit,
        /// Bytes from the first word of port 0 to the address that is read, and from the first word of its port.
        port_offset: Bits<16>,
        word_offset: Bits<16>,
    }
    sizes { writable_runs = writable_from.len(), readable_runs = readable_from.len() }
    constants {
        /// First word of port 0, bytes of all ports, of the words of a port, and address bits within a port.
        port_base: Bits<16> = registers::PORT_BASE.to_bits(),
        port_bytes: Bits<16> = (config.ports * stride).to_bits(),
        word_bytes: Bits<16> = word_bytes.to_bits(),
        offset_mask: Bits<16> = (stride - 1).to_bits(),
        /// The words of this block and their byte addresses.
        id: Bits<32> = id("id"),
        geometry: Bits<32> = id("geometry"),
        buffers: Bits<32> = id("buffers"),
        id_at: Bits<16> = id_at("id"),
        geometry_at: Bits<16> = id_at("geometry"),
        buffers_at: Bits<16> = id_at("buffers"),
        /// Responses.
        okay: Bits<2> = 0.into(),
        slverr: Bits<2> = 2.into(),
    }
    tables {
        /// Runs of words without a gap, those that can be written, and all below those of the ports: byte addresses of the first word,
        /// and behind the last.
        writable_from = writable_from,
        writable_to = writable_to,
        readable_from = readable_from,
        readable_to = readable_to,
    }
}

impl Logic for RegisterBus {
    #[hdl_gen]
    fn update(&mut self) {
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
