//! AXI4-Lite from one master to several slaves, each with a window of 64 KiB; that of slave i begins at i << 16.
//!
//! Use:      all that goes out is registered, so that no handshake depends on another in the same cycle. Slaves may take address and data
//!           of a write in any order, and any time.
//! Errors:   an address in no window is answered here, with SLVERR: no access is left without an answer.
//! Range:    one write and one read at a time. Address and data of a write are taken together.
//! Latency:  two cycles in all on top of the slave's.
//! Reset:    no access under way.
//! Source:   AMBA AXI4-Lite (ARM IHI 0022); docs/microarchitecture/demonstrator.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_block::Number;
use crate::rtl_signals;
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

#[derive(LogicBlock)]
pub struct AxiLiteDecoder {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// From the master.
    pub s_axi_awvalid: Signal<In, Bit>,
    pub s_axi_awaddr: Signal<In, Bits<32>>,
    pub s_axi_wvalid: Signal<In, Bit>,
    pub s_axi_wdata: Signal<In, Bits<32>>,
    pub s_axi_wstrb: Signal<In, Bits<4>>,
    pub s_axi_bready: Signal<In, Bit>,
    pub s_axi_arvalid: Signal<In, Bit>,
    pub s_axi_araddr: Signal<In, Bits<32>>,
    pub s_axi_rready: Signal<In, Bit>,
    /// From the slaves.
    pub m_axi_awready: Vec<Signal<In, Bit>>,
    pub m_axi_wready: Vec<Signal<In, Bit>>,
    pub m_axi_bvalid: Vec<Signal<In, Bit>>,
    pub m_axi_bresp: Vec<Signal<In, Bits<2>>>,
    pub m_axi_arready: Vec<Signal<In, Bit>>,
    pub m_axi_rvalid: Vec<Signal<In, Bit>>,
    pub m_axi_rdata: Vec<Signal<In, Bits<32>>>,
    pub m_axi_rresp: Vec<Signal<In, Bits<2>>>,
    /// To the master.
    pub s_axi_awready: Signal<Out, Bit>,
    pub s_axi_wready: Signal<Out, Bit>,
    pub s_axi_bvalid: Signal<Out, Bit>,
    pub s_axi_bresp: Signal<Out, Bits<2>>,
    pub s_axi_arready: Signal<Out, Bit>,
    pub s_axi_rvalid: Signal<Out, Bit>,
    pub s_axi_rdata: Signal<Out, Bits<32>>,
    pub s_axi_rresp: Signal<Out, Bits<2>>,
    /// To the slaves; address and data are for all of them.
    pub m_axi_awvalid: Vec<Signal<Out, Bit>>,
    pub m_axi_awaddr: Signal<Out, Bits<16>>,
    pub m_axi_wvalid: Vec<Signal<Out, Bit>>,
    pub m_axi_wdata: Signal<Out, Bits<32>>,
    pub m_axi_wstrb: Signal<Out, Bits<4>>,
    pub m_axi_bready: Vec<Signal<Out, Bit>>,
    pub m_axi_arvalid: Vec<Signal<Out, Bit>>,
    pub m_axi_araddr: Signal<Out, Bits<16>>,
    pub m_axi_rready: Vec<Signal<Out, Bit>>,
    s_axi_bresp_r: Register<Bits<2>>,
    s_axi_rresp_r: Register<Bits<2>>,
    s_axi_rdata_r: Register<Bits<32>>,
    m_axi_awvalid_r: BitRegister,
    m_axi_wvalid_r: BitRegister,
    m_axi_arvalid_r: BitRegister,
    m_axi_awaddr_r: Register<Bits<16>>,
    m_axi_wdata_r: Register<Bits<32>>,
    m_axi_wstrb_r: Register<Bits<4>>,
    m_axi_araddr_r: Register<Bits<16>>,
    write_state_r: Register<AccessState>,
    read_state_r: Register<AccessState>,
    /// The slave of the access, one-hot; none if the address is in no window.
    write_window_r: BitRegister,
    read_window_r: BitRegister,
    /// An access is taken from the master; the window of its address; there is one.
    write_now: Signal<Local, Bit>,
    read_now: Signal<Local, Bit>,
    write_hit: Vec<Signal<Local, Bit>>,
    read_hit: Vec<Signal<Local, Bit>>,
    write_known: Signal<Local, Bit>,
    read_known: Signal<Local, Bit>,
    /// The slave answers in this cycle; with what.
    write_answered: Signal<Local, Bit>,
    read_answered: Signal<Local, Bit>,
    write_response: Signal<Local, Bits<2>>,
    read_response: Signal<Local, Bits<2>>,
    read_word: Signal<Local, Bits<32>>,
    slverr: Constant<Bits<2>>,
    slaves: Size,
    info: BlockInfo,
}

