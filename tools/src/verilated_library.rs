//! Verilog, compiled into a shared library.

use crate::content_hash::ContentHash;
use crate::lock::Lock;
use crate::{Progress, Step, Tool, ToolError, Tools, WorkFolder, run, run_logged, write_atomic};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A Verilator model and a C interface to it (the shim), built into one shared library.
///
/// The model's class is always called `Vmodel`, so the shim begins with `#include "Vmodel.h"`; only functions
/// declared `extern "C"` are visible from outside. Nothing is built twice: libraries are kept under a name made
/// of everything that went into them, including the versions of Verilator and of the compiler.
///
/// Warnings of Verilator are errors; pass `-Wno-...` for those that are meant.
#[derive(Clone, Debug)]
pub struct VerilatedLibrary {
    top: String,
    sources: Vec<(String, String)>,
    shim: String,
    arguments: Vec<String>,
}

/// What we always ask of Verilator. The models are reset before they are looked at, so unknowns may be anything. Functions
/// of some 500 statements are optimised in time that grows with their number only (a whole switch is one function
/// otherwise, minutes of -O3), and better; of 100 they run slower.
const VERILATOR_ARGUMENTS: [&str; 14] = [
    "--cc",
    "-O3",
    "--x-assign",
    "fast",
    "--x-initial",
    "fast",
    "--no-assert",
    "--no-timing",
    "--output-split",
    "0",
    "--output-split-cfuncs",
    "500",
    "--prefix",
    "Vmodel",
];

/// Flags for every C++ file. Verilator wants C++17 without `--timing`. SLP vectorizers get Verilator's code wrong: GCC 12 sums of
/// comparisons, which this Verilog has many of, and some versions of Clang other things.
const CXX_FLAGS: [&str; 5] =
    ["-std=gnu++17", "-fPIC", "-fno-semantic-interposition", "-fno-tree-slp-vectorize", "-DVL_TIME_CONTEXT"];

/// Code that runs every cycle. -O3 vectorises loops over ports; on a 36-port selector with its counters it was
/// 2.7 times as fast as -O2, which -march=native was not.
const FAST: &str = "-O3";

/// The same for short runs. For the tests of whole switches, compiler and run together, it takes 0.7 times as long as -O3.
const FAST_ENOUGH: &str = "-O1";

/// Code that runs once, at construction: not worth the compiler's time.
const SLOW: &str = "-O0";

/// One C++ file to compile.
struct Job {
    source: PathBuf,
    object: PathBuf,
    level: &'static str,
    /// A header that it begins with and that is compiled already, with the same flags.
    header: Option<PathBuf>,
}

impl VerilatedLibrary {
    /// A library around the Verilog module `top`.
    pub fn new(top: impl Into<String>) -> VerilatedLibrary {
        VerilatedLibrary { top: top.into(), sources: Vec::new(), shim: String::new(), arguments: Vec::new() }
    }

    /// Adds Verilog text under a file name (for messages and `.v`, `.sv` or `.vlt`; folders in it are dropped).
    pub fn source(mut self, name: impl AsRef<Path>, text: impl Into<String>) -> Self {
        let file_name = name.as_ref().file_name().map(|name| name.to_string_lossy().into_owned());
        let mut name = file_name.unwrap_or_else(|| "source.v".into());
        if self.sources.iter().any(|(other, _)| *other == name) {
            name = format!("{}-{name}", self.sources.len());
        }
        self.sources.push((name, text.into()));
        self
    }

    /// Adds a Verilog file.
    ///
    /// # Errors
    /// [`ToolError::Io`] if it can't be read.
    pub fn source_file(self, path: &Path) -> Result<Self, ToolError> {
        let text = fs::read_to_string(path).map_err(ToolError::io("read", path))?;
        Ok(self.source(path, text))
    }

    /// Sets the C++ text with the `extern "C"` functions.
    pub fn shim(mut self, text: impl Into<String>) -> Self {
        self.shim = text.into();
        self
    }

