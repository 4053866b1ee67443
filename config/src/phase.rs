//! The phases of a port (`docs/microarchitecture/power.md`).

use serde::{Deserialize, Serialize};

/// What a port does for its power; the discriminant is its 3-bit code in the hardware and on links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Phase {
    /// Full power, sends.
    #[default]
    On = 0,
    /// On the way to `Off`, at full power, doesn't send.
    GoingOff = 1,
    /// Low power or none, doesn't send.
    Off = 2,
    /// On the way to `On`, at full power, doesn't send.
    ComingOn = 3,
    /// `Off` for a moment at full power, to stay synchronised; doesn't send.
    Refreshing = 4,
    /// As `On`, but given to no more packets.
    Draining = 5,
}

impl Phase {
    /// All phases, in the order of their codes.
    pub const ALL: [Phase; 6] =
        [Phase::On, Phase::GoingOff, Phase::Off, Phase::ComingOn, Phase::Refreshing, Phase::Draining];

    /// The phase with this code, if there is one.
    pub fn by_code(code: u8) -> Option<Phase> {
        Phase::ALL.get(usize::from(code)).copied()
    }

    /// The name that waves and reports show.
    pub fn name(self) -> &'static str {
        match self {
            Phase::On => "On",
            Phase::GoingOff => "GoingOff",
            Phase::Off => "Off",
            Phase::ComingOn => "ComingOn",
            Phase::Refreshing => "Refreshing",
            Phase::Draining => "Draining",
        }
    }

    /// Whether flits may be on the link.
    pub fn sends(self) -> bool {
        matches!(self, Phase::On | Phase::Draining)
    }
}
