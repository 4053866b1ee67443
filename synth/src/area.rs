//! Area alone: synthesis and packing, no place and route.

use crate::flow::{module_alone, synthesise_alone};
use crate::hierarchy::{BlockArea, blocks};
use crate::target::Shape;
use crate::wiring::Wiring;
use crate::workspace::Workspace;
use crate::{Design, Resources, Target, ToolUsed};
use anyhow::{Context, Result};
use powar_tools::{Progress, Tool, Tools, write_owned};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// How big a module is, as a whole and by block. The same input gives the same report, byte for byte.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AreaReport {
    /// The module.
    pub module: String,
    /// Its parameters where they were given.
    pub parameters: Vec<(String, String)>,
    /// The chip.
    pub target: Target,
    /// What its area is counted in.
    pub area_unit: &'static str,
    /// What the module takes as one, optimised across its blocks; the area is that after packing if the chip has an open place and route.
    pub whole: Resources,
    /// Is the area that after packing?
    pub packed: bool,
    /// Its wires as one, before anything is placed, on a chip of which that is known.
    pub wiring: Option<Wiring>,
    /// What there is of the chip; 0 of what is not limited by itself.
    pub capacity: Resources,
    /// The blocks, the largest first; the module itself is one of them.
    pub blocks: Vec<BlockArea>,
    /// The tools and their versions.
    pub tools: Vec<ToolUsed>,
    /// The commands, for doing it by hand in the report's folder.
    pub commands: Vec<String>,
    #[serde(skip)]
    inputs: Vec<(String, Vec<u8>)>,
}

/// The script that keeps the blocks apart.
const BY_BLOCK: &str = "by-block.ys";

/// Synthesises a module as a whole and packs it, then again block by block. Nothing is written; see [`AreaReport::write`].
///
/// # Errors
/// One line: what can't be synthesised, with the tool's own message and its log. Larger than the chip is no error.
pub fn measure_area(design: &Design, target: &Target, tools: &Tools, progress: &Progress) -> Result<AreaReport> {
    design.check()?;
    let step = progress.counted(format!("Area of {}", design.top), 3);
    let workspace = Workspace::new(design, target, tools)?;
    let nextpnr = target.nextpnr().ok();
    step.detail("synthesising it as a whole");
    let whole = module_alone(&workspace, nextpnr.as_ref(), || {
        step.advance();
        step.detail("packing");
    })?;
    step.advance();

    step.detail("synthesising it block by block");
    let top = &design.top;
    let what = format!("Module {top} with its blocks kept apart, for the area of each.");
    let script = workspace.synthesis(BY_BLOCK, &what, &[], top, Shape::Hierarchical, "by-block");
    workspace.yosys(&script, BY_BLOCK)?;
    let mut blocks = blocks(&workspace.json("by-block.stat.json")?, top, target)?;
    let names: Vec<String> = blocks.iter().map(|block| block.block.clone()).collect();
    let wirings = workspace.wirings("by-block", names.iter().map(String::as_str))?;
    for (block, wiring) in blocks.iter_mut().zip(wirings) {
        block.wiring = wiring;
    }
    let wiring = workspace.wirings("core", [top.as_str()])?.into_iter().flatten().next();

    let mut commands = vec!["yosys synthesis.ys".to_string()];
    let mut used = vec![Tool::Yosys];
    if let Some(nextpnr) = &nextpnr {
        let (tool, chip) = (nextpnr.tool.name(), target.arguments()?.join(" "));
        let options = nextpnr.pack_only.join(" ");
        commands.push(format!("{tool} {chip} {options} --json core.json --report core.report.json"));
        used.push(nextpnr.tool);
    }
    commands.push(format!("yosys {BY_BLOCK}"));
    let mut inputs = workspace.inputs();
    for name in ["synthesis.ys", BY_BLOCK] {
        inputs.push((name.into(), workspace.bytes(name)?));
    }
    let report = AreaReport {
        module: top.clone(),
        parameters: design.parameters.clone(),
        target: target.clone(),
        area_unit: target.area_unit(),
        whole,
        packed: nextpnr.is_some(),
        wiring,
        capacity: target.capacity(),
        blocks,
        tools: workspace.tools_used(&used),
        commands,
        inputs,
    };
    step.finish();
    Ok(report)
}

/// What is known of a module's wires as a whole, of synthesis alone: neither packed nor by block.
///
/// # Errors
/// One line: what can't be synthesised, with the tool's own message and its log, or a chip whose cells aren't known well enough.
pub fn measure_wiring(design: &Design, target: &Target, tools: &Tools) -> Result<Wiring> {
    design.check()?;
    let workspace = Workspace::new(design, target, tools)?;
    synthesise_alone(&workspace)?;
    let wiring = workspace.wirings("core", [design.top.as_str()])?.into_iter().flatten().next();
    wiring.with_context(|| format!("target: hops can't be counted on {}; on an ECP5 they can", target.name))
}

impl AreaReport {
    /// What the blocks come to together.
    pub fn sum_of_blocks(&self) -> Resources {
        self.blocks.iter().fold(Resources::default(), |sum, block| sum + block.all)
    }

    /// The report for programs.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report has only text keys and numbers") + "\n"
    }

    /// Writes `report.json`, `report.md`, the plot `area.svg` and `area.png`, and the sources and Yosys scripts with which it can be done
    /// again by hand, into `folder`, which is made if need be. Returns their paths in that order.
    ///
    /// # Errors
    /// If the folder can't be made or a file can't be written, or would take the place of one that is not an earlier report's; no file has
    /// appeared then.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        let figure = self.figure();
        let mut files = vec![
            ("report.json".to_string(), self.json().into_bytes()),
            ("report.md".into(), self.markdown().into_bytes()),
            ("area.svg".into(), figure.svg().into_bytes()),
            ("area.png".into(), figure.png()?),
        ];
        files.extend(self.inputs.iter().cloned());
        Ok(write_owned(folder, &files, true)?)
    }
}
