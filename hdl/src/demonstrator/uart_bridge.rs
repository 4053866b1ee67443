//! LiteX's UARTBone protocol on one side, an AXI4-Lite master on the other: registers over a serial line, as `litex_server --uart` speaks.
//!
//! Command:  a byte 1 to 4 (write, read: each word behind the one before; write, read: all at one address), the number of words, four bytes
//!           of address / 4, highest first; of a write the words follow, highest byte first. A read is answered with its words, a write with
//!           nothing. What is no command is ignored up to its address.
//! Time-out: a command that stops half way is dropped after `timeout` cycles without a byte. What the bus has begun is always finished.
//! Errors:   the protocol has no place for them: `bus_error` for one cycle, and the word that the bus gives.
//! Range:    one access at a time; address and data of a write are offered together, and may be taken in any order.
//! Reset:    waits for a command.
//! Source:   LiteX, litex/soc/cores/uart.py (Stream2Wishbone); docs/microarchitecture/demonstrator.md.

use crate::block;
use crate::rtl_block::Number;
use rust_hdl::prelude::*;

/// What the bridge waits for.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum BridgeState {
    Command,
    Length,
    Address,
    Data,
    Write,
    Read,
    Send,
}

impl Number for BridgeState {
    fn to_number(self) -> u64 {
        self as u64
    }
    fn from_number(number: u64) -> Self {
        use BridgeState::*;
        [Command, Length, Address, Data, Write, Read, Send].get(number as usize).copied().unwrap_or(Command)
    }
}

