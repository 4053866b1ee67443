//! The control registers (`docs/microarchitecture/mechanisms/soteriou_peh.md`).

use crate::registers::Word;

pub(super) static WORDS: [Word; 12] = [
    Word::of_mechanism(0x40, "policy", 2, "Power policy, by its code"),
    Word::of_mechanism(0x44, "window", 16, "Sampling window, cycles"),
    Word::of_mechanism(0x48, "sleep_load", 20, "Load for off with one link on, times 10 windows"),
    Word::of_mechanism(0x4C, "sleep_step", 20, "More for each further link on"),
    Word::of_mechanism(0x50, "wake_load", 20, "Load for on with one link off, times 10 windows"),
    Word::of_mechanism(0x54, "wake_step", 20, "Less for each further link off"),
    Word::of_mechanism(0x58, "t_trans", 24, "Cycles of a transition"),
    Word::of_mechanism(0x5C, "age_limit", 16, "Age beyond which idle times double, quarters of a cycle"),
    Word::of_mechanism(0x60, "idle_1", 23, "Idle cycles until a link goes off with one link on, or none"),
    Word::of_mechanism(0x64, "idle_2", 23, "Likewise with two links on"),
    Word::of_mechanism(0x68, "idle_3", 23, "With three"),
    Word::of_mechanism(0x6C, "idle_4", 23, "With four and more"),
];
