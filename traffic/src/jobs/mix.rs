//! Mixes of jobs as users write them in files.

use crate::options::ReplayOptions;
use crate::program::RankPlacement;
use crate::trace::Trace;
use anyhow::{Context, Result, bail, ensure};
use powar_config::document;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::path::{Path, PathBuf};

/// Most jobs of a mix.
pub(super) const MOST_JOBS: u64 = 1 << 16;

/// Jobs that share a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mix {
    /// What the mix is, in a line.
    pub title: String,
    /// At least one; the order decides what a seed draws.
    #[serde(default, rename = "job")]
    pub jobs: Vec<Entry>,
}

/// A program, and how many jobs run it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Of the job; of several with a number behind it, `name#2`.
    pub name: String,
    /// A trace, relative to the mix's file, in any format that is read; or a skeleton.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<PathBuf>,
    /// A skeleton and its parameters, such as `hpl:n=4096,p=8,q=8`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skeleton: Option<String>,
    /// How many ranks the program must have; as many as it has unless given. It says in the file what a trace has inside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks: Option<u32>,
    /// Compute gaps, costs of MPI, algorithms of collectives.
    #[serde(default)]
    pub replay: ReplayOptions,
    /// Where its ranks run on the nodes that the job has: `linear`, `round-robin`, `random:SEED` and so on, or a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<RankPlacement>,
    /// The nodes that the job needs, if not any will do: it waits for all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "list_of_nodes")]
    pub nodes: Vec<u32>,
    /// So many jobs of their own run the program, 1 unless given.
    #[serde(default = "one")]
    pub count: u32,
}

fn one() -> u32 {
    1
}

/// A number alone could be meant as how many nodes, or as the node.
fn list_of_nodes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u32>, D::Error> {
    let written = toml::Value::deserialize(deserializer)?;
    let listed = written.clone().try_into();
    listed.map_err(|_| D::Error::custom(format!("`{written}` is no list of node numbers, expected such as [0, 1, 5]")))
}

/// A job that can be run.
#[derive(Clone, Debug)]
pub struct Program {
    pub name: String,
    pub trace: Trace,
    pub replay: ReplayOptions,
    /// Where its ranks run on the job's nodes.
    pub placement: RankPlacement,
    /// The nodes that it needs; empty: any.
    pub nodes: Vec<u32>,
}

impl Mix {
    /// Reads and checks a mix's file. Paths of traces and placements are relative to its folder.
    ///
    /// # Errors
    /// In one line with the file's name: it can't be read, is no TOML, or has a field that is unknown, missing, or out of range.
    pub fn from_file(path: &Path) -> Result<Mix> {
        let text = document::text_of(path)?;
        let mut mix = Mix::from_toml(&text).with_context(|| path.display().to_string())?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for job in &mut mix.jobs {
            job.input = job.input.take().map(|input| folder.join(input));
            job.placement = job.placement.take().map(|placement| placement.with_file(|file| folder.join(file)));
        }
        Ok(mix)
    }

    /// The same of a file's text; paths are left as they are.
    ///
    /// # Errors
    /// As of [`Mix::from_file`].
    pub fn from_toml(text: &str) -> Result<Mix> {
        let mix: Mix = document::read(text)?;
        mix.check()?;
        Ok(mix)
    }

    fn check(&self) -> Result<()> {
        ensure!(!self.jobs.is_empty(), "job: the list is empty, expected 1 to {MOST_JOBS} jobs");
        let all: u64 = self.jobs.iter().map(|job| u64::from(job.count)).sum();
        ensure!(all <= MOST_JOBS, "count: there are {all} jobs in all, expected 1 to {MOST_JOBS}");
        for (place, job) in self.jobs.iter().enumerate() {
            let same =
                |other: &Entry| other.name == job.name || other.names().any(|name| job.names().any(|own| own == name));
            ensure!(!job.name.is_empty(), "job[{place}].name: it is empty, expected a name");
            ensure!(!self.jobs[..place].iter().any(same), "job `{}`: name: there are two of this name", job.name);
            job.check().with_context(|| format!("job `{}`", job.name))?;
        }
        Ok(())
    }

    /// Opens the programs: a job each, in the order of the file.
    ///
    /// # Errors
    /// A trace that can't be read or a skeleton that makes no sense, with the job's name.
    pub fn open(&self) -> Result<Vec<Program>> {
        let mut programs = vec![];
        for job in &self.jobs {
            let trace = job.open().with_context(|| format!("job `{}`", job.name))?;
            programs.extend(job.names().map(|name| Program {
                name,
                trace: trace.clone(),
                replay: job.replay.clone(),
                placement: job.placement.clone().unwrap_or_default(),
                nodes: job.nodes.clone(),
            }));
        }
        Ok(programs)
    }
}

impl Entry {
    /// Of its jobs.
    fn names(&self) -> impl Iterator<Item = String> {
        let numbers = if self.count == 1 { 0..=0 } else { 1..=self.count };
        numbers.map(|number| if number == 0 { self.name.clone() } else { format!("{}#{number}", self.name) })
    }

