//! AXI4-Lite from one master to several slaves, each with a window of 64 KiB; that of slave i begins at i << 16.
//!
//! Use:      all that goes out is registered, so that no handshake depends on another in the same cycle. Slaves may take address and data
//!           of a write in any order, and any time.
//! Errors:   an address in no window is answered here, with SLVERR: no access is left without an answer.
//! Range:    one write and one read at a time. Address and data of a write are taken together.
//! Latency:  two cycles in all on top of the slave's.
//! Reset:    no access under way.
//! Source:   AMBA AXI4-Lite (ARM IHI 0022); docs/microarchitecture/demonstrator.md.

use crate::block;
use crate::rtl_block::Number;
use rust_hdl::prelude::*;

/// How far an access has come.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum AccessState {
    Idle,
    Forward,
    Answer,
}

impl Number for AccessState {
    fn to_number(self) -> u64 {
        self as u64
    }
    fn from_number(number: u64) -> Self {
        [AccessState::Idle, AccessState::Forward, AccessState::Answer, AccessState::Idle][number as usize & 3]
    }
}

block! {
    pub struct AxiLiteDecoder("axi_lite_decoder", include_str!("axi_lite_decoder.rs"), clocked)
    /// For so many slaves, 1..=65536.
    pub fn new(slaves: usize) -> Self {}
    inputs {
        /// From the master.
        s_axi_awvalid: Bit,
        s_axi_awaddr: Bits<32>,
        s_axi_wvalid: Bit,
        s_axi_wdata: Bits<32>,
        s_axi_wstrb: Bits<4>,
        s_axi_bready: Bit,
        s_axi_arvalid: Bit,
        s_axi_araddr: Bits<32>,
        s_axi_rready: Bit,
        /// From the slaves.
        m_axi_awready[slaves]: Bit,
        m_axi_wready[slaves]: Bit,
        m_axi_bvalid[slaves]: Bit,
        m_axi_bresp[slaves]: Bits<2>,
        m_axi_arready[slaves]: Bit,
        m_axi_rvalid[slaves]: Bit,
        m_axi_rdata[slaves]: Bits<32>,
        m_axi_rresp[slaves]: Bits<2>,
    }
    outputs {
        /// To the master.
        s_axi_awready: Bit,
        s_axi_wready: Bit,
        s_axi_bvalid: Bit,
        s_axi_bresp: Bits<2>,
        s_axi_arready: Bit,
        s_axi_rvalid: Bit,
        s_axi_rdata: Bits<32>,
        s_axi_rresp: Bits<2>,
        /// To the slaves; address and data are for all of them.
        m_axi_awvalid[slaves]: Bit,
        m_axi_awaddr: Bits<16>,
        m_axi_wvalid[slaves]: Bit,
        m_axi_wdata: Bits<32>,
        m_axi_wstrb: Bits<4>,
        m_axi_bready[slaves]: Bit,
        m_axi_arvalid[slaves]: Bit,
        m_axi_araddr: Bits<16>,
        m_axi_rready[slaves]: Bit,
    }
    registers {
        s_axi_bresp_r: Bits<2>,
        s_axi_rresp_r: Bits<2>,
        s_axi_rdata_r: Bits<32>,
        m_axi_awvalid_r = vec![false; slaves],
        m_axi_wvalid_r = vec![false; slaves],
        m_axi_arvalid_r = vec![false; slaves],
        m_axi_awaddr_r: Bits<16>,
        m_axi_wdata_r: Bits<32>,
        m_axi_wstrb_r: Bits<4>,
        m_axi_araddr_r: Bits<16>,
        write_state_r: AccessState = AccessState::Idle,
        read_state_r: AccessState = AccessState::Idle,
        /// The slave of the access, one-hot; none if the address is in no window.
        write_window_r = vec![false; slaves],
        read_window_r = vec![false; slaves],
    }
    locals {
        /// An access is taken from the master; the window of its address; there is one.
        write_now: Bit,
        read_now: Bit,
        write_hit[slaves]: Bit,
        read_hit[slaves]: Bit,
        write_known: Bit,
        read_known: Bit,
        /// The slave answers in this cycle; with what.
        write_answered: Bit,
        read_answered: Bit,
        write_response: Bits<2>,
        read_response: Bits<2>,
        read_word: Bits<32>,
    }
    constants { slverr: Bits<2> = 2.into() }
    sizes { slaves = slaves }
}

