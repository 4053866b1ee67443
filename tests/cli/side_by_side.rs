//! Several emitted designs in one project and in one folder.

use crate::fusesoc::{has_make, run_fusesoc};
use crate::{Scratch, text};
use powar_tools::{run, tools_or_skip};
use std::collections::BTreeSet;
use std::process::Command;

/// Two presets with two mechanisms, the network interface of one and the links of both: folder, configuration, top, top module.
const DESIGNS: [(&str, &str, &str, &str); 6] = [
    ("tree", "tree.toml", "switch", "fat_tree_2_powar_switch"),
    ("star", "star.toml", "switch", "demonstrator_4_powar_switch"),
    ("node", "star.toml", "network-interface", "demonstrator_4_network_interface"),
    ("stage", "star.toml", "link-stage", "demonstrator_4_link_stage"),
    ("tree-crossing", "tree.toml", "link-crossing", "fat_tree_2_link_crossing"),
    ("star-crossing", "star.toml", "link-crossing", "demonstrator_4_link_crossing"),
];

/// A project in `design/` with all of them, and a module `soc` that has one of each.
fn project() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("tree.toml", scratch.succeed(&["presets", "--show", "fat-tree-2"]));
    let star = scratch.succeed(&["presets", "--show", "demonstrator-4"]);
    scratch.write("star.toml", format!("{star}\n[mechanism]\nkind = \"timetable\"\n"));
    let mut depend = String::new();
    let mut instances = String::new();
    for (folder, config, top, module) in DESIGNS {
        let out = format!("design/{folder}");
        scratch.succeed(&["emit", "--config", config, "--top", top, "--out", &out]);
        let core = std::fs::read_to_string(scratch.path().join(format!("{out}/{module}.core"))).expect("a core");
        let name = core.lines().find_map(|line| line.strip_prefix("name: ")).expect("a name");
        depend += &format!("      - {name}\n");
        instances += &format!("    {module} i_{module} ();\n");
    }
    scratch.write("design/soc.v", format!("module soc;\n{instances}endmodule\n"));
    scratch.write(
        "design/soc.core",
        format!(
            "CAPI=2:\nname: me:soc:soc:1.0\nfilesets:\n  rtl:\n    files: [soc.v]\n    file_type: verilogSource-2005\n    depend:\n{depend}\
             targets:\n  default: &default {{filesets: [rtl], toplevel: soc}}\n  \
             lint:\n    <<: *default\n    flow: lint\n    flow_options: {{tool: verilator, verilator_options: [-Wno-PINMISSING]}}\n  \
             sim:\n    <<: *default\n    flow: sim\n    flow_options: {{tool: icarus, iverilog_options: [-g2005]}}\n"
        ),
    );
    scratch
}

/// The Verilog of all designs, below the scratch folder.
fn sources(scratch: &Scratch) -> Vec<String> {
    let list = |(folder, _, _, module): (&str, &str, &str, &str)| {
        let path = scratch.path().join(format!("design/{folder}/{module}.f"));
        let list = std::fs::read_to_string(path).expect("a file list");
        list.lines().map(|name| format!("design/{folder}/{name}")).collect::<Vec<_>>()
    };
    DESIGNS.into_iter().flat_map(list).chain(["design/soc.v".into()]).collect()
}

#[test]
fn no_name_stands_for_two_things() {
    let scratch = project();
    let mut seen = BTreeSet::new();
    for source in sources(&scratch) {
        let text = std::fs::read_to_string(scratch.path().join(&source)).unwrap();
        let modules: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("module ")).collect();
        let [module] = modules[..] else { panic!("{source} has {} modules", modules.len()) };
        let name = module.split([' ', ';']).next().unwrap();
        assert!(source.ends_with(&format!("/{name}.v")), "{source} has {name}");
        assert!(seen.insert(name.to_string()), "{name} stands twice");
    }
}

