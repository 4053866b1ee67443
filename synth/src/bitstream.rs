//! Bitstreams: a design on a board's pins, at the board's clock.

use crate::board::{Board, Maker, pins};
use crate::flow::{read_ports, resources_of};
use crate::pins::check;
use crate::target::Shape;
use crate::timing::{Clock, Timing, TimingPath};
use crate::workspace::Workspace;
use crate::{Design, Resources, Target, ToolUsed};
use anyhow::{Result, ensure};
use powar_tools::{Progress, Step, Tool, Tools, write_owned};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A bitstream, and what is known of it. The same input gives the same, byte for byte.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bitstream {
    /// The top module.
    pub module: String,
    /// The board.
    pub board: &'static str,
    /// Its chip.
    pub target: Target,
    /// What is placed.
    pub resources: Resources,
    /// What there is of the chip; 0 of what is not limited by itself.
    pub capacity: Resources,
    /// The clocks: the board's, and those a PLL makes of it.
    pub clocks: Vec<Clock>,
    /// Does every clock reach its rate?
    pub meets_clocks: bool,
    /// The seed that was placed: the first that meets the clocks, else the one that misses them least.
    pub seed: u32,
    /// The slowest path from register to register; none without registers.
    pub critical_path: Option<TimingPath>,
    /// The bitstream's file name.
    pub file: String,
    /// The command that loads it into the board, for where that file is.
    pub load: String,
    /// The tools and their versions.
    pub tools: Vec<ToolUsed>,
    /// The commands, for doing it by hand in the report's folder.
    pub commands: Vec<String>,
    /// The bitstream, and what the commands read: names and contents.
    #[serde(skip)]
    files: Vec<(String, Vec<u8>)>,
}

/// Placements that are tried until one meets the clocks.
const SEEDS: [u32; 3] = [1, 2, 3];
const SCRIPT: &str = "synthesis.ys";

/// One placement.
struct Placement {
    seed: u32,
    clocks: Vec<Clock>,
    path: Option<TimingPath>,
    area: u64,
}

impl Placement {
    /// By what factor its worst clock misses or exceeds its rate.
    fn reached(&self) -> f64 {
        self.clocks.iter().map(|clock| clock.fmax_mhz / clock.asked_mhz).fold(f64::INFINITY, f64::min)
    }
}

/// Makes a bitstream of a design for a board, every pin where the board has it. Nothing is written; see [`Bitstream::write`].
/// A clock that is missed is no error: [`Bitstream::meets_clocks`] says so.
///
/// # Errors
/// One line: a pin without a place on the board, by name, a design that does not fit, a board whose bitstreams are made elsewhere
/// (see [`crate::vivado_project`]), or the step that failed with the tool's own message and its log.
pub fn bitstream(design: &Design, board: &dyn Board, tools: &Tools, progress: &Progress) -> Result<Bitstream> {
    design.check()?;
    ensure!(board.maker() == Maker::Trellis, "board: bitstreams for {} are made with Vivado", board.name());
    let target = board.target();
    let nextpnr = target.nextpnr()?;
    let (lpf, lpf_text) = board.constraints();
    let top = &design.top;
    let step = progress.counted(format!("Bitstream of {top} for {}", board.name()), 4);
    let workspace = Workspace::new(design, &target, tools)?;
    step.detail("reading");
    check(&read_ports(&workspace)?, &pins(board), lpf)?;
    workspace.write(lpf, lpf_text)?;
    step.advance();

    step.detail("synthesising");
    let what = format!("{top} for the board {}.", board.name());
    let script = workspace.synthesis(SCRIPT, &what, &[], top, Shape::Flat, top);
    workspace.yosys(&script, SCRIPT)?;
    let mut resources = resources_of(&workspace, top)?;
    target.check_fit(top, &resources)?;
    step.advance();

    let best = place(board, top, &workspace, &step)?;
    resources.area = best.area;
    step.advance();

    step.detail("packing the bitstream");
    let (config, file) = (format!("seed-{}.config", best.seed), format!("{top}.bit"));
    let pack = ["--compress", "--input", &config, "--bit", &file];
    workspace.tool(Tool::Ecppack, &pack, "packing")?;
    let mut files = vec![(file.clone(), workspace.bytes(&file)?)];
    files.extend(workspace.inputs());
    files.push((SCRIPT.into(), workspace.bytes(SCRIPT)?));
    files.push((lpf.into(), lpf_text.into()));
    let placing =
        [vec![nextpnr.tool.name().to_string()], target.arguments()?, options(board, best.seed)].concat().join(" ");
    let bitstream = Bitstream {
        module: top.clone(),
        board: board.name(),
        capacity: target.capacity(),
        resources,
        meets_clocks: best.reached() >= 1.0,
        clocks: best.clocks,
        seed: best.seed,
        critical_path: best.path,
        load: board.load(&file),
        tools: workspace.tools_used(&[Tool::Yosys, nextpnr.tool, Tool::Ecppack]),
        commands: vec![
            format!("yosys {SCRIPT}"),
            format!("{placing} --json {top}.json"),
            format!("ecppack {}", pack.join(" ")),
            board.load(&file),
        ],
        file,
        target,
        files,
    };
    step.finish();
    Ok(bitstream)
}

