//! Mutants of the blocks, made by rule ([`powar_hdl::verilog::Mutants`]) or by Yosys, and what notices them: the mutation score of what checks the RTL.
//!
//! ```text
//! source     what makes them: the back end, by rule
//! by_yosys   or Yosys, by its own rules
//! draw       which mutants of a block are tried
//! judge      lock-step, properties and the miter, until one of them knows
//! miter      sound and spoilt block side by side, for a proof that they are equal
//! score      what came of all of them, as a section of the report
//! ```

mod by_yosys;
mod draw;
mod judge;
mod miter;
mod score;
mod source;

use crate::library::Library;
use crate::parallel::{at_once, with_each};
use anyhow::{Context, Result};
use draw::{Drawn, Subject};
use judge::Judge;
use powar_tools::{Progress, Step, Tools};
use rayon::prelude::*;

pub use draw::Draw;
pub use judge::{Effort, Fate};
pub use score::{Judged, Score, mutation_section};
pub use source::Place;

/// Mutants of some blocks that are to be tried.
pub struct Chosen<'a>(Vec<Drawn<'a>>);

/// Makes mutants of these blocks, in the configurations that they are tried in, `jobs` blocks at once, and draws some.
///
/// # Errors
/// A block without a configuration, or that can't be emitted; a number without a mutant; Yosys is missing or fails.
pub fn choose_mutants<'a>(
    library: &'a Library,
    blocks: &[String],
    draw: &Draw,
    tools: &Tools,
    jobs: usize,
    progress: &Progress,
) -> Result<Chosen<'a>> {
    let of_block = |block: &String| draw::draw(library, block, draw, tools);
    Ok(Chosen(with_each("Making mutants", blocks, jobs, progress, String::clone, of_block)?))
}

/// Tries mutants, `jobs` at once.
///
/// # Errors
/// A tool that is missing or fails.
pub fn try_mutants(
    Chosen(drawn): &Chosen,
    effort: Effort,
    tools: &Tools,
    jobs: usize,
    progress: &Progress,
) -> Result<Vec<Score>> {
    let subjects = || drawn.iter().flat_map(|drawn| &drawn.subjects);
    let trying = progress.counted("Trying mutants", subjects().map(|subject| subject.drawn.len() as u64).sum());
    let scores = at_once(drawn, jobs, |Drawn { block, all, subjects }| {
        let judged = subjects.iter().map(|subject| judged(subject, effort, tools, &trying));
        let judged = judged.collect::<Result<Vec<_>>>().with_context(|| format!("mutants of {block}"))?;
        Ok(Score { block: block.clone(), all: *all, mutants: judged.concat() })
    })?;
    trying.finish();
    Ok(scores)
}

/// What became of a subject's mutants.
fn judged(subject: &Subject, effort: Effort, tools: &Tools, step: &Step) -> Result<Vec<Judged>> {
    step.detail(format!("{} of {}: Verilator", subject.module, subject.config.name));
    let judge = Judge::new(subject, effort, tools)?;
    let one = |number: usize| {
        let place = subject.mutants.places()[number - 1].clone();
        step.detail(format!("{} of {}: {number}", subject.module, subject.config.name));
        let fate = judge.fate(number).with_context(|| format!("mutant {}", subject.before + number))?;
        step.advance();
        Ok(Judged {
            number: subject.before + number,
            module: subject.module.clone(),
            configuration: subject.config.name.clone(),
            place,
            fate,
        })
    };
    let numbers: Vec<usize> = subject.drawn.iter().copied().collect();
    numbers.into_par_iter().with_max_len(1).map(one).collect()
}
