//! Bytes to a serial line, 8N1: start bit 0, eight data bits, lowest first, stop bit 1.
//!
//! Use:      a byte is taken in a cycle with `valid` and `ready`.
//! Latency:  the start bit begins one cycle later; a byte lasts ten bits and a cycle.
//! Range:    `divider` cycles a bit; 0 counts as 65536.
//! Reset:    the line rests at 1.
//! Source:   docs/microarchitecture/demonstrator.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct UartTransmitter {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// A byte is to be sent.
    pub valid: Signal<In, Bit>,
    pub data: Signal<In, Bits<8>>,
    /// Cycles of a bit.
    pub divider: Signal<In, Bits<16>>,
    /// It is taken.
    pub ready: Signal<Out, Bit>,
    /// The pin.
    pub tx: Signal<Out, Bit>,
    tx_r: Register<Bit>,
    /// A byte is under way.
    busy_r: Register<Bit>,
    /// Cycles until the bit on the pin ends.
    count_r: Register<Bits<16>>,
    /// The bit on the pin: 0 start, 1 to 8 data, 9 stop.
    place_r: Register<Bits<4>>,
    /// Data bits that are still to be sent.
    shift_r: Register<Bits<8>>,
    take: Signal<Local, Bit>,
    /// The bit on the pin ends with this cycle.
    ends: Signal<Local, Bit>,
    info: BlockInfo,
}

impl UartTransmitter {
    pub fn new() -> Self {
        build!(UartTransmitter {
            (clk, rst, valid, data, divider, ready, tx, busy_r, count_r, place_r, shift_r, take, ends)
            tx_r: Register::new(true),
            info: BlockInfo::new("uart_transmitter", include_str!("uart_transmitter.rs")),
        })
    }
}

impl Default for UartTransmitter {
    fn default() -> Self {
        Self::new()
    }
}

impl Logic for UartTransmitter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, tx_r, busy_r, count_r, place_r, shift_r);
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

rtl_signals!(
    UartTransmitter,
    clocked,
    inputs(valid, data, divider),
    outputs(ready, tx),
    registers(tx_r as "tx", busy_r as "busy", count_r as "count", place_r as "place", shift_r as "shift"),
    children(),
);
