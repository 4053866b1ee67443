//! Every deliberate fault is caught, and without one both models are equal under the same stimuli.
//!
//! `cargo test -p powar-faults --test faults -- --nocapture` shows where each is caught; with `POWAR_FAULTS=NAME,NAME` in the environment
//! only the faults of these blocks are tried.

use powar_config::{Config, mechanism};
use powar_faults::board;
use powar_faults::golden::GoldenFault;
use powar_faults::verilog::VerilogFault;
use powar_faults::{golden_faults, library, verilog_faults, with_faults};
use powar_hdl::verilog::Design;
use powar_testbenches::dut::Dut;
use powar_testbenches::dut::verilator::Verilator;
use powar_testbenches::hunt::{CYCLES, Caught, DEMONSTRATOR_CYCLES, PATIENCE, hunt, stimuli};
use powar_testbenches::test_switches::TestSwitch::{self, FatTree};
use powar_testbenches::test_switches::config;
use powar_testbenches::trials::{config_of, switches_of};
use powar_testbenches::twins;
use powar_tools::{Progress, Tools, tools_or_skip};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What came of a fault: block, fault, where it was caught.
type Row = (&'static str, &'static str, Option<Caught>);

/// Faults that must be there at least.
const GOLDEN_AT_LEAST: usize = 329;
const VERILOG_AT_LEAST: usize = 137;

/// Values in a cycle's frames of a block that is run with patience in every run of the tests; larger ones are with `./test --long`.
const SMALL: usize = 64;

/// Whether the faults of a block are to be tried.
fn is_chosen(block: &str) -> bool {
    std::env::var("POWAR_FAULTS").map_or(true, |chosen| chosen.split(',').any(|name| name == block))
}

#[test]
fn every_fault_of_the_golden_model_is_caught() {
    let rows = in_parallel(
        &golden_faults().filter(|fault| is_chosen(fault.block)).collect::<Vec<_>>(),
        |&fault: &&GoldenFault| {
            let hunt = |&switch: &TestSwitch| {
                let config = config_of(switch, fault.block);
                let layout = twins::golden(&config, fault.block).unwrap().layout().clone();
                let dut = || twins::rust_hdl(&config, fault.block, &layout);
                hunt(&config, fault.block, (cycles_in_rust_hdl(fault.block), 0), || Ok((fault.build)(&config)), dut)
                    .unwrap()
            };
            // Some registers exist only where the deterministic set may hold several ports.
            vec![(fault.block, fault.name, switches_of(fault.block).iter().find_map(hunt))]
        },
    );
    report("golden model", rows, GOLDEN_AT_LEAST);
}

#[test]
fn sound_models_are_equal_in_rust_hdl() {
    let blocks: BTreeSet<&str> = golden_faults().map(|fault| fault.block).filter(|block| is_chosen(block)).collect();
    let pairs: Vec<_> = blocks
        .into_iter()
        .flat_map(|block| switches_of(block).into_iter().map(move |switch| (block, switch)))
        .collect();
    in_parallel(&pairs, |&(block, switch)| {
        let config = config_of(switch, block);
        let layout = twins::golden(&config, block).unwrap().layout().clone();
        let golden = || twins::golden(&config, block);
        let caught =
            hunt(&config, block, (cycles_in_rust_hdl(block), 0), golden, || twins::rust_hdl(&config, block, &layout))
                .unwrap();
        assert_eq!(caught, None, "{block} without a fault, {switch:?}");
        vec![]
    });
}

/// The page of blocks with the numbers of faults as they are; blocks that have faults and no row of their own are in its shortest table.
fn with_counts(page: &str) -> String {
    const HEADER: &str = "| block | faults by hand caught: golden, Verilog |";
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::from([("ulx3s_top", (0, board::FAULTS.len()))]);
    golden_faults().for_each(|fault| counts.entry(fault.block).or_default().0 += 1);
    verilog_faults().for_each(|fault| counts.entry(fault.block).or_default().1 += 1);
    let cell = |name: &str| {
        let (golden, verilog) = counts.get(name).copied().unwrap_or_default();
        [golden, verilog].map(|count| if count == 0 { "-".into() } else { count.to_string() }).join(", ")
    };
    let mut lines: Vec<String> = vec![];
    let mut short_table = None;
    let mut named = BTreeSet::new();
    let mut in_short_table = false;
    for line in page.lines() {
        in_short_table = line == HEADER || (in_short_table && line.starts_with('|'));
        if line == HEADER {
            short_table = Some(lines.len() + 2);
        }
        match line.strip_prefix("| `").and_then(|rest| rest.split('`').next()) {
            Some(_) if in_short_table => {}
            Some(name) => {
                let before_last = line.trim_end_matches('|').rfind('|').expect("a row of several cells");
                lines.push(format!("{}| {} |", &line[..before_last], cell(name)));
                named.insert(name.to_owned());
            }
            None => lines.push(line.to_owned()),
        }
    }
    let others = counts.keys().filter(|name| !named.contains(**name));
    let rows: Vec<String> = others.map(|name| format!("| `{name}` | {} |", cell(name))).collect();
    let at = short_table.expect("the table of the other blocks");
    lines.splice(at..at, rows);
    lines.join("\n") + "\n"
}

