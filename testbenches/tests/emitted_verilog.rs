//! The Verilog of the presets: the committed files are current, deterministic, and accepted without a warning.

use powar_config::presets;
use powar_testbenches::twins;
use powar_tools::{Tools, run, tools_or_skip};
use std::fs;
use std::path::{Path, PathBuf};

fn committed(preset: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../hdl/verilog").join(preset)
}

/// What `powar emit --preset` writes: names and texts.
fn emitted(preset: &str) -> Vec<(String, String)> {
    let config = presets::by_name(preset).expect("a preset");
    let mut files = twins::design(&config, twins::CONTROLLER).expect("a sound design").files();
    files.push(("config.toml".into(), config.to_toml()));
    files
}

#[test]
fn the_committed_verilog_is_what_the_rust_sources_give() {
    for preset in presets::ALL {
        let mut names = vec![];
        for (name, text) in emitted(preset.name) {
            let path = committed(preset.name).join(&name);
            let there = fs::read_to_string(&path).unwrap_or_default();
            assert!(
                there == text,
                "{} is not current; write it with: cargo run --release -- emit --preset {} --out hdl/verilog/{}",
                path.display(),
                preset.name,
                preset.name
            );
            names.push(name);
        }
        for entry in fs::read_dir(committed(preset.name)).expect("the folder is there") {
            let name = entry.expect("readable").file_name().into_string().expect("a plain name");
            assert!(names.contains(&name), "hdl/verilog/{}/{name} is left over", preset.name);
        }
    }
}

#[test]
fn the_same_configuration_gives_the_same_bytes() {
    for preset in presets::ALL {
        assert_eq!(emitted(preset.name), emitted(preset.name));
    }
}

#[test]
fn no_module_stands_twice_and_no_name_has_a_dollar() {
    for preset in presets::ALL {
        let config = preset.config();
        let design = twins::design(&config, twins::CONTROLLER).expect("a sound design");
        let body = |text: &str| text.split_once(" (").map(|(_, body)| body.to_string());
        for (index, module) in design.modules.iter().enumerate() {
            assert!(!module.text.contains('$'), "{}", module.name);
            let twin = design.modules[..index].iter().find(|other| body(&other.text) == body(&module.text));
            assert!(twin.is_none(), "{} and {} are the same", module.name, twin.map_or("", |twin| &twin.name));
        }
    }
}

/// Copies the committed files of a preset to a folder of their own: the pinned tools see their working folder alone.
fn working_copy(preset: &str, test: &str) -> (PathBuf, Vec<String>) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test).join(preset);
    fs::create_dir_all(&folder).expect("a folder for the test");
    let list = fs::read_to_string(committed(preset).join("power_controller.f")).expect("the file list");
    let files: Vec<String> = list.lines().map(str::to_string).collect();
    for file in &files {
        fs::copy(committed(preset).join(file), folder.join(file)).expect("copied");
    }
    (folder, files)
}

fn each_preset(test: &str, check: impl Fn(&Tools, &Path, &[String])) {
    let Some(tools) = tools_or_skip(test) else { return };
    for preset in presets::ALL {
        let (folder, files) = working_copy(preset.name, test);
        check(&tools, &folder, &files);
    }
}

#[test]
fn verilator_has_no_warning() {
    each_preset("verilator_has_no_warning", |tools, folder, files| {
        let mut verilator = tools.verilator().expect("found");
        verilator.current_dir(folder).args(["--lint-only", "-Wall", "--language", "1364-2005"]);
        verilator.args(["--top-module", "power_controller"]).args(files);
        let lint = run(&mut verilator, "verilator --lint-only -Wall").unwrap_or_else(|error| panic!("{error}"));
        assert!(!lint.stderr.contains("%Warning"), "{}", lint.stderr);
    });
}

#[test]
fn yosys_finds_no_problem_and_no_latch() {
    each_preset("yosys_finds_no_problem_and_no_latch", |tools, folder, files| {
        let script = format!(
            "read_verilog {}; hierarchy -check -top power_controller; proc; check -assert; select -assert-none t:$*latch*",
            files.join(" ")
        );
        let mut yosys = tools.yosys().expect("found");
        let log = run(yosys.current_dir(folder).args(["-q", "-p", &script]), "yosys")
            .unwrap_or_else(|error| panic!("{error}"));
        let text = format!("{}{}", log.stdout, log.stderr);
        assert!(!text.contains("Warning"), "{text}");
    });
}

#[test]
fn icarus_reads_it_as_verilog_2005() {
    each_preset("icarus_reads_it_as_verilog_2005", |tools, folder, files| {
        let Some(icarus) = tools.icarus() else {
            assert!(std::env::var_os("POWAR_NO_SKIP").is_none(), "iverilog is missing");
            return eprintln!("SKIPPED icarus_reads_it_as_verilog_2005: iverilog is not installed");
        };
        let mut compiler = icarus.compiler();
        compiler.current_dir(folder).args([
            "-g2005",
            "-Wall",
            "-Wno-timescale",
            "-t",
            "null",
            "-s",
            "power_controller",
        ]);
        let log = run(compiler.args(files), "iverilog").unwrap_or_else(|error| panic!("{error}"));
        assert!(!log.stderr.contains("warning"), "{}", log.stderr);
    });
}
