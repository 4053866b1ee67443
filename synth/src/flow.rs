//! The measurement with place and route, step by step.

use crate::harness;
use crate::netlist::Netlist;
use crate::ports::{PortRoles, ports_of};
use crate::report::median;
use crate::resources::{Cells, Resources};
use crate::script::Script;
use crate::target::{Nextpnr, Shape};
use crate::timing::Timing;
use crate::workspace::Workspace;
use crate::{Design, Options, Port, Report, SeedResult};
use anyhow::{Context, Result, anyhow};
use powar_tools::{Progress, Step, Tool, Tools};
use serde_json::Value;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Measures a module: synthesises and packs it alone for its area, then in the harness for its clock rate, once a
/// seed. Nothing is written; see [`Report::write`].
///
/// # Errors
/// One line: a wrong option with what is allowed, a design that does not fit into the chip, or the step that failed with
/// the tool's own message and its log.
pub fn synthesise(design: &Design, options: &Options, tools: &Tools, progress: &Progress) -> Result<Report> {
    design.check()?;
    options.check()?;
    let nextpnr = options.target.nextpnr()?;
    let step = progress.counted(format!("Synthesising {}", design.top), 4 + options.seeds.len() as u64);
    let workspace = Workspace::new(design, &options.target, tools)?;
    let report = Flow { options, nextpnr, workspace, step: &step }.run()?;
    step.finish();
    Ok(report)
}

/// The names of the scripts in the report's folder.
const ALONE: &str = "synthesis.ys";
const IN_HARNESS: &str = "harness.ys";

/// The ports of the design's top, as Yosys sees them.
pub(crate) fn read_ports(workspace: &Workspace) -> Result<Vec<Port>> {
    let top = &workspace.design.top;
    let mut script = Script::default();
    if let Some(cells) = workspace.target.chip.black_boxes() {
        script.run(format!("read_verilog -lib {cells}"));
    }
    workspace.read(&mut script, &[]);
    script.run(format!("hierarchy -check -top {top}"));
    script.run("proc");
    script.run("write_json ports.json");
    workspace.yosys(&script, "ports.ys")?;
    ports_of(&Netlist::parse(&workspace.text("ports.json")?)?, top)
}

/// What a netlist takes, from Yosys's statistics of the whole design.
pub(crate) fn resources_of(workspace: &Workspace, name: &str) -> Result<Resources> {
    let statistics = workspace.json(&format!("{name}.stat.json"))?;
    Ok(workspace.target.chip.resources(&Cells::of(&statistics["design"])?))
}

/// Synthesises the module alone: `core.json`.
pub(crate) fn synthesise_alone(workspace: &Workspace) -> Result<()> {
    let top = &workspace.design.top;
    let what = format!("Module {top} alone, for its area.");
    let script = workspace.synthesis(ALONE, &what, &[], top, Shape::Flat, "core");
    workspace.yosys(&script, ALONE)
}

/// Synthesises the module alone and packs it if there is a nextpnr for the chip; returns what it takes.
pub(crate) fn module_alone(
    workspace: &Workspace,
    nextpnr: Option<&Nextpnr>,
    packing: impl FnOnce(),
) -> Result<Resources> {
    synthesise_alone(workspace)?;
    packing();
    let mut resources = resources_of(workspace, "core")?;
    if let Some(nextpnr) = nextpnr {
        // Packing alone needs no pins, and tells the area of the module without that of the harness.
        workspace.nextpnr(nextpnr.pack_only, "core", "core")?;
        resources.area = nextpnr.packed_area(&workspace.json("core.report.json")?)?;
    }
    Ok(resources)
}

struct Flow<'a> {
    options: &'a Options,
    nextpnr: Nextpnr,
    workspace: Workspace<'a>,
    step: &'a Step,
}

