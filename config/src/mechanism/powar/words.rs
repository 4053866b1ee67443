//! The control registers (`docs/microarchitecture/mechanisms/powar.md`).

use crate::registers::Word;

pub(in crate::mechanism) const WORDS: [Word; 10] = [
    Word::of_mechanism(0x40, "policy", 2, "Power policy, by its code"),
    Word::of_mechanism(0x44, "pdt", 24, "Power-down threshold, cycles: an idle port sleeps after it"),
    Word::of_mechanism(0x48, "check_period", 16, "Check period, cycles"),
    Word::of_mechanism(0x4C, "on_flits", 16, "T_on, flits per selectable port and check period"),
    Word::of_mechanism(0x50, "off_flits", 16, "T_off, likewise"),
    Word::of_mechanism(0x54, "t_sleep", 24, "T_s, cycles to enter sleep"),
    Word::of_mechanism(0x58, "t_wake", 24, "T_w, cycles to wake"),
    Word::of_mechanism(0x5C, "t_quiet", 24, "T_q, cycles of a quiet period while asleep; 0 = no refresh"),
    Word::of_mechanism(0x60, "t_refresh", 24, "T_r, cycles of a refresh while asleep; 0 = no refresh"),
    Word::of_mechanism(0x64, "abort_sleep", 1, "A wake request aborts the way to sleep"),
];