    /// Adds an argument for Verilator, such as `-GPORTS=16` or `--trace-vcd`. It comes after our own, so it wins.
    pub fn argument(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Builds the library if it isn't there yet, and returns its path.
    ///
    /// # Errors
    /// [`ToolError::Failed`] with the tool's message if the Verilog or the shim is wrong,
    /// [`ToolError::Missing`] without Verilator or a C++ compiler, [`ToolError::Io`].
    pub fn build(&self, tools: &Tools, progress: &Progress) -> Result<PathBuf, ToolError> {
        let all = tools.folder().join("verilated");
        let name = format!("{}-{}", self.top, self.key(tools)?);
        let folder = all.join(&name);
        let library = folder.join(format!("lib{}.so", self.top));
        if library.is_file() {
            return Ok(library);
        }
        let _lock = Lock::acquire(&all.join("locks").join(&name), || {})?;
        if library.is_file() {
            return Ok(library);
        }
        let step = progress.step(format!("Compiling {} with Verilator", self.top));
        // Made under another name and renamed when complete, so an interrupted build is never taken for one.
        let work = WorkFolder::new(&format!(".building-{}-", self.top), &all)?;
        self.build_in(work.path(), &all.join(format!("{name}.log")), tools, &step)?;
        let work = work.keep();
        fs::rename(&work, &folder).map_err(ToolError::io("create", &folder))?;
        step.finish();
        Ok(library)
    }

    /// The name of this build among all others.
    fn key(&self, tools: &Tools) -> Result<String, ToolError> {
        let mut hash = ContentHash::default();
        hash.add(identity(Tool::Verilator, tools)?).add(identity(Tool::Cxx, tools)?);
        hash.add(compile_flags().join(" ")).add(fast(tools)).add(SLOW).add(VERILATOR_ARGUMENTS.join(" "));
        hash.add(&self.top).add(&self.shim).add(self.arguments.join("\0"));
        for (name, text) in &self.sources {
            hash.add(name).add(text);
        }
        Ok(hash.name())
    }

    fn build_in(&self, work: &Path, log: &Path, tools: &Tools, step: &Step) -> Result<(), ToolError> {
        for (name, text) in &self.sources {
            write_atomic(work.join(name), text)?;
        }
        write_atomic(work.join("shim.cpp"), &self.shim)?;
        step.detail("verilating");
        let mut verilator = tools.verilator()?;
        verilator.current_dir(work).args(VERILATOR_ARGUMENTS).args(["--Mdir", "model", "--top-module", &self.top]);
        verilator.args(&self.arguments).args(self.sources.iter().map(|(name, _)| name));
        run_logged(&mut verilator, &format!("verilating {}", self.top), log)?;

        let model = work.join("model");
        let list = model.join("Vmodel_classes.mk");
        let list = MakeVariables::parse(&fs::read_to_string(&list).map_err(ToolError::io("read", &list))?);
        let include = tools.verilator_root()?.join("include");
        let mut flags = compile_flags();
        flags.extend(
            ["VM_COVERAGE", "VM_TIMING", "VM_TRACE", "VM_TRACE_FST", "VM_TRACE_VCD", "VM_TRACE_SAIF"]
                .map(|name| format!("-D{name}={}", list.first(name).unwrap_or("0"))),
        );
        flags.push("-DVM_SC=0".into());
        flags.extend([format!("-I{}", include.display()), format!("-I{}", include.join("vltstd").display())]);

        let Runtime { folder, objects } = runtime(&list, &include, &flags, tools, step)?;
        flags.push(format!("-I{}", model.display()));
        // One C++ file includes all that runs every cycle, another the rest, for the same reason.
        let units = [
            ("fast", fast(tools), ["VM_CLASSES_FAST", "VM_SUPPORT_FAST"], Some("../shim.cpp")),
            ("slow", SLOW, ["VM_CLASSES_SLOW", "VM_SUPPORT_SLOW"], None),
        ];
        let mut own = Vec::new();
        for (unit, level, groups, shim) in units {
            let classes = groups.iter().flat_map(|group| list.words(group)).map(|name| format!("{name}.cpp"));
            let files = classes.chain(shim.map(String::from));
            let text: String = files.map(|file| format!("#include \"{file}\"\n")).collect();
            let source = model.join(format!("{unit}.cpp"));
            write_atomic(&source, text)?;
            own.push(Job { object: source.with_extension("o"), source, level, header: Some(header(&folder, level)) });
        }
        step.detail("compiling the model");
        compile(&own.iter().collect::<Vec<_>>(), &flags, tools)?;

        let objects = own.iter().map(|job| &job.object).chain(&objects);
        self.link(work, objects, list.first("VM_TRACE_FST") == Some("1"), tools)?;
        // A model's C++ and objects are some megabytes, of no use any more.
        fs::remove_dir_all(&model).map_err(ToolError::io("remove", &model))
    }

    fn link<'a>(
        &self,
        work: &Path,
        objects: impl Iterator<Item = &'a PathBuf>,
        compresses: bool,
        tools: &Tools,
    ) -> Result<(), ToolError> {
        let mut link = tools.cxx()?;
        link.arg("-shared").arg("-o").arg(work.join(format!("lib{}.so", self.top)));
        if cfg!(target_os = "linux") {
            // Two models in one process have classes of the same name; only C functions may be seen outside.
            let exports = work.join("exports.map");
            write_atomic(&exports, "{ global: *; local: _Z*; };\n")?;
            link.arg(format!("-Wl,--version-script={}", exports.display()));
        }
        link.args(objects).arg("-pthread");
        if compresses {
            link.args(["-llz4", "-lz"]);
        }
        run(&mut link, &format!("linking {}", self.top)).map(|_| ())
    }
}

/// Verilator's run time, compiled.
struct Runtime {
    folder: PathBuf,
    objects: Vec<PathBuf>,
}

/// The header of the run time for models that are compiled so.
fn header(runtime: &Path, level: &str) -> PathBuf {
    runtime.join(format!("verilated{level}.h"))
}