block! {
    pub struct UartBridge("uart_bridge", include_str!("uart_bridge.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// A byte from the receiver.
        rx_valid: Bit,
        rx_data: Bits<8>,
        /// The transmitter takes the byte.
        tx_ready: Bit,
        /// Cycles without a byte after which half a command is dropped.
        timeout: Bits<24>,
        m_axi_awready: Bit,
        m_axi_wready: Bit,
        m_axi_bvalid: Bit,
        m_axi_bresp: Bits<2>,
        m_axi_arready: Bit,
        m_axi_rvalid: Bit,
        m_axi_rdata: Bits<32>,
        m_axi_rresp: Bits<2>,
    }
    outputs {
        /// The byte is taken.
        rx_ready: Bit,
        /// A byte for the transmitter.
        tx_valid: Bit,
        tx_data: Bits<8>,
        m_axi_awvalid: Bit,
        m_axi_awaddr: Bits<32>,
        m_axi_wvalid: Bit,
        m_axi_wdata: Bits<32>,
        m_axi_wstrb: Bits<4>,
        m_axi_bready: Bit,
        m_axi_arvalid: Bit,
        m_axi_araddr: Bits<32>,
        m_axi_rready: Bit,
        /// An access is answered with an error in this cycle.
        bus_error: Bit,
    }
    registers {
        m_axi_awvalid_r: Bit,
        m_axi_wvalid_r: Bit,
        m_axi_arvalid_r: Bit,
        state_r: BridgeState = BridgeState::Command,
        /// The first byte of the command.
        command_r: Bits<8>,
        /// Words that are left, with the one under way.
        words_r: Bits<8>,
        /// Byte address / 4.
        address_r: Bits<32>,
        data_r: Bits<32>,
        /// Byte of the number under way.
        place_r: Bits<2>,
        /// Cycles without a byte.
        elapsed_r: Bits<24>,
    }
    locals {
        /// In a command, which may stop here.
        waiting: Bit,
        /// It has stopped for too long.
        expired: Bit,
        is_write: Bit,
        is_read: Bit,
        /// Each word is behind the one before.
        increments: Bit,
        /// The byte under way is the last of its number.
        fourth: Bit,
        /// A word is written, or its last byte is sent.
        word_done: Bit,
        last_word: Bit,
        write_error: Bit,
        read_error: Bit,
    }
    constants { all_bytes: Bits<4> = 15.into() }
}

impl Logic for UartBridge {
    #[hdl_gen]
    fn update(&mut self) {
        self.waiting.next = (self.state_r.q.val() == BridgeState::Length)
            | (self.state_r.q.val() == BridgeState::Address)
            | (self.state_r.q.val() == BridgeState::Data);
        self.expired.next = self.waiting.val() & !self.rx_valid.val() & (self.elapsed_r.q.val() >= self.timeout.val());
        self.elapsed_r.d.next = 0.into();
        if self.waiting.val() & !self.rx_valid.val() & !self.expired.val() {
            self.elapsed_r.d.next = self.elapsed_r.q.val() + 1;
        }
        self.is_write.next = (self.command_r.q.val() == 1) | (self.command_r.q.val() == 3);
        self.is_read.next = (self.command_r.q.val() == 2) | (self.command_r.q.val() == 4);
        self.increments.next = (self.command_r.q.val() == 1) | (self.command_r.q.val() == 2);
        self.fourth.next = self.place_r.q.val() == 3;
        self.last_word.next = self.words_r.q.val() == 1;
        // What is offered to the bus stays until it is taken.
        self.m_axi_awvalid_r.d.next = self.m_axi_awvalid_r.q.val() & !self.m_axi_awready.val();
        self.m_axi_wvalid_r.d.next = self.m_axi_wvalid_r.q.val() & !self.m_axi_wready.val();
        self.m_axi_arvalid_r.d.next = self.m_axi_arvalid_r.q.val() & !self.m_axi_arready.val();
        self.word_done.next = false;
        self.write_error.next = false;
        self.read_error.next = false;
        self.rx_ready.next = self.waiting.val();
        self.tx_valid.next = false;
        self.m_axi_bready.next = false;
        self.m_axi_rready.next = false;
        match self.state_r.q.val() {
            BridgeState::Command => {
                self.rx_ready.next = true;
                self.place_r.d.next = 0.into();
                if self.rx_valid.val() {
                    self.command_r.d.next = self.rx_data.val();
                    self.state_r.d.next = BridgeState::Length;
                }
            }
            BridgeState::Length => {
                if self.rx_valid.val() {
                    self.words_r.d.next = self.rx_data.val();
                    self.state_r.d.next = BridgeState::Address;
                }
            }
            BridgeState::Address => {
                if self.rx_valid.val() {
                    self.address_r.d.next = (self.address_r.q.val() << 8) | bit_cast::<32, 8>(self.rx_data.val());
                    self.place_r.d.next = self.place_r.q.val() + 1;
                    if self.fourth.val() {
                        self.state_r.d.next = BridgeState::Command;
                        if self.words_r.q.val().any() & self.is_write.val() {
                            self.state_r.d.next = BridgeState::Data;
                        }
                        if self.words_r.q.val().any() & self.is_read.val() {
                            self.state_r.d.next = BridgeState::Read;
                            self.m_axi_arvalid_r.d.next = true;
                        }
                    }
                }
            }
            BridgeState::Data => {
                if self.rx_valid.val() {
                    self.data_r.d.next = (self.data_r.q.val() << 8) | bit_cast::<32, 8>(self.rx_data.val());
                    self.place_r.d.next = self.place_r.q.val() + 1;
                    if self.fourth.val() {
                        self.state_r.d.next = BridgeState::Write;
                        self.m_axi_awvalid_r.d.next = true;
                        self.m_axi_wvalid_r.d.next = true;
                    }
                }
            }
            BridgeState::Write => {
                self.m_axi_bready.next = true;
                if self.m_axi_bvalid.val() {
                    self.word_done.next = true;
                    self.write_error.next = self.m_axi_bresp.val().any();
                    self.state_r.d.next = BridgeState::Data;
                    if self.last_word.val() {
                        self.state_r.d.next = BridgeState::Command;
                    }
                }
            }
            BridgeState::Read => {
                self.m_axi_rready.next = true;
                if self.m_axi_rvalid.val() {
                    self.data_r.d.next = self.m_axi_rdata.val();
                    self.read_error.next = self.m_axi_rresp.val().any();
                    self.state_r.d.next = BridgeState::Send;
                }
            }
            BridgeState::Send => {
                self.tx_valid.next = true;
                if self.tx_ready.val() {
                    self.data_r.d.next = self.data_r.q.val() << 8;
                    self.place_r.d.next = self.place_r.q.val() + 1;
                    if self.fourth.val() {
                        self.word_done.next = true;
                        if self.last_word.val() {
                            self.state_r.d.next = BridgeState::Command;
                        } else {
                            self.state_r.d.next = BridgeState::Read;
                            self.m_axi_arvalid_r.d.next = true;
                        }
                    }
                }
            }
        }
        if self.word_done.val() {
            self.words_r.d.next = self.words_r.q.val() - 1;
            if self.increments.val() {
                self.address_r.d.next = self.address_r.q.val() + 1;
            }
        }
        if self.expired.val() {
            self.state_r.d.next = BridgeState::Command;
            self.place_r.d.next = 0.into();
        }
        self.bus_error.next = self.write_error.val() | self.read_error.val();
        self.tx_data.next = self.data_r.q.val().get_bits::<8>(24);
        self.m_axi_awvalid.next = self.m_axi_awvalid_r.q.val();
        self.m_axi_awaddr.next = self.address_r.q.val() << 2;
        self.m_axi_wvalid.next = self.m_axi_wvalid_r.q.val();
        self.m_axi_wdata.next = self.data_r.q.val();
        self.m_axi_wstrb.next = self.all_bytes.val();
        self.m_axi_arvalid.next = self.m_axi_arvalid_r.q.val();
        self.m_axi_araddr.next = self.address_r.q.val() << 2;
    }
}
