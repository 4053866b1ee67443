//! What came of all mutants.

use super::draw::Draw;
use super::judge::Fate;
use super::source::Place;
use crate::section::{Section, Table};
use anyhow::Result;
use serde::Serialize;

/// A mutant and what became of it.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// Among all mutants of the block, from 1 on.
    pub number: usize,
    pub module: String,
    pub configuration: String,
    #[serde(flatten)]
    pub place: Place,
    #[serde(flatten)]
    pub fate: Fate,
}

/// What came of a block's mutants.
#[derive(Clone, Debug, Serialize)]
pub struct Score {
    pub block: String,
    /// Mutants that there are, in all configurations that the block is tried in.
    pub all: usize,
    /// Those that were tried.
    pub mutants: Vec<Judged>,
}

impl Score {
    /// Mutants of this fate.
    pub fn of(&self, is: impl Fn(&Fate) -> bool) -> usize {
        self.mutants.iter().filter(|mutant| is(&mutant.fate)).count()
    }

    /// Nothing notices the mutant, and it is not known to be equal.
    pub fn holes(&self) -> impl Iterator<Item = &Judged> {
        let is_hole = |fate: &Fate| matches!(fate, Fate::Survives { .. } | Fate::Undecided { .. });
        self.mutants.iter().filter(move |mutant| is_hole(&mutant.fate))
    }
}

/// All of it as a section of the report. A mutant that survives makes the report fail.
///
/// # Errors
/// None that is known: what can't be written as JSON.
pub fn mutation_section(scores: &[Score], draw: &Draw) -> Result<Section> {
    let mut table = Table::new(
        "",
        &["block", "mutants", "tried", "by lock-step", "by properties", "equivalent", "survive", "undecided"],
    );
    let mut sum = [0; 7];
    for score in scores {
        let counts = counts(score);
        sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        table.row(row(format!("`{}`", score.block), counts));
    }
    if scores.len() > 1 {
        table.row(row("all".into(), sum));
    }
    let [_, tried, lock_step, properties, equivalent, survive, undecided] = sum;
    let killed = lock_step + properties;
    let per_cent = 100.0 * killed as f64 / (tried - equivalent).max(1) as f64;
    let seed = match draw {
        Draw::Seeded { seed, .. } => format!(", drawn with seed {seed}"),
        Draw::OfYosys { seed, .. } => format!(", drawn by Yosys with seed {seed}"),
        Draw::Numbers(_) => String::new(),
    };
    Ok(Section {
        name: "mutation",
        title: "Mutants of the blocks".into(),
        summary: format!(
            "{tried} mutants{seed}: {killed} noticed, {equivalent} proved equivalent, {survive} SURVIVE, {undecided} undecided; \
             noticed of those that are not proved equivalent: {per_cent:.1} %."
        ),
        holds: survive == 0,
        tables: vec![table, holes(scores, draw), equivalents(scores)],
        details: serde_json::json!({ "draw": draw_words(draw), "blocks": scores }),
    })
}

fn draw_words(draw: &Draw) -> serde_json::Value {
    match draw {
        Draw::Seeded { count, seed } => serde_json::json!({ "count": count, "seed": seed }),
        Draw::OfYosys { count, seed } => serde_json::json!({ "by_yosys": count, "seed": seed }),
        Draw::Numbers(numbers) => serde_json::json!({ "numbers": numbers }),
    }
}

fn counts(score: &Score) -> [usize; 7] {
    [
        score.all,
        score.mutants.len(),
        score.of(|fate| matches!(fate, Fate::LockStep { .. })),
        score.of(|fate| matches!(fate, Fate::Property { .. } | Fate::Unproved)),
        score.of(|fate| matches!(fate, Fate::Equivalent { .. })),
        score.of(|fate| matches!(fate, Fate::Survives { .. })),
        score.of(|fate| matches!(fate, Fate::Undecided { .. })),
    ]
}

fn row(name: String, counts: [usize; 7]) -> [String; 8] {
    let [all, tried, lock_step, properties, equivalent, survive, undecided] = counts.map(|count| count.to_string());
    [name, all, tried, lock_step, properties, equivalent, survive, undecided]
}

/// What nothing notices, each with the command that tries it again.
fn holes(scores: &[Score], draw: &Draw) -> Table {
    let head = ["block", "configuration", "signal", "rule", "in place of", "the mutant", "outcome", "again"];
    let mut table = Table::new("Noticed by nothing", &head);
    for (score, mutant) in scores.iter().flat_map(|score| score.holes().map(move |mutant| (score, mutant))) {
        let outcome = match &mutant.fate {
            Fate::Survives { step } => format!("differs in cycle {step}"),
            Fate::Undecided { why } => why.clone(),
            _ => unreachable!("holes are these"),
        };
        let Judged { number, configuration, .. } = mutant;
        let which = match draw {
            // Yosys' numbers are those of a draw.
            Draw::OfYosys { count, seed } => format!("--yosys-mutants {count} --seed {seed}"),
            Draw::Seeded { .. } | Draw::Numbers(_) => format!("--mutant {number}"),
        };
        let [signal, rule, before, after] = place(mutant);
        let again = format!("`powar verify --block {} {which}`", score.block);
        table.row([format!("`{}`", score.block), configuration.clone(), signal, rule, before, after, outcome, again]);
    }
    table
}

fn equivalents(scores: &[Score]) -> Table {
    let head = ["block", "configuration", "signal", "rule", "in place of", "the mutant", "proved by"];
    let mut table = Table::new("Equal to the sound block", &head);
    for (score, mutant) in scores.iter().flat_map(|score| score.mutants.iter().map(move |mutant| (score, mutant))) {
        let Fate::Equivalent { assuming } = mutant.fate else { continue };
        let by = if assuming {
            "pdr, assuming what the properties do of inputs, and of numbers of ports and stages that there are such"
        } else {
            "pdr, for all inputs"
        };
        let [signal, rule, before, after] = place(mutant);
        let (block, configuration) = (format!("`{}`", score.block), mutant.configuration.clone());
        table.row([block, configuration, signal, rule, before, after, by.into()]);
    }
    table
}

/// Where a mutant is, shortened where an expression is long.
fn place(mutant: &Judged) -> [String; 4] {
    let short = |text: &String| match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("`{}...`", &text[..end]),
        None => format!("`{text}`"),
    };
    let Place { rule, signal, before, after } = &mutant.place;
    [format!("`{signal}`"), rule.clone(), short(before), short(after)]
}

/// Letters of an expression in a table; all of it is in the report as JSON.
const MOST: usize = 100;
