//! The power states of a port (`docs/microarchitecture.md`, section 3.10).

use serde::{Deserialize, Serialize};

/// State of a port's power FSM; the discriminant is its 2-bit code in the hardware.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum PowerState {
    /// Full power, can send.
    #[default]
    Active = 0,
    /// T_s: on the way to low-power idle, full power, can't send.
    EnteringSleep = 1,
    /// Low-power idle: quiet (the sleep fraction of the power) or refreshing (full power).
    Asleep = 2,
    /// T_w: on the way to `Active`, full power, can't send.
    Waking = 3,
}

impl PowerState {
    /// All states, in the order of their codes.
    pub const ALL: [PowerState; 4] =
        [PowerState::Active, PowerState::EnteringSleep, PowerState::Asleep, PowerState::Waking];

    /// The name that waves and reports show.
    pub fn name(self) -> &'static str {
        match self {
            PowerState::Active => "Active",
            PowerState::EnteringSleep => "EnteringSleep",
            PowerState::Asleep => "Asleep",
            PowerState::Waking => "Waking",
        }
    }
}
