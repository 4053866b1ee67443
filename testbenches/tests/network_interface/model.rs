//! A block that is driven by the names of its signals.

use powar_config::{Config, CycleModel, Layout, Role};
use powar_testbenches::dut::verilator::Verilator;
use powar_testbenches::twins;
use powar_tools::{Progress, Tools};

/// What a block is simulated by.
pub enum Kind {
    Golden,
    RustHdl,
    Verilog(Tools),
}

/// A block with the frames of the cycle under way; RTL has its golden twin beside it, and must show what that one shows.
pub struct Model {
    name: String,
    golden: Box<dyn CycleModel + Send>,
    rtl: Option<Box<dyn CycleModel>>,
    layout: Layout,
    inputs: Vec<u64>,
    shown: Vec<u64>,
    cycle: u64,
}

impl Model {
    pub fn new(config: &Config, block: &str, kind: &Kind) -> Model {
        let golden = twins::golden(config, block).expect("a known block");
        let layout = golden.layout().clone();
        let rtl: Option<Box<dyn CycleModel>> = match kind {
            Kind::Golden => None,
            Kind::RustHdl => Some(twins::rust_hdl(config, block, &layout).expect("a sound block")),
            Kind::Verilog(tools) => {
                let library = twins::verilated(config, block, &layout, tools, &Progress::silent()).expect("sound");
                Some(Box::new(Verilator::load(&library, layout.clone(), None).expect("it has just been built")))
            }
        };
        let (inputs, shown) = (vec![0; layout.input_slots()], vec![0; layout.observed_slots()]);
        Model { name: block.into(), golden, rtl, layout, inputs, shown, cycle: 0 }
    }

    /// Sets rows of an input, from this one on.
    pub fn set(&mut self, input: &str, row: usize, values: &[u64]) {
        let first = self.layout.slot(Role::Input, input).expect("an input of the block") + row;
        self.inputs[first..first + values.len()].copy_from_slice(values);
    }

    /// Rows of an output in the cycle before.
    pub fn get(&self, output: &str, row: usize, rows: usize) -> &[u64] {
        let first = self.layout.slot(Role::Output, output).expect("an output of the block") + row;
        &self.shown[first..first + rows]
    }

    pub fn one(&self, output: &str) -> u64 {
        self.get(output, 0, 1)[0]
    }

    /// Passes a cycle on the inputs that are set.
    pub fn step(&mut self) {
        self.golden.cycle(&self.inputs, &mut self.shown);
        if let Some(rtl) = &mut self.rtl {
            let mut seen = vec![0; self.shown.len()];
            rtl.cycle(&self.inputs, &mut seen);
            if let Some(slot) = seen.iter().zip(&self.shown).position(|(rtl, golden)| rtl != golden) {
                let (signal, row) = self.layout.observed_at(slot).expect("it lies in the frame");
                panic!(
                    "{}, cycle {}: {}[{row}] is {:#x} in the RTL and {:#x} in the golden model",
                    self.name, self.cycle, signal.name, seen[slot], self.shown[slot]
                );
            }
        }
        self.cycle += 1;
    }

    /// Puts what a sender's link showed in the cycle before on the link to this receiver, and this receiver's credits on that to the
    /// sender: a link of one cycle in each direction. Blocks with one link have it as number 0.
    pub fn join(sender: &mut Model, from: usize, receiver: &mut Model, to: usize, words: usize) {
        for signal in ["valid", "head", "hint"] {
            let value = sender.one(&format!("out_{signal}")) >> from & 1;
            receiver.set_bit(&format!("in_{signal}"), to, value);
        }
        for signal in ["vc", "phase"] {
            let value = sender.get(&format!("out_{signal}"), from, 1)[0];
            receiver.set_if_there(&format!("in_{signal}"), to, value);
        }
        receiver.set("in_flit", to * words, sender.get("out_flit", from * words, words));
        sender.set_bit("out_credit_valid", from, receiver.one("in_credit_valid") >> to & 1);
        sender.set_if_there("out_credit_vc", from, receiver.get("in_credit_vc", to, 1)[0]);
    }

    /// An interface looks at neither phase nor hint, and a block of one clock has no edges.
    pub fn set_if_there(&mut self, input: &str, row: usize, value: u64) {
        if self.layout.input(input).is_some() {
            self.set(input, row, &[value]);
        }
    }

    fn set_bit(&mut self, input: &str, bit: usize, value: u64) {
        if let Some(slot) = self.layout.input(input) {
            self.inputs[slot] = self.inputs[slot] & !(1 << bit) | value << bit;
        }
    }
}
