//! The copy of the workspace that has all mutants in it.

mod compiler;
mod copy;

use crate::rewrite::{Mutant, Rewritten, Source};
use crate::runner::Runner;
use crate::unit_tests::UnitTests;
use anyhow::{Context, Result, bail, ensure};
use compiler::Objection;
use powar_tools::{Progress, Tools, write_atomic};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Folders whose files are mutated. What else the golden model has is compared with these by tests of their equality.
pub const MUTATED: [&str; 2] = ["golden-model/src/reference", "golden-model/src/power_model"];
/// Whether an error may come of it is for the run to say; other warnings are of no interest here.
const ALLOWED: &str = "#![allow(warnings, arithmetic_overflow, unconditional_panic, unconditional_recursion)] ";

/// The folder of the workspace that this program was compiled in.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace").to_owned()
}

/// Where the copy is.
pub struct Workshop {
    root: PathBuf,
    /// The copy of the workspace's files.
    copy: PathBuf,
    /// What cargo makes of it.
    target: PathBuf,
}

/// Mutants that were left out, kept from run to run: finding them takes the compiler several times.
#[derive(Default, Serialize, Deserialize)]
struct LeftOut {
    /// How many there are in all files, and their texts: another list has other numbers.
    of: String,
    numbers: BTreeSet<usize>,
}

/// What the workshop made.
pub struct Made {
    pub runner: Runner,
    /// Those that compile.
    pub mutants: Vec<Mutant>,
    /// How many do not.
    pub left_out: usize,
}

impl Workshop {
    /// The workshop of a workspace, in its folder `target/golden-mutants`.
    pub fn new(root: PathBuf) -> Workshop {
        let folder = root.join("target/golden-mutants");
        Workshop { copy: folder.join("src"), target: folder.join("target"), root }
    }

    /// Mutates the golden model in a fresh copy, leaves out what does not compile, and builds the runner.
    ///
    /// # Errors
    /// Files that can't be read or written; what doesn't compile although every mutant near it is left out; tools that can't be installed.
    pub fn make(&self, progress: &Progress) -> Result<Made> {
        let step = progress.step("copying the workspace");
        copy::warm_start(&self.root.join("target/debug"), &self.target.join("debug"))?;
        let sources = sources(&self.root)?;
        let mutated = sources
            .iter()
            .map(|source| source.file.clone())
            .chain(["golden-model/src/lib.rs".into(), "golden-model/Cargo.toml".into()]);
        copy::workspace(&self.root, &self.copy, &mutated.collect())?;
        self.edit("golden-model/src/lib.rs", |text| Ok(format!("{ALLOWED}{text}")))?;
        self.edit("golden-model/Cargo.toml", with_selector)?;
        step.finish();
        let mutants: Vec<Mutant> = sources.iter().flat_map(Source::mutants).collect();
        ensure!(mutants.len() < powar_mutant::MOST, "{} mutants are more than there may be", mutants.len());
        let left_out = self.compiling(&sources, &mutants, progress)?;
        let step = progress.step("building the runner with all mutants");
        compiler::build(&self.copy, &self.target, "powar-mutation-runner")?;
        step.finish();
        Tools::ensure(progress)?;
        let runner = Runner { program: self.target.join("debug/powar-mutation-runner") };
        let (all, kept) = (mutants.len(), mutants.into_iter().filter(|mutant| !left_out.contains(&mutant.number)));
        let mutants: Vec<Mutant> = kept.collect();
        Ok(Made { runner, left_out: all - mutants.len(), mutants })
    }

    /// The golden model's own tests, compiled in what [`Workshop::make`] made.
    ///
    /// # Errors
    /// They do not compile.
    pub fn unit_tests(&self, progress: &Progress) -> Result<UnitTests> {
        let step = progress.step("building the golden model's tests with all mutants");
        let program = compiler::unit_tests(&self.copy, &self.target, "powar-golden")?;
        step.finish();
        Ok(UnitTests { program })
    }

