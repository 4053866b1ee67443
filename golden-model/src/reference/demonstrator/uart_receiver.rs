//! `uart_receiver`: bytes from a serial line.

use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{count, duration, flag, number};
use powar_config::{Habit, Meaning, SignalSpec};

/// The receiver; the fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UartReceiver {
    pub valid: bool,
    pub data: u8,
    /// The pin of the last two cycles, bit 0 the newer one.
    pub synchroniser: u8,
    /// What was looked at in the cycle before.
    pub before: bool,
    /// A byte is under way.
    pub busy: bool,
    /// Cycles until the pin is sampled.
    pub count: u16,
    /// The bit that is sampled next: 0 start, 1 to 8 data, 9 stop.
    pub place: u8,
    pub shift: u8,
}

/// What a cycle brings beside the registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReceiverEvents {
    pub framing_error: bool,
    pub overrun: bool,
}

impl Default for UartReceiver {
    fn default() -> Self {
        Self::new()
    }
}

impl UartReceiver {
    /// After reset.
    pub fn new() -> Self {
        UartReceiver {
            valid: false,
            data: 0,
            synchroniser: 0b11,
            before: true,
            busy: false,
            count: 0,
            place: 0,
            shift: 0,
        }
    }

    fn pin(&self) -> bool {
        self.synchroniser & 2 != 0
    }

    fn sample(&self) -> bool {
        self.busy && self.count == 0
    }

    fn received(&self) -> bool {
        self.sample() && self.place == 9 && self.pin()
    }

    /// The errors of this cycle.
    pub fn events(&self, ready: bool) -> ReceiverEvents {
        ReceiverEvents {
            framing_error: self.sample() && self.place == 9 && !self.pin(),
            overrun: self.received() && self.valid && !ready,
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, rx: bool, divider: u16, ready: bool) {
        let old = self.clone();
        let (pin, sample, received) = (old.pin(), old.sample(), old.received());
        let start = !old.busy && old.before && !pin;
        self.synchroniser = (old.synchroniser << 1 | u8::from(rx)) & 3;
        self.before = pin;
        if start {
            self.count = divider >> 1;
            self.place = 0;
        } else if sample {
            self.count = divider.wrapping_sub(1);
            self.place = (old.place + 1) & 15;
        } else if old.busy {
            self.count = old.count - 1;
        }
        if sample && (1..=8).contains(&old.place) {
            self.shift = u8::from(pin) << 7 | old.shift >> 1;
        }
        let over = sample && (old.place == 0 && pin || old.place == 9);
        self.busy = start || (old.busy && !over);
        if received && (!old.valid || ready) {
            self.data = old.shift;
        }
        self.valid = received || (old.valid && !ready);
    }
}

impl Registers for UartReceiver {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(flag("valid"), self.valid);
        rows.one(number("data", 8), self.data);
        rows.one(number("synchroniser", 2), self.synchroniser);
        rows.one(flag("before"), self.before);
        rows.one(flag("busy"), self.busy);
        rows.one(count("count", 16), self.count);
        rows.one(count("place", 4), self.place);
        rows.one(number("shift", 8), self.shift);
    }
}

inputs! {
    /// What the receiver sees in a cycle: the pin, the cycles of a bit, whether a byte is taken.
    #[derive(Clone, Copy, Debug)]
    pub struct ReceiverInputs {
        // A line that changes now and then, so that there are long stretches of 0 as well as bytes.
        pub rx: bool = SignalSpec::new("rx", 1, Meaning::SerialLine),
        pub divider: u16 = duration("divider", 16),
        pub ready: bool = flag("ready").habit(Habit::Drought),
    }
}

impl Block for UartReceiver {
    type Inputs<'a> = ReceiverInputs;

    fn outputs(&self, seen: &ReceiverInputs, rows: &mut RegisterRows) {
        let ReceiverEvents { framing_error, overrun } = self.events(seen.ready);
        rows.one(flag("valid"), self.valid);
        rows.one(number("data", 8), self.data);
        rows.one(flag("framing_error"), framing_error);
        rows.one(flag("overrun"), overrun);
    }

    fn edge(&mut self, rst: bool, seen: &ReceiverInputs) {
        if rst { *self = Self::new() } else { self.clock(seen.rx, seen.divider, seen.ready) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends levels of so many cycles each to a receiver of 5 cycles a bit; what came: bytes, framing errors.
    fn receive(levels: impl IntoIterator<Item = (bool, usize)>) -> (Vec<u8>, usize) {
        let (mut receiver, mut bytes, mut errors) = (UartReceiver::new(), vec![], 0);
        for (level, cycles) in levels.into_iter().chain([(true, 60)]) {
            for _ in 0..cycles {
                errors += usize::from(receiver.events(true).framing_error);
                bytes.extend(receiver.valid.then_some(receiver.data));
                receiver.clock(level, 5, true);
            }
        }
        (bytes, errors)
    }

    fn frame(byte: u8) -> Vec<(bool, usize)> {
        let data = (0..8).map(|bit| (byte >> bit & 1 == 1, 5));
        [(false, 5)].into_iter().chain(data).chain([(true, 5)]).collect()
    }

    #[test]
    fn bytes_come_lowest_bit_first_and_without_a_gap() {
        let line = [0x53, 0x00, 0xff, 0xa6].into_iter().flat_map(frame);
        assert_eq!(receive(line), (vec![0x53, 0x00, 0xff, 0xa6], 0));
    }

    #[test]
    fn a_break_is_one_framing_error_and_the_next_byte_is_whole() {
        let line = [(false, 400), (true, 10)].into_iter().chain(frame(0x42));
        assert_eq!(receive(line), (vec![0x42], 1));
    }

    #[test]
    fn a_disturbance_shorter_than_half_a_bit_is_no_start_bit() {
        assert_eq!(receive([(true, 9), (false, 2), (true, 40)]), (vec![], 0));
    }
}
