//! How recorded time and bytes become switch cycles and packets, and what MPI itself costs.

use crate::program::call::Compute;
use crate::program::collective::{self, Algorithms};
use anyhow::{Result, ensure};
use powar_config::units::Nanoseconds;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How recorded time and bytes become switch cycles and packets.
///
/// The defaults are those of POWAR, section 4.1: a 625 MHz switch, 16-byte flits, packets of 8 flits, about 50 ns per hop.
#[derive(Clone, Debug, PartialEq)]
pub struct TrafficOptions {
    /// Compute gaps and the costs of MPI.
    pub replay: ReplayOptions,
    /// Length of one switch cycle, ps.
    pub cycle_ps: u64,
    /// Payload of a full packet, bytes; a message always fills whole packets.
    pub packet_bytes: u64,
    /// Payload of one flit, bytes; `packet_bytes` is a multiple of it.
    pub flit_bytes: u64,
    /// Time a packet head takes through one switch and its link, ps. Of the open loop alone: in the closed one the
    /// network says when messages come in.
    pub hop_ps: u64,
}

impl Default for TrafficOptions {
    fn default() -> Self {
        TrafficOptions {
            replay: ReplayOptions::default(),
            cycle_ps: 1_600,
            packet_bytes: 128,
            flit_bytes: 16,
            hop_ps: 50_000,
        }
    }
}

/// How an MPI program is replayed: what becomes of its compute gaps, what MPI costs, which algorithms its collectives take.
///
/// `docs/programs.md` defines each of them. By default gaps are as recorded and MPI costs nothing but what the network does. POWAR
/// says nothing of ranks that share a node; 500 ns are what MPI libraries need for a short message through shared
/// memory, two copies and a poll, on the processors of its time (0.3 to 0.8 us between cores of one board).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ReplayOptions {
    /// Factor on every compute gap, from 0.000001 to 1 000 000; above 1 it stands in for a larger problem.
    pub gap_scale: f64,
    /// Subtracted from every recorded gap, never below zero: what recording a call cost.
    pub gap_floor: Nanoseconds,
    /// Factor on gaps of `flop_limit` and more (behind `gap_floor`): those in which the program calculates. Shorter ones, in which it
    /// prepares its calls, stay as they are.
    pub flop_factor: f64,
    pub flop_limit: Nanoseconds,
    /// What a completion that the program polled for does if its message is not there.
    pub polls: Polls,
    /// `open-mpi` or `textbook`: the algorithms of collectives.
    pub collectives: String,
    /// Time of a reduction for each byte of one operand, ns.
    pub reduce_byte: f64,
    /// LogGPS: processor time of a send and of a receive.
    pub o_send: Nanoseconds,
    pub o_recv: Nanoseconds,
    /// Processor time of a send and of a receive for each byte, ns.
    pub o_byte: f64,
    /// Longest message that is sent without asking the receiver, bytes; unlimited if none.
    pub eager_limit: Option<u64>,
    /// Time of a message between two ranks of one node. The sender does not wait for it.
    pub local: Nanoseconds,
    /// The same for each byte, ns: one over the bandwidth.
    pub local_byte: f64,
    /// How long before a rank gives a message it tells its node's interface of it, if it computes until then: at most this long, and not
    /// before it begins to compute. 0 to 1 ms.
    pub lead: Nanoseconds,
    /// How many waits a rank looks past when it begins to wait: its node's interface is told of the messages that it gives behind this wait, and
    /// behind so many less one more, up to the next computation. 0 to 1000.
    pub foresight: u32,
}

/// Most of [`ReplayOptions::foresight`].
const MOST_FORESIGHT: u32 = 1000;

impl ReplayOptions {
    /// Whether they can be used.
    ///
    /// # Errors
    /// An option is out of range, by name.
    pub fn check(&self) -> Result<()> {
        Timing::new(&TrafficOptions { replay: self.clone(), ..TrafficOptions::default() }).map(|_| ())
    }
}

/// What a completion that the program polled for does if its message is not there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Polls {
    /// The rank goes on, as the program would have, and takes the message later.
    #[default]
    GoOn,
    /// The rank waits: the other bound, right for a program that does nothing but poll.
    Wait,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        ReplayOptions {
            gap_scale: 1.0,
            gap_floor: Nanoseconds(0.0),
            flop_factor: 1.0,
            flop_limit: Nanoseconds(0.0),
            polls: Polls::GoOn,
            collectives: "open-mpi".into(),
            reduce_byte: 0.0,
            o_send: Nanoseconds(0.0),
            o_recv: Nanoseconds(0.0),
            o_byte: 0.0,
            eager_limit: None,
            local: Nanoseconds(500.0),
            local_byte: 0.0,
            lead: Nanoseconds(0.0),
            foresight: 0,
        }
    }
}

/// Fixed-point denominator of factors: integers keep the replay equal on every machine.
const ONE: u128 = 1_000_000;
/// Femtoseconds of a nanosecond: what times for each byte are counted in.
const FS: f64 = 1e6;

