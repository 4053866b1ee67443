//! A ring of boards: the power mechanism of each as the emitted Verilog with its golden twin, packets that come and go as the contract of the interface has it, and a control ring on
//! which words may be lost or changed.
//!
//! Every output and every register of every board is compared in every cycle, and no wavelength may have two holders.

use super::looped::Looped;
use crate::lockstep::Difference;
use crate::random::Random;
use crate::twins;
use anyhow::{Context, Result};
use powar_config::mechanism::e_rapid::{Layout as Boards, RING_BITS};
use powar_config::topology::pack_address;
use powar_config::{Config, CycleModel, Layout, Phase, Role};
use serde::Serialize;
use std::collections::VecDeque;
use std::path::Path;

/// How a ring is run.
#[derive(Clone, Copy, Debug)]
pub struct RingOptions {
    pub cycles: u64,
    pub seed: u64,
    /// Cycles of a word from a board to the next beyond one.
    pub delay: usize,
    /// One word in so many is lost, one in so many has a bit changed; 0: none.
    pub lost: u32,
    pub changed: u32,
}

/// What came of it.
#[derive(Debug, Serialize)]
pub struct RingReport {
    pub cycles: u64,
    /// Outputs and registers of a board (rows), compared in every cycle.
    pub signals: usize,
    /// Packets that were given a wavelength.
    pub packets: u64,
    /// Messages put on links of the ring; those of them that were lost or changed.
    pub words: u64,
    pub spoilt: u64,
    /// Times that a wavelength has come to a board, and changes of a level.
    pub moves: u64,
    pub changes_of_level: u64,
    /// The board with the first difference, and what it is; or what no board may ever do.
    #[serde(skip)]
    pub difference: Option<(usize, Box<Difference>)>,
    pub wrong: Option<String>,
}

/// Slots of the signals that packets and the ring go by.
struct Slots {
    position: usize,
    held: usize,
    given: usize,
    departing: usize,
    wanted: usize,
    ring_in: usize,
    grantable: usize,
    ready: usize,
    phase: usize,
    level: usize,
    ring_out: usize,
    holds: usize,
    offered: usize,
}

impl Slots {
    fn new(layout: &Layout) -> Result<Slots> {
        let input = |name| layout.slot(Role::Input, name);
        let output = |name| layout.slot(Role::Output, name);
        Ok(Slots {
            position: input("position")?,
            held: input("held")?,
            given: input("given")?,
            departing: input("departing")?,
            wanted: input("wanted")?,
            ring_in: input("ring_in")?,
            grantable: output("grantable")?,
            ready: output("ready")?,
            phase: output("phase")?,
            level: output("level")?,
            ring_out: output("ring_out")?,
            holds: layout.slot(Role::Register, "link.holds")?,
            offered: layout.slot(Role::Register, "link.offered")?,
        })
    }
}

/// What a port has to do with packets.
#[derive(Clone, Copy, Debug, Default)]
enum Port {
    #[default]
    Free,
    /// A packet has chosen it and is given it in so many cycles.
    Chosen(u64),
    /// So many flits are still to set out.
    Held(u64),
}

/// A board.
struct Board {
    looped: Looped<dyn CycleModel + Send>,
    ports: Vec<Port>,
    /// Packets that wait for the board o + 1 further.
    waiting: Vec<u64>,
    /// One packet in so many cycles comes for it.
    every: Vec<u32>,
    /// Words on the way to this board.
    coming: VecDeque<u64>,
    /// Phase and level of its links, and which it held, in the cycle before.
    before: Option<(Vec<[u64; 2]>, Vec<bool>)>,
}

/// Cycles for which traffic stays as it is, in the mean.
const SEASON: u32 = 4_000;
/// Longest packet, flits.
const LONGEST: u64 = 40;

/// Runs a ring of the boards of a configuration, each with the compiled Verilog of its mechanism ([`twins::looped`]) and a deliberate fault switched on if the library holds
/// some (0: none).
///
/// # Errors
/// The mechanism has no ring; the library is none of its.
pub fn run_ring(config: &Config, (library, fault): (&Path, Option<u64>), options: &RingOptions) -> Result<RingReport> {
    let size = Boards::of(config).context("topology: must be boards-BxD")?;
    let mut random = Random::new(options.seed);
    let mut boards = (0..size.boards)
        .map(|_| {
            Ok(Board {
                looped: Looped::new(twins::golden(config, config.mechanism().name)?, library, fault)?,
                ports: vec![Port::Free; config.ports],
                waiting: vec![0; size.boards - 1],
                every: vec![0; size.boards - 1],
                coming: VecDeque::from(vec![0; options.delay]),
                before: None,
            })
        })
        .collect::<Result<Vec<Board>>>()?;
    let layout = boards[0].looped.twin().layout().clone();
    let slots = Slots::new(&layout)?;
    let signals = layout.observed_slots();
    let mut report = RingReport {
        cycles: options.cycles,
        signals,
        packets: 0,
        words: 0,
        spoilt: 0,
        moves: 0,
        changes_of_level: 0,
        difference: None,
        wrong: None,
    };
    for now in 0..options.cycles {
        let shown: Vec<Vec<u64>> = boards.iter().map_while(|board| board.looped.shown().map(<[u64]>::to_vec)).collect();
        if shown.len() < boards.len() {
            break;
        }
        if let Some(wrong) = two_holders(&size, &slots, &shown) {
            report.wrong = Some(format!("cycle {now}: {wrong}"));
            return Ok(report);
        }
        if now == 0 || random.one_in(SEASON) {
            boards.iter_mut().for_each(|board| board.new_season(&mut random));
        }
        for (number, board) in boards.iter_mut().enumerate() {
            let before = (number + size.boards - 1) % size.boards;
            board.look(&size, &slots, &shown[number], &mut report);
            let inputs = &mut board.looped.inputs;
            inputs.fill(0);
            inputs[slots.position] = pack_address(&[size.nodes, size.boards], number * size.nodes).into();
            let word = spoil(shown[before][slots.ring_out], options, &mut random, &mut report);
            board.coming.push_back(word);
            inputs[slots.ring_in] = board.coming.pop_front().expect("one has just come");
            if let Some(wrong) = board.packets(&size, &slots, &shown[number], &mut random, &mut report) {
                report.wrong = Some(format!("cycle {now}, board {number}: {wrong}"));
                return Ok(report);
            }
            board.looped.cycle(now);
        }
    }
    // The waves of a difference show what comes of it.
    let first = boards.iter().position(|board| board.looped.difference().is_some());
    report.difference =
        first.map(|board| (board, boards.swap_remove(board).looped.into_difference().expect("there is one")));
    Ok(report)
}

