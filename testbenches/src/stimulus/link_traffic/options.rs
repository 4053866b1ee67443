//! What the traffic on the links of a switch is like.

use super::traffic::TrafficKind;

/// Traffic on the links of a switch.
#[derive(Clone, Debug)]
pub struct LinkOptions {
    pub seed: u64,
    pub kind: TrafficKind,
    /// Flits a cycle that each source makes, 0..=1; the links carry no more than 1. Of no meaning to a trace.
    pub load: f64,
    /// Sources never run out of packets: `load` does not count.
    pub saturated: bool,
    /// Flits a packet; none: of every length, mostly short and middling.
    pub packet_flits: Option<u16>,
    /// The flits of packets on different virtual channels mix on a link.
    pub interleaved: bool,
    /// One cycle in so many is left empty by a sender that could send; 0 = none.
    pub gap: u32,
    pub receivers: Receivers,
    pub disturbances: Disturbances,
    /// A sender with nothing to send stops for less than so many cycles, with its port on its way off and on again.
    pub longest_stop: u64,
    /// Packets a source keeps while it cannot send; what it makes beyond that is lost.
    pub source_queue: usize,
}

/// How fast the buffers behind the output ports drain.
#[derive(Clone, Debug)]
pub struct Receivers {
    /// Credits a cycle at most, 0..=1.
    pub drain: f64,
    /// A receiver stops draining once in so many cycles (0 = never), and goes on again once in so many.
    pub stall: u32,
    pub resume: u32,
}

/// What goes wrong on the links, each once in so many occasions on average; 0 = never.
#[derive(Clone, Debug, Default)]
pub struct Disturbances {
    /// Cycles: `rst`, for one to three of them; everybody forgets everything.
    pub reset: u32,
    /// Packets with a destination that does not exist.
    pub bad_destination: u32,
    /// Packets with a length of 0 or above the largest.
    pub bad_length: u32,
    /// Packets that end before, or go on after, what their header says.
    pub wrong_end: u32,
    /// Flits with the wrong head mark.
    pub wrong_head: u32,
    /// Idle cycles with a flit that belongs to no packet.
    pub stray: u32,
    /// Idle cycles with a flit on a virtual channel that does not exist.
    pub bad_vc: u32,
    /// Cycles without credit in which the sender sends a flit all the same.
    pub overflow: u32,
    /// Cycles with a credit that nobody owes, at times for a virtual channel that does not exist.
    pub false_credit: u32,
    /// Flits that come while the sender says that its port is in a phase that doesn't send, or in none there is.
    pub closed_link: u32,
    /// Cycles in which software starts to write a register, and to read one.
    pub register_write: u32,
    pub register_read: u32,
}

impl LinkOptions {
    /// Steady traffic of a kind at a load, and nothing goes wrong; receivers that are always as fast as the link.
    pub fn steady(kind: TrafficKind, load: f64, seed: u64) -> Self {
        LinkOptions {
            seed,
            kind,
            load,
            saturated: false,
            packet_flits: None,
            interleaved: false,
            gap: 0,
            receivers: Receivers { drain: 1.0, stall: 0, resume: 1 },
            disturbances: Disturbances::default(),
            longest_stop: 30,
            source_queue: 64,
        }
    }

    /// Sources that never run out of packets of one length: what the switch itself can carry.
    pub fn saturated(kind: TrafficKind, packet_flits: u16, seed: u64) -> Self {
        LinkOptions { saturated: true, packet_flits: Some(packet_flits), ..LinkOptions::steady(kind, 1.0, seed) }
    }

    /// Traffic with gaps, mixed packets, slow receivers and software that lets ports sleep, but nothing against the rules.
    pub fn lively(kind: TrafficKind, load: f64, seed: u64) -> Self {
        LinkOptions {
            interleaved: seed.is_multiple_of(2),
            gap: [0, 5, 40][(seed % 3) as usize],
            receivers: Receivers { drain: 0.9, stall: 400, resume: 60 },
            disturbances: Disturbances { register_write: 100, register_read: 20, ..Disturbances::default() },
            ..LinkOptions::steady(kind, load, seed)
        }
    }

    /// Lively traffic from senders that are off for long whenever they have nothing to send, and at times all at once.
    pub fn sleepy(kind: TrafficKind, load: f64, seed: u64) -> Self {
        LinkOptions { longest_stop: 2000, ..LinkOptions::lively(kind, load, seed) }
    }

    /// Everything that can go wrong on a link goes wrong now and then.
    pub fn rough(kind: TrafficKind, load: f64, seed: u64) -> Self {
        LinkOptions {
            disturbances: Disturbances {
                reset: 3000,
                bad_destination: 30,
                bad_length: 50,
                wrong_end: 60,
                wrong_head: 500,
                stray: 200,
                bad_vc: 200,
                overflow: 30,
                false_credit: 500,
                closed_link: 300,
                register_write: 80,
                register_read: 10,
            },
            ..LinkOptions::lively(kind, load, seed)
        }
    }
}
