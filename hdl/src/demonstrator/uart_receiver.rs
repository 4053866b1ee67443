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

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct UartReceiver {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// The pin.
    pub rx: Signal<In, Bit>,
    /// Cycles of a bit.
    pub divider: Signal<In, Bits<16>>,
    /// The byte is taken in this cycle.
    pub ready: Signal<In, Bit>,
    /// A byte has come in.
    pub valid: Signal<Out, Bit>,
    pub data: Signal<Out, Bits<8>>,
    /// A stop bit is 0.
    pub framing_error: Signal<Out, Bit>,
    /// A byte is lost because the one before it waits.
    pub overrun: Signal<Out, Bit>,
    valid_r: Register<Bit>,
    data_r: Register<Bits<8>>,
    /// The pin of the last two cycles, bit 0 the newer one.
    synchroniser_r: Register<Bits<2>>,
    /// The pin as it was looked at in the cycle before.
    before_r: Register<Bit>,
    /// A byte is under way.
    busy_r: Register<Bit>,
    /// Cycles until the pin is sampled.
    count_r: Register<Bits<16>>,
    /// The bit that is sampled next: 0 start, 1 to 8 data, 9 stop.
    place_r: Register<Bits<4>>,
    /// Data bits so far, the newest on top.
    shift_r: Register<Bits<8>>,
    /// The pin in step with the clock.
    pin: Signal<Local, Bit>,
    /// A start bit begins.
    start: Signal<Local, Bit>,
    /// The pin is sampled in this cycle; the last time of a byte.
    sample: Signal<Local, Bit>,
    stop: Signal<Local, Bit>,
    received: Signal<Local, Bit>,
    info: BlockInfo,
}

impl UartReceiver {
    pub fn new() -> Self {
        build!(UartReceiver {
            (
                clk, rst, rx, divider, ready, valid, data, framing_error, overrun, valid_r, data_r, busy_r, count_r, place_r,
                shift_r, pin, start, sample, stop, received,
            )
            // The line rests at 1.
            synchroniser_r: Register::new(3.into()),
            before_r: Register::new(true),
            info: BlockInfo::new("uart_receiver", include_str!("uart_receiver.rs")),
        })
    }
}

impl Default for UartReceiver {
    fn default() -> Self {
        Self::new()
    }
}

impl Logic for UartReceiver {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, valid_r, data_r, synchroniser_r, before_r, busy_r, count_r, place_r, shift_r);
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

rtl_signals!(
    UartReceiver,
    clocked,
    inputs(rx, divider, ready),
    outputs(valid, data, framing_error, overrun),
    registers(
        valid_r as "valid",
        data_r as "data",
        synchroniser_r as "synchroniser",
        before_r as "before",
        busy_r as "busy",
        count_r as "count",
        place_r as "place",
        shift_r as "shift",
    ),
    children(),
);
