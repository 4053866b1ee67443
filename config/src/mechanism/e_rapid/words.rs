//! The control registers (`docs/microarchitecture/mechanisms/e_rapid.md`).

use super::MECHANISM;
use crate::mechanism::control_values::control_values;
use crate::mechanism::joined;
use crate::registers::{Access, Reset, Word};

control_values! {
    /// What the control registers of E-RAPID hold.
    pub struct ERapidValues of MECHANISM {
        policy: u8 = Policy, 2, "Power policy, by its code";
        window: u16 = Duration, 12, "Reconfiguration window R_w, cycles";
        b_min: u16 = Count, 12, "B_min, cycles of a window";
        b_max: u16 = Count, 12, "B_max, cycles of a window";
        b_con: u16 = Count, 12, "B_con, cycles of a window";
        degree: u8 = Number, 4, "Most wavelengths that a board is given to another";
        dead_time: u8 = Duration, 8, "Cycles of a change of rate";
    }
}

/// What software writes, and counts that it only reads behind it.
pub(super) static WORDS: [Word; 9] = joined(
    &ERapidValues::WORDS,
    &[
        event_count(0x5C, "ring_errors", "Words of the ring that were thrown away for their parity, modulo 2^16"),
        event_count(0x60, "lost_messages", "Messages that did not come back, modulo 2^16"),
    ],
);

/// A count that software reads only.
const fn event_count(offset: u16, name: &'static str, doc: &'static str) -> Word {
    Word { access: Access::Read, reset: Reset::Value(0), ..Word::of_mechanism(offset, name, 16, doc) }
}