/// What nextpnr is told of a board and of a seed.
fn options(board: &dyn Board, seed: u32) -> Vec<String> {
    let (lpf, frequency) = (board.constraints().0, board.clock().1.to_string());
    let words = ["--lpf", lpf, "--freq", &frequency, "--timing-allow-fail", "--seed"].map(String::from);
    [words.to_vec(), vec![seed.to_string(), "--textcfg".into(), format!("seed-{seed}.config")]].concat()
}

/// The first placement that meets the clocks; if none does, the best.
fn place(board: &dyn Board, top: &str, workspace: &Workspace, step: &Step) -> Result<Placement> {
    let mut best: Option<Placement> = None;
    for seed in SEEDS {
        step.detail(format!("placing and routing, seed {seed}"));
        let name = format!("seed-{seed}");
        let options = options(board, seed);
        workspace.nextpnr(&options.iter().map(String::as_str).collect::<Vec<_>>(), top, &name)?;
        let report = workspace.json(&format!("{name}.report.json"))?;
        let clocks = Clock::all(&report);
        let path = if clocks.is_empty() {
            None
        } else {
            Some(TimingPath { in_harness: false, ..Timing::read(&report)?.path })
        };
        let placement = Placement { seed, clocks, path, area: board.target().nextpnr()?.packed_area(&report)? };
        let met = placement.reached() >= 1.0;
        if best.as_ref().is_none_or(|best| placement.reached() > best.reached()) {
            best = Some(placement);
        }
        if met {
            break;
        }
    }
    Ok(best.expect("at least one seed was placed"))
}

impl Bitstream {
    /// How each clock stands to its rate, in a sentence each.
    pub fn verdicts(&self) -> Vec<String> {
        self.clocks.iter().map(Clock::verdict).collect()
    }

    /// The report for programs.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report has only text keys and finite numbers") + "\n"
    }

    /// Writes the bitstream, `report.json`, `report.md`, more files if there are, and the sources, the constraints and the Yosys script with which it can be
    /// made again by hand, into `folder`, which is made if need be. Returns their paths in that order.
    ///
    /// # Errors
    /// If the folder can't be made or a file can't be written, or would take the place of one that is not an earlier bitstream's; no file
    /// has appeared then.
    pub fn write(&self, folder: &Path, more: &[(String, String)]) -> Result<Vec<PathBuf>> {
        let (bit, others) = self.files.split_first().expect("the first file is the bitstream");
        let mut files = vec![
            bit.clone(),
            ("report.json".to_string(), self.json().into_bytes()),
            ("report.md".into(), self.markdown().into_bytes()),
        ];
        files.extend(others.iter().cloned());
        files.extend(more.iter().map(|(name, text)| (name.clone(), text.clone().into_bytes())));
        Ok(write_owned(folder, &files, true)?)
    }
}
