//! A block in rust-hdl's simulation, with its signals by name.

use powar_config::{Config, Role, presets};
use powar_hdl::primitives::settle;
use powar_hdl::rtl_block::{RtlBlock, SignalVisitor};
use rust_hdl::prelude::check_all;
use std::collections::BTreeMap;

pub struct Bench {
    block: Box<dyn RtlBlock>,
    /// In the order in which the block takes them.
    inputs: Vec<(&'static str, Vec<u64>)>,
    /// Outputs and registers of the last cycle, by path.
    seen: BTreeMap<String, Vec<u64>>,
}

impl Bench {
    /// After a reset of one cycle, if it has one, all inputs 0.
    pub fn new(mut block: Box<dyn RtlBlock>) -> Bench {
        block.connect_all();
        check_all(&*block).expect("every signal is driven, none by itself");
        let mut inputs = vec![];
        block.list_inputs(&mut |name, shape| inputs.push((name, vec![0; shape.rows])));
        let mut bench = Bench { block, inputs, seen: BTreeMap::new() };
        if bench.has("rst") {
            bench.set("rst", 0, 1);
            bench.cycle();
            bench.set("rst", 0, 0);
        }
        bench
    }

    /// Whether the block has such an input.
    pub fn has(&self, input: &str) -> bool {
        self.inputs.iter().any(|(name, _)| *name == input)
    }

    /// Sets a row of an input, from the next cycle on.
    pub fn set(&mut self, input: &str, row: usize, value: u64) {
        let found = self.inputs.iter_mut().find(|(name, _)| *name == input);
        found.unwrap_or_else(|| panic!("no input `{input}`")).1[row] = value;
    }

    pub fn cycle(&mut self) {
        self.block.set_clock(false);
        let mut rows = self.inputs.iter().flat_map(|(_, rows)| rows.iter().copied());
        self.block.drive(&mut || rows.next().expect("a value for every row"));
        settle(&mut *self.block);
        let mut rows = Rows::default();
        self.block.observe(&mut rows);
        self.seen = rows.seen;
        self.block.set_clock(true);
        settle(&mut *self.block);
    }

    pub fn cycles(&mut self, cycles: usize) {
        (0..cycles).for_each(|_| self.cycle());
    }

    /// A row of a signal in each of the next cycles.
    pub fn history(&mut self, signal: &str, row: usize, cycles: usize) -> Vec<u64> {
        let mut one = || {
            self.cycle();
            self.see(signal, row)
        };
        (0..cycles).map(|_| one()).collect()
    }

    /// A row of an output, or of a register of the block or, by its path, of a child, as it was in the last cycle.
    pub fn see(&self, signal: &str, row: usize) -> u64 {
        self.seen.get(signal).unwrap_or_else(|| panic!("no signal `{signal}`"))[row]
    }
}

#[derive(Default)]
struct Rows {
    path: Vec<&'static str>,
    seen: BTreeMap<String, Vec<u64>>,
}

impl SignalVisitor for Rows {
    fn enter(&mut self, child: &'static str) {
        self.path.push(child);
    }
    fn leave(&mut self) {
        self.path.pop();
    }
    fn row(&mut self, role: Role, name: &'static str, _width: usize, value: u64) {
        // A register that is an output too is the same value twice.
        let own = self.path.is_empty() && role == Role::Register && self.seen.contains_key(name);
        if !own {
            let path = self.path.iter().copied().chain([name]).collect::<Vec<_>>().join(".");
            self.seen.entry(path).or_default().push(value);
        }
    }
}

/// Four ports; idle ports sleep after 10 cycles, it takes 5 to fall asleep and 7 to wake.
pub fn config() -> Config {
    let mut config = presets::by_name("fat-tree-2").expect("a preset");
    config.cycle_ns = 1.0;
    let powar = config.powar_mut().expect("a preset of POWAR");
    (powar.pdt.0, powar.t_sleep.0, powar.t_wake.0) = (10.0, 5.0, 7.0);
    config.check().expect("in range");
    config
}
