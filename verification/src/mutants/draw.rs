//! Which mutants of a block are tried.

use crate::library::{Library, Properties};
use crate::mutants::by_yosys::ByYosys;
use crate::mutants::source::{ByRule, Source};
use crate::plan::modules;
use crate::values::without_value;
use anyhow::{Context, Result, ensure};
use powar_config::Config;
use powar_hdl::registry;
use powar_hdl::verilog::{EmitOptions, Mutants};
use powar_testbenches::random::Random;
use powar_testbenches::trials::{config_of, switches_of};
use powar_testbenches::twins;
use powar_tools::Tools;
use std::collections::BTreeSet;

/// A block's module in a configuration, with its mutants.
pub(super) struct Subject<'a> {
    pub module: String,
    pub config: Config,
    /// Those of the block, if all their parameters have values here.
    pub properties: Option<&'a Properties>,
    pub mutants: Box<dyn Source>,
    /// What is added to the mutants' own numbers, so that those of a block's other subjects are others.
    pub before: usize,
    /// The mutants' own numbers.
    pub drawn: BTreeSet<usize>,
}

/// A block's mutants in all configurations that it is tried in.
pub(super) struct Drawn<'a> {
    pub block: String,
    pub subjects: Vec<Subject<'a>>,
    /// Those that were not drawn as well.
    pub all: usize,
}

/// How mutants are chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Draw {
    /// So many of each block by rule, or all if there are no more; the same seed draws the same.
    Seeded { count: usize, seed: u64 },
    /// Those by rule of these numbers.
    Numbers(BTreeSet<usize>),
    /// So many that Yosys draws in each of a block's modules.
    OfYosys { count: usize, seed: u64 },
}

/// Makes a block's mutants and draws some.
///
/// # Errors
/// A block that can't be emitted, or that is none of its configurations; a number without a mutant.
pub(super) fn draw<'a>(library: &'a Library, block: &str, draw: &Draw, tools: &Tools) -> Result<Drawn<'a>> {
    let mut subjects: Vec<Subject> = vec![];
    let mut all = 0;
    for switch in switches_of(block) {
        let config = config_of(switch, block);
        for module in modules(block, &config) {
            let Some(mutants) = source(&config, &module, draw, tools)? else { continue };
            let count = mutants.places().len();
            let properties = library.of_block(block).ok();
            let properties = properties.filter(|known| without_value(known, &config.name, &config).is_none());
            let drawn = BTreeSet::new();
            subjects.push(Subject { module, config: config.clone(), properties, mutants, before: all, drawn });
            all += count;
        }
    }
    let is_by_rule = !matches!(draw, Draw::OfYosys { .. });
    ensure!(
        !subjects.is_empty() || !is_by_rule,
        "mutants: {block} is no block of the configurations that blocks are tried in"
    );
    for number in chosen(draw, all).with_context(|| format!("mutants of {block}"))? {
        let holder = subjects.iter_mut().rev().find(|subject| subject.before < number).context("numbers begin at 1")?;
        holder.drawn.insert(number - holder.before);
    }
    subjects.retain(|subject| !subject.drawn.is_empty());
    Ok(Drawn { block: block.to_owned(), subjects, all })
}

/// What makes the mutants of a module; none if there is nothing that can.
fn source(config: &Config, module: &str, draw: &Draw, tools: &Tools) -> Result<Option<Box<dyn Source>>> {
    if let Draw::OfYosys { count, seed } = *draw {
        let mutants = ByYosys::new(twins::design(config, module)?, count, seed, tools)?;
        return Ok(mutants.map(|mutants| Box::new(mutants) as Box<dyn Source>));
    }
    let mut rtl = registry::by_name(config, module)?;
    rtl.connect_all();
    let mutants = Mutants::new(&*rtl, &EmitOptions::default()).with_context(|| format!("mutants of {module}"))?;
    Ok(Some(Box::new(ByRule::new(mutants))))
}

/// Numbers of 1 to `all`.
fn chosen(draw: &Draw, all: usize) -> Result<BTreeSet<usize>> {
    match draw {
        Draw::Numbers(numbers) => {
            let wrong = numbers.iter().find(|number| !(1..=all).contains(*number));
            ensure!(wrong.is_none(), "mutant: {} must be 1 to {all}", wrong.copied().unwrap_or_default());
            Ok(numbers.clone())
        }
        Draw::OfYosys { .. } => Ok((1..=all).collect()),
        Draw::Seeded { count, seed } => {
            let mut random = Random::new(*seed);
            let mut rest: Vec<usize> = (1..=all).collect();
            let mut take = |_| rest.swap_remove(random.below(rest.len() as u64) as usize);
            Ok((0..all.min(*count)).map(&mut take).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_that_of_its_seed() {
        let of = |count, seed| chosen(&Draw::Seeded { count, seed }, 50).unwrap();
        assert_eq!(of(20, 1), of(20, 1));
        assert_ne!(of(20, 1), of(20, 2));
        assert_eq!(of(20, 1).len(), 20);
        assert_eq!(of(70, 1), (1..=50).collect());
    }

    #[test]
    fn a_number_without_a_mutant_is_refused() {
        let numbers = |number| Draw::Numbers(BTreeSet::from([number]));
        assert_eq!(chosen(&numbers(50), 50).unwrap(), BTreeSet::from([50]));
        for number in [0, 51] {
            let error = chosen(&numbers(number), 50).unwrap_err().to_string();
            assert_eq!(error, format!("mutant: {number} must be 1 to 50"));
        }
    }
}