#[test]
fn the_page_of_blocks_counts_them() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/blocks.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let now = with_counts(&page);
    let is_written = std::env::var_os("POWAR_WRITE").is_some();
    if is_written {
        std::fs::write(&path, &now).unwrap();
    }
    let how = "POWAR_WRITE=1 cargo test -p powar-faults --test faults the_page";
    let wrong: Vec<&str> = page.lines().filter(|line| !now.lines().any(|now| now == *line)).collect();
    assert!(is_written || page == now, "docs/blocks.md has other numbers of faults; `{how}` writes them: {wrong:#?}");
}

/// Names all that no longer do at once, before any is compiled.
#[test]
fn every_fault_of_the_verilog_fits_the_text() {
    let mut designs: BTreeMap<(&str, TestSwitch), Design> = BTreeMap::new();
    let misfit = |fault: &VerilogFault| {
        let design = || twins::design(&config_of(fault.switch, fault.block), fault.block).unwrap();
        let design = designs.entry((fault.block, fault.switch)).or_insert_with(design);
        with_faults(design, &[fault]).err().map(|error| error.to_string())
    };
    let misfits: Vec<String> = verilog_faults().filter(|fault| is_chosen(fault.block)).filter_map(misfit).collect();
    assert!(misfits.is_empty(), "{}", misfits.join("\n"));
}

#[test]
fn every_fault_of_the_verilog_is_caught() {
    let Some(tools) = tools_or_skip("faults") else { return };
    let chosen = verilog_faults().filter(|fault| is_chosen(fault.block));
    let builds: BTreeSet<(&str, TestSwitch)> = chosen.map(|fault| (fault.block, fault.switch)).collect();
    // The largest first.
    let mut builds: Vec<(&str, TestSwitch)> = builds.into_iter().collect();
    builds.sort_by_key(|&(block, _)| {
        !["powar_demonstrator", "powar_switch", "allocator", "input_port", "power_controller"].contains(&block)
    });
    let rows = in_parallel(&builds, |&(block, switch)| hunt_in_verilog(block, switch, &tools));
    report("Verilog", rows, VERILOG_AT_LEAST);
}

#[test]
fn faults_are_tried_where_their_blocks_are() {
    for fault in verilog_faults() {
        let switches = switches_of(fault.block);
        assert!(
            switches.contains(&fault.switch),
            "{}, {}: {:?}, not {switches:?}",
            fault.block,
            fault.name,
            fault.switch
        );
    }
}

#[test]
fn a_fault_that_no_longer_fits_the_text_is_named() {
    let sound = twins::design(&config(FatTree), "check_timer").unwrap();
    let lost = VerilogFault { find: "elapsed >= period;", ..timer_fault() };
    let error = with_faults(&sound, &[&lost]).unwrap_err().to_string();
    assert_eq!(
        error,
        "check_timer, fault `late`: the emitted Verilog has changed: `elapsed >= period;` is found 0 times instead of once"
    );
    let elsewhere = VerilogFault { block: "check_clock", ..timer_fault() };
    let error = with_faults(&sound, &[&elsewhere]).unwrap_err().to_string();
    assert_eq!(error, "check_clock: the emitted Verilog has changed: it has no module of that name");
}

#[test]
fn faults_of_one_expression_and_inside_it_share_the_text() {
    let sound = twins::design(&config(FatTree), "check_timer").unwrap();
    let (late, inside) = (timer_fault(), VerilogFault { right: "elapsed", wrong: "count_q", ..timer_fault() });
    let spoilt = with_faults(&sound, &[&late, &inside, &late]).unwrap();
    let text = &spoilt.modules[0].text;
    let line = text.lines().find(|line| line.contains("assign check")).unwrap();
    assert_eq!(
        line.trim(),
        "assign check = ((lockstep_top.fault == 16'd1) ? (elapsed > {1'b0, period}) : \
         (lockstep_top.fault == 16'd3) ? (elapsed > {1'b0, period}) : \
         (((lockstep_top.fault == 16'd2) ? (count_q) : (elapsed)) >= {1'b0, period}));"
    );
}

#[test]
fn faults_whose_expressions_overlap_are_refused() {
    let sound = twins::design(&config(FatTree), "check_timer").unwrap();
    let left = VerilogFault { right: "elapsed >= {1'b0", ..timer_fault() };
    let right = VerilogFault { right: "{1'b0, period}", ..timer_fault() };
    let error = with_faults(&sound, &[&left, &right]).unwrap_err().to_string();
    assert_eq!(error, "faults: `{1'b0, period}` overlaps another fault's expression");
}

