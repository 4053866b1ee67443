//! A campaign: trial after trial, several at once, each kept as it ends.

use super::bench::{Bench, Failure, Spoil};
use super::finding::Finding;
use super::report::{MARKDOWN, campaign_markdown};
use super::shrink::{Shrunk, shrink};
use super::state::State;
use super::trial::{Run, Trial};
use anyhow::{Context, Result, ensure};
use powar_tools::{Progress, Step, Tools, write_atomic};
use std::collections::BTreeSet;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// When a campaign ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Until {
    /// After so many hours; trials under way then are still done.
    Hours(f64),
    /// When so many trials are done, those of earlier runs among them.
    Trials(u64),
    /// After this one trial, which is only looked at: no state is read or kept, and no other campaign is in its way.
    Trial(u64),
}

/// What a campaign is to do.
#[derive(Clone, Debug)]
pub struct Campaign {
    pub seed: u64,
    pub until: Until,
    /// Trials at once.
    pub jobs: usize,
    /// Where the state and the findings are kept.
    pub folder: PathBuf,
    /// A deliberate fault in every design: to see that it is found.
    pub spoil: Option<Spoil>,
}

/// Cycles come in batches of some microseconds; who watches needs to be told less often.
const TELL_EVERY: Duration = Duration::from_millis(200);
/// Of findings alike, so many are made smaller; the others are kept as they were drawn.
const SHRUNK: usize = 1;

/// What the trials under way share.
struct Shared<'a> {
    campaign: &'a Campaign,
    bench: &'a Bench,
    step: Step,
    begun: Instant,
    /// Cycles done in this run, those of trials under way among them.
    cycles: AtomicU64,
    book: Mutex<Book>,
    /// One of the workers could not go on, so none does.
    is_over: AtomicBool,
}

struct Book {
    state: State,
    under_way: BTreeSet<u64>,
    /// Seconds of earlier runs.
    before: f64,
}

impl Campaign {
    /// Runs it, or goes on with it; returns what has been done in all.
    ///
    /// # Errors
    /// Another seed than that of the campaign in the folder, or another campaign at work there; files that can't be written; a tool that is
    /// missing. What has been done until then is kept.
    pub fn run(&self, tools: &Tools, progress: &Progress) -> Result<State> {
        std::fs::create_dir_all(&self.folder).with_context(|| format!("can't create {}", self.folder.display()))?;
        let lock = self.is_kept().then(|| self.lock()).transpose()?;
        let state = match self.is_kept() {
            true => State::load(&self.folder, self.seed)?,
            false => State { seed: self.seed, ..State::default() },
        };
        let bench = Bench::new(tools, self.spoil)?;
        let shared = Shared {
            campaign: self,
            bench: &bench,
            step: progress.counted(self.title(), self.until.length()),
            begun: Instant::now(),
            cycles: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            book: Mutex::new(Book { before: state.seconds, state, under_way: BTreeSet::new() }),
        };
        let jobs = if self.is_kept() { self.jobs } else { 1 };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..jobs)
                .map(|_| scope.spawn(|| shared.work().inspect_err(|_| shared.is_over.store(true, Ordering::Relaxed))))
                .collect();
            let ends: Vec<Result<()>> =
                workers.into_iter().map(|one| one.join().expect("a worker doesn't panic")).collect();
            ends.into_iter().collect::<Result<()>>()
        })?;
        shared.step.finish();
        drop(lock);
        Ok(shared.book.into_inner().expect("no worker panics").state)
    }

    /// What is done is kept, and gone on with.
    pub fn is_kept(&self) -> bool {
        !matches!(self.until, Until::Trial(_))
    }

    /// Held as long as a campaign is at work in its folder.
    fn lock(&self) -> Result<File> {
        let lock = File::create(self.folder.join(".lock")).context("can't create a lock")?;
        ensure!(lock.try_lock().is_ok(), "--out: another campaign is at work in {}", self.folder.display());
        Ok(lock)
    }

    /// What progress is called.
    fn title(&self) -> String {
        let (seed, folder) = (self.seed, self.folder.display());
        match self.until {
            Until::Trial(number) => format!("Trial {number} with seed {seed}"),
            _ => format!("Trials with seed {seed}, kept in {folder} as they end; Ctrl-C loses those under way"),
        }
    }
}

