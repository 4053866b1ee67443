//! What notices a mutant: lock-step with the golden model, a property, or nothing, because there is nothing to notice.

use super::draw::Subject;
use super::miter::{Assumed, Miter};
use crate::abc::Reachability;
use crate::binding::{Bound, bind};
use crate::proof::{Opinion, opinion};
use anyhow::{Context, Result, ensure};
use powar_config::{Layout, Meaning, SignalDecl};
use powar_hdl::verilog::{Design, Selector};
use powar_testbenches::dut::Dut;
use powar_testbenches::dut::verilator::Verilator;
use powar_testbenches::hunt::{self, Caught};
use powar_testbenches::twins;
use powar_tools::{Progress, Tools};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Cycles that assumptions must allow inputs for, to be believed.
const ALLOWED: u8 = 12;

/// How long a mutant is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Cycles under each of the stimuli.
    pub cycles: u64,
    /// Values of signals under the stimulus for what takes long, of a block that waits or counts.
    pub patience: u64,
    /// Cycles of waits of ten million each, of a block that is told how long to wait, for what nothing else notices.
    pub to_the_end: u64,
    /// Seconds of a proof; 0: none is tried.
    pub seconds: u32,
}

impl Effort {
    /// As for the hand-written faults.
    pub const FULL: Effort =
        Effort { cycles: hunt::CYCLES, patience: hunt::PATIENCE, to_the_end: hunt::TO_THE_END, seconds: 40 };

    /// Lock-step alone, without its long stimuli: what it does not notice is undecided.
    pub const LOCK_STEP: Effort = Effort { patience: 0, to_the_end: 0, seconds: 0, ..Effort::FULL };
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "fate")]
pub enum Fate {
    /// It differed from the golden model, under this stimulus of [`hunt::stimuli`], the last of them being followed by the patient one and by the longest waits.
    LockStep { stimulus: usize, cycle: u64, seen_at: String },
    /// It violates a property of the block, in this cycle from reset on.
    Property { property: String, step: u32 },
    /// The induction that proves the block's properties does not hold of it: `powar verify` would say that not all are
    /// known to hold.
    Unproved,
    /// It is the sound block by another text: equal in every output and register, in every cycle from reset on, proved by pdr.
    Equivalent {
        /// For inputs alone that the assumptions of the block's properties allow, and numbers of ports and stages that
        /// there are.
        assuming: bool,
    },
    /// It differs in this cycle, and nothing noticed.
    Survives { step: u32 },
    /// Nothing noticed, and whether it differs is not known.
    Undecided { why: String },
}

/// Instead of a mutant's number: none.
const SOUND: usize = 0;

/// What a subject's mutants are judged with.
pub(super) struct Judge<'a> {
    subject: &'a Subject<'a>,
    layout: Layout,
    library: PathBuf,
    effort: Effort,
    tools: &'a Tools,
    /// Whether the properties are proved of the sound block, once somebody has asked.
    proved: OnceLock<bool>,
}

