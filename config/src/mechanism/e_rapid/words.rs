//! The control registers (`docs/microarchitecture/mechanisms/e_rapid.md`).

use crate::registers::{Access, Reset, Word};

pub(super) static WORDS: [Word; 9] = [
    Word::of_mechanism(0x40, "policy", 2, "Power policy, by its code"),
    Word::of_mechanism(0x44, "window", 12, "Reconfiguration window R_w, cycles"),
    Word::of_mechanism(0x48, "b_min", 12, "B_min, cycles of a window"),
    Word::of_mechanism(0x4C, "b_max", 12, "B_max, cycles of a window"),
    Word::of_mechanism(0x50, "b_con", 12, "B_con, cycles of a window"),
    Word::of_mechanism(0x54, "degree", 4, "Most wavelengths that a board is given to another"),
    Word::of_mechanism(0x58, "dead_time", 8, "Cycles of a change of rate"),
    event_count(0x5C, "ring_errors", "Words of the ring that were thrown away for their parity, modulo 2^16"),
    event_count(0x60, "lost_messages", "Messages that did not come back, modulo 2^16"),
];

/// A count that software reads only.
const fn event_count(offset: u16, name: &'static str, doc: &'static str) -> Word {
    Word { access: Access::Read, reset: Reset::Value(0), ..Word::of_mechanism(offset, name, 16, doc) }
}
