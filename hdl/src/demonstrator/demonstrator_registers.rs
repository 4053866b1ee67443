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

use crate::block;
use crate::registers::runs;
use powar_config::Config;
use powar_config::registers::demonstrator::{NODE_BASE, NODE_STRIDE, OWN, access_in_node};
use powar_config::registers::{Access, WORD_BYTES};
use rust_hdl::prelude::*;

block! {
    pub struct DemonstratorRegisters("demonstrator_registers", include_str!("demonstrator_registers.rs"), clocked)
    /// For a checked configuration with up to 60 ports.
    pub fn new(config: &Config) -> Self {
        let own = |name: &str| OWN.iter().find(|word| word.name == name).expect("a word of the demonstrator");
        let value = |name: &str| own(name).reset_value(config).to_bits();
        let at = |name: &str| own(name).offset.to_bits();
        let (writable_from, writable_to) =
            runs((0..128).filter(|&place| access_in_node(place) == Some(Access::ReadWrite)), 1);
        let (readable_from, readable_to) = runs((0..128).filter(|&place| access_in_node(place).is_some()), 1);
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
        /// The word that is asked for is here; 0 while nobody answers.
        read_done: Bit,
        read_data: Bits<32>,
        /// Events: an access over the serial port was answered with an error; a byte was lost there.
        bus_error: Bit,
        serial_error: Bit,
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
        /// Write `write_data` to the word of a node at `write_address`, byte address / 4, at the end of this cycle.
        write_enable: Bit,
        write_address: Bits<14>,
        write_data: Bits<32>,
        /// The word of a node at `read_address` is asked for, until `read_done`.
        read: Bit,
        read_address: Bits<14>,
        /// The generators run.
        run: Bit,
        /// Counters go to 0.
        clear: Bit,
        /// Time: cycles since the reset.
        cycles: Bits<32>,
    }
    registers {
        s_axi_bvalid_r: Bit,
        s_axi_bresp_r: Bits<2>,
        s_axi_rvalid_r: Bit,
        s_axi_rresp_r: Bits<2>,
        s_axi_rdata_r: Bits<32>,
        read_r: Bit,
        read_address_r: Bits<14>,
        run_r: Bit,
        clear_r: Bit,
        cycles_r: Bits<32>,
        bus_errors_r: Bits<32>,
        serial_errors_r: Bits<32>,
        /// A read of a word that is here, or of none, was taken in the cycle before.
        pending_r: Bit,
        /// It was the address of a word.
        exists_r: Bit,
        /// Its number among the words that are here.
        own_r: Bits<3>,
    }
    locals {
        write_now: Bit,
        read_now: Bit,
        /// Bytes from the first word of node 0, and the number of the word in its node.
        write_offset: Bits<16>,
        read_offset: Bits<16>,
        write_place: Bits<7>,
        read_place: Bits<7>,
        /// The address is that of a word of a node that there is, and that can be written; of a word here.
        write_of_node: Bit,
        write_control: Bit,
        write_clear: Bit,
        /// A whole word at a whole address.
        write_whole: Bit,
        writable: Bit,
        read_of_node: Bit,
        read_own: Bit,
        /// A node answers.
        done: Bit,
        /// The word that is here.
        own_word: Bits<32>,
    }
    sizes { writable_runs = writable_from.len(), readable_runs = readable_from.len() }
    constants {
        /// First word of node 0, and bytes of all nodes.
        node_base: Bits<16> = NODE_BASE.to_bits(),
        node_bytes: Bits<16> = (config.ports * usize::from(NODE_STRIDE)).to_bits(),
        /// Bytes of the words that are here.
        own_bytes: Bits<16> = (OWN.len() * usize::from(WORD_BYTES)).to_bits(),
        control_at: Bits<16> = at("control"),
        clear_at: Bits<16> = at("clear"),
        id: Bits<32> = value("id"),
        geometry: Bits<32> = value("geometry"),
        okay: Bits<2> = 0.into(),
        slverr: Bits<2> = 2.into(),
    }
    tables {
        /// Runs of words in a node: numbers of the first word, and of the one behind the last.
        writable_from = writable_from,
        writable_to = writable_to,
        readable_from = readable_from,
        readable_to = readable_to,
    }
}

impl Logic for DemonstratorRegisters {
    #[hdl_gen]
    fn update(&mut self) {
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
