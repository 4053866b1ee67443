//! Which block is proved in which configuration.

use crate::library::{Library, Properties};
use crate::solver::LIMIT;
use crate::values::without_value;
use crate::without::{WITHOUT, why};
use anyhow::{Context, Result, ensure};
use powar_config::Config;
use powar_hdl::registry;
use serde::Serialize;
use std::collections::BTreeSet;

/// In which configurations blocks are proved.
#[derive(Clone, Debug)]
pub enum Scope {
    /// In those that stand beside their properties.
    Own,
    /// In this one, each block that it has.
    Of(Box<Config>),
}

/// What is to be proved.
#[derive(Clone, Debug)]
pub struct Selected {
    pub scope: Scope,
    /// These blocks alone; all if there is none.
    pub blocks: Vec<String>,
    /// Proofs that take longer as well.
    pub long: bool,
    /// Seconds after which a search is given up where it is not known to end: in a configuration that the manifest does not name. Where it
    /// does, they are [`LIMIT`], or these if they are more.
    pub limit: u32,
    /// Mutants are tried as well: a block may be named that has no properties, since lock-step and the miter need none.
    pub mutants: bool,
}

/// A proof to be done.
#[derive(Clone, Debug)]
pub struct Proof<'a> {
    pub properties: &'a Properties,
    /// The block's name in the registry, with a size behind it where there are several.
    pub module: String,
    pub config: Config,
    /// The configuration's name in the manifest.
    pub design: String,
}

impl Proof<'_> {
    /// What is proved, in words.
    pub(crate) fn place(&self) -> String {
        format!("{} of {}", self.module, self.design)
    }

    /// The configuration is one of the manifest's, where the proof comes to an end: that it does not is a failure.
    pub(crate) fn ends_here(&self) -> bool {
        self.properties.manifest.designs.contains(&self.design)
    }
}

/// A block that is not proved, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    pub block: String,
    pub why: String,
}

/// All proofs to be done.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    pub proofs: Vec<Proof<'a>>,
    pub left_out: Vec<LeftOut>,
    /// Blocks without properties that were named for their mutants.
    bare: Vec<String>,
    limit: u32,
}