#[test]
fn fusesoc_takes_them_as_one_project() {
    const TEST: &str = "fusesoc_takes_them_as_one_project";
    let Some(tools) = tools_or_skip(TEST) else { return };
    if !has_make(TEST) {
        return;
    }
    let scratch = project();
    if run_fusesoc(&tools, &scratch, TEST, &["run", "--target=lint", "me:soc:soc"]).is_none() {
        return;
    }
    if tools.icarus().is_some() {
        // Nothing ends a simulation without a clock, so that it ends by itself.
        run_fusesoc(&tools, &scratch, TEST, &["run", "--target=sim", "me:soc:soc"]);
    } else {
        powar_tools::skip(&format!("part of {TEST}"), "iverilog is not installed");
    }
}

#[test]
fn verilator_and_yosys_read_them_together() {
    const TEST: &str = "verilator_and_yosys_read_them_together";
    let Some(tools) = tools_or_skip(TEST) else { return };
    let scratch = project();
    let files = sources(&scratch);
    let tried = |command: &mut Command, what: &str| {
        let log = run(command.current_dir(scratch.path()), what).unwrap_or_else(|error| panic!("{error}"));
        let said = format!("{}{}", log.stdout, log.stderr);
        assert!(!said.contains("Warning"), "{said}");
    };
    let mut verilator = tools.verilator().unwrap();
    verilator.args(["--lint-only", "-Wall", "-Wno-PINMISSING", "--language", "1364-2005", "--top-module", "soc"]);
    tried(verilator.args(&files), "verilator --lint-only");
    let script = format!("read_verilog {}; hierarchy -check -top soc", files.join(" "));
    tried(tools.yosys().unwrap().args(["-q", "-p", &script]), "yosys");
}

