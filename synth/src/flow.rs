//! The measurement, step by step.

use crate::harness;
use crate::netlist::Netlist;
use crate::ports::{PortRoles, ports_of};
use crate::report::median;
use crate::timing::Timing;
use crate::{Design, Options, Report, Resources, SeedResult, ToolUsed};
use anyhow::{Context, Result, bail};
use powar_tools::{Progress, Step, Tool, Tools, run_logged, write_atomic};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// How a netlist for ECP5 is made of Verilog.
const SYNTHESIS: &str = "synth_ecp5 -abc9";

/// nextpnr's options besides chip, seed and files: pins may go anywhere, and a missed clock rate is a result, not an
/// error.
const PLACEMENT: [&str; 3] = ["--lpf-allow-unconstrained", "--timing-allow-fail", "--quiet"];

/// Measures a module: synthesises and packs it alone for its area, then in the harness for its clock rate, once a
/// seed. Nothing is written; see [`Report::write`].
///
/// # Errors
/// One line: a wrong option with what is allowed, or the step that failed with the tool's own message and its log.
pub fn synthesise(design: &Design, options: &Options, tools: &Tools, progress: &Progress) -> Result<Report> {
    design.check()?;
    options.check()?;
    let step = progress.counted(format!("Synthesising {}", design.top), 4 + options.seeds.len() as u64);
    let parent = tools.folder().join("synth");
    fs::create_dir_all(&parent).with_context(|| format!("cannot create {}", parent.display()))?;
    let folder = TempDir::with_prefix_in(format!("{}-", design.top), &parent)
        .with_context(|| format!("cannot create a folder in {}", parent.display()))?;
    let flow = Flow { design, options, tools, folder: folder.path(), logs: &parent, step: &step };
    let report = flow.run()?;
    step.finish();
    Ok(report)
}

/// The tools see only the files of the folder they run in, so all of them are in one.
struct Flow<'a> {
    design: &'a Design,
    options: &'a Options,
    tools: &'a Tools,
    folder: &'a Path,
    /// Logs outlive the folder, because error messages name them; the next run of the same module replaces them.
    logs: &'a Path,
    step: &'a Step,
}

