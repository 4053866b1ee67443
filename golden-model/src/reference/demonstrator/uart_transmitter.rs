//! `uart_transmitter`: bytes to a serial line.

use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{count, duration, flag, number};
use powar_config::{Habit, Meaning, SignalSpec};

/// The transmitter; the fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UartTransmitter {
    /// The pin.
    pub tx: bool,
    pub busy: bool,
    /// Cycles until the bit on the pin ends.
    pub count: u16,
    /// The bit on the pin: 0 start, 1 to 8 data, 9 stop.
    pub place: u8,
    pub shift: u8,
}

impl Default for UartTransmitter {
    fn default() -> Self {
        Self::new()
    }
}

impl UartTransmitter {
    /// After reset.
    pub fn new() -> Self {
        UartTransmitter { tx: true, busy: false, count: 0, place: 0, shift: 0 }
    }

    /// A byte would be taken.
    pub fn ready(&self) -> bool {
        !self.busy
    }

    /// The clock edge, with the byte that is offered.
    pub fn clock(&mut self, byte: Option<u8>, divider: u16) {
        let old = self.clone();
        let take = byte.filter(|_| old.ready());
        let ends = old.busy && old.count == 0;
        self.busy = take.is_some() || (old.busy && !(ends && old.place == 9));
        self.count = match (take.is_some() || ends, old.busy) {
            (true, _) => divider.wrapping_sub(1),
            (false, true) => old.count - 1,
            (false, false) => old.count,
        };
        if let Some(data) = take {
            (self.place, self.tx, self.shift) = (0, false, data);
        } else if ends {
            self.place = (old.place + 1) & 15;
            self.tx = old.place >= 8 || old.shift & 1 == 1;
            self.shift = old.shift >> 1;
        }
    }
}

impl Registers for UartTransmitter {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(flag("tx"), self.tx);
        rows.one(flag("busy"), self.busy);
        rows.one(count("count", 16), self.count);
        rows.one(count("place", 4), self.place);
        rows.one(number("shift", 8), self.shift);
    }
}

inputs! {
    /// What the transmitter sees in a cycle: a byte to be sent, and the cycles of a bit.
    #[derive(Clone, Copy, Debug)]
    pub struct TransmitterInputs {
        pub byte: Option<u8> = (flag("valid").habit(Habit::Tide), SignalSpec::new("data", 8, Meaning::SerialByte)),
        pub divider: u16 = duration("divider", 16),
    }
}

impl Block for UartTransmitter {
    type Inputs<'a> = TransmitterInputs;

    fn outputs(&self, _: &TransmitterInputs, rows: &mut RegisterRows) {
        rows.one(flag("ready"), self.ready());
        rows.one(flag("tx"), self.tx);
    }

    fn edge(&mut self, rst: bool, seen: &TransmitterInputs) {
        if rst { *self = Self::new() } else { self.clock(seen.byte, seen.divider) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::UartReceiver;
    use super::*;

    #[test]
    fn a_byte_is_ten_bits_on_the_line_and_rests_at_1() {
        let (mut sender, mut line) = (UartTransmitter::new(), vec![]);
        for cycle in 0..36 {
            line.push(sender.tx);
            sender.clock((cycle == 0).then_some(0b0100_1101), 3);
        }
        let bits: Vec<u8> = line[1..31].iter().map(|&level| level.into()).collect();
        let wanted: Vec<u8> = [0, 1, 0, 1, 1, 0, 0, 1, 0, 1].into_iter().flat_map(|bit| [bit; 3]).collect();
        assert_eq!(bits, wanted);
        assert!(line[31..].iter().all(|&level| level) && sender.ready());
    }

    #[test]
    fn a_receiver_up_to_three_percent_slower_or_faster_understands_it() {
        for divider in [97, 100, 103] {
            let (mut sender, mut receiver, mut seen) = (UartTransmitter::new(), UartReceiver::new(), vec![]);
            let mut bytes = (0..=255u8).peekable();
            while seen.len() < 256 {
                assert!(!receiver.events(true).framing_error);
                seen.extend(receiver.valid.then_some(receiver.data));
                receiver.clock(sender.tx, divider, true);
                let byte = bytes.peek().copied();
                if sender.ready() {
                    bytes.next();
                }
                sender.clock(byte, 100);
            }
            assert!(seen.into_iter().eq(0..=255u8));
        }
    }
}