impl<'a> Plan<'a> {
    /// The proofs of what is selected.
    ///
    /// # Errors
    /// A block without properties, or that the configuration does not have; nothing to prove; an unknown configuration.
    pub fn new(library: &'a Library, selected: &Selected) -> Result<Plan<'a>> {
        let is_bare = |block: &&String| selected.mutants && library.of_block(block).is_err() && why(block).is_some();
        let (bare, named): (Vec<&String>, Vec<&String>) = selected.blocks.iter().partition(is_bare);
        let named = named.into_iter().map(|block| library.of_block(block)).collect::<Result<Vec<_>>>()?;
        let all = if selected.blocks.is_empty() { library.blocks.iter().collect() } else { named };
        let bare: Vec<String> = bare.into_iter().cloned().collect();
        let unproved = |block: &String| LeftOut { block: block.clone(), why: why(block).unwrap_or_default().into() };
        let left_out = bare.iter().map(unproved).collect();
        let mut plan = Plan { proofs: vec![], left_out, bare, limit: selected.limit };
        for properties in all {
            let block = properties.block.clone();
            if properties.manifest.long && !selected.long {
                plan.left_out.push(LeftOut { block, why: "longer than the quick form allows".into() });
                continue;
            }
            match &selected.scope {
                Scope::Own => {
                    for design in &properties.manifest.designs {
                        let config = library.design(design).with_context(|| format!("{block}.toml"))?;
                        let is_there = plan.add(properties, &config, design);
                        ensure!(is_there, "{block}.toml: designs: {design} has no block {block}");
                    }
                }
                Scope::Of(config) => {
                    let parameter = without_value(properties, &config.name, config);
                    let why = match parameter {
                        _ if modules(&block, config).is_empty() => format!("not a block of {}", config.name),
                        Some(parameter) => {
                            format!("its properties are not made for {}: {parameter} has no value", config.name)
                        }
                        None => {
                            plan.add(properties, config, &config.name);
                            continue;
                        }
                    };
                    ensure!(selected.blocks.is_empty(), "block: `{block}`: {why}");
                    plan.left_out.push(LeftOut { block, why });
                }
            }
        }
        ensure!(!plan.proofs.is_empty() || !plan.bare.is_empty(), "{}", plan.why_empty());
        if selected.blocks.is_empty() {
            plan.left_out.extend(without(library, &selected.scope));
        }
        Ok(plan)
    }

    /// Seconds after which a search of this proof is given up.
    pub(crate) fn limit_of(&self, proof: &Proof) -> u32 {
        if proof.ends_here() { LIMIT.max(self.limit) } else { self.limit }
    }

    /// The blocks that are proved, each once.
    pub fn blocks(&self) -> Vec<String> {
        let mut blocks: Vec<String> = self.proofs.iter().map(|proof| proof.properties.block.clone()).collect();
        blocks.dedup();
        blocks
    }

    /// The blocks whose mutants are tried: those that are proved, and those without properties that were named.
    pub fn mutated(&self) -> Vec<String> {
        [self.blocks(), self.bare.clone()].concat()
    }

    /// Adds a block's proof in a configuration, in each of its sizes there; whether it has one.
    fn add(&mut self, properties: &'a Properties, config: &Config, design: &str) -> bool {
        let before = self.proofs.len();
        let modules = modules(&properties.block, config).into_iter();
        let (config, design) = (config, design.to_owned());
        self.proofs.extend(modules.map(|module| Proof {
            properties,
            module,
            config: config.clone(),
            design: design.clone(),
        }));
        self.proofs.len() > before
    }

    fn why_empty(&self) -> String {
        match self.left_out.first() {
            Some(LeftOut { block, why }) => format!("nothing to prove: {block} {why}; see --long and --block"),
            None => "nothing to prove: there are no properties".into(),
        }
    }
}

/// Blocks that have no properties: of the configuration, or all.
fn without(library: &Library, scope: &Scope) -> Vec<LeftOut> {
    let blocks: BTreeSet<String> = match scope {
        Scope::Own => WITHOUT.iter().map(|(block, _)| (*block).to_owned()).collect(),
        Scope::Of(config) => registry::names(config).iter().map(|name| block_of(name).to_owned()).collect(),
    };
    let bare = blocks.into_iter().filter(|block| library.of_block(block).is_err());
    bare.map(|block| LeftOut { why: why(&block).unwrap_or("has no properties").into(), block }).collect()
}

/// The block of a module: its name without the size behind it.
pub fn block_of(module: &str) -> &str {
    match module.rsplit_once('_') {
        Some((block, size)) if !size.is_empty() && size.bytes().all(|c| c.is_ascii_digit()) => block,
        _ => module,
    }
}

/// The blocks of a configuration that are `block`, or `block_SIZE` where there are several sizes.
pub(crate) fn modules(block: &str, config: &Config) -> Vec<String> {
    registry::names(config).into_iter().filter(|name| block_of(name) == block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_without_properties_is_named_for_its_mutants_alone() {
        let library = Library::built_in().unwrap();
        let plan = |mutants| {
            let blocks = vec!["vc_arbiter".to_owned(), "powar_demonstrator".to_owned()];
            Plan::new(&library, &Selected { scope: Scope::Own, blocks, long: false, limit: LIMIT, mutants })
        };
        let with = plan(true).unwrap();
        assert_eq!(
            (with.blocks(), with.mutated()),
            (vec!["vc_arbiter".into()], vec!["vc_arbiter".into(), "powar_demonstrator".into()])
        );
        assert_eq!(with.left_out.iter().map(|out| &*out.block).collect::<Vec<_>>(), ["powar_demonstrator"]);
        assert!(plan(false).unwrap_err().to_string().contains("`powar_demonstrator` is unknown"));
    }
}
