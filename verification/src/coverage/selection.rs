//! Which block in which configuration.

use crate::plan::{Scope, block_of, modules};
use anyhow::{Result, bail, ensure};
use powar_config::Config;
use powar_config::nearest::is_unknown;
use powar_hdl::registry;
use powar_testbenches::trials::{self, config_of, switches_of};
use std::collections::BTreeMap;

/// A block, and the configurations that it is measured in, with the name it has in each.
#[derive(Clone, Debug)]
pub struct CoverageOf {
    pub block: String,
    pub designs: Vec<(Config, String)>,
}

/// These blocks, all if there is none: in the configurations in which they are tried, or in that of the scope.
///
/// # Errors
/// An unknown block, or one that the configuration does not have: the known ones are listed.
pub fn coverage_selection(scope: &Scope, blocks: &[String]) -> Result<Vec<CoverageOf>> {
    let all = match scope {
        Scope::Own => own(),
        Scope::Of(config) => of(config),
    };
    let known: Vec<&str> = all.iter().map(|one| one.block.as_str()).collect();
    for block in blocks {
        ensure!(known.contains(&block.as_str()), "block: {}", is_unknown(block, known.iter().copied()));
    }
    let is_wanted = |one: &CoverageOf| blocks.is_empty() || blocks.contains(&one.block);
    let found: Vec<CoverageOf> = all.iter().filter(|one| is_wanted(one)).cloned().collect();
    if found.is_empty() {
        bail!("block: there is none to measure");
    }
    Ok(found)
}

/// Every block, where it is tried.
fn own() -> Vec<CoverageOf> {
    let mut found: BTreeMap<String, Vec<(Config, String)>> = BTreeMap::new();
    for name in trials::blocks() {
        let configs = switches_of(&name).into_iter().map(|switch| config_of(switch, &name));
        found.entry(block_of(&name).to_owned()).or_default().extend(configs.map(|config| (config, name.clone())));
    }
    found.into_iter().map(|(block, designs)| CoverageOf { block, designs }).collect()
}

/// Every block of a configuration, in each of its sizes there.
fn of(config: &Config) -> Vec<CoverageOf> {
    let mut blocks: Vec<String> = registry::names(config).iter().map(|name| block_of(name).to_owned()).collect();
    blocks.sort();
    blocks.dedup();
    let designs = |block: &str| modules(block, config).into_iter().map(|module| (config.clone(), module)).collect();
    blocks.into_iter().map(|block| CoverageOf { designs: designs(&block), block }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::presets;

    #[test]
    fn blocks_are_measured_where_they_are() {
        let all = coverage_selection(&Scope::Own, &[]).unwrap();
        assert!(all.len() > 60, "{}", all.len());
        let one = coverage_selection(&Scope::Own, &["vc_arbiter".into()]).unwrap();
        assert!(one.len() == 1 && !one[0].designs.is_empty());
        let error = coverage_selection(&Scope::Own, &["nothing".into()]).unwrap_err().to_string();
        assert!(error.contains("`nothing`") && error.contains("vc_arbiter"), "{error}");
        let star = Scope::Of(Box::new(presets::by_name("star-16").unwrap()));
        let error = coverage_selection(&star, &["torus_routing".into()]).unwrap_err().to_string();
        assert!(error.contains("torus_routing"), "{error}");
        assert!(coverage_selection(&star, &["star_routing".into()]).is_ok());
    }
}
