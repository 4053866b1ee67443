//! The allocator with input ports that can hardly ever read, so that packets miss 63 chances and are picked all the same: random
//! stimuli for any block don't keep an input port from reading for so long.

use powar_config::{Config, Layout, Role, presets};
use powar_testbenches::dut::Dut;
use powar_testbenches::dut::verilator::Verilator;
use powar_testbenches::stimulus::{Scenario, Stimulus};
use powar_testbenches::{lockstep, twins};
use powar_tools::{Progress, tools_or_skip};

const BLOCK: &str = "allocator";
/// What `missed` stops at.
const MOST: u64 = 63;

/// Random inputs, but all output ports are ready, and input ports can read and packets are to be dropped only now and then.
struct HardlyReading {
    random: Box<dyn Stimulus + Send>,
    layout: Layout,
    before: Vec<u64>,
    /// Packets picked after they have missed the most chances.
    served: u64,
}

impl HardlyReading {
    fn new(config: &Config, layout: &Layout) -> Self {
        // A high density: nearly every packet has a choice, and often one that is not held.
        let scenario = Scenario { reset_every: 0, density: 90, ..Scenario::lively(5) };
        HardlyReading {
            random: Box::new(scenario.stimulus(config, layout)),
            layout: layout.clone(),
            before: vec![],
            served: 0,
        }
    }
}

impl Stimulus for HardlyReading {
    fn drive(&mut self, cycle: u64, last: &[u64], inputs: &mut [u64]) {
        self.random.drive(cycle, last, inputs);
        let mut set = |name: &str, value: u64| {
            let signal = self.layout.inputs.iter().find(|signal| signal.name == name).expect("an input");
            let first = self.layout.input(name).expect("an input");
            inputs[first..first + signal.rows].fill(value & u64::MAX >> (64 - signal.width));
        };
        set("ready", u64::MAX);
        if !cycle.is_multiple_of(97) {
            set("can_read", 0);
        }
        if !cycle.is_multiple_of(501) {
            set("drop", 0);
        }
        let missed = self.layout.observed(Role::Register, "missed").expect("a register of the allocator");
        let rows = self.layout.observed_at(missed).expect("it is there").0.rows;
        let now = &last[missed..missed + rows];
        self.served += self.before.iter().zip(now).filter(|&(&before, &now)| before == MOST && now == 0).count() as u64;
        self.before = now.to_vec();
    }
}

fn check(preset: &str, cycles: u64, dut: impl FnOnce(&Layout) -> Box<dyn Dut>) {
    let config = presets::by_name(preset).expect("a preset");
    let mut golden = twins::golden(&config, BLOCK).expect("a known block");
    let layout = golden.layout().clone();
    let (mut dut, mut stimulus) = (dut(&layout), HardlyReading::new(&config, &layout));
    let outcome = lockstep::run(&mut *golden, &mut *dut, &mut stimulus, cycles, &mut |_| ()).expect("the same signals");
    if let Err(difference) = outcome.equal() {
        panic!("{preset}: {difference}");
    }
    println!("{preset}: {} packets picked after {MOST} missed chances", stimulus.served);
    assert!(stimulus.served > 10, "{preset}: {}", stimulus.served);
}

#[test]
fn in_rust_hdl() {
    let config = presets::by_name("fat-tree-2").expect("a preset");
    check("fat-tree-2", 2000, |layout| twins::rust_hdl(&config, BLOCK, layout).expect("a sound block"));
}

#[test]
fn in_verilator() {
    let Some(tools) = tools_or_skip("allocator_missed_chances") else { return };
    let config = presets::by_name("fat-tree-4").expect("a preset");
    check("fat-tree-4", 20_000, |layout| {
        let library = twins::verilated(&config, BLOCK, layout, &tools, &Progress::silent()).expect("sound Verilog");
        Box::new(Verilator::load(&library, layout.clone(), None).expect("it has just been built"))
    });
}
