//! How a design's area is spread over its blocks.

use crate::resources::{Cells, Resources};
use crate::target::Target;
use crate::wiring::Wiring;
use anyhow::{Context, Result, ensure};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A block, synthesised as a module of its own: nothing is optimised across its ports. Areas are those before packing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlockArea {
    /// The module.
    pub block: String,
    /// How often it stands in the design, however deep.
    pub instances: u64,
    /// What one instance takes by itself, without the blocks in it.
    pub own: Resources,
    /// What one instance takes with the blocks in it.
    pub with_blocks: Resources,
    /// What all instances take by themselves, without the blocks in them: `own` times `instances`. The sum over all blocks is the design.
    pub all: Resources,
    /// The wires of one instance with the blocks in it, on a chip of which that is known.
    pub wiring: Option<Wiring>,
}

/// The blocks below and with `top`, the largest in all instances first, from Yosys's `stat -json` of a netlist with modules.
pub(crate) fn blocks(statistics: &Value, top: &str, target: &Target) -> Result<Vec<BlockArea>> {
    let modules = statistics["modules"].as_object().context("Yosys's statistics have no modules")?;
    let modules = modules.iter().map(|(name, module)| Ok((name.trim_start_matches('\\'), Cells::of(module)?)));
    let modules: BTreeMap<&str, Cells> = modules.collect::<Result<_>>()?;
    ensure!(modules.contains_key(top), "Yosys's statistics have no module {top}");
    let mut tree = Tree { modules, target, sums: BTreeMap::new(), instances: BTreeMap::new() };
    tree.sum(top);
    tree.count(top, 1);
    let mut blocks: Vec<BlockArea> = (tree.instances.iter())
        .map(|(&block, &instances)| {
            let own = tree.own(block);
            BlockArea {
                block: block.into(),
                instances,
                own,
                with_blocks: tree.sums[block],
                all: own * instances,
                wiring: None,
            }
        })
        .collect();
    blocks.sort_by(|a, b| b.all.area.cmp(&a.all.area).then_with(|| a.block.cmp(&b.block)));
    Ok(blocks)
}

struct Tree<'a> {
    modules: BTreeMap<&'a str, Cells>,
    target: &'a Target,
    sums: BTreeMap<&'a str, Resources>,
    instances: BTreeMap<&'a str, u64>,
}

impl<'a> Tree<'a> {
    fn own(&self, module: &str) -> Resources {
        self.target.chip.resources(&self.modules[module])
    }

    /// The blocks that stand directly in a module, and how often.
    fn children(&self, module: &str) -> Vec<(&'a str, u64)> {
        let cells = &self.modules[module].0;
        cells.iter().filter_map(|(kind, count)| Some((*self.modules.get_key_value(kind.as_str())?.0, *count))).collect()
    }

    fn sum(&mut self, module: &'a str) -> Resources {
        if let Some(&known) = self.sums.get(module) {
            return known;
        }
        let below = self.children(module).into_iter();
        let below = below.map(|(child, count)| self.sum(child) * count).fold(Resources::default(), |a, b| a + b);
        let sum = self.own(module) + below;
        self.sums.insert(module, sum);
        sum
    }

    fn count(&mut self, module: &'a str, times: u64) {
        *self.instances.entry(module).or_default() += times;
        for (child, count) in self.children(module) {
            self.count(child, times * count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::blocks;
    use crate::Target;
    use serde_json::json;

    #[test]
    fn instances_multiply_down_the_tree() {
        let module = |cells| json!({ "num_cells_by_type": cells });
        let statistics = json!({"modules": {
            "\\top": module(json!({"LUT4": 5, "mid": 3, "leaf": 1})),
            "\\mid": module(json!({"LUT4": 10, "TRELLIS_FF": 1, "leaf": 2})),
            "\\leaf": module(json!({"LUT4": 7, "CCU2C": 1, "DP16KD": 1})),
            "\\unused": module(json!({"LUT4": 1000})),
        }});
        let target = Target::named("ecp5-85f").unwrap();
        let found = blocks(&statistics, "top", &target).unwrap();
        let rows: Vec<_> =
            found.iter().map(|row| (row.block.as_str(), row.instances, row.own.area, row.all.area)).collect();
        assert_eq!(rows, [("leaf", 7, 9, 63), ("mid", 3, 10, 30), ("top", 1, 5, 5)]);
        assert_eq!(found[1].with_blocks.area, 10 + 2 * 9);
        let top = &found[2].with_blocks;
        assert_eq!((top.area, top.ff, top.block_ram), (63 + 30 + 5, 3, 7));
        let error = blocks(&statistics, "absent", &target).unwrap_err().to_string();
        assert_eq!(error, "Yosys's statistics have no module absent");
    }
}
