//! The traffic of one run of a program.

use crate::format::archive::endings;
use crate::format::foreign::explain;
use crate::format::source::Source;
use crate::format::{FORMATS, Recording};
use crate::options::{ReplayOptions, Timing, TrafficOptions};
use crate::program::call::CallSource;
use crate::program::driven::{Driven, Local};
use crate::program::mpi::MpiProgram;
use crate::replay::message::Messages;
use crate::replay::{Hops, Replay};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::sync::Arc;

/// The traffic of one run of a program: a trace in any of the [formats](crate::format).
#[derive(Clone)]
pub struct Trace {
    name: String,
    recording: Arc<dyn Recording>,
}

impl std::fmt::Debug for Trace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} ranks", self.name, self.ranks())
    }
}

impl Trace {
    /// Opens a trace. Its content tells which format it is of.
    ///
    /// # Errors
    /// It isn't there, is of no format that is known (the error says what it looks like, and what to do), or is damaged in a way that
    /// shows at once.
    pub fn open(path: &Path) -> Result<Trace> {
        let name = path.display().to_string();
        if !path.exists() {
            bail!("trace `{name}` not found, expected {}", known());
        }
        let source = Source::open(path)?;
        if let Some(format) = source.format {
            return Ok(Trace { name, recording: (format.open)(path)? });
        }
        match source.damage {
            Some(damage) => Err(damage),
            None => bail!("{}; expected {}", explain(path, &source), known()),
        }
    }

    /// A skeleton of a program, by its name and parameters.
    ///
    /// # Errors
    /// No skeleton of this name, or a parameter that makes no sense.
    pub fn skeleton(text: &str) -> Result<Trace> {
        let source = crate::skeleton::parse(text)?;
        Ok(Trace { name: text.to_owned(), recording: Arc::new(Skeleton(source.into())) })
    }

    /// What it was opened with.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        self.recording.ranks()
    }

    /// What it says that makes no difference in a replay, a line each.
    pub fn remarks(&self) -> Vec<String> {
        self.recording.remarks()
    }

    /// What is asked of its replay that makes no difference, in a line.
    pub(crate) fn unheeded(&self, options: &ReplayOptions) -> Option<String> {
        let names = self.recording.unheeded(options).join(", ");
        (!names.is_empty()).then(|| format!("{names}: of no effect, {} holds nothing of the kind", self.name))
    }

    /// The program from its beginning, its ranks on these nodes.
    pub(crate) fn program(&self, timing: Timing, nodes: Vec<u32>) -> Result<Box<dyn Driven>> {
        Arc::clone(&self.recording).program(timing, Local::new(nodes, timing))
    }

    /// The calls of its ranks.
    ///
    /// # Errors
    /// It holds none: it is a graph of messages.
    pub(crate) fn calls(&self) -> Result<Arc<dyn CallSource>> {
        let calls = Arc::clone(&self.recording).calls();
        calls.with_context(|| {
            format!("{} holds messages and what they wait for, expected a trace of MPI calls", self.name)
        })
    }

    /// Starts a replay over a network in which packets pass `hops` switches.
    ///
    /// # Errors
    /// Options out of range, or what holds the trace can't be read.
    pub fn replay(&self, options: &TrafficOptions, hops: Hops) -> Result<Box<dyn Messages>> {
        let timing = Timing::new(options)?;
        let program = Arc::clone(&self.recording).program(timing, Local::alone(self.ranks()))?;
        Ok(Box::new(Replay::new(program, self.ranks(), timing, hops)))
    }
}

/// A program that is generated as it is replayed.
struct Skeleton(Arc<dyn CallSource>);

impl Recording for Skeleton {
    fn ranks(&self) -> u32 {
        self.0.ranks()
    }

    fn program(self: Arc<Self>, timing: Timing, local: Local) -> Result<Box<dyn Driven>> {
        Ok(Box::new(MpiProgram::new(Arc::clone(&self.0), timing, local)?))
    }

    fn calls(self: Arc<Self>) -> Option<Arc<dyn CallSource>> {
        Some(Arc::clone(&self.0))
    }
}

/// The formats, as an error message names them.
fn known() -> String {
    let known: Vec<_> = FORMATS.iter().map(|format| format.about).collect();
    format!("{} ({})", known.join(", "), endings())
}