/// [`TrafficOptions`] checked and turned into integers, once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    gap_scale_millionths: u64,
    floor_ps: u64,
    flop_factor_millionths: u64,
    flop_limit_ps: u64,
    cycle_ps: u64,
    packet_bytes: u64,
    /// Flits of one packet.
    pub flits_per_packet: u16,
    /// Cycles a packet head takes through one switch and its link.
    pub hop_cycles: u64,
    local_ps: u64,
    local_byte_fs: u64,
    send_ps: u64,
    receive_ps: u64,
    byte_fs: u64,
    reduce_byte_fs: u64,
    eager_limit: u64,
    /// Most cycles between a word about a message and the message.
    pub lead_cycles: u64,
    /// Waits that a rank looks past when it begins to wait.
    pub foresight: u32,
    /// Whether polled completions wait.
    pub polls_wait: bool,
    /// Those of collectives.
    pub algorithms: &'static Algorithms,
}

/// Time of a model, ps; `None` when it is longer than can be counted (213 days), which is written as the largest number.
fn countable(ps: u64) -> Option<u128> {
    (ps < u64::MAX).then_some(ps.into())
}

fn millionths(name: &str, factor: f64) -> Result<u64> {
    let millionths = (factor * ONE as f64).round() as u64;
    ensure!(millionths >= 1 && factor <= 1e6, "{name} is `{factor}`, expected a number from 0.000001 to 1000000");
    Ok(millionths)
}

/// A time of at most `most_ns`, ps.
fn picoseconds(name: &str, time: Nanoseconds, most_ns: f64) -> Result<u64> {
    ensure!((0.0..=most_ns).contains(&time.0), "{name} is `{time}`, expected 0 to {}", Nanoseconds(most_ns));
    Ok((time.0 * 1e3).round() as u64)
}

/// A time for each byte, fs.
fn byte_femtoseconds(name: &str, ns: f64) -> Result<u64> {
    ensure!((0.0..=1e6).contains(&ns), "{name} is `{ns}`, expected 0 to 1000000 ns for each byte");
    Ok((ns * FS).round() as u64)
}

impl Timing {
    pub fn new(options: &TrafficOptions) -> Result<Timing> {
        let TrafficOptions { ref replay, cycle_ps, packet_bytes, flit_bytes, hop_ps } = *options;
        ensure!((1..=1_000_000_000).contains(&cycle_ps), "cycle_ps is `{cycle_ps}`, expected 1 to 1000000000");
        ensure!((1..=1 << 20).contains(&flit_bytes), "flit_bytes is `{flit_bytes}`, expected 1 to 1048576");
        let flits = packet_bytes / flit_bytes;
        ensure!(
            packet_bytes % flit_bytes == 0 && (1..=u64::from(u16::MAX)).contains(&flits),
            "packet_bytes is `{packet_bytes}`, expected 1 to 65535 times flit_bytes, {flit_bytes}"
        );
        let foresight = replay.foresight;
        ensure!(foresight <= MOST_FORESIGHT, "foresight is `{foresight}`, expected 0 to {MOST_FORESIGHT} waits");
        ensure!(hop_ps <= 1_000_000_000_000, "hop_ps is `{hop_ps}`, expected 0 to 1000000000000");
        Ok(Timing {
            gap_scale_millionths: millionths("gap_scale", replay.gap_scale)?,
            floor_ps: picoseconds("gap_floor", replay.gap_floor, 1e9)?,
            flop_factor_millionths: millionths("flop_factor", replay.flop_factor)?,
            flop_limit_ps: picoseconds("flop_limit", replay.flop_limit, 1e12)?,
            cycle_ps,
            packet_bytes,
            flits_per_packet: flits as u16,
            hop_cycles: hop_ps.div_ceil(cycle_ps),
            local_ps: picoseconds("local", replay.local, 1e9)?,
            local_byte_fs: byte_femtoseconds("local_byte", replay.local_byte)?,
            send_ps: picoseconds("o_send", replay.o_send, 1e9)?,
            receive_ps: picoseconds("o_recv", replay.o_recv, 1e9)?,
            byte_fs: byte_femtoseconds("o_byte", replay.o_byte)?,
            reduce_byte_fs: byte_femtoseconds("reduce_byte", replay.reduce_byte)?,
            eager_limit: replay.eager_limit.unwrap_or(u64::MAX),
            lead_cycles: picoseconds("lead", replay.lead, 1e6)?.div_ceil(cycle_ps),
            foresight,
            polls_wait: replay.polls == Polls::Wait,
            algorithms: collective::by_name(&replay.collectives)?,
        })
    }

    /// These options, for a trace of this name whose messages are not told of before they are given.
    ///
    /// # Errors
    /// They have a lead, or foresight.
    pub fn without_lead(self, name: &str) -> Result<Timing> {
        for (option, is_none) in [("lead", self.lead_cycles == 0), ("foresight", self.foresight == 0)] {
            ensure!(
                is_none,
                "{option} is not 0, and {name} holds messages and what they wait for; expected 0, or a trace of MPI calls"
            );
        }
        Ok(self)
    }

    /// A recorded gap in cycles, rounded up: less the floor, times the factors; `None` when it is too long for a clock.
    pub fn gap_cycles(&self, gap_ns: u64) -> Option<u64> {
        self.scaled_cycles(self.behind_floor(gap_ns), ONE)
    }

