//! The program that hunts: compiled with all mutants, started for a pair of block and network and some of them.

use crate::verdict::Verdict;
use anyhow::{Context, Result, bail, ensure};
use powar_tools::Surroundings;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

/// Address space of a hunt, in KiB: what a mutant allocates without end must not take the machine.
const MEMORY: u64 = 8 << 20;
/// Until a hunt's Verilog is compiled.
const COMPILATION: Duration = Duration::from_secs(3600);

/// A block in a network.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
pub struct Pair {
    pub block: String,
    pub network: String,
    /// Whether the network is not one that the deliberate faults are tried in, but a preset or a design that is proved.
    pub is_other: bool,
    /// Values in a cycle's frames.
    pub slots: usize,
}

/// Numbers of mutants whose places a sound run reaches.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Reach {
    /// While the golden model was built.
    pub built: Vec<usize>,
    /// In the cycles that it ran.
    pub run: Vec<usize>,
}

/// How hard a mutant is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Of each stimulus.
    pub cycles: u64,
    /// Values of signals with the patient stimulus; 0 for none of it.
    pub patience: u64,
    /// A hunt that takes longer has an endless loop in its mutant, and has found it.
    pub limit: Duration,
}

/// Where the program is.
#[derive(Clone, Debug)]
pub struct Runner {
    pub program: PathBuf,
}

/// A line of the program.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Said {
    Begun { number: usize },
    Killed { number: usize, by: String },
    Survived { number: usize },
}

impl Runner {
    /// Every pair.
    ///
    /// # Errors
    /// The program fails.
    pub fn pairs(&self) -> Result<Vec<Pair>> {
        self.lines(&["pairs".into()])
    }

    /// What a sound run of a pair reaches, with so many cycles of each stimulus.
    ///
    /// # Errors
    /// Golden model and Verilog differ without a mutant; a missing tool.
    pub fn reach(&self, pair: &Pair, cycles: u64) -> Result<Reach> {
        let reach = self.lines(&["reach".into(), pair.block.clone(), pair.network.clone(), cycles.to_string()])?;
        reach.into_iter().next().context("the runner printed nothing")
    }

    fn lines<T: DeserializeOwned>(&self, arguments: &[String]) -> Result<Vec<T>> {
        let output = self.command(arguments).stderr(Stdio::piped()).output()?;
        ensure!(output.status.success(), "{}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr));
        output.stdout.lines().map(|line| Ok(serde_json::from_str(&line?)?)).collect()
    }

    fn command(&self, arguments: &[String]) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")]).arg(&self.program).args(arguments);
        // It finds itself in the target folder of the copy, which has no tools, and could not install any in so little memory.
        command.env("POWAR_TOOLS_DIR", Surroundings::from_environment().folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }

    /// Hunts mutants of a pair one after the other and tells what came of each. One that never ends, or takes the program with it, is killed
    /// by that, and the others go on in a fresh one.
    ///
    /// # Errors
    /// The program does not begin.
    pub fn hunt(
        &self,
        pair: &Pair,
        effort: Effort,
        numbers: &[usize],
        tell: &mut dyn FnMut(usize, Verdict),
    ) -> Result<()> {
        let mut left: VecDeque<usize> = numbers.iter().copied().collect();
        while !left.is_empty() {
            let mut arguments = vec!["hunt".to_owned(), pair.block.clone(), pair.network.clone()];
            arguments.extend([effort.cycles, effort.patience].map(|number| number.to_string()));
            arguments.extend(left.iter().map(usize::to_string));
            let before = left.len();
            let mut hunt = self.command(&arguments).spawn().context("starting the runner")?;
            follow(&mut hunt, pair, effort.limit, &mut left, tell)?;
            let _ = hunt.kill();
            hunt.wait()?;
            if left.len() == before {
                // What it says of its own end is worth more than that it ended.
                self.lines::<serde_json::Value>(&arguments)?;
                bail!("{} in {}: the runner ended before its first mutant", pair.block, pair.network);
            }
        }
        Ok(())
    }
}

/// Takes what a hunt says until it ends or is silent for too long.
fn follow(
    hunt: &mut Child,
    pair: &Pair,
    limit: Duration,
    left: &mut VecDeque<usize>,
    tell: &mut dyn FnMut(usize, Verdict),
) -> Result<()> {
    let lines = read(hunt)?;
    let mut begun = None;
    loop {
        let wait = if begun.is_some() { limit } else { COMPILATION };
        let (block, network) = (&pair.block, &pair.network);
        let killed = |by: &str| Verdict::Killed { block: block.clone(), network: network.clone(), by: by.to_owned() };
        let (number, verdict) = match lines.recv_timeout(wait) {
            Ok(line) => match serde_json::from_str(&line)? {
                Said::Begun { number } => {
                    begun = Some(number);
                    continue;
                }
                Said::Killed { number, by } => (number, killed(&by)),
                Said::Survived { number } => (number, Verdict::Survived),
            },
            Err(reason) => {
                let by = match reason {
                    RecvTimeoutError::Timeout => format!("no end after {} s", limit.as_secs()),
                    RecvTimeoutError::Disconnected => "the program ended".to_owned(),
                };
                let Some(number) = begun.filter(|number| left.front() == Some(number)) else { return Ok(()) };
                left.pop_front();
                tell(number, killed(&by));
                return Ok(());
            }
        };
        ensure!(left.pop_front() == Some(number), "the runner speaks of mutant {number} out of turn");
        tell(number, verdict);
    }
}

/// The lines that a program prints, as they come.
fn read(child: &mut Child) -> Result<Receiver<String>> {
    let (to, from) = mpsc::channel();
    let out = BufReader::new(child.stdout.take().context("stdout is a pipe")?);
    std::thread::spawn(move || {
        for line in out.lines().map_while(Result::ok) {
            if to.send(line).is_err() {
                return;
            }
        }
    });
    Ok(from)
}