impl Logic for AxiLiteDecoder {
    #[hdl_gen]
    fn update(&mut self) {
        // Writes.
        self.write_now.next =
            (self.write_state_r.q.val() == AccessState::Idle) & self.s_axi_awvalid.val() & self.s_axi_wvalid.val();
        self.write_known.next = false;
        self.write_answered.next = false;
        self.write_response.next = 0.into();
        for i in 0..self.slaves.get() {
            self.write_hit[i].next = self.s_axi_awaddr.val().get_bits::<16>(16) == i.to_bits();
            self.write_known.next = self.write_known.val() | self.write_hit[i].val();
            self.write_answered.next =
                self.write_answered.val() | (self.write_window_r.q[i].val() & self.m_axi_bvalid[i].val());
            if self.write_window_r.q[i].val() {
                self.write_response.next = self.m_axi_bresp[i].val();
            }
            self.m_axi_bready[i].next =
                (self.write_state_r.q.val() == AccessState::Forward) & self.write_window_r.q[i].val();
            self.m_axi_awvalid_r.d[i].next = (self.write_now.val() & self.write_hit[i].val())
                | (self.m_axi_awvalid_r.q[i].val() & !self.m_axi_awready[i].val());
            self.m_axi_wvalid_r.d[i].next = (self.write_now.val() & self.write_hit[i].val())
                | (self.m_axi_wvalid_r.q[i].val() & !self.m_axi_wready[i].val());
            if self.write_now.val() {
                self.write_window_r.d[i].next = self.write_hit[i].val();
            }
        }
        if self.write_now.val() {
            self.m_axi_awaddr_r.d.next = self.s_axi_awaddr.val().get_bits::<16>(0);
            self.m_axi_wdata_r.d.next = self.s_axi_wdata.val();
            self.m_axi_wstrb_r.d.next = self.s_axi_wstrb.val();
        }
        match self.write_state_r.q.val() {
            AccessState::Idle => {
                if self.write_now.val() & self.write_known.val() {
                    self.write_state_r.d.next = AccessState::Forward;
                }
                if self.write_now.val() & !self.write_known.val() {
                    self.write_state_r.d.next = AccessState::Answer;
                    self.s_axi_bresp_r.d.next = self.slverr.val();
                }
            }
            AccessState::Forward => {
                if self.write_answered.val() {
                    self.write_state_r.d.next = AccessState::Answer;
                    self.s_axi_bresp_r.d.next = self.write_response.val();
                }
            }
            AccessState::Answer => {
                if self.s_axi_bready.val() {
                    self.write_state_r.d.next = AccessState::Idle;
                }
            }
        }
        // Reads.
        self.read_now.next = (self.read_state_r.q.val() == AccessState::Idle) & self.s_axi_arvalid.val();
        self.read_known.next = false;
        self.read_answered.next = false;
        self.read_response.next = 0.into();
        self.read_word.next = 0.into();
        for i in 0..self.slaves.get() {
            self.read_hit[i].next = self.s_axi_araddr.val().get_bits::<16>(16) == i.to_bits();
            self.read_known.next = self.read_known.val() | self.read_hit[i].val();
            self.read_answered.next =
                self.read_answered.val() | (self.read_window_r.q[i].val() & self.m_axi_rvalid[i].val());
            if self.read_window_r.q[i].val() {
                self.read_response.next = self.m_axi_rresp[i].val();
                self.read_word.next = self.m_axi_rdata[i].val();
            }
            self.m_axi_rready[i].next =
                (self.read_state_r.q.val() == AccessState::Forward) & self.read_window_r.q[i].val();
            self.m_axi_arvalid_r.d[i].next = (self.read_now.val() & self.read_hit[i].val())
                | (self.m_axi_arvalid_r.q[i].val() & !self.m_axi_arready[i].val());
            if self.read_now.val() {
                self.read_window_r.d[i].next = self.read_hit[i].val();
            }
        }
        if self.read_now.val() {
            self.m_axi_araddr_r.d.next = self.s_axi_araddr.val().get_bits::<16>(0);
        }
        match self.read_state_r.q.val() {
            AccessState::Idle => {
                if self.read_now.val() & self.read_known.val() {
                    self.read_state_r.d.next = AccessState::Forward;
                }
                if self.read_now.val() & !self.read_known.val() {
                    self.read_state_r.d.next = AccessState::Answer;
                    self.s_axi_rresp_r.d.next = self.slverr.val();
                    self.s_axi_rdata_r.d.next = 0.into();
                }
            }
            AccessState::Forward => {
                if self.read_answered.val() {
                    self.read_state_r.d.next = AccessState::Answer;
                    self.s_axi_rresp_r.d.next = self.read_response.val();
                    self.s_axi_rdata_r.d.next = self.read_word.val();
                }
            }
            AccessState::Answer => {
                if self.s_axi_rready.val() {
                    self.read_state_r.d.next = AccessState::Idle;
                }
            }
        }
        self.s_axi_awready.next = self.write_now.val();
        self.s_axi_wready.next = self.write_now.val();
        self.s_axi_bvalid.next = self.write_state_r.q.val() == AccessState::Answer;
        self.s_axi_bresp.next = self.s_axi_bresp_r.q.val();
        self.s_axi_arready.next = self.read_now.val();
        self.s_axi_rvalid.next = self.read_state_r.q.val() == AccessState::Answer;
        self.s_axi_rdata.next = self.s_axi_rdata_r.q.val();
        self.s_axi_rresp.next = self.s_axi_rresp_r.q.val();
        self.m_axi_awaddr.next = self.m_axi_awaddr_r.q.val();
        self.m_axi_wdata.next = self.m_axi_wdata_r.q.val();
        self.m_axi_wstrb.next = self.m_axi_wstrb_r.q.val();
        self.m_axi_araddr.next = self.m_axi_araddr_r.q.val();
        for i in 0..self.slaves.get() {
            self.m_axi_awvalid[i].next = self.m_axi_awvalid_r.q[i].val();
            self.m_axi_wvalid[i].next = self.m_axi_wvalid_r.q[i].val();
            self.m_axi_arvalid[i].next = self.m_axi_arvalid_r.q[i].val();
        }
    }
}