    /// A recorded gap less the floor, times the flop-rate factor, in millionths of a ps.
    fn behind_floor(&self, gap_ns: u64) -> u128 {
        let ps = (u128::from(gap_ns) * 1_000).saturating_sub(self.floor_ps.into());
        let calculates = ps >= self.flop_limit_ps.into();
        ps * if calculates { u128::from(self.flop_factor_millionths) } else { ONE }
    }

    /// What a rank computes, in cycles; `None` when it is too long for a clock.
    pub fn compute_cycles(&self, compute: Compute) -> Option<u64> {
        match compute {
            Compute::Recorded(ns) => self.gap_cycles(ns),
            Compute::Modelled(ps) => self.modelled_cycles(ps),
        }
    }

    /// Time of a model, ps, in cycles, rounded up; `None` when it is too long for a clock.
    pub fn modelled_cycles(&self, ps: u64) -> Option<u64> {
        self.scaled_cycles(countable(ps)?, 1)
    }

    /// `parts` over `denominator` ps, times the gap scale.
    fn scaled_cycles(&self, parts: u128, denominator: u128) -> Option<u64> {
        let scaled = parts.checked_mul(self.gap_scale_millionths.into())?;
        let cycles = scaled.div_ceil(u128::from(self.cycle_ps) * ONE * denominator);
        u64::try_from(cycles).ok().filter(|&cycles| cycles < u64::MAX / 4)
    }

    /// What a rank computes behind floor, factors and scale, in whole ns as [`Timing::whole_ns`] rounds; `None` when it is too
    /// long for a clock.
    pub fn compute_ns(&self, compute: Compute) -> Option<u64> {
        let (parts, denominator) = match compute {
            Compute::Recorded(ns) => (self.behind_floor(ns), ONE),
            Compute::Modelled(ps) => (countable(ps)?, 1),
        };
        self.whole_ns(parts.checked_mul(self.gap_scale_millionths.into())?, denominator * ONE)
    }

    /// Time of a reduction of two operands of so many bytes, whole ns; `None` when it is too long for a clock.
    pub fn reduce_ns(&self, bytes: u64) -> Option<u64> {
        self.whole_ns(u128::from(self.reduce_byte_fs) * u128::from(bytes), 1_000)
    }

    /// Time of a message between two ranks of one node, whole ns; `None` when it is too long for a clock.
    pub fn local_ns(&self, bytes: u64) -> Option<u64> {
        let for_bytes = u128::from(self.local_byte_fs) * u128::from(bytes);
        self.whole_ns(u128::from(self.local_ps) * 1_000 + for_bytes, 1_000)
    }

    /// Time of a model, ps, in whole ns; `None` when it is too long for a clock.
    pub fn modelled_ns(&self, ps: u64) -> Option<u64> {
        self.whole_ns(countable(ps)?, 1)
    }

    /// `parts` over `denominator` ps in whole ns: rounded up, but down if that would make it a cycle more. So a time is written
    /// as it is where it is whole, and takes the same number of cycles if a cycle is 1 ns or longer.
    fn whole_ns(&self, parts: u128, denominator: u128) -> Option<u64> {
        let cycles = parts.div_ceil(u128::from(self.cycle_ps) * denominator);
        let up = parts.div_ceil(1_000 * denominator);
        let is_more = (up * 1_000).div_ceil(u128::from(self.cycle_ps)) > cycles;
        u64::try_from(up - u128::from(is_more)).ok()
    }

    /// Cycles of a time with a part for each byte, rounded up.
    fn cycles(&self, ps: u64, byte_fs: u64, bytes: u64) -> u64 {
        let fs = u128::from(ps) * 1_000 + u128::from(byte_fs) * u128::from(bytes);
        let cycles = fs.div_ceil(u128::from(self.cycle_ps) * 1_000);
        u64::try_from(cycles).unwrap_or(u64::MAX).min(u64::MAX / 4)
    }

    /// Processor time of sending a message, cycles (LogGPS: o + bytes O).
    pub fn send_cycles(&self, bytes: u64) -> u64 {
        self.cycles(self.send_ps, self.byte_fs, bytes)
    }

    /// Processor time of receiving a message, cycles.
    pub fn receive_cycles(&self, bytes: u64) -> u64 {
        self.cycles(self.receive_ps, self.byte_fs, bytes)
    }

    /// Time of a reduction of two operands of so many bytes, cycles.
    pub fn reduce_cycles(&self, bytes: u64) -> u64 {
        self.cycles(0, self.reduce_byte_fs, bytes)
    }

    /// Cycles a message takes between two ranks of one node.
    pub fn local_cycles(&self, bytes: u64) -> u64 {
        self.cycles(self.local_ps, self.local_byte_fs, bytes)
    }

    /// Whether a message is sent without asking the receiver (LogGPS: at most S bytes).
    pub fn is_eager(&self, bytes: u64) -> bool {
        bytes <= self.eager_limit
    }

    /// Packets of a message; an empty one still needs its header sent.
    pub fn packets(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.packet_bytes).max(1)
    }
}