fn timer_fault() -> VerilogFault {
    VerilogFault {
        block: "check_timer",
        name: "late",
        find: "assign check = elapsed >= {1'b0, period};",
        right: "elapsed >= {1'b0, period}",
        wrong: "elapsed > {1'b0, period}",
        switch: FatTree,
    }
}

/// Compiles a block once with all its faults, then looks for each; without one, both models are equal for as long as any of them took.
fn hunt_in_verilog(block: &'static str, switch: TestSwitch, tools: &Tools) -> Vec<Row> {
    let faults: Vec<&VerilogFault> =
        verilog_faults().filter(|fault| fault.block == block && fault.switch == switch).collect();
    let config = config_of(switch, block);
    let library = library(&config, block, &faults, tools, &Progress::silent()).unwrap();
    let layout = twins::golden(&config, block).unwrap().layout().clone();
    let slots = layout.input_slots() + layout.observed_slots();
    let hunt = |number, patience| hunt_one(&config, block, &library, (number, patience));

    // The whole switch and the demonstrator have traffic of their own. What large blocks wait for, small ones in them do.
    let is_long = std::env::var_os("POWAR_LONG").is_some();
    let is_patient = ![twins::DEMONSTRATOR, twins::SWITCH].contains(&block) && (slots <= SMALL || is_long);
    // What is drawn hangs on the shipped presets, and one more moves it: a fault that is found late by one may be found later by the other.
    // Only one that is not found takes all of this.
    let patience = if is_patient { 4 * PATIENCE } else { 0 };
    let caught: Vec<Option<Caught>> = (1..=faults.len() as u64).map(|number| hunt(number, patience)).collect();

    let patient = stimuli(&config, block, &layout).unwrap().len();
    let waited = caught.iter().flatten().filter(|caught| caught.scenario == patient);
    let waited = waited.map(|caught| caught.patience(&layout)).max();
    let patience = if is_long { patience } else { waited.unwrap_or(0) };
    assert_eq!(hunt(0, patience), None, "{block} without a fault");
    faults.iter().zip(caught).map(|(fault, caught)| (block, fault.name, caught)).collect()
}

fn hunt_one(config: &Config, block: &str, library: &Path, (number, patience): (u64, u64)) -> Option<Caught> {
    let golden = || twins::golden(config, block);
    let layout = golden().unwrap().layout().clone();
    let dut =
        || -> anyhow::Result<Box<dyn Dut>> { Ok(Box::new(Verilator::load(library, layout.clone(), Some(number))?)) };
    let cycles = match block {
        twins::DEMONSTRATOR => DEMONSTRATOR_CYCLES,
        _ if takes_rounds(block) => 6 * CYCLES,
        _ => CYCLES,
    };
    hunt(config, block, (cycles, patience), golden, dut).unwrap()
}

/// What it does takes rounds of a hundred cycles and more.
fn takes_rounds(block: &str) -> bool {
    ["reconfiguration_controller", "e_rapid"].contains(&block)
}

/// rust-hdl simulates blocks made of many others slowly; `lockstep_rust_hdl` runs them for longer.
fn cycles_in_rust_hdl(block: &str) -> u64 {
    match block {
        "allocator" | "crossbar" | "input_port" | "power_controller" => 1000,
        "power_manager" | "injection_queues" | "reception" | "network_interface" => 3000,
        _ if mechanism::ALL.iter().any(|mechanism| mechanism.name == block) => 3000,
        // A bit lasts many cycles.
        "uart_receiver" => 4 * CYCLES,
        _ if takes_rounds(block) => 2 * CYCLES,
        _ => CYCLES / 3,
    }
}

/// Prints the table and fails if a fault has survived.
fn report(of: &str, mut rows: Vec<Row>, at_least: usize) {
    rows.sort_by_key(|(block, name, _)| (*block, *name));
    println!("\nFaults of the {of}\n{:<28}{:<64}caught", "block", "fault");
    for (block, name, caught) in &rows {
        let caught = match caught {
            Some(Caught { scenario, cycle, signal }) => format!("scenario {scenario}, cycle {cycle}, {signal}"),
            None => "NOT CAUGHT".to_string(),
        };
        println!("{block:<28}{name:<64}{caught}");
    }
    let survivors: Vec<String> = (rows.iter())
        .filter(|(_, _, caught)| caught.is_none())
        .map(|(block, name, _)| format!("{block}: {name}"))
        .collect();
    assert!(survivors.is_empty(), "faults of the {of} that nothing shows:\n{}", survivors.join("\n"));
    let all = std::env::var_os("POWAR_FAULTS").is_none();
    assert!(!all || rows.len() >= at_least, "only {} faults of the {of}", rows.len());
}

/// Does `work` for all `items`, two at a time, and collects the rows.
fn in_parallel<T: Sync>(items: &[T], work: impl Fn(&T) -> Vec<Row> + Sync) -> Vec<Row> {
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(vec![]));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let done = work(item);
                    rows.lock().unwrap().extend(done);
                }
            });
        }
    });
    rows.into_inner().unwrap()
}
