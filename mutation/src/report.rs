//! What came of all mutants: a table by file, then every survivor.

use crate::equivalent::{Equivalent, on_one_line};
use crate::rewrite::Mutant;
use crate::verdict::Verdict;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// One mutant's verdict.
#[derive(Serialize)]
pub struct Judged<'a> {
    #[serde(flatten)]
    pub mutant: &'a Mutant,
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Why nothing can kill it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equivalent: Option<String>,
    /// The command that hunts it alone.
    pub replay: String,
}

/// Counts of a file's mutants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Row {
    pub mutants: usize,
    pub killed: usize,
    pub equivalent: usize,
    pub survivors: usize,
}

/// The whole.
#[derive(Serialize)]
pub struct Report<'a> {
    /// By file below `golden-model/src/`.
    pub files: BTreeMap<String, Row>,
    pub all: Row,
    /// Mutants that do not compile.
    pub left_out: usize,
    pub mutants: Vec<Judged<'a>>,
}

impl<'a> Report<'a> {
    /// Of mutants with their verdicts and, if they are known to be equivalent, the entry that says so.
    pub fn new(judged: Vec<(&'a Mutant, Verdict)>, equivalents: &[Option<&Equivalent>], left_out: usize) -> Report<'a> {
        let mut report = Report { files: BTreeMap::new(), all: Row::default(), left_out, mutants: vec![] };
        for ((mutant, verdict), entry) in judged.into_iter().zip(equivalents) {
            let file = mutant.file.trim_start_matches("golden-model/src/").to_owned();
            for row in [&mut report.all, report.files.entry(file).or_default()] {
                row.mutants += 1;
                let count = match (&verdict, entry) {
                    (verdict, _) if verdict.is_killed() => &mut row.killed,
                    (_, Some(_)) => &mut row.equivalent,
                    (_, None) => &mut row.survivors,
                };
                *count += 1;
            }
            let replay = format!("cargo run -p powar-mutation -- golden --mutant {}", mutant.number);
            let equivalent = entry.map(|entry| entry.reason.clone());
            report.mutants.push(Judged { mutant, verdict, equivalent, replay });
        }
        report
    }
}

impl Display for Row {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Row { mutants, killed, equivalent, survivors } = self;
        write!(f, "{mutants:>8}{killed:>8}{equivalent:>12}{survivors:>11}")
    }
}

impl Display for Report<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<60}{:>8}{:>8}{:>12}{:>11}", "file", "mutants", "killed", "equivalent", "survivors")?;
        for (file, row) in &self.files {
            writeln!(f, "{file:<60}{row}")?;
        }
        writeln!(f, "{:<60}{}", "all", self.all)?;
        writeln!(f, "{} more do not compile and are left out", self.left_out)?;
        // One alone is asked for by name: what killed it is the answer.
        let is_alone = self.mutants.len() == 1;
        let shown = |judged: &&Judged| is_alone || (!judged.verdict.is_killed() && judged.equivalent.is_none());
        for Judged { mutant, verdict, replay, .. } in self.mutants.iter().filter(shown) {
            let Mutant { file, line, rule, before, after, .. } = mutant;
            writeln!(f, "\n{file}:{line}: {rule:?}\n    {}\n -> {}", on_one_line(before), on_one_line(after))?;
            match verdict {
                Verdict::Killed { block, network, by } => writeln!(f, "    killed in {block} of {network}: {by}")?,
                Verdict::Failed { tests } => writeln!(f, "    killed by tests: {tests}")?,
                Verdict::Survived => writeln!(f, "    survives: {replay}")?,
                Verdict::NotReached => writeln!(f, "    no block's run reaches it, and no test fails: {replay}")?,
            }
        }
        Ok(())
    }
}