/// A wavelength that two boards may use, if there is one.
fn two_holders(size: &Boards, slots: &Slots, shown: &[Vec<u64>]) -> Option<String> {
    for destination in 0..size.boards {
        for wavelength in 0..size.boards {
            let uses = |board: &usize| {
                let further = (destination + size.boards - board) % size.boards;
                further != 0 && {
                    let link = (further - 1) * size.boards + wavelength;
                    shown[*board][slots.holds + link] == 1 && shown[*board][slots.offered + link] == 0
                }
            };
            let holders: Vec<usize> = (0..size.boards).filter(uses).collect();
            if holders.len() > 1 {
                return Some(format!("wavelength {wavelength} to board {destination} is held by boards {holders:?}"));
            }
        }
    }
    None
}

/// The word that comes of one put on a link of the ring.
fn spoil(word: u64, options: &RingOptions, random: &mut Random, report: &mut RingReport) -> u64 {
    report.words += u64::from(word != 0);
    let spoilt = match word {
        0 => 0,
        _ if random.one_in(options.lost) => 0,
        _ if random.one_in(options.changed) => word ^ 1 << random.below(RING_BITS as u64),
        _ => word,
    };
    report.spoilt += u64::from(spoilt != word);
    spoilt
}

impl Board {
    /// Other traffic: to some boards much, to others little or nothing.
    fn new_season(&mut self, random: &mut Random) {
        for every in &mut self.every {
            *every = [0, 0, 2_000, 200, 40, 8][random.below(6) as usize];
        }
    }

    /// Counts what the mechanism has done.
    fn look(&mut self, size: &Boards, slots: &Slots, shown: &[u64], report: &mut RingReport) {
        let links = size.links();
        let now: Vec<[u64; 2]> =
            (0..links).map(|k| [slots.phase, slots.level].map(|slot| shown[slot + size.nodes + k])).collect();
        let holds: Vec<bool> = (0..links).map(|k| shown[slots.holds + k] == 1).collect();
        if let Some((before, held)) = &self.before {
            report.moves += holds.iter().zip(held).filter(|(holds, held)| **holds && !**held).count() as u64;
            let tunes = |(now, before): (&[u64; 2], &[u64; 2])| {
                now[0] == Phase::ComingOn as u64 && before[0] == Phase::On as u64
            };
            report.changes_of_level += now.iter().zip(before).filter(|pair| tunes(*pair)).count() as u64;
        }
        self.before = Some((now, holds));
    }

    /// Packets come, are given ports, send their flits and release them: a port is given up to three cycles after it was last grantable. What a mechanism may never do, if it does.
    fn packets(
        &mut self,
        size: &Boards,
        slots: &Slots,
        shown: &[u64],
        random: &mut Random,
        report: &mut RingReport,
    ) -> Option<String> {
        for (waiting, &every) in self.waiting.iter_mut().zip(&self.every) {
            *waiting += u64::from(random.one_in(every) && *waiting < 1000);
        }
        let inputs = &mut self.looped.inputs;
        let mut wrong = None;
        for (p, port) in self.ports.iter_mut().enumerate() {
            let to = p.checked_sub(size.nodes).map(|k| k / size.boards);
            let waits = to.map_or_else(|| random.one_in(20), |to| self.waiting[to] > 0);
            inputs[slots.wanted] |= u64::from(waits) << p;
            *port = match *port {
                Port::Free if waits && shown[slots.grantable] >> p & 1 == 1 => {
                    if let Some(to) = to {
                        self.waiting[to] -= 1;
                        report.packets += 1;
                    }
                    Port::Chosen(1 + random.below(3))
                }
                Port::Chosen(1) => {
                    inputs[slots.given] |= 1 << p;
                    Port::Held(1 + random.below(LONGEST))
                }
                Port::Chosen(cycles) => Port::Chosen(cycles - 1),
                Port::Held(flits) => {
                    inputs[slots.held] |= 1 << p;
                    if shown[slots.ready] >> p & 1 == 0 {
                        wrong = Some(format!("port {p} is held by a packet and does not send"));
                    }
                    inputs[slots.departing] |= 1 << p;
                    if flits == 1 { Port::Free } else { Port::Held(flits - 1) }
                }
                free => free,
            };
        }
        wrong
    }
}