/// The run time is the same for all models: compiled once per set of flags.
fn runtime(
    list: &MakeVariables,
    include: &Path,
    flags: &[String],
    tools: &Tools,
    step: &Step,
) -> Result<Runtime, ToolError> {
    let mut hash = ContentHash::default();
    hash.add(identity(Tool::Verilator, tools)?).add(identity(Tool::Cxx, tools)?);
    hash.add(flags.join(" ")).add(FAST);
    let folder = tools.folder().join("verilated").join(format!("runtime-{}", hash.name()));
    let mut shared = Vec::new();
    for name in ["VM_GLOBAL_FAST", "VM_GLOBAL_SLOW"].iter().flat_map(|group| list.words(group)) {
        let object = folder.join(format!("{name}.o"));
        shared.push(Job { source: include.join(format!("{name}.cpp")), object, level: FAST, header: None });
    }
    // So is its header, on which the compiler spends longer than on most models.
    let headers = [fast(tools), SLOW].map(|level| {
        let source = header(&folder, level);
        Job { object: source.with_extension("h.gch"), source, level, header: None }
    });
    let _lock = Lock::acquire(&folder.join("lock"), || step.detail("waiting for another build"))?;
    for job in headers.iter().filter(|job| !job.object.is_file()) {
        write_atomic(&job.source, "#include \"verilated.h\"\n")?;
    }
    let missing: Vec<&Job> = shared.iter().chain(&headers).filter(|job| !job.object.is_file()).collect();
    step.detail("compiling Verilator's run time");
    compile(&missing, flags, tools)?;
    Ok(Runtime { folder, objects: shared.into_iter().map(|job| job.object).collect() })
}

/// Which program exactly: its path, its first arguments (of `CXX`) and its version.
fn identity(tool: Tool, tools: &Tools) -> Result<String, ToolError> {
    let command = tools.command(tool)?;
    let arguments: Vec<_> = command.get_args().collect();
    Ok(format!("{:?} {arguments:?} {:?}", command.get_program(), tools.version(tool).version))
}

/// How far code that runs every cycle is optimised.
fn fast(tools: &Tools) -> &'static str {
    if tools.are_for_short_runs() { FAST_ENOUGH } else { FAST }
}

fn compile_flags() -> Vec<String> {
    CXX_FLAGS.iter().map(|flag| flag.to_string()).collect()
}

/// Compiles all jobs, as many at a time as there are cores. An object appears only when it is complete.
fn compile(jobs: &[&Job], flags: &[String], tools: &Tools) -> Result<(), ToolError> {
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, |cores| cores.get()).min(jobs.len());
    std::thread::scope(|scope| {
        let work = || {
            while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                compile_one(job, flags, tools)?;
            }
            Ok(())
        };
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let results: Vec<_> =
            threads.into_iter().map(|thread| thread.join().expect("the worker doesn't panic")).collect();
        results.into_iter().collect()
    })
}

fn compile_one(job: &Job, flags: &[String], tools: &Tools) -> Result<(), ToolError> {
    let partial = job.object.with_extension("partial");
    let mut command = tools.cxx()?;
    command.args(flags).arg(job.level);
    if let Some(header) = &job.header {
        command.arg("-include").arg(header);
    }
    command.arg("-c").arg(&job.source).arg("-o").arg(&partial);
    let name = job.source.file_name().unwrap_or_default().to_string_lossy();
    run(&mut command, &format!("compiling {name}"))?;
    fs::rename(&partial, &job.object).map_err(ToolError::io("create", &job.object))
}

/// The variables of a make file without any make in it, as Verilator writes for other build systems.
struct MakeVariables(HashMap<String, Vec<String>>);

impl MakeVariables {
    fn parse(text: &str) -> MakeVariables {
        let joined = text.replace("\\\n", " ");
        let definitions = joined.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('='));
        let words = |value: &str| value.split_whitespace().map(String::from).collect();
        MakeVariables(
            definitions.map(|(name, value)| (name.trim_end_matches('+').trim().into(), words(value))).collect(),
        )
    }

    fn words(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.get(name).into_iter().flatten().map(String::as_str)
    }

    fn first(&self, name: &str) -> Option<&str> {
        self.words(name).next()
    }
}

#[cfg(test)]
mod tests {
    use super::MakeVariables;

    #[test]
    fn verilators_list_of_files_is_understood() {
        let text = "# a = comment\nVM_TRACE = 1\nVM_CLASSES_FAST += \\\n  Vmodel \\\n  Vmodel__1 \\\n\nVM_GLOBAL_SLOW += \\\n\n";
        let list = MakeVariables::parse(text);
        assert_eq!(list.first("VM_TRACE"), Some("1"));
        assert_eq!(list.words("VM_CLASSES_FAST").collect::<Vec<_>>(), ["Vmodel", "Vmodel__1"]);
        assert_eq!(list.words("VM_GLOBAL_SLOW").count() + list.words("absent").count(), 0);
    }
}
