//! For how long links between switches are idle, and what an oracle could switch off.

use anyhow::{Result, ensure};
use powar_golden::network::IdleTime;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Most transition times that are looked at.
const MOST_TIMES: usize = 64;
/// Longest of them, cycles: as long as the longest simulation.
const LONGEST: u64 = u32::MAX as u64;
/// Bins of lengths of gaps, in powers of two: up to the longest simulation.
const BINS: usize = 32;

/// Idle gaps of the links between switches, over the measured cycles (`docs/networks.md`). Shares are of link time: of the measured cycles of
/// all links.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IdleLinks {
    /// Links: both directions of every cable.
    pub links: u64,
    /// Share in which they carry a flit.
    pub busy: f64,
    /// Whole gaps, with a flit before and behind them, their mean and the longest, cycles; no mean of none.
    pub gaps: u64,
    pub mean: Option<f64>,
    pub longest: u64,
    /// Gaps at the edges of the window, and their share: parts of gaps whose length isn't known.
    pub edge_gaps: u64,
    pub edge_share: f64,
    /// By transition time, cycles: the share in which an oracle has links switched off without any delay.
    pub oracle: BTreeMap<u64, f64>,
    /// Whole gaps by length: of 2^i to 2^(i+1) - 1 cycles at 2^i; and their share.
    pub lengths: BTreeMap<u64, u64>,
    pub shares: BTreeMap<u64, f64>,
}

impl IdleLinks {
    /// What no link has, with these transition times: it has the columns that others have.
    pub fn of_none(t_trans: &[u64]) -> IdleLinks {
        let oracle = t_trans.iter().map(|&t_trans| (t_trans, Default::default())).collect();
        IdleLinks::from(&IdleTime { oracle, ..IdleTime::default() })
    }
}

impl From<&IdleTime> for IdleLinks {
    fn from(time: &IdleTime) -> Self {
        let all = (time.links * time.cycles).max(1) as f64;
        let share = |cycles: u64| cycles as f64 / all;
        let whole = time.all_whole();
        let bin = |place: usize| time.whole.get(place).copied().unwrap_or_default();
        IdleLinks {
            links: time.links,
            busy: share(time.busy),
            gaps: whole.count,
            mean: (whole.count > 0).then(|| whole.cycles as f64 / whole.count as f64),
            longest: time.longest,
            edge_gaps: time.edge.count,
            edge_share: share(time.edge.cycles),
            oracle: time.oracle.iter().map(|(t_trans, off)| (*t_trans, share(off.cycles))).collect(),
            lengths: (0..BINS).map(|place| (1 << place, bin(place).count)).collect(),
            shares: (0..BINS).map(|place| (1 << place, share(bin(place).cycles))).collect(),
        }
    }
}

/// Checks transition times.
pub(super) fn check(t_trans: &[u64]) -> Result<()> {
    ensure!(t_trans.len() <= MOST_TIMES, "oracle: {} transition times, {MOST_TIMES} at most", t_trans.len());
    for (place, time) in t_trans.iter().enumerate() {
        ensure!(*time <= LONGEST, "oracle: {time} is out of range 0..={LONGEST} cycles");
        ensure!(!t_trans[..place].contains(time), "oracle: {time} is there twice");
    }
    Ok(())
}
