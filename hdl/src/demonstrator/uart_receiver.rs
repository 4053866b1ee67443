//! Bytes from a serial line, 8N1: start bit 0, eight data bits, lowest first, stop bit 1.
//!
//! Use:      `rx` is the pin itself, in no step with the clock: two flip-flops bring it into step.
//! Sampling: each bit once, half a bit after its beginning. A start bit that does not last half a bit is taken for a disturbance.
//! Errors:   `framing_error` for one cycle: the stop bit is 0, the byte is lost. `overrun` for one cycle: a byte has come in while the one
//!           before still waits for `ready`; the new one is lost. A line that stays at 0 is one framing error.
//! Latency:  `valid` three cycles after the middle of the stop bit at the pin.
//! Range:    `divider` cycles a bit, 4 or more to be of use; 0 counts as 65536.
//! Reset:    no byte.
//! Source:   docs/microarchitecture/demonstrator.md.

use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct UartReceiver("uart_receiver", include_str!("uart_receiver.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// The pin.
        rx: Bit,
        /// Cycles of a bit.
        divider: Bits<16>,
        /// The byte is taken in this cycle.
        ready: Bit,
    }
    outputs {
        /// A byte has come in.
        valid: Bit,
        data: Bits<8>,
        /// A stop bit is 0.
        framing_error: Bit,
        /// A byte is lost because the one before it waits.
        overrun: Bit,
    }
    registers {
        valid_r: Bit,
        data_r: Bits<8>,
        /// The pin of the last two cycles, bit 0 the newer one.
        // The line rests at 1.
        synchroniser_r: Bits<2> = 3.into(),
        /// The pin as it was looked at in the cycle before.
        before_r: Bit = true,
        /// A byte is under way.
        busy_r: Bit,
        /// Cycles until the pin is sampled.
        count_r: Bits<16>,
        /// The bit that is sampled next: 0 start, 1 to 8 data, 9 stop.
        place_r: Bits<4>,
        /// Data bits so far, the newest on top.
        shift_r: Bits<8>,
    }
    locals {
        /// The pin in step with the clock.
        pin: Bit,
        /// A start bit begins.
        start: Bit,
        /// The pin is sampled in this cycle; the last time of a byte.
        sample: Bit,
        stop: Bit,
        received: Bit,
    }
}

impl Logic for UartReceiver {
    #[hdl_gen]
    fn update(&mut self) {
        self.pin.next = self.synchroniser_r.q.val().get_bit(1);
        self.synchroniser_r.d.next = (self.synchroniser_r.q.val() << 1).replace_bit(0, self.rx.val());
        self.before_r.d.next = self.pin.val();
        self.start.next = !self.busy_r.q.val() & self.before_r.q.val() & !self.pin.val();
        self.sample.next = self.busy_r.q.val() & !self.count_r.q.val().any();
        self.stop.next = self.sample.val() & (self.place_r.q.val() == 9);
        self.received.next = self.stop.val() & self.pin.val();
        // The bits.
        if self.start.val() {
            self.count_r.d.next = self.divider.val() >> 1;
            self.place_r.d.next = 0.into();
            self.busy_r.d.next = true;
        } else if self.sample.val() {
            self.count_r.d.next = self.divider.val() - 1;
            self.place_r.d.next = self.place_r.q.val() + 1;
            if (self.place_r.q.val() >= 1) & (self.place_r.q.val() <= 8) {
                self.shift_r.d.next = (self.shift_r.q.val() >> 1).replace_bit(7, self.pin.val());
            }
            if self.stop.val() | (!self.place_r.q.val().any() & self.pin.val()) {
                self.busy_r.d.next = false;
            }
        } else if self.busy_r.q.val() {
            self.count_r.d.next = self.count_r.q.val() - 1;
        }
        // The byte.
        if self.received.val() & (!self.valid_r.q.val() | self.ready.val()) {
            self.data_r.d.next = self.shift_r.q.val();
        }
        self.valid_r.d.next = self.received.val() | (self.valid_r.q.val() & !self.ready.val());
        self.framing_error.next = self.stop.val() & !self.pin.val();
        self.overrun.next = self.received.val() & self.valid_r.q.val() & !self.ready.val();
        self.valid.next = self.valid_r.q.val();
        self.data.next = self.data_r.q.val();
    }
}
