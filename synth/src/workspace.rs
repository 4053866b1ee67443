//! The folder a flow works in, and the tools run in it.

use crate::mapped::Mapped;
use crate::script::Script;
use crate::target::{Shape, Target};
use crate::{Design, ToolUsed, Wiring};
use anyhow::{Context, Result, bail};
use powar_tools::{Captured, Tool, ToolError, Tools, WorkFolder, run_logged, write_atomic};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// A folder with a design's sources. The tools see only the files of the folder they run in, so all of them are in one.
pub(crate) struct Workspace<'a> {
    pub(crate) design: &'a Design,
    pub(crate) target: &'a Target,
    tools: &'a Tools,
    folder: WorkFolder,
    /// Logs outlive the folder, because error messages name them; the next run of the same module replaces them.
    logs: PathBuf,
}

impl<'a> Workspace<'a> {
    pub(crate) fn new(design: &'a Design, target: &'a Target, tools: &'a Tools) -> Result<Workspace<'a>> {
        let logs = tools.folder().join("synth");
        fs::create_dir_all(&logs).with_context(|| format!("cannot create {}", logs.display()))?;
        let folder = WorkFolder::new(&format!("{}-", design.top), &logs)?;
        let workspace = Workspace { design, target, tools, folder, logs };
        for (name, text) in &design.sources {
            workspace.write(name, text)?;
        }
        for (name, text) in target.chip.rules() {
            workspace.write(name, text)?;
        }
        Ok(workspace)
    }

    /// What a reader needs beside the scripts to run them again: names and texts.
    pub(crate) fn inputs(&self) -> Vec<(String, Vec<u8>)> {
        let rules = self.target.chip.rules().iter().map(|(name, text)| (name.to_string(), text.as_bytes().to_vec()));
        self.design.sources.iter().map(|(name, text)| (name.clone(), text.clone().into_bytes())).chain(rules).collect()
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Result<()> {
        Ok(write_atomic(self.folder.path().join(name), content)?)
    }

    /// Adds the commands that read the design, and `more` files after it.
    pub(crate) fn read(&self, script: &mut Script, more: &[&str]) {
        let names: Vec<_> =
            self.design.sources.iter().map(|(name, _)| name.as_str()).chain(more.iter().copied()).collect();
        script.run(format!("read_verilog -sv {}", names.join(" ")));
        for (name, value) in &self.design.parameters {
            script.run(format!("chparam -set {name} {value} {}", self.design.top));
        }
    }

    /// A script that makes `<output>.json` and `<output>.stat.json` of module `top`.
    pub(crate) fn synthesis(
        &self,
        name: &str,
        what: &str,
        more: &[&str],
        top: &str,
        shape: Shape,
        output: &str,
    ) -> Script {
        let mut script = Script::new(name, what);
        self.read(&mut script, more);
        self.target.chip.synthesis(&mut script, top, shape, output);
        script.comment("Cells by type.");
        script.run(format!("tee -q -o {output}.stat.json stat -json"));
        script
    }

    /// Runs a script, which is then `<name>` in the folder.
    pub(crate) fn yosys(&self, script: &Script, name: &str) -> Result<()> {
        self.write(name, script.text())?;
        let mut command = self.tools.yosys()?;
        let log = self.log(name, "yosys");
        let own_log = format!("{name}.log");
        command.current_dir(self.folder.path()).args(["-q", "-l", &own_log, "-s", name]);
        let what = format!("synthesis of {}", self.design.top);
        let result = run_logged(&mut command, &what, &log);
        // The pinned Yosys prints nothing after it has run abc, but goes on writing its own log.
        if let (Err(ToolError::Failed { status, .. }), Ok(text)) = (&result, self.text(&own_log))
            && let Some(line) = text.lines().rev().find(|line| line.contains("ERROR"))
        {
            write_atomic(&log, &text)?;
            bail!("{what} failed ({status}): {} (log: {})", line.trim(), log.display());
        }
        Ok(result.map(drop)?)
    }

    /// Runs nextpnr on `<netlist>.json`; its report becomes `<name>.report.json`.
    pub(crate) fn nextpnr(&self, arguments: &[&str], netlist: &str, name: &str) -> Result<()> {
        let nextpnr = self.target.nextpnr()?;
        let mut command = self.tools.command(nextpnr.tool)?;
        command.current_dir(self.folder.path()).args(self.target.arguments()?).args(arguments).arg("--quiet");
        command.args(["--json", &format!("{netlist}.json"), "--report", &format!("{name}.report.json")]);
        let what = format!("place and route of {}", self.design.top);
        run_logged(&mut command, &what, &self.log(name, "nextpnr"))?;
        if !self.folder.path().join(format!("{name}.report.json")).is_file() {
            bail!("{what} wrote no report (log: {})", self.log(name, "nextpnr").display());
        }
        Ok(())
    }

    /// Runs another tool in the folder.
    pub(crate) fn tool(&self, tool: Tool, arguments: &[&str], what: &str) -> Result<Captured> {
        let mut command = self.tools.command(tool)?;
        command.current_dir(self.folder.path()).args(arguments);
        Ok(run_logged(&mut command, &format!("{what} of {}", self.design.top), &self.log(what, tool.name()))?)
    }

    /// What is known of the wires of `modules` in `<netlist>.json`, each with all that is in it; none of a chip whose cells aren't known well enough.
    pub(crate) fn wirings<'b>(
        &self,
        netlist: &str,
        modules: impl IntoIterator<Item = &'b str>,
    ) -> Result<Vec<Option<Wiring>>> {
        let modules = modules.into_iter();
        let Some(ways) = self.target.chip.ways() else { return Ok(modules.map(|_| None).collect()) };
        let mapped = Mapped::parse(&self.bytes(&format!("{netlist}.json"))?)?;
        modules.map(|module| Wiring::of(&mapped.graph(module)?, ways).map(Some)).collect()
    }

    fn log(&self, name: &str, tool: &str) -> PathBuf {
        self.logs.join(format!("{}.{name}.{tool}.log", self.design.top))
    }

    pub(crate) fn bytes(&self, name: &str) -> Result<Vec<u8>> {
        let path = self.folder.path().join(name);
        fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
    }

    pub(crate) fn text(&self, name: &str) -> Result<String> {
        String::from_utf8(self.bytes(name)?).with_context(|| format!("{name} is not UTF-8"))
    }

    pub(crate) fn json(&self, name: &str) -> Result<Value> {
        serde_json::from_slice(&self.bytes(name)?).with_context(|| format!("{name} is not JSON"))
    }

    pub(crate) fn tools_used(&self, tools: &[Tool]) -> Vec<ToolUsed> {
        let used = tools.iter().map(|&tool| self.tools.version(tool));
        used.map(|tool| ToolUsed { name: tool.name.into(), version: tool.version, source: tool.source }).collect()
    }
}
