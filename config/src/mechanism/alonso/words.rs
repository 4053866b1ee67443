//! The control registers (`docs/microarchitecture/mechanisms/alonso.md`).

use crate::registers::Word;

pub(super) static WORDS: [Word; 8] = [
    Word::of_mechanism(0x40, "policy", 2, "Power policy, by its code"),
    Word::of_mechanism(0x44, "check_period", 16, "Check period, cycles"),
    Word::of_mechanism(0x48, "on_flits", 16, "U_on, flits per link and check period"),
    Word::of_mechanism(0x4C, "off_flits", 16, "U_off, likewise"),
    Word::of_mechanism(0x50, "t_on", 24, "Cycles until a link that comes on is usable"),
    Word::of_mechanism(0x54, "t_off", 24, "Cycles at full power of a link that goes off"),
    Word::of_mechanism(0x58, "litmus", 1, "Hints of nodes switch all links on"),
    Word::of_mechanism(0x5C, "start", 1, "Only the Minimal Tree is on after a reset"),
];
