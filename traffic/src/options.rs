//! How recorded time and bytes become switch cycles and packets.

use anyhow::{Result, ensure};

/// How recorded time and bytes become switch cycles and packets.
///
/// The defaults are those of POWAR, section 4.1: a 625 MHz switch, 16-byte flits, packets of
/// 8 flits, about 50 ns per hop. POWAR says nothing of ranks that share a node; 500 ns are what MPI libraries need for a
/// short message through shared memory, two copies and a poll, on the processors of its time (0.3 to 0.8 us between
/// cores of one board). Like the network's, this time holds no software overhead beyond that.
#[derive(Clone, Debug, PartialEq)]
pub struct TrafficOptions {
    /// Factor on every compute gap, above 0 up to 1 000 000. Larger than 1 stands in for a larger
    /// problem on the same ranks; 1 replays the gaps as recorded.
    pub gap_scale: f64,
    /// Length of one switch cycle, ps.
    pub cycle_ps: u64,
    /// Payload of a full packet, bytes; a message always fills whole packets.
    pub packet_bytes: u64,
    /// Payload of one flit, bytes; `packet_bytes` is a multiple of it.
    pub flit_bytes: u64,
    /// Time a packet head takes through one switch and its link, ps. Of the open loop alone: in the closed one the
    /// network says when messages come in.
    pub hop_ps: u64,
    /// Time a message takes between two ranks of one node, ns. The sender does not wait for it.
    pub local_ns: u64,
}

impl Default for TrafficOptions {
    fn default() -> Self {
        TrafficOptions {
            gap_scale: 1.0,
            cycle_ps: 1_600,
            packet_bytes: 128,
            flit_bytes: 16,
            hop_ps: 50_000,
            local_ns: 500,
        }
    }
}

/// Fixed-point denominator of the gap scale: integers keep the replay equal on every machine.
const SCALE_ONE: u128 = 1_000_000;

/// [`TrafficOptions`] checked and turned into integers, once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    gap_scale_millionths: u64,
    cycle_ps: u64,
    packet_bytes: u64,
    /// Flits of one packet.
    pub flits_per_packet: u16,
    /// Cycles a packet head takes through one switch and its link.
    pub hop_cycles: u64,
    /// Cycles a message takes between two ranks of one node.
    pub local_cycles: u64,
}

impl Timing {
    pub fn new(options: &TrafficOptions) -> Result<Timing> {
        let TrafficOptions { gap_scale, cycle_ps, packet_bytes, flit_bytes, hop_ps, local_ns } = *options;
        let gap_scale_millionths = (gap_scale * SCALE_ONE as f64).round() as u64;
        ensure!(
            gap_scale_millionths >= 1 && gap_scale <= 1e6,
            "gap_scale is `{gap_scale}`, expected a number from 0.000001 to 1000000"
        );
        ensure!((1..=1_000_000_000).contains(&cycle_ps), "cycle_ps is `{cycle_ps}`, expected 1 to 1000000000");
        ensure!((1..=1 << 20).contains(&flit_bytes), "flit_bytes is `{flit_bytes}`, expected 1 to 1048576");
        let flits = packet_bytes / flit_bytes;
        ensure!(
            packet_bytes % flit_bytes == 0 && (1..=u64::from(u16::MAX)).contains(&flits),
            "packet_bytes is `{packet_bytes}`, expected 1 to 65535 times flit_bytes, {flit_bytes}"
        );
        ensure!(hop_ps <= 1_000_000_000_000, "hop_ps is `{hop_ps}`, expected 0 to 1000000000000");
        ensure!(local_ns <= 1_000_000_000, "local_ns is `{local_ns}`, expected 0 to 1000000000");
        Ok(Timing {
            gap_scale_millionths,
            cycle_ps,
            packet_bytes,
            flits_per_packet: flits as u16,
            hop_cycles: hop_ps.div_ceil(cycle_ps),
            local_cycles: (local_ns * 1_000).div_ceil(cycle_ps),
        })
    }

    /// A recorded gap, scaled, in cycles, rounded up; `None` when it is too long for a clock.
    pub fn gap_cycles(&self, gap_ns: u64) -> Option<u64> {
        let scaled_ps = u128::from(gap_ns) * 1_000 * u128::from(self.gap_scale_millionths);
        let cycles = scaled_ps.div_ceil(u128::from(self.cycle_ps) * SCALE_ONE);
        u64::try_from(cycles).ok().filter(|&c| c < u64::MAX / 4)
    }

    /// Packets of a message; an empty one still needs its header sent.
    pub fn packets(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.packet_bytes).max(1)
    }
}
