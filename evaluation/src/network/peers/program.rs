//! The program of another simulator: where it is, and what comes out of a run.

use super::{ALL, Compared, Peer};
use anyhow::{Context, Result, bail, ensure};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use wait4::Wait4;

/// A simulator whose program the user has.
#[derive(Clone, Debug)]
pub struct Against {
    pub peer: &'static Peer,
    pub program: PathBuf,
}

/// A run of it.
#[derive(Clone, Copy, Debug)]
pub struct PeerRun {
    /// What it has simulated.
    pub cycles: u64,
    /// Time that it took of the processor, outside of the system.
    pub user: Duration,
    /// Most memory that it held.
    pub peak_bytes: u64,
    /// Flits a node and cycle that came in, if it says so.
    pub accepted: Option<f64>,
}

impl Against {
    /// Reads `NAME=FILE`.
    ///
    /// # Errors
    /// No simulator of this name; a file that is not there.
    pub fn parse(text: &str) -> Result<Against> {
        let names = ALL.map(|peer| peer.name).join(", ");
        let Some((name, program)) = text.split_once('=') else { bail!("expected NAME=FILE, NAME one of {names}") };
        let peer = ALL.into_iter().find(|peer| peer.name == name);
        let peer = peer.with_context(|| format!("unknown simulator `{name}`; known: {names}"))?;
        // The program runs in a folder of its own.
        let program = fs::canonicalize(program).with_context(|| format!("can't find the program {program}"))?;
        ensure!(program.is_file(), "{} is no program", program.display());
        Ok(Against { peer, program })
    }

    /// Simulates so many cycles of a network, in a folder that its files go to.
    ///
    /// # Errors
    /// The program can't be started, fails, or doesn't say that it has come to its end.
    pub fn run(&self, network: &Compared, load: f64, cycles: u64, folder: &Path) -> Result<PeerRun> {
        let configuration = folder.join(format!("{}.cfg", network.topology));
        fs::write(&configuration, (self.peer.configuration)(network, load, cycles)).context("can't write its file")?;
        let printed = folder.join("printed.txt");
        let file = File::create(&printed).context("can't write what it prints")?;
        let child = Command::new(&self.program)
            .arg(&configuration)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file)
            .spawn()
            .with_context(|| format!("{}: can't start {}", self.peer.title, self.program.display()))?;
        let ended = child.wait4().with_context(|| format!("{}: can't wait for it", self.peer.title))?;
        let printed = String::from_utf8_lossy(&fs::read(&printed)?).into_owned();
        let read = (self.peer.read)(&printed, cycles).filter(|_| ended.status.success());
        let (cycles, accepted) = read.with_context(|| {
            let last = printed.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("nothing");
            format!("{} did not come to its end ({}); the last that it printed: {last}", self.peer.title, ended.status)
        })?;
        Ok(PeerRun { cycles, user: ended.rusage.utime, peak_bytes: ended.rusage.maxrss, accepted })
    }
}
