//! A ring of boards: the power mechanism of each as the emitted Verilog with its golden twin, packets that come and go as the contract of the interface has it, and a control ring on
//! which words may be lost or changed.
//!
//! Every output and every register of every board is compared in every cycle, and no wavelength may have two holders.

use super::looped::Looped;
use crate::random::Random;
use crate::twins;
use crate::waves::{WaveOptions, WaveWriter, save_window};
use anyhow::{Context, Result, ensure};
use powar_config::mechanism::ALL;
use powar_config::mechanism::e_rapid::{Layout as Boards, RING};
use powar_config::topology::pack_address;
use powar_config::{Chosen, Config, CycleModel, Layout, Phase, Role};
use serde::Serialize;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Instant;

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

/// Waves of a ring (`*.vcd`, with files for GTKWave and Surfer beside them), where they are wanted.
#[derive(Clone, Debug, Default)]
pub struct RingWaves {
    /// Those of the whole run of a board, by its number.
    pub run: Option<(PathBuf, usize)>,
    /// Those around a first difference, of the board that has it.
    pub difference: Option<PathBuf>,
}

/// What came of it.
#[derive(Debug, Serialize)]
pub struct RingReport {
    pub configuration: String,
    /// The mechanism that each board has.
    pub block: String,
    pub boards: usize,
    /// No board has shown a difference, and none has done what it may never do.
    pub equal: bool,
    /// Cycles that were equal.
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
    /// Cycles a second of all boards, both models.
    pub cycles_per_second: f64,
    /// The first difference and the board that has it, in words; or what no board may ever do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong: Option<String>,
    /// Waves that were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vcd: Option<PathBuf>,
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
/// some (0: none). `watch` is told how many cycles have passed. A difference is not an error: it is in the report.
///
/// # Errors
/// The mechanism has no ring, or one that is too long for its windows; the library is none of its; there is no board whose waves are wanted; files that can't be written.
pub fn run_ring(
    config: &Config,
    (library, fault): (&Path, Option<u64>),
    options: &RingOptions,
    waves: &RingWaves,
    watch: &mut dyn FnMut(u64),
) -> Result<RingReport> {
    check_ring(config, waves)?;
    config.check_links(options.delay as u64)?;
    let mut ring = Ring::new(config, (library, fault), options, waves)?;
    let start = Instant::now();
    for now in 0..options.cycles {
        if !ring.cycle(now)? {
            break;
        }
        if now % 1024 == 0 {
            watch(now);
        }
    }
    ring.report.cycles_per_second = ring.report.cycles as f64 / start.elapsed().as_secs_f64();
    ring.finish(config, waves)
}

/// The boards while they run.
struct Ring<'a> {
    size: Boards,
    layout: Layout,
    slots: Slots,
    boards: Vec<Board>,
    options: &'a RingOptions,
    random: Random,
    report: RingReport,
    /// The waves that are written, and the board that they are of.
    recorder: Option<(WaveWriter, usize)>,
}

impl<'a> Ring<'a> {
    fn new(
        config: &Config,
        (library, fault): (&Path, Option<u64>),
        options: &'a RingOptions,
        waves: &RingWaves,
    ) -> Result<Self> {
        let block = config.mechanism().name;
        let size = Boards::of(config).context("topology: must be boards-BxD")?;
        let board = |_| {
            Ok(Board {
                looped: Looped::new(twins::golden(config, block)?, library, fault)?,
                ports: vec![Port::Free; config.ports],
                waiting: vec![0; size.boards - 1],
                every: vec![0; size.boards - 1],
                coming: VecDeque::from(vec![0; options.delay]),
                before: None,
            })
        };
        let boards = (0..size.boards).map(board).collect::<Result<Vec<Board>>>()?;
        let layout = boards[0].looped.twin().layout().clone();
        let report = RingReport {
            configuration: config.name.clone(),
            block: block.into(),
            boards: size.boards,
            equal: true,
            cycles: options.cycles,
            signals: layout.observed_slots(),
            packets: 0,
            words: 0,
            spoilt: 0,
            moves: 0,
            changes_of_level: 0,
            cycles_per_second: 0.0,
            difference: None,
            wrong: None,
            vcd: waves.run.as_ref().map(|(path, _)| path.clone()),
        };
        let mut recorder = None;
        if let Some((path, board)) = &waves.run {
            let comment = format!("board {board} of {}", size.boards);
            let options = WaveOptions { comment: Some(comment), ..WaveOptions::default() };
            recorder = Some((WaveWriter::create(path, &layout, block, config, &options)?, *board));
        }
        let (slots, random) = (Slots::new(&layout)?, Random::new(options.seed));
        Ok(Ring { size, layout, slots, boards, options, random, report, recorder })
    }

