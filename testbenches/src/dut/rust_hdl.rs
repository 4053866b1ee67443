//! rust-hdl's own simulation of a block, without its threads.
//!
//! In each cycle the inputs change with the falling clock edge, the logic settles, outputs and registers are read, and
//! the rising edge commits. That is the update loop of rust-hdl's `Simulation`, at ten times its speed.

use super::Dut;
use crate::lockstep::same_signals;
use anyhow::{Result, bail};
use powar_config::{CycleModel, Layout, Role, SignalDecl};
use powar_hdl::primitives::settle;
use powar_hdl::rtl_block::{RtlBlock, Shape, SignalVisitor};
use rust_hdl::prelude::check_all;

/// A block in rust-hdl's simulation.
pub struct RustHdl {
    block: Box<dyn RtlBlock>,
    /// The slots in the order of the reference layout.
    layout: Layout,
    /// For each row that the block shows, in its own order: the slot it goes to.
    slots: Vec<usize>,
    /// For each input row that the block takes, in its own order: the slot it comes from.
    input_slots: Vec<usize>,
}

impl RustHdl {
    /// Connects the block and lays its signals out like `reference` (the golden twin's).
    ///
    /// # Errors
    /// rust-hdl finds open or looping signals, or the signals are not those of the reference.
    pub fn new(mut block: Box<dyn RtlBlock>, reference: &Layout) -> Result<Self> {
        block.connect_all();
        if let Err(error) = check_all(&*block) {
            bail!("rust-hdl refuses the block: {error:?}");
        }
        let mut dut = RustHdl { block, layout: Layout::default(), slots: vec![], input_slots: vec![] };
        let mut names = Names::default();
        dut.block.observe(&mut names);
        let mut inputs = vec![];
        dut.block.list_inputs(&mut |name, Shape { rows, width }| {
            inputs.push(SignalDecl::new(Role::Input, name, rows, width));
        });
        dut.layout = Layout { inputs, observed: names.signals() };
        same_signals(reference, &dut.layout)?;
        dut.slots = names.slots(reference);
        dut.input_slots = (dut.layout.inputs.iter())
            .flat_map(|signal| {
                let first = reference.input(&signal.name).expect("same signals");
                first..first + signal.rows
            })
            .collect();
        dut.layout = reference.clone();
        Ok(dut)
    }
}

impl CycleModel for RustHdl {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut [u64]) {
        self.block.set_clock(false);
        let mut rows = self.input_slots.iter().map(|&slot| inputs[slot]);
        self.block.drive(&mut || rows.next().expect("as many rows as inputs"));
        settle(&mut *self.block);
        self.block.observe(&mut Values { slots: self.slots.iter(), observed });
        self.block.set_clock(true);
        settle(&mut *self.block);
    }
}

impl Dut for RustHdl {
    fn name(&self) -> &'static str {
        "rust-hdl"
    }
}

/// Collects names and widths of what a block shows.
#[derive(Default)]
struct Names {
    path: Vec<&'static str>,
    rows: Vec<(Role, String, usize)>,
}

impl SignalVisitor for Names {
    fn enter(&mut self, child: &'static str) {
        self.path.push(child);
    }
    fn leave(&mut self) {
        self.path.pop();
    }
    fn row(&mut self, role: Role, name: &'static str, width: usize, _value: u64) {
        let name = self.path.iter().copied().chain([name]).collect::<Vec<_>>().join(".");
        self.rows.push((role, name, width));
    }
}

impl Names {
    /// Rows of one name, gathered into signals.
    fn signals(&self) -> Vec<SignalDecl> {
        let mut signals: Vec<SignalDecl> = vec![];
        for (role, name, width) in &self.rows {
            match signals.iter_mut().find(|signal| signal.role == *role && signal.name == *name) {
                Some(signal) => {
                    signal.rows += 1;
                    signal.width = signal.width.max(*width);
                }
                None => signals.push(SignalDecl::new(*role, name.as_str(), 1, *width)),
            }
        }
        signals
    }

    /// The slot of each row, in the order the block shows them.
    fn slots(&self, reference: &Layout) -> Vec<usize> {
        let mut next = std::collections::HashMap::new();
        let slot = |(role, name, _): &(Role, String, usize)| {
            let slot =
                next.entry((*role, name.clone())).or_insert_with(|| reference.observed(*role, name).expect("same"));
            *slot += 1;
            *slot - 1
        };
        self.rows.iter().map(slot).collect()
    }
}

/// Puts what a block shows into its slots.
struct Values<'a> {
    slots: std::slice::Iter<'a, usize>,
    observed: &'a mut [u64],
}

impl SignalVisitor for Values<'_> {
    fn enter(&mut self, _child: &'static str) {}
    fn leave(&mut self) {}
    fn row(&mut self, _role: Role, _name: &'static str, _width: usize, value: u64) {
        self.observed[*self.slots.next().expect("as many rows as when they were named")] = value;
    }
}
