//! The text of one example, word for word, and what the test benches are told about it.

use crate::common::toolbox::{icarus_is_missing, tools, work_folder};
use crate::example;
use powar_hdl_base::verilog::{Design, EmitOptions, emit};
use powar_tools::run;
use rust_hdl::prelude::Block;
use std::path::Path;

fn design(ports: usize) -> Design {
    let mut block = example::port_bank::PortBank::new(ports);
    block.connect_all();
    emit(&block, &EmitOptions { configuration: format!("ports = {ports}\nlimit = 3"), ..EmitOptions::default() })
        .unwrap()
}

/// After a deliberate change of a text, `POWAR_BLESS=1 cargo test -p powar-hdl-base --test verilog` writes the file in `example` anew.
#[track_caller]
fn reads_as(name: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verilog/example").join(name);
    if std::env::var_os("POWAR_BLESS").is_some() {
        std::fs::write(&file, text).unwrap();
    }
    let expected = std::fs::read_to_string(file).unwrap();
    for (number, (left, right)) in text.lines().zip(expected.lines()).enumerate() {
        assert_eq!(left, right, "line {}", number + 1);
    }
    assert_eq!(text, expected);
}

#[test]
fn the_example_reads_as_it_should() {
    reads_as("port_bank.v", &design(4).to_single_file());
}

#[test]
fn so_does_its_core_with_a_bench_and_without() {
    let core = design(4).core("two words: \"4\"");
    assert_eq!(core.vlnv(), concat!("powar:two_words___4_:port_bank:", env!("CARGO_PKG_VERSION")));
    let (name, plain) = core.file();
    assert_eq!(name, "port_bank.core");
    assert_eq!(design(4).core("two words: \"4\"").file().1, plain);
    reads_as("port_bank.core", &core.with_bench("bench", "bench.v", "bench.hex").file().1);
    for words in ["sim", "bench"] {
        assert!(!plain.contains(words), "{plain}");
    }
    assert!(
        plain.contains("      - sleep_timer.v\n      - port_bank.v\n") && plain.contains("toplevel: port_bank\n"),
        "{plain}"
    );
}

#[test]
fn modules_come_before_the_modules_that_use_them() {
    let design = design(4);
    let names: Vec<&str> = design.modules.iter().map(|module| module.name.as_str()).collect();
    assert_eq!(names, ["sleep_timer", "port_bank"]);
    assert!(design.modules[0].doc.starts_with("Sends one port to sleep"));
    let files: Vec<String> = design.files().into_iter().map(|(name, _)| name).collect();
    assert_eq!(files, ["sleep_timer.v", "port_bank.v", "port_bank.f"]);
    assert_eq!(design.files().last().unwrap().1, "sleep_timer.v\nport_bank.v\n");
}

#[test]
fn the_configuration_stands_in_the_file_of_the_top_module_alone() {
    let design = design(4);
    let files = design.files();
    let [(_, part), (_, top), _] = files.as_slice() else { panic!("two modules and a list") };
    assert!(top.contains("// ports = 4\n// limit = 3\n"), "{top}");
    assert!(!part.contains("limit = 3"), "{part}");
    let note: Vec<&str> = part.lines().take_while(|line| !line.is_empty()).collect();
    assert!(matches!(note.as_slice(), [line] if line.contains("Part of port_bank")), "{note:?}");
    let module = &design.modules[0].text;
    assert!(part.contains(module.as_str()), "the module's own comment stays");
}

#[test]
fn ports_are_described_as_packed_vectors() {
    let description = design(5).description;
    assert_eq!(description.top, "port_bank");
    let port = |name: &str| description.ports.iter().find(|port| port.name == name).unwrap();
    assert!(port("clk").clock && port("clk").input);
    assert_eq!((port("request").elements, port("request").element_width, port("request").input), (5, 1, true));
    assert_eq!((port("grants").elements, port("grants").element_width, port("grants").width), (5, 16, 80));
    assert_eq!(port("grants").dims, [5]);
    assert!(!port("grants").input);
    assert_eq!((port("load").elements, port("load").dims.len()), (1, 0));
}

#[test]
fn registers_are_described_one_by_one() {
    let description = design(3).description;
    let register = |name: &str| description.registers.iter().find(|register| register.name == name).unwrap();
    assert_eq!((register("mask").path.as_str(), register("mask").low, register("mask").width), ("mask_q", 0, 3));
    assert_eq!((register("granted[2]").path.as_str(), register("granted[2]").low), ("granted_q", 32));
    let state = register("timer[1].state");
    assert_eq!(state.path, "g_timer[1].timer.state_q");
    assert_eq!(state.variants, ["Awake", "Asleep", "Waking"]);
    assert_eq!(description.registers.len(), 1 + 3 + 3 * 2);
}

/// A simulator that resolves every path proves that they are right.
#[test]
fn the_register_paths_exist() {
    if icarus_is_missing() {
        return;
    }
    let design = design(3);
    let folder = work_folder("register-paths");
    let mut probes = String::new();
    for register in &design.description.registers {
        let (high, low) = (register.low + register.width - 1, register.low);
        let bits = if register.width == 1 { String::new() } else { format!("[{high}:{low}]") };
        probes.push_str(&format!("        $display(\"%0d\", $bits(dut.{}{bits}));\n", register.path));
    }
    let bench = format!("module bench;\n    port_bank dut ();\n    initial begin\n{probes}    end\nendmodule\n");
    std::fs::write(folder.join("design.v"), design.to_single_file()).unwrap();
    std::fs::write(folder.join("bench.v"), bench).unwrap();
    let icarus = tools().icarus().unwrap();
    let mut compile = icarus.compiler();
    compile.current_dir(&folder).args(["-g2009", "-s", "bench", "-o", "bench.vvp", "design.v", "bench.v"]);
    run(&mut compile, "iverilog").unwrap();
    let output = run(icarus.runtime().current_dir(&folder).args(["-n", "bench.vvp"]), "vvp").unwrap().stdout;
    let widths: Vec<usize> = output.lines().filter_map(|line| line.trim().parse().ok()).collect();
    let expected: Vec<usize> = design.description.registers.iter().map(|register| register.width).collect();
    assert_eq!(widths, expected);
}
