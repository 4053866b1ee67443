//! Buffers and flits of the whole switch (`docs/microarchitecture/switch.md`).

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// What the switch adds to a power controller. All sizes are flits unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SwitchConfig {
    /// Virtual channels an input port, 1..=8.
    pub vcs: usize,
    /// Buffer of an input port, split evenly among its virtual channels; at most 4096.
    pub buffer_flits: usize,
    /// Longest packet, 1..=1023. A virtual channel must hold it and six flits more.
    pub max_packet_flits: usize,
    /// Bits of a flit: a multiple of 32, at most 512.
    pub flit_bits: usize,
    /// There is a turn from every input port to every output port, also where no packet of the network needs it; else those of the routing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub every_turn: bool,
    /// What lets packets of up to four flits follow each other without a gap. Unless it is said, a switch has it if no packet is longer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub short_packets: Option<bool>,
    /// Registers that a `link_stage` has in each direction, 1..=64; of the links, no part of the switch.
    #[serde(skip_serializing_if = "is_one")]
    pub link_stages: usize,
    /// Entries of the queue of a `link_crossing`, a power of two in 8..=2048; of the links, no part of the switch.
    #[serde(skip_serializing_if = "is_usual_crossing")]
    pub crossing_entries: usize,
}

/// What a `link_stage` has unless it is said otherwise, which configurations need not say.
fn is_one(stages: &usize) -> bool {
    *stages == 1
}

/// Entries of a `link_crossing` unless it is said otherwise, likewise.
const CROSSING_ENTRIES: usize = 16;
const LEAST_CROSSING_ENTRIES: usize = 8;
const MOST_CROSSING_ENTRIES: usize = 2048;

fn is_usual_crossing(entries: &usize) -> bool {
    *entries == CROSSING_ENTRIES
}

/// Flits of the packet before that an output port may not yet have counted against its credits when the next packet chooses it
/// (`credit_counter` of the microarchitecture's page on links).
pub const IN_FLIGHT_FLITS: usize = 6;

/// Flits of the longest packet of a switch that is made for short packets unless its configuration says otherwise.
const SHORT_PACKET_FLITS: usize = 4;

/// Cycles of the slower clock that a flit, and a credit, take through a `link_crossing` at most.
pub const CROSSING_DELAY: usize = 4;

impl Default for SwitchConfig {
    /// The papers' switch: 4 virtual channels, 1024 flits of 16 bytes.
    fn default() -> Self {
        SwitchConfig {
            vcs: 4,
            buffer_flits: 1024,
            max_packet_flits: 16,
            flit_bits: 128,
            every_turn: false,
            short_packets: None,
            link_stages: 1,
            crossing_entries: CROSSING_ENTRIES,
        }
    }
}

impl SwitchConfig {
    /// Flits a virtual channel holds: D of the microarchitecture page.
    pub fn vc_depth(&self) -> usize {
        self.buffer_flits / self.vcs
    }

    /// Words of 32 bits a flit has: W of the microarchitecture page.
    pub fn flit_words(&self) -> usize {
        self.flit_bits / 32
    }

    /// Whether packets of up to four flits follow each other without a gap (`docs/microarchitecture/switch.md`, Short packets).
    pub fn short_packets(&self) -> bool {
        self.short_packets.unwrap_or(self.max_packet_flits <= SHORT_PACKET_FLITS)
    }

    pub(crate) fn check(&self) -> Result<()> {
        let SwitchConfig {
            vcs,
            buffer_flits,
            max_packet_flits,
            flit_bits,
            link_stages,
            crossing_entries,
            every_turn: _,
            short_packets: _,
        } = *self;
        ensure!((1..=8).contains(&vcs), "switch.vcs: {vcs} is out of range 1..=8");
        ensure!((1..=4096).contains(&buffer_flits), "switch.buffer_flits: {buffer_flits} is out of range 1..=4096");
        ensure!(
            buffer_flits % vcs == 0,
            "switch.buffer_flits: {buffer_flits} must be a multiple of the {vcs} virtual channels"
        );
        ensure!(
            (1..=1023).contains(&max_packet_flits),
            "switch.max_packet_flits: {max_packet_flits} is out of range 1..=1023"
        );
        ensure!(
            max_packet_flits + IN_FLIGHT_FLITS <= self.vc_depth(),
            "switch.max_packet_flits: {max_packet_flits} does not fit into a virtual channel of {} flits with {IN_FLIGHT_FLITS} to spare",
            self.vc_depth()
        );
        // The address of the memory is the virtual channel above the place in its queue.
        let entries = vcs * self.vc_depth().next_power_of_two();
        ensure!(
            entries <= 4096,
            "switch.buffer_flits: {buffer_flits} for {vcs} virtual channels takes {entries} memory words, out of range 1..=4096"
        );
        ensure!(
            flit_bits % 32 == 0 && (32..=512).contains(&flit_bits),
            "switch.flit_bits: {flit_bits} must be a multiple of 32 in 32..=512"
        );
        ensure!((1..=64).contains(&link_stages), "switch.link_stages: {link_stages} is out of range 1..=64");
        ensure!(
            crossing_entries.is_power_of_two()
                && (LEAST_CROSSING_ENTRIES..=MOST_CROSSING_ENTRIES).contains(&crossing_entries),
            "switch.crossing_entries: {crossing_entries} must be a power of two in 8..=2048"
        );
        Ok(())
    }

    /// Whether there is a network interface for this switch.
    ///
    /// # Errors
    /// A head flit without a word 1, or packets that have room for nothing else.
    pub fn check_network_interface(&self) -> Result<()> {
        let SwitchConfig { max_packet_flits, flit_bits, .. } = *self;
        ensure!(flit_bits >= 64, "switch.flit_bits: {flit_bits} is out of range 64..=512 for a network interface");
        ensure!(
            max_packet_flits >= 2,
            "switch.max_packet_flits: {max_packet_flits} is out of range 2..=1023 for a network interface"
        );
        Ok(())
    }

    /// Flits that a virtual channel must hold for packets of `packet_flits` flits to follow each other without a gap from one network
    /// interface to another, over a link of `link_delay` cycles in each direction (`docs/microarchitecture/network_interface.md`).
    pub fn full_rate_depth(packet_flits: usize, link_delay: usize) -> usize {
        // The header of a packet takes a cycle longer through its queue than two flits on the link.
        2 * packet_flits + 2 * link_delay + 4 + usize::from(packet_flits < 3)
    }

    /// The same over a `link_crossing`, with registers of `other_delay` cycles in each direction beside it. All are cycles of the slower
    /// clock (`docs/microarchitecture/crossing.md`).
    pub fn full_rate_depth_over_crossing(packet_flits: usize, other_delay: usize) -> usize {
        Self::full_rate_depth(packet_flits, CROSSING_DELAY + other_delay)
    }

    /// Entries that a `link_crossing` needs to lose nothing between any two clocks: one for each flit that credits allow, and one for a
    /// phase. `None`: more than there can be.
    pub fn crossing_entries_for_any_clocks(&self) -> Option<usize> {
        let entries = (self.buffer_flits + 1).next_power_of_two().max(LEAST_CROSSING_ENTRIES);
        (entries <= MOST_CROSSING_ENTRIES).then_some(entries)
    }
}