    fn check(&self) -> Result<()> {
        match (&self.input, &self.skeleton) {
            (Some(_), Some(_)) => bail!("skeleton: beside an input, expected one of them"),
            (None, None) => bail!("input: the path of a trace is needed, or a skeleton"),
            _ => {}
        }
        ensure!(self.count >= 1, "count: `0` is out of range, expected 1 to {MOST_JOBS}");
        self.replay.check().context("replay")
    }

    fn open(&self) -> Result<Trace> {
        let trace = match (&self.input, &self.skeleton) {
            (Some(input), _) => Trace::open(input)?,
            (None, Some(skeleton)) => Trace::skeleton(skeleton)?,
            (None, None) => bail!("input: the path of a trace is needed, or a skeleton"),
        };
        let ranks = trace.ranks();
        ensure!(
            self.ranks.is_none_or(|expected| expected == ranks),
            "ranks: `{}`, expected {ranks}, those of {}",
            self.ranks.unwrap_or_default(),
            trace.name()
        );
        Ok(trace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "title = 'two'\n[[job]]\nname = 'a'\nskeleton = 'all-reduce:ranks=4'\ncount = 2\n\
                       [[job]]\nname = 'b'\nskeleton = 'all-reduce:ranks=8'\nranks = 8\nreplay.gap_scale = 2\n";

    #[test]
    fn a_count_makes_jobs_of_their_own() {
        let programs = Mix::from_toml(TWO).unwrap().open().unwrap();
        let seen: Vec<_> = programs.iter().map(|one| (one.name.as_str(), one.trace.ranks())).collect();
        assert_eq!(seen, [("a#1", 4), ("a#2", 4), ("b", 8)]);
        assert_eq!((programs[1].replay.gap_scale, programs[2].replay.gap_scale), (1.0, 2.0));
    }

    #[test]
    fn mistakes_are_said_in_a_line() {
        let refusal = |from: &str, to: &str| {
            assert!(TWO.contains(from), "{from}");
            let mix = Mix::from_toml(&TWO.replacen(from, to, 1)).and_then(|mix| mix.open());
            let text = format!("{:#}", mix.unwrap_err());
            assert!(!text.contains('\n'), "{text}");
            text
        };
        let cases = [
            (refusal("count = 2", "cuont = 2"), "line 5: job[0].cuont: unknown field `cuont`, expected one of `name`"),
            (refusal("count = 2", "count = 0"), "job `a`: count: `0` is out of range, expected 1 to 65536"),
            (refusal("count = 2", "count = -1"), "job[0].count"),
            (refusal("count = 2", "count = 65536"), "count: there are 65537 jobs in all, expected 1 to 65536"),
            (refusal("ranks = 8", "ranks = 16"), "job `b`: ranks: `16`, expected 8, those of all-reduce:ranks=8"),
            (refusal("name = 'b'", "name = 'a'"), "job `a`: name: there are two of this name"),
            (refusal("name = 'b'", "name = 'a#2'"), "job `a#2`: name: there are two of this name"),
            (refusal("name = 'b'", "name = ''"), "job[1].name: it is empty"),
            (refusal("name = 'b'\n", ""), "missing field `name`"),
            (refusal("gap_scale = 2", "gap_scale = 0"), "job `b`: replay: gap_scale is `0`, expected a number from"),
            (refusal("gap_scale", "gaps"), "job[1].replay.gaps: unknown field `gaps`"),
            (refusal("all-reduce:ranks=4", "bogus"), "job `a`: skeleton: `bogus` is unknown; it must be one of"),
            (refusal("skeleton = 'all-reduce:ranks=4'\n", ""), "job `a`: input: the path of a trace is needed"),
            (refusal("count = 2", "input = 'x'"), "job `a`: skeleton: beside an input, expected one of them"),
            (refusal("skeleton = 'all-reduce:ranks=4'", "input = 'nowhere'"), "job `a`: trace `nowhere` not found"),
            (refusal("title = 'two'", "title = "), "line 1: "),
        ];
        for (seen, expected) in cases {
            assert!(seen.contains(expected), "{seen:?} does not say {expected:?}");
        }
        let none = Mix::from_toml("title = 'none'").unwrap_err().to_string();
        assert_eq!(none, "job: the list is empty, expected 1 to 65536 jobs");
    }

    #[test]
    fn traces_are_relative_to_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mix.toml");
        std::fs::write(&path, "title = 'one'\n[[job]]\nname = 'a'\ninput = 'there/x.tar.xz'\n\
                    placement = 'ranks'\n[[job]]\nname = 'b'\nskeleton = 'all-reduce:ranks=4'\nplacement = 'random:3'\n").unwrap();
        let mix = Mix::from_file(&path).unwrap();
        assert_eq!(mix.jobs[0].input.as_deref(), Some(folder.path().join("there/x.tar.xz").as_path()));
        let placed = mix.jobs.iter().map(|job| job.placement.as_ref().unwrap().file());
        assert_eq!(placed.collect::<Vec<_>>(), [Some(folder.path().join("ranks").as_path()), None]);
        std::fs::write(&path, "titel = 'one'\n").unwrap();
        let error = format!("{:#}", Mix::from_file(&path).unwrap_err());
        assert!(error.starts_with(&path.display().to_string()) && error.contains("titel"), "{error}");
    }
}