    /// A cycle of all boards. Whether there is more to see.
    fn cycle(&mut self, now: u64) -> Result<bool> {
        let Ring { size, slots, random, report, .. } = self;
        let shown: Vec<Vec<u64>> = self.boards.iter().map(|board| board.looped.next_shown()).collect();
        // What goes wrong after a difference comes of it.
        let is_equal = self.boards.iter().all(|board| board.looped.difference().is_none());
        if let Some(wrong) = two_holders(size, slots, &shown).filter(|_| is_equal) {
            (report.cycles, report.wrong) = (now, Some(format!("cycle {now}: {wrong}")));
            return Ok(false);
        }
        if self.boards.iter().any(|board| board.looped.is_retired()) {
            return Ok(false);
        }
        if now == 0 || random.one_in(SEASON) {
            self.boards.iter_mut().for_each(|board| board.new_season(random));
        }
        for (number, board) in self.boards.iter_mut().enumerate() {
            let before = (number + size.boards - 1) % size.boards;
            board.look(size, slots, &shown[number], report);
            let inputs = &mut board.looped.inputs;
            inputs.fill(0);
            inputs[slots.position] = pack_address(&[size.nodes, size.boards], number * size.nodes).into();
            let word = spoil(shown[before][slots.ring_out], self.options, random, report);
            board.coming.push_back(word);
            inputs[slots.ring_in] = board.coming.pop_front().expect("one has just come");
            let wrong = board.packets(size, slots, &shown[number], random, report);
            board.looped.cycle(now);
            if let Some((writer, _)) = self.recorder.as_mut().filter(|(_, of)| *of == number) {
                let [inputs, golden, seen] = board.looped.last_cycle();
                writer.cycle(now, inputs, golden, seen)?;
            }
            if let Some(wrong) = wrong.filter(|_| is_equal && report.wrong.is_none()) {
                report.wrong = Some(format!("cycle {now}, board {number}: {wrong}"));
            }
        }
        if report.wrong.is_some() {
            report.cycles = now;
        }
        Ok(report.wrong.is_none())
    }

    /// What came of it; the waves around the first difference are written.
    fn finish(self, config: &Config, waves: &RingWaves) -> Result<RingReport> {
        let Ring { layout, boards, mut report, recorder, .. } = self;
        if let Some((writer, _)) = recorder {
            writer.finish()?;
        }
        let differences =
            boards.iter().enumerate().filter_map(|(number, board)| Some((number, board.looped.difference()?)));
        if let Some((number, difference)) = differences.min_by_key(|(_, difference)| difference.cycle) {
            report.wrong = None;
            report.cycles = difference.cycle;
            report.difference = Some(format!("board {number}: {difference}"));
            if let Some(path) = &waves.difference {
                save_window(path, config.mechanism().name, config, &layout, &difference.window)?;
                report.vcd = Some(path.clone());
            }
        }
        report.equal = report.difference.is_none() && report.wrong.is_none();
        Ok(report)
    }
}

/// The boards of a topology (`boards-BxD`) with a mechanism that has a ring, at its defaults.
///
/// # Errors
/// There is no such network, or no such mechanism for it.
pub fn ring_of(topology: &str) -> Result<Config> {
    let mut config = Config::of_network(topology)?;
    let mut with_ring = ALL.into_iter().filter(|mechanism| mechanism.sees.ring.is_some()).map(|mechanism| {
        config.mechanism = Chosen(mechanism.defaults());
        config.check().map(|()| config.clone())
    });
    let first = with_ring.next().context("mechanism.kind: none has a control ring")?;
    first.or_else(|error| with_ring.find_map(Result::ok).ok_or(error))
}

/// Whether there is a ring of a configuration's boards, before its Verilog is compiled.
///
/// # Errors
/// The mechanism has none; there is no board whose waves are wanted.
pub fn check_ring(config: &Config, waves: &RingWaves) -> Result<()> {
    let mechanism = config.mechanism();
    let known = || {
        ALL.into_iter().filter(|other| other.sees.ring.is_some()).map(|other| other.name).collect::<Vec<_>>().join(", ")
    };
    ensure!(
        mechanism.sees.ring.is_some(),
        "mechanism.kind: {} has no control ring; with one there is {}",
        mechanism.name,
        known()
    );
    if let (Some((_, board)), Some(size)) = (&waves.run, Boards::of(config)) {
        ensure!(*board < size.boards, "board: {board} is out of range 0..={}", size.boards - 1);
    }
    Ok(())
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
        _ if random.one_in(options.changed) => word ^ 1 << random.below(RING.bits as u64),
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