impl Flow<'_> {
    fn run(&self) -> Result<Report> {
        let top = &self.design.top;
        for (name, text) in &self.design.sources {
            write_atomic(self.folder.join(name), text)?;
        }
        let read = self.read_commands();

        self.step.detail("reading");
        self.yosys(&format!("{read}; hierarchy -check -top {top}; proc; write_json ports.json"), "ports")?;
        let ports = ports_of(&Netlist::parse(&self.text("ports.json")?)?, top)?;
        let roles = PortRoles::of(&ports, self.options)?;
        self.step.advance();

        self.step.detail("synthesising the module alone");
        let alone = self.synthesis_script(&read, top, "core");
        self.yosys(&alone, "core")?;
        self.step.advance();
        // Packing alone needs no pins, and tells the half-slices of the module without those of the harness.
        self.nextpnr(&["--out-of-context", "--pack-only", "--quiet"], "core", "core")?;
        let core = Resources::read(&self.json("core.stat.json")?, &self.json("core.report.json")?)?;
        self.step.advance();

        self.step.detail("synthesising it in the harness");
        write_atomic(self.folder.join("harness.v"), self.options.harness.verilog(top, &roles))?;
        let read = format!("{read}; read_verilog -sv harness.v");
        let script = self.synthesis_script(&read, harness::TOP, "placed");
        self.yosys(&script, "placed")?;
        self.step.advance();

        self.step.detail("placing and routing");
        let (seeds, first_report) = self.place_all().map_err(|error| self.explain(error, &roles))?;
        let with_harness = Resources::read(&self.json("placed.stat.json")?, &first_report)?;
        let typical = median(&seeds).context("seeds: none given; at least one is needed")?;
        let (median_fmax_mhz, critical_path) = (typical.fmax_mhz, typical.critical_path.clone());
        Ok(Report {
            module: top.clone(),
            parameters: self.design.parameters.clone(),
            ports,
            clock: roles.clock,
            reset: roles.reset,
            target: self.options.target.clone(),
            target_mhz: self.options.frequency_mhz,
            core,
            with_harness,
            harness: self.options.harness.name(),
            median_fmax_mhz,
            meets_target: median_fmax_mhz >= self.options.frequency_mhz,
            critical_path,
            tools: self.tools_used(),
            commands: vec![
                format!("yosys -p \"{alone}\""),
                format!("yosys -p \"{script}\""),
                self.placement_arguments(self.options.seeds[0]).join(" "),
            ],
            seeds,
        })
    }

    fn read_commands(&self) -> String {
        let names: Vec<_> = self.design.sources.iter().map(|(name, _)| name.as_str()).collect();
        let mut script = format!("read_verilog -sv {}", names.join(" "));
        for (name, value) in &self.design.parameters {
            script.push_str(&format!("; chparam -set {name} {value} {}", self.design.top));
        }
        script
    }

    fn synthesis_script(&self, read: &str, top: &str, name: &str) -> String {
        format!("{read}; {SYNTHESIS} -top {top} -json {name}.json; tee -q -o {name}.stat.json stat -json")
    }

    fn yosys(&self, script: &str, name: &str) -> Result<()> {
        let mut command = self.tools.yosys()?;
        command.current_dir(self.folder).args(["-q", "-p", script]);
        run_logged(&mut command, &format!("synthesis of {}", self.design.top), &self.log(name, "yosys"))?;
        Ok(())
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
        if !error.to_string().contains("implement cell type 'TRELLIS_IO'") {
            return error;
        }
        let (target, bits) = (&self.options.target, roles.input_bits() + roles.output_bits());
        anyhow::anyhow!(
            "harness: {bits} input and output bits are more than {} in {} has pins; use the serial harness",
            target.device,
            target.package
        )
    }

    fn placement_arguments(&self, seed: u32) -> Vec<String> {
        let mut words = vec!["nextpnr-ecp5".to_string()];
        words.extend(self.options.target.arguments());
        words.extend([format!("--freq {}", self.options.frequency_mhz), format!("--seed {seed}")]);
        words.extend(PLACEMENT.map(String::from));
        words.push("--json placed.json --report report.json".into());
        words
    }

    fn place(&self, seed: u32) -> Result<Value> {
        let (frequency, seed) = (self.options.frequency_mhz.to_string(), seed.to_string());
        let mut arguments = vec!["--freq", &frequency, "--seed", &seed];
        arguments.extend(PLACEMENT);
        let name = format!("seed-{seed}");
        self.nextpnr(&arguments, "placed", &name)?;
        self.json(&format!("{name}.report.json"))
    }

    /// Runs nextpnr on `<netlist>.json`; its report becomes `<name>.report.json`.
    fn nextpnr(&self, arguments: &[&str], netlist: &str, name: &str) -> Result<()> {
        let mut command: Command = self.tools.nextpnr_ecp5()?;
        command.current_dir(self.folder).args(self.options.target.arguments()).args(arguments);
        command.args(["--json", &format!("{netlist}.json"), "--report", &format!("{name}.report.json")]);
        let what = format!("place and route of {}", self.design.top);
        run_logged(&mut command, &what, &self.log(name, "nextpnr"))?;
        if !self.folder.join(format!("{name}.report.json")).is_file() {
            bail!("{what} wrote no report (log: {})", self.log(name, "nextpnr").display());
        }
        Ok(())
    }

    fn log(&self, name: &str, tool: &str) -> std::path::PathBuf {
        self.logs.join(format!("{}.{name}.{tool}.log", self.design.top))
    }

    fn text(&self, name: &str) -> Result<String> {
        let path = self.folder.join(name);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    }

    fn json(&self, name: &str) -> Result<Value> {
        let path = self.folder.join(name);
        serde_json::from_str(&self.text(name)?).with_context(|| format!("{} is not JSON", path.display()))
    }

    fn tools_used(&self) -> Vec<ToolUsed> {
        let used = [Tool::Yosys, Tool::NextpnrEcp5].map(|tool| self.tools.version(tool));
        used.map(|tool| ToolUsed { name: tool.name.into(), version: tool.version, source: tool.source }).to_vec()
    }
}
