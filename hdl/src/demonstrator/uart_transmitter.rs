//! Bytes to a serial line, 8N1: start bit 0, eight data bits, lowest first, stop bit 1.
//!
//! Use:      a byte is taken in a cycle with `valid` and `ready`.
//! Latency:  the start bit begins one cycle later; a byte lasts ten bits and a cycle.
//! Range:    `divider` cycles a bit; 0 counts as 65536.
//! Reset:    the line rests at 1.
//! Source:   docs/microarchitecture/demonstrator.md.

use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct UartTransmitter("uart_transmitter", include_str!("uart_transmitter.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// A byte is to be sent.
        valid: Bit,
        data: Bits<8>,
        /// Cycles of a bit.
        divider: Bits<16>,
    }
    outputs {
        /// It is taken.
        ready: Bit,
        /// The pin.
        tx: Bit,
    }
    registers {
        tx_r: Bit = true,
        /// A byte is under way.
        busy_r: Bit,
        /// Cycles until the bit on the pin ends.
        count_r: Bits<16>,
        /// The bit on the pin: 0 start, 1 to 8 data, 9 stop.
        place_r: Bits<4>,
        /// Data bits that are still to be sent.
        shift_r: Bits<8>,
    }
    locals {
        take: Bit,
        /// The bit on the pin ends with this cycle.
        ends: Bit,
    }
}

impl Logic for UartTransmitter {
    #[hdl_gen]
    fn update(&mut self) {
        self.take.next = self.valid.val() & !self.busy_r.q.val();
        self.ends.next = self.busy_r.q.val() & !self.count_r.q.val().any();
        if self.take.val() {
            self.busy_r.d.next = true;
            self.tx_r.d.next = false;
            self.place_r.d.next = 0.into();
            self.shift_r.d.next = self.data.val();
            self.count_r.d.next = self.divider.val() - 1;
        } else if self.ends.val() {
            self.busy_r.d.next = self.place_r.q.val() != 9;
            self.tx_r.d.next = (self.place_r.q.val() >= 8) | self.shift_r.q.val().get_bit(0);
            self.place_r.d.next = self.place_r.q.val() + 1;
            self.shift_r.d.next = self.shift_r.q.val() >> 1;
            self.count_r.d.next = self.divider.val() - 1;
        } else if self.busy_r.q.val() {
            self.count_r.d.next = self.count_r.q.val() - 1;
        }
        self.ready.next = !self.busy_r.q.val();
        self.tx.next = self.tx_r.q.val();
    }
}