impl Flow<'_> {
    fn run(&self) -> Result<Report> {
        let (workspace, top) = (&self.workspace, &self.workspace.design.top);
        self.step.detail("reading");
        let ports = read_ports(workspace)?;
        let roles = PortRoles::of(&ports, &self.options.clock, &self.options.reset)?;
        self.step.advance();

        self.step.detail("synthesising the module alone");
        let core = module_alone(workspace, Some(&self.nextpnr), || self.step.advance())?;
        self.options.target.check_fit(top, &core)?;
        self.step.advance();

        self.step.detail("synthesising it in the harness");
        let harness_text = self.options.harness.verilog(top, &roles);
        workspace.write("harness.v", &harness_text)?;
        let what = format!("Module {top} between registers, for its clock rate.");
        let script = workspace.synthesis(IN_HARNESS, &what, &["harness.v"], harness::TOP, Shape::Flat, "placed");
        workspace.yosys(&script, IN_HARNESS)?;
        let mut with_harness = resources_of(workspace, "placed")?;
        let wiring = workspace.wirings("placed", [harness::TOP])?.into_iter().flatten().next();
        self.options.target.check_fit(&format!("{top} with the measuring harness"), &with_harness)?;
        self.step.advance();

        self.step.detail("placing and routing");
        let (seeds, first_report) = self.place_all().map_err(|error| self.explain(error, &roles))?;
        with_harness.area = self.nextpnr.packed_area(&first_report)?;
        let typical = median(&seeds).context("seeds: none given; at least one is needed")?;
        let (median_fmax_mhz, critical_path) = (typical.fmax_mhz, typical.critical_path.clone());
        let mut inputs = workspace.inputs();
        inputs.extend(
            [ALONE, IN_HARNESS]
                .map(|name| Ok((name.to_string(), workspace.bytes(name)?)))
                .into_iter()
                .collect::<Result<Vec<_>>>()?,
        );
        inputs.push(("harness.v".into(), harness_text.into_bytes()));
        Ok(Report {
            module: top.clone(),
            parameters: workspace.design.parameters.clone(),
            ports,
            clock: roles.clock,
            reset: roles.reset,
            target: self.options.target.clone(),
            target_mhz: self.options.frequency_mhz,
            core,
            with_harness,
            wiring,
            harness: self.options.harness.name(),
            median_fmax_mhz,
            meets_target: median_fmax_mhz >= self.options.frequency_mhz,
            critical_path,
            tools: workspace.tools_used(&[Tool::Yosys, self.nextpnr.tool]),
            commands: vec![
                format!("yosys {ALONE}"),
                format!("yosys {IN_HARNESS}"),
                self.placement_command(self.options.seeds[0])?,
            ],
            seeds,
            inputs,
        })
    }

    /// Places every seed, as many at a time as there are cores; returns nextpnr's own report of the first too.
    fn place_all(&self) -> Result<(Vec<SeedResult>, Value)> {
        let seeds = &self.options.seeds;
        let next = AtomicUsize::new(0);
        let worker = || {
            let mut results = Vec::new();
            while let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) {
                results.push((seed, self.place(seed)));
                self.step.advance();
            }
            results
        };
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let mut results: Vec<(u32, Result<Value>)> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..cores.min(seeds.len())).map(|_| scope.spawn(worker)).collect();
            workers.into_iter().flat_map(|worker| worker.join().expect("the worker doesn't panic")).collect()
        });
        let order = |seed: &u32| seeds.iter().position(|other| other == seed);
        results.sort_by_key(|(seed, _)| order(seed));
        let mut first = None;
        let mut measured = Vec::new();
        for (seed, report) in results {
            let report = report?;
            let Timing { fmax_mhz, path } = Timing::read(&report)?;
            measured.push(SeedResult { seed, fmax_mhz, critical_path: path });
            first.get_or_insert(report);
        }
        Ok((measured, first.context("seeds: none given; at least one is needed")?))
    }

    /// nextpnr names a pin it has no place for, but not what to do about it.
    fn explain(&self, error: anyhow::Error, roles: &PortRoles) -> anyhow::Error {
        let text = error.to_string();
        if !(text.contains(&format!("cell type '{}'", self.nextpnr.pin)) || text.contains("insufficient pins")) {
            return error;
        }
        let (target, bits) = (&self.options.target, roles.input_bits() + roles.output_bits());
        anyhow!(
            "harness: {bits} input and output bits are more than {} in {} has pins; use the serial harness",
            target.device,
            target.package
        )
    }

    /// nextpnr's options besides chip, seed and files: pins may go anywhere, and a missed clock rate is a result, not
    /// an error.
    fn placement(&self) -> [&'static str; 2] {
        [self.nextpnr.free_pins, "--timing-allow-fail"]
    }

    fn placement_command(&self, seed: u32) -> Result<String> {
        let mut words = vec![self.nextpnr.tool.name().to_string()];
        words.extend(self.options.target.arguments()?);
        words.extend([format!("--freq {}", self.options.frequency_mhz), format!("--seed {seed}")]);
        words.extend(self.placement().map(String::from));
        words.push("--json placed.json --report placed.report.json".into());
        Ok(words.join(" "))
    }

    fn place(&self, seed: u32) -> Result<Value> {
        let (frequency, seed) = (self.options.frequency_mhz.to_string(), seed.to_string());
        let mut arguments = vec!["--freq", &frequency, "--seed", &seed];
        arguments.extend(self.placement());
        let name = format!("seed-{seed}");
        self.workspace.nextpnr(&arguments, "placed", &name)?;
        self.workspace.json(&format!("{name}.report.json"))
    }
}
