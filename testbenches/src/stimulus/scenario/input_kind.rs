//! How the inputs of a block are driven: what follows from their meanings and habits.

use powar_config::mechanism::NodeHint;
use powar_config::signal::RingFormat;
use powar_config::{Habit, Meaning, SignalDecl};

/// How an input is driven.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum InputKind {
    Reset,
    /// A small number, now and then 0 or the largest, kept for a while.
    Small,
    /// A one-hot round-robin pointer, kept for a while.
    Pointer,
    /// Any value, kept for a while.
    Held,
    /// A set of ports that may be asked for.
    Request,
    /// Fresh in every cycle.
    Event,
    /// About as seldom as held values change, so that what it clears has time to grow; at most one bit is set.
    Rare,
    /// Now and then next to something the block has just shown: a random count would never meet a limit of 24 bits.
    Compared,
    /// Fresh in every cycle, uniformly.
    Uniform,
    /// Comes often for a while, then seldom for a while: what it fills runs full, what it empties runs empty.
    Tide,
    /// Comes often for a while, then not at all for a while: what waits for it waits as long as can be.
    Drought,
    /// A hint lane, one a bit: words of addresses, mostly right.
    HintLane,
    /// Most bits are set.
    Usual,
    /// At most one bit is set.
    OneHot,
    /// One of them, another one in every cycle.
    One,
    /// The number of a virtual channel, mostly of one that exists.
    VcNumber,
    /// The number of a port, and of a virtual channel: of those that exist.
    PortNumber,
    KnownVc,
    /// Code of a phase, mostly of one that there is.
    Phase,
    /// The same of a port that mostly sends.
    LinkPhase,
    /// The same, kept for a while, a row a port; at times all ports are off.
    NeighbourPhase,
    /// Mostly 0.
    Level,
    /// Flits in the buffers of a port.
    Fill,
    /// The address of this switch, and its stage: of those that exist, kept for a while.
    Position,
    Stage,
    /// The address of a destination, mostly of one that exists.
    Destination,
    /// A header, with a length that is mostly allowed; above it the mark of a header entry.
    Header,
    /// Rows of flits: the first word of each is a header.
    Flit,
    /// Byte address / 4 of a word, mostly of one that exists.
    WordAddress,
    /// Of the register bus: mostly an address that exists, mostly all bytes, mostly a small number.
    BusAddress,
    BusStrobes,
    BusData,
    /// Which bytes of a beat of a stream are kept: mostly all, now and then those from the first to some other, or any.
    KeptBytes,
    /// Byte address in the demonstrator's window, mostly of a word that exists.
    DemonstratorAddress,
    /// Of a command: mostly a small number.
    SerialByte,
    /// Changes now and then.
    SerialLine,
    /// Of a control ring, as the mechanism draws them.
    RingWord(&'static RingFormat),
}

impl InputKind {
    /// Of a block for a mechanism whose nodes show this.
    pub fn of(signal: &SignalDecl, node_hint: NodeHint) -> InputKind {
        match (signal.habit, signal.meaning) {
            (_, Meaning::Reset) => InputKind::Reset,
            (Habit::Rare, _) => InputKind::Rare,
            (Habit::Frequent, _) => InputKind::OneHot,
            (Habit::Held, _) => InputKind::Held,
            (Habit::Tide, _) => InputKind::Tide,
            (Habit::Lane, _) if node_hint == NodeHint::Addresses => InputKind::HintLane,
            (Habit::Lane, _) => InputKind::Drought,
            (Habit::Drought, Meaning::Phase) => InputKind::NeighbourPhase,
            (Habit::Drought, _) => InputKind::Drought,
            (Habit::Usual, Meaning::Phase) => InputKind::LinkPhase,
            (Habit::Usual, Meaning::VcNumber) => InputKind::KnownVc,
            (Habit::Usual, Meaning::Data) => InputKind::BusData,
            (Habit::Usual, Meaning::ByteEnables) => InputKind::KeptBytes,
            (Habit::Usual, Meaning::Choice) => InputKind::One,
            (Habit::Usual, _) => InputKind::Usual,
            (Habit::Beside, _) => InputKind::Compared,
            // A write is drawn as a whole, once its signals have been driven.
            (Habit::AsMeant | Habit::Write, meaning) => InputKind::as_meant(meaning),
        }
    }

    fn as_meant(meaning: Meaning) -> InputKind {
        match meaning {
            Meaning::Reset => InputKind::Reset,
            Meaning::ClockEdge => InputKind::Tide,
            Meaning::Number | Meaning::Flag => InputKind::Event,
            Meaning::Set => InputKind::Request,
            Meaning::Choice => InputKind::OneHot,
            Meaning::Pointer => InputKind::Pointer,
            Meaning::Count | Meaning::Duration | Meaning::Elapsed | Meaning::PortCounter => InputKind::Small,
            Meaning::Fill => InputKind::Fill,
            Meaning::Code(_) | Meaning::Policy(_) => InputKind::Held,
            Meaning::Phase => InputKind::Phase,
            Meaning::Level => InputKind::Level,
            Meaning::VcNumber => InputKind::VcNumber,
            Meaning::PortNumber => InputKind::PortNumber,
            Meaning::Position => InputKind::Position,
            Meaning::Stage => InputKind::Stage,
            Meaning::Destination => InputKind::Destination,
            Meaning::Header => InputKind::Header,
            Meaning::Flit => InputKind::Flit,
            Meaning::ByteAddress => InputKind::BusAddress,
            Meaning::WordAddress => InputKind::WordAddress,
            Meaning::Slot | Meaning::Data => InputKind::Uniform,
            Meaning::ByteEnables => InputKind::BusStrobes,
            Meaning::DemonstratorAddress => InputKind::DemonstratorAddress,
            Meaning::SerialByte => InputKind::SerialByte,
            Meaning::SerialLine => InputKind::SerialLine,
            Meaning::RingWord(format) => InputKind::RingWord(format),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::Role;
    use powar_config::signal::{choice, data, flag, phase, set};

    #[test]
    fn a_habit_changes_what_the_meaning_says() {
        let kind = |signal: powar_config::SignalSpec| InputKind::of(&signal.declare(Role::Input), NodeHint::Waiting);
        assert_eq!(kind(flag("x")), InputKind::Event);
        assert_eq!(kind(flag("x").habit(Habit::Frequent)), kind(choice("x", 4)));
        assert_eq!(kind(set("x", 4)), InputKind::Request);
        assert_eq!(kind(set("x", 4).habit(Habit::Usual)), InputKind::Usual);
        assert_eq!(kind(choice("x", 4).habit(Habit::Usual)), InputKind::One);
        assert_eq!(kind(phase("x").habit(Habit::Usual)), InputKind::LinkPhase);
        assert_eq!(kind(phase("x").habit(Habit::Drought)), InputKind::NeighbourPhase);
        assert_eq!(kind(data("x").habit(Habit::Write)), kind(data("x")));
        let bytes = powar_config::SignalSpec::new("x", 8, Meaning::ByteEnables);
        assert_eq!([bytes, bytes.habit(Habit::Usual)].map(kind), [InputKind::BusStrobes, InputKind::KeptBytes]);
        let lane = flag("x").habit(Habit::Lane);
        assert_eq!(kind(lane), InputKind::Drought);
        assert_eq!(InputKind::of(&lane.declare(Role::Input), NodeHint::Addresses), InputKind::HintLane);
        // Of a model whose signals say nothing of themselves, bits come at random.
        assert_eq!(InputKind::of(&SignalDecl::new(Role::Input, "pdt", 1, 24), NodeHint::Waiting), InputKind::Event);
    }
}