impl<'a> Judge<'a> {
    /// Compiles a subject's mutants.
    ///
    /// # Errors
    /// A tool fails; the sound block differs from the golden model.
    pub(super) fn new(subject: &'a Subject<'a>, effort: Effort, tools: &'a Tools) -> Result<Judge<'a>> {
        let layout = twins::golden(&subject.config, &subject.module)?.layout().clone();
        let name = format!("{}.{}", hunt::TOP, hunt::FAULT.0);
        let selector = Selector { name: &name, width: hunt::FAULT.1 };
        let design = subject.mutants.choices(&subject.drawn, &selector)?;
        let library = hunt::spoilt_library(&design, &layout, tools, &Progress::silent())?;
        let judge = Judge { subject, layout, library, effort, tools, proved: OnceLock::new() };
        judge.check_sound(judge.hunt(SOUND, effort.cycles, 0)?)?;
        Ok(judge)
    }

    /// What becomes of a mutant. What takes longest comes last.
    ///
    /// # Errors
    /// A tool is missing or fails.
    pub(super) fn fate(&self, number: usize) -> Result<Fate> {
        if let Some(caught) = self.hunt(number, self.effort.cycles, 0)? {
            return Ok(seen(caught));
        }
        if self.effort.seconds == 0 {
            return Ok(Fate::Undecided { why: "no proof was tried".to_owned() });
        }
        let difference = self.difference(number);
        if let Ok(Difference::None { assuming }) = difference {
            return Ok(Fate::Equivalent { assuming });
        }
        if let Some(caught) = self.hunt_with_patience(number)? {
            return Ok(seen(caught));
        }
        let said = self.said(number);
        match &said {
            Ok(Opinion::Fails { property, step }) => {
                return Ok(Fate::Property { property: property.clone(), step: *step });
            }
            Ok(Opinion::NoInduction) if self.is_proved() => return Ok(Fate::Unproved),
            _ => (),
        }
        if let Some(caught) = self.hunt_to_the_end(number)? {
            return Ok(seen(caught));
        }
        // A mutant may be nothing that Yosys takes, such as a loop.
        let refused = |error: anyhow::Error| format!("{error:#}").lines().next().unwrap_or_default().to_owned();
        Ok(match (difference, said) {
            (Ok(Difference::In { step }), Ok(_)) => Fate::Survives { step },
            (Ok(_), Ok(_)) => Fate::Undecided { why: format!("pdr gives no answer in {} s", self.effort.seconds) },
            (Err(error), _) | (_, Err(error)) => Fate::Undecided { why: refused(error) },
        })
    }

    fn hunt(&self, number: usize, cycles: u64, patience: u64) -> Result<Option<Caught>> {
        let Subject { config, module, .. } = self.subject;
        hunt::hunt(config, module, (cycles, patience), || twins::golden(config, module), || self.spoilt(number))
    }

    fn hunt_with_patience(&self, number: usize) -> Result<Option<Caught>> {
        let caught = self.hunt(number, 0, self.effort.patience)?;
        if let Some(caught) = &caught {
            self.check_sound(self.hunt(SOUND, 0, caught.patience(&self.layout))?)?;
        }
        Ok(caught)
    }

    fn hunt_to_the_end(&self, number: usize) -> Result<Option<Caught>> {
        let Subject { config, module, .. } = self.subject;
        let hunt = |number, cycles| {
            hunt::hunt_to_the_end(config, module, cycles, || twins::golden(config, module), || self.spoilt(number))
        };
        let caught = hunt(number, self.effort.to_the_end)?;
        if let Some(Caught { cycle, .. }) = caught {
            self.check_sound(hunt(SOUND, cycle + 1)?)?;
        }
        Ok(caught)
    }

    /// What shows of the sound block as well shows no mutant.
    fn check_sound(&self, caught: Option<Caught>) -> Result<()> {
        ensure!(
            caught.is_none(),
            "{}: without a mutant it differs from the golden model: {caught:?}",
            self.subject.module
        );
        Ok(())
    }

    /// A mutant in Verilator.
    fn spoilt(&self, number: usize) -> Result<Box<dyn Dut>> {
        Ok(Box::new(Verilator::load(&self.library, self.layout.clone(), Some(number as u64))?))
    }

    fn difference(&self, number: usize) -> Result<Difference> {
        let resets = self.layout.inputs.iter().find(|input| input.meaning == Meaning::Reset);
        let config = &self.subject.config;
        let stages = config.topology.as_ref().map_or(1, |topology| topology.stages());
        let count = |input: &SignalDecl| match input.meaning {
            Meaning::PortNumber => Some(config.ports),
            Meaning::Stage => Some(stages),
            _ => None,
        };
        let inputs = self.layout.inputs.iter().filter(|input| input.rows == 1);
        let numbers = inputs.filter_map(|input| Some((input.name.as_str(), count(input)?))).collect();
        let miter = Miter {
            sound: self.subject.mutants.sound(),
            reset: resets.map(|input| input.name.as_str()),
            bound: self.bound(self.subject.mutants.sound())?,
            numbers,
            patience: self.effort.seconds,
            tools: self.tools,
        };
        let spoilt = self.subject.mutants.one(number)?;
        let step = match miter.compare(&spoilt, Assumed::Nothing)? {
            Reachability::Proved => return Ok(Difference::None { assuming: false }),
            Reachability::Fails(step) => Some(step),
            Reachability::Unknown => None,
        };
        if !miter.can_assume() {
            return Ok(Difference::of(step));
        }
        match miter.compare(&spoilt, Assumed::OfInputs)? {
            Reachability::Proved if miter.allows(ALLOWED)? => return Ok(Difference::None { assuming: true }),
            Reachability::Fails(step) => return Ok(Difference::of(Some(step))),
            _ => (),
        }
        // What is proved of the sound block spares pdr finding it out.
        let helps = miter.bound.is_some() && self.is_proved();
        if helps && miter.compare(&spoilt, Assumed::Proved)? == Reachability::Proved && miter.allows(ALLOWED)? {
            return Ok(Difference::None { assuming: true });
        }
        Ok(Difference::of(step))
    }

    /// What the properties say of a mutant.
    fn said(&self, number: usize) -> Result<Opinion> {
        self.opinion(&self.subject.mutants.one(number)?)
    }

    /// Whether they are proved of the sound block.
    fn is_proved(&self) -> bool {
        *self
            .proved
            .get_or_init(|| self.opinion(self.subject.mutants.sound()).is_ok_and(|said| said == Opinion::Proved))
    }

    fn opinion(&self, design: &Design) -> Result<Opinion> {
        let Some(properties) = self.subject.properties else { return Ok(Opinion::Unknown) };
        let Some(bound) = self.bound(design)? else { return Ok(Opinion::Unknown) };
        opinion(properties, &bound, self.effort.seconds, self.tools).context("properties of a mutant")
    }
}

impl Judge<'_> {
    /// A design of the block with its properties, if they have values in this configuration.
    fn bound(&self, design: &Design) -> Result<Option<Bound>> {
        let Subject { config, properties, .. } = self.subject;
        properties.map(|properties| bind(properties, design, config, &config.name)).transpose()
    }
}

/// What a miter finds.
enum Difference {
    None { assuming: bool },
    In { step: u32 },
    Unknown,
}

impl Difference {
    fn of(step: Option<u32>) -> Difference {
        step.map_or(Difference::Unknown, |step| Difference::In { step })
    }
}

fn seen(caught: Caught) -> Fate {
    Fate::LockStep { stimulus: caught.scenario, cycle: caught.cycle, seen_at: caught.signal }
}