impl Until {
    /// What progress is counted in: seconds, or trials.
    fn length(self) -> u64 {
        match self {
            Until::Hours(hours) => (hours * 3600.0) as u64,
            Until::Trials(trials) => trials,
            Until::Trial(_) => 1,
        }
    }
}

impl Shared<'_> {
    fn work(&self) -> Result<()> {
        while let Some(number) = self.claim() {
            let trial = Trial::draw(self.campaign.seed, number).with_context(|| format!("trial {number}"))?;
            let begun = Instant::now();
            let equal = AtomicU64::new(0);
            let mut told = Instant::now();
            let mut hear = |cycles: u64| {
                equal.fetch_add(cycles, Ordering::Relaxed);
                self.cycles.fetch_add(cycles, Ordering::Relaxed);
                if told.elapsed() > TELL_EVERY {
                    told = Instant::now();
                    self.tell(&trial);
                }
            };
            self.tell(&trial);
            let failed = self.bench.try_runs(&trial.config, &trial.block, &trial.runs, &mut hear);
            let seconds = begun.elapsed().as_secs_f64();
            let finding = failed.map(|failed| self.finding(&trial, failed)).transpose()?;
            self.keep(&trial, equal.into_inner(), seconds, finding)?;
        }
        Ok(())
    }

    /// The number of the next trial, unless the campaign is over.
    fn claim(&self) -> Option<u64> {
        if self.is_over.load(Ordering::Relaxed) {
            return None;
        }
        let mut book = self.book.lock().expect("no worker panics");
        let next = book.state.next(&book.under_way);
        let number = match self.campaign.until {
            Until::Hours(hours) => (self.begun.elapsed() < Duration::from_secs_f64(hours * 3600.0)).then_some(next)?,
            Until::Trials(trials) => (next < trials).then_some(next)?,
            Until::Trial(number) => (!book.state.has(number)).then_some(number)?,
        };
        book.under_way.insert(number);
        Some(number)
    }

    fn tell(&self, trial: &Trial) {
        let seconds = self.begun.elapsed().as_secs_f64();
        let cycles = self.cycles.load(Ordering::Relaxed);
        if let Until::Hours(_) = self.campaign.until {
            self.step.set(seconds as u64);
        }
        let rate = cycles as f64 / seconds.max(1.0);
        let (million, number, block) = (cycles as f64 / 1e6, trial.number, &trial.block);
        self.step.detail(format!(
            "{million:.1} M cycles, {rate:.0} a second; trial {number}: {block}, {}",
            trial.config.name
        ));
    }

    /// What is kept of a failure: the first of its block and kind is made smaller.
    fn finding(&self, trial: &Trial, (run, failure): (Run, Failure)) -> Result<Finding> {
        let is_known = {
            let book = self.book.lock().expect("no worker panics");
            let alike = |known: &&Finding| known.block == trial.block && known.kind == failure.kind && known.tried > 0;
            book.state.findings.iter().filter(alike).count() >= SHRUNK
        };
        let shrunk = if is_known {
            Shrunk { config: trial.config.clone(), run, failure, tried: 0 }
        } else {
            shrink(self.bench, trial, (run, failure), &|what| self.step.detail(what))
        };
        Finding::write(&self.campaign.folder, self.campaign.seed, trial, &shrunk)
    }

    fn keep(&self, trial: &Trial, cycles: u64, seconds: f64, finding: Option<Finding>) -> Result<()> {
        let mut book = self.book.lock().expect("no worker panics");
        let seconds_in_all = book.before + self.begun.elapsed().as_secs_f64();
        let state = &mut book.state;
        state.add(trial, cycles, seconds);
        state.findings.extend(finding);
        state.seconds = seconds_in_all;
        if self.campaign.is_kept() {
            state.save(&self.campaign.folder)?;
            write_atomic(self.campaign.folder.join(MARKDOWN), campaign_markdown(state)?)?;
        }
        if let Until::Trials(_) | Until::Trial(_) = self.campaign.until {
            self.step.advance();
        }
        book.under_way.remove(&trial.number);
        Ok(())
    }
}
