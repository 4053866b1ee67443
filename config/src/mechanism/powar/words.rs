//! The control registers (`docs/microarchitecture/mechanisms/powar.md`).

use crate::Config;
use crate::mechanism::powar::RegisterValues;
use crate::registers::{Reset, Word};

const fn word(offset: u16, name: &'static str, bits: u32, reset: fn(&Config) -> u32, doc: &'static str) -> Word {
    Word::written(offset, name, bits, Reset::Configured(reset), doc)
}

fn values(config: &Config) -> RegisterValues {
    config.register_values()
}

pub(super) static WORDS: [Word; 10] = [
    word(0x40, "policy", 2, |c| values(c).policy.into(), "Power policy, by its code"),
    word(0x44, "pdt", 24, |c| values(c).pdt, "Power-down threshold, cycles: an idle port sleeps after it"),
    word(0x48, "check_period", 16, |c| values(c).check_period.into(), "Check period, cycles"),
    word(0x4C, "on_flits", 16, |c| values(c).on_flits.into(), "T_on, flits per selectable port and check period"),
    word(0x50, "off_flits", 16, |c| values(c).off_flits.into(), "T_off, likewise"),
    word(0x54, "t_sleep", 24, |c| values(c).t_sleep, "T_s, cycles to enter sleep"),
    word(0x58, "t_wake", 24, |c| values(c).t_wake, "T_w, cycles to wake"),
    word(0x5C, "t_quiet", 24, |c| values(c).t_quiet, "T_q, cycles of a quiet period while asleep; 0 = no refresh"),
    word(0x60, "t_refresh", 24, |c| values(c).t_refresh, "T_r, cycles of a refresh while asleep; 0 = no refresh"),
    word(0x64, "abort_sleep", 1, |c| values(c).abort_sleep.into(), "A wake request aborts the way to sleep"),
];
