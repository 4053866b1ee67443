//! The allocator with input ports that can hardly ever read, so that packets miss 63 chances and are picked all the same.

use powar_config::{Layout, presets};
use powar_testbenches::dut::Dut;
use powar_testbenches::dut::verilator::Verilator;
use powar_testbenches::stimulus::HardlyReading;
use powar_testbenches::{lockstep, twins};
use powar_tools::{Progress, tools_or_skip};

const BLOCK: &str = "allocator";
fn check(preset: &str, cycles: u64, dut: impl FnOnce(&Layout) -> Box<dyn Dut>) {
    let config = presets::by_name(preset).expect("a preset");
    let mut golden = twins::golden(&config, BLOCK).expect("a known block");
    let layout = golden.layout().clone();
    let (mut dut, mut stimulus) = (dut(&layout), HardlyReading::new(&config, &layout).expect("an allocator"));
    let outcome = lockstep::run(&mut *golden, &mut *dut, &mut stimulus, cycles, &mut |_| ()).expect("the same signals");
    if let Err(difference) = outcome.equal() {
        panic!("{preset}: {difference}");
    }
    println!("{preset}: {} packets picked after {} missed chances", stimulus.served, HardlyReading::MOST);
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