impl AxiLiteDecoder {
    /// For so many slaves, 1..=65536.
    pub fn new(slaves: usize) -> Self {
        let none = || BitRegister::new(vec![false; slaves]);
        build!(AxiLiteDecoder {
            (
                clk, rst, s_axi_awvalid, s_axi_awaddr, s_axi_wvalid, s_axi_wdata, s_axi_wstrb, s_axi_bready, s_axi_arvalid,
                s_axi_araddr, s_axi_rready, s_axi_awready, s_axi_wready, s_axi_bvalid, s_axi_bresp, s_axi_arready, s_axi_rvalid,
                s_axi_rdata, s_axi_rresp, m_axi_awaddr, m_axi_wdata, m_axi_wstrb, m_axi_araddr, s_axi_bresp_r, s_axi_rresp_r,
                s_axi_rdata_r, m_axi_awaddr_r, m_axi_wdata_r, m_axi_wstrb_r, m_axi_araddr_r, write_now, read_now, write_known,
                read_known, write_answered, read_answered, write_response, read_response, read_word,
            )
            [slaves => m_axi_awready, m_axi_wready, m_axi_bvalid, m_axi_bresp, m_axi_arready, m_axi_rvalid, m_axi_rdata, m_axi_rresp]
            [slaves => m_axi_awvalid, m_axi_wvalid, m_axi_bready, m_axi_arvalid, m_axi_rready, write_hit, read_hit]
            m_axi_awvalid_r: none(),
            m_axi_wvalid_r: none(),
            m_axi_arvalid_r: none(),
            write_window_r: none(),
            read_window_r: none(),
            write_state_r: Register::new(AccessState::Idle),
            read_state_r: Register::new(AccessState::Idle),
            slverr: Constant::new(2.into()),
            slaves: slaves.into(),
            info: BlockInfo::new("axi_lite_decoder", include_str!("axi_lite_decoder.rs")),
        })
    }
}

impl Logic for AxiLiteDecoder {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            s_axi_bresp_r,
            s_axi_rresp_r,
            s_axi_rdata_r,
            m_axi_awvalid_r,
            m_axi_wvalid_r,
            m_axi_arvalid_r,
            m_axi_awaddr_r,
            m_axi_wdata_r,
            m_axi_wstrb_r,
            m_axi_araddr_r,
            write_state_r,
            read_state_r,
            write_window_r,
            read_window_r
        );
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

rtl_signals!(
    AxiLiteDecoder,
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
        m_axi_awready,
        m_axi_wready,
        m_axi_bvalid,
        m_axi_bresp,
        m_axi_arready,
        m_axi_rvalid,
        m_axi_rdata,
        m_axi_rresp,
    ),
    outputs(
        s_axi_awready,
        s_axi_wready,
        s_axi_bvalid,
        s_axi_bresp,
        s_axi_arready,
        s_axi_rvalid,
        s_axi_rdata,
        s_axi_rresp,
        m_axi_awvalid,
        m_axi_awaddr,
        m_axi_wvalid,
        m_axi_wdata,
        m_axi_wstrb,
        m_axi_bready,
        m_axi_arvalid,
        m_axi_araddr,
        m_axi_rready,
    ),
    registers(
        s_axi_bresp_r as "s_axi_bresp",
        s_axi_rresp_r as "s_axi_rresp",
        s_axi_rdata_r as "s_axi_rdata",
        m_axi_awvalid_r as "m_axi_awvalid",
        m_axi_wvalid_r as "m_axi_wvalid",
        m_axi_arvalid_r as "m_axi_arvalid",
        m_axi_awaddr_r as "m_axi_awaddr",
        m_axi_wdata_r as "m_axi_wdata",
        m_axi_wstrb_r as "m_axi_wstrb",
        m_axi_araddr_r as "m_axi_araddr",
        write_state_r as "write_state",
        read_state_r as "read_state",
        write_window_r as "write_window",
        read_window_r as "read_window",
    ),
    children(),
);