    fn edit(&self, file: &str, change: impl Fn(String) -> Result<String>) -> Result<()> {
        let text = fs::read_to_string(self.root.join(file)).with_context(|| format!("reading {file}"))?;
        write_if_changed(&self.copy.join(file), &change(text)?)
    }

    /// Leaves out mutants until the compiler objects to nothing any more.
    fn compiling(&self, sources: &[Source], mutants: &[Mutant], progress: &Progress) -> Result<BTreeSet<usize>> {
        let kept = self.target.with_file_name("left-out.json");
        let of = serde_json::to_string(mutants)?;
        let known = fs::read_to_string(&kept).ok().and_then(|text| serde_json::from_str::<LeftOut>(&text).ok());
        let mut left_out = known.filter(|known| known.of == of).unwrap_or(LeftOut { of, ..LeftOut::default() });
        loop {
            let what = format!("compiling {} mutants", mutants.len() - left_out.numbers.len());
            let step = progress.step(what);
            let written = self.write(sources, &left_out.numbers)?;
            let objections = compiler::check(&self.copy, &self.target, "powar-golden")?;
            step.finish();
            let blamed = blamed(&written, &objections);
            let before = left_out.numbers.len();
            left_out.numbers.extend(blamed);
            write_atomic(&kept, serde_json::to_string(&left_out)?)?;
            match objections.first() {
                None => return Ok(left_out.numbers),
                Some(first) if left_out.numbers.len() == before => {
                    bail!("no mutant is to blame for: {}", first.message)
                }
                Some(_) => (),
            }
        }
    }

    fn write(&self, sources: &[Source], left_out: &BTreeSet<usize>) -> Result<BTreeMap<String, Rewritten>> {
        let write = |source: &Source| {
            let rewritten = source.rewritten(left_out);
            write_if_changed(&self.copy.join(&source.file), &rewritten.text)?;
            Ok((source.file.clone(), rewritten))
        };
        sources.iter().map(write).collect()
    }
}

fn blamed(written: &BTreeMap<String, Rewritten>, objections: &[Objection]) -> Vec<usize> {
    let places = objections.iter().flat_map(|objection| &objection.places);
    places.filter_map(|(file, bytes)| Some(written.get(file)?.blamed(bytes))).flatten().collect()
}

/// The mutated files with their places, numbered through.
///
/// # Errors
/// A file that can't be read.
pub fn sources(root: &Path) -> Result<Vec<Source>> {
    let mut files: Vec<PathBuf> = vec![];
    for folder in MUTATED {
        copy::files_below(&root.join(folder), &mut files)?;
    }
    // Tests that have a file of their own are no more mutated than others.
    let is_source =
        |file: &PathBuf| file.extension().is_some_and(|extension| extension == "rs") && !file.ends_with("tests.rs");
    files.retain(is_source);
    files.sort();
    let mut first = 1;
    let read = |file: PathBuf| {
        let text = fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
        let name = file.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
        let source = Source::new(name, text, first)?;
        first += source.mutants().len();
        Ok(source)
    };
    files.into_iter().map(read).collect()
}

/// The golden model's Cargo.toml with what its mutated places ask.
fn with_selector(text: String) -> Result<String> {
    const DEPENDENCIES: &str = "\n[dependencies]\n";
    ensure!(text.matches(DEPENDENCIES).count() == 1, "golden-model/Cargo.toml must have dependencies");
    Ok(text.replace(DEPENDENCIES, &format!("{DEPENDENCIES}powar-mutant.workspace = true\n")))
}

/// What has not changed keeps its time, so that cargo does not compile it again.
fn write_if_changed(file: &Path, text: &str) -> Result<()> {
    if fs::read_to_string(file).is_ok_and(|there| there == text) {
        return Ok(());
    }
    fs::create_dir_all(file.parent().context("a file lies in a folder")?)?;
    Ok(write_atomic(file, text)?)
}