#[test]
fn one_program_in_c_knows_the_registers_of_both() {
    const TEST: &str = "one_program_in_c_knows_the_registers_of_both";
    let Some(tools) = tools_or_skip(TEST) else { return };
    let scratch = project();
    scratch.write(
        "all.cpp",
        "#include \"design/tree/fat_tree_2_powar_registers.h\"\n#include \"design/star/demonstrator_4_powar_registers.h\"\n\
         static_assert(FAT_TREE_2_POWAR_PDT == DEMONSTRATOR_4_POWAR_ON_TIME, \"the first word of each mechanism but the policy\");\n\
         static_assert(FAT_TREE_2_POWAR_PORTS == 4 && DEMONSTRATOR_4_POWAR_PORT_FLITS(3) == 0x10D0, \"\");\n",
    );
    let mut compiler = tools.cxx().unwrap();
    compiler.current_dir(scratch.path()).args(["-std=c++11", "-Wall", "-Werror", "-fsyntax-only", "all.cpp"]);
    run(&mut compiler, "the C++ compiler").unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_folder_holds_one_design() {
    let scratch = Scratch::new();
    let emit = |options: &[&'static str]| [&["emit", "--preset", "fat-tree-2", "--out", "design"], options].concat();
    scratch.succeed(&emit(&[]));
    let first = scratch.files();
    // Another top, size, name or bench.
    for other in [&["--top", "link-crossing"][..], &["--prefix", "left"], &["--testbench", "50"]] {
        scratch.fail(&emit(other), &["design/fat_tree_2_power_controller", "is of another design", "--force"]);
    }
    scratch.write("design/mine.v", "kept");
    scratch.succeed(&emit(&["--top", "link-crossing", "--force"]));
    let names: Vec<String> = scratch.files().keys().map(|path| path.display().to_string()).collect();
    assert!(!names.iter().any(|name| name.contains("controller")), "{names:?}");
    assert!(names.contains(&"design/fat_tree_2_link_crossing.f".into()) && names.contains(&"design/mine.v".into()));
    // Changed by hand: neither this design nor another takes its place.
    scratch.write("design/fat_tree_2_link_crossing.v", "edited");
    scratch.fail(&emit(&["--force"]), &["design/fat_tree_2_link_crossing.v", "was changed", "move or delete it"]);
    scratch.fail(&emit(&["--top", "link-crossing"]), &["design/fat_tree_2_link_crossing.v", "was changed"]);
    std::fs::remove_file(scratch.path().join("design/fat_tree_2_link_crossing.v")).unwrap();
    scratch.succeed(&emit(&["--force"]));
    std::fs::remove_file(scratch.path().join("design/mine.v")).unwrap();
    assert!(scratch.files() == first);
    // Somebody else's.
    scratch.write("other/config.toml", "mine");
    let over = ["emit", "--preset", "fat-tree-2", "--out", "other", "--force"];
    scratch.fail(&over, &["other/config.toml", "was not written by this command", "move it"]);
}

#[test]
fn names_begin_as_was_said() {
    let scratch = Scratch::new();
    let emit = ["emit", "--preset", "fat-tree-2", "--top", "selector", "--prefix"];
    let written = scratch.succeed(&[&emit[..], &["left", "--out", "left"]].concat());
    assert!(written.contains("left/left_selector.v\nleft/left_selector.f\nleft/left_selector.core\n"), "{written}");
    let written = scratch.succeed(&[&emit[..], &["", "--out", "bare"]].concat());
    assert!(written.contains("bare/selector.v\n"), "{written}");
    let read = |name: &str| std::fs::read_to_string(scratch.path().join(name)).unwrap();
    // But for the names, the text is the same.
    let without = read("left/left_selector.v").replace("left_selector_", "").replace("left_selector", "selector");
    assert_eq!(without, read("bare/selector.v"));
    for (core, name) in
        [("left/left_selector.core", "powar:left:selector"), ("bare/selector.core", "powar:fat-tree-2:selector")]
    {
        assert!(read(core).contains(&format!("name: {name}:")), "{}", read(core));
    }
    for bad in ["8a", "a-b", "_a", "a b", "\u{e4}"] {
        scratch.fail(&[&emit[..], &[bad, "--out", "bad"]].concat(), &["--prefix", bad, "first a letter"]);
    }
    let preset = scratch.succeed(&["presets", "--show", "fat-tree-2"]);
    let long = "long-".repeat(20);
    scratch.write("long.toml", preset.replace("\"fat-tree-2\"", &format!("\"{long}\"")));
    scratch.fail(&["emit", "--config", "long.toml", "--out", "long"], &["name", "100 characters", "--prefix"]);
    scratch.succeed(&["emit", "--config", "long.toml", "--prefix", "short", "--top", "selector", "--out", "long"]);
}

/// Network interfaces and registers on links are the same parts at switches of all networks.
#[test]
fn ends_of_links_are_written_for_every_network() {
    let scratch = Scratch::new();
    scratch.write("lab.edges", "a b\nb c\nc a\n");
    let has_icarus = Command::new("iverilog").arg("-V").output().is_ok();
    if !has_icarus {
        powar_tools::skip("part of ends_of_links_are_written_for_every_network", "iverilog is not installed");
    }
    let presets = ["fat-tree-2", "torus-28", "demonstrator-8"].map(|preset| ["--preset", preset]);
    for (number, config) in presets.into_iter().chain([["--network", "lab.edges"]]).enumerate() {
        for top in ["network-interface", "link-stage"] {
            let out = format!("{number}/{top}");
            let written =
                scratch.succeed(&["emit", "--top", top, config[0], config[1], "--testbench", "60", "--out", &out]);
            assert!(written.contains(&format!("_{}.v\n", top.replace('-', "_"))), "{written}");
            if top == "network-interface" && has_icarus {
                let script = written.lines().find(|name| name.ends_with("_tb.sh")).unwrap();
                let ran = Command::new("sh").current_dir(scratch.path()).args([script, "icarus"]).output().unwrap();
                assert!(text(&ran.stdout).contains("PASS"), "{script}: {}{}", text(&ran.stdout), text(&ran.stderr));
            }
        }
    }
    let preset = scratch.succeed(&["presets", "--show", "fat-tree-2"]);
    scratch.write("small.toml", format!("{preset}\n[switch]\nflit_bits = 32\n"));
    let emit = ["emit", "--top", "network-interface", "--config", "small.toml", "--out", "small"];
    scratch.fail(&emit, &["switch.flit_bits: 32", "64..=512", "network interface"]);
}
