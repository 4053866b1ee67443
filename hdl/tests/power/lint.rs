//! Verilog of a block, as Verilator's lint sees it.

use powar_hdl::rtl_block::RtlBlock;
use powar_hdl::verilog::{EmitOptions, emit};
use powar_tools::{run, tools_or_skip};
use std::path::Path;

/// Writes the Verilog of a block, whose module has this name, into a folder of the test's, and has it linted: no warning.
pub fn lint(test: &str, module: &str, mut block: Box<dyn RtlBlock>) {
    block.connect_all();
    let design = emit(&*block, &EmitOptions::default()).expect("a sound design");
    let Some(tools) = tools_or_skip(test) else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test).join(module);
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut files = vec![];
    for (file, text) in design.files() {
        std::fs::write(folder.join(&file), text).expect("written");
        files.extend(file.ends_with(".v").then_some(file));
    }
    let mut verilator = tools.verilator().expect("found");
    verilator.current_dir(&folder).args(["--lint-only", "-Wall", "--language", "1364-2005", "--top-module", module]);
    let lint = run(verilator.args(&files), "verilator --lint-only -Wall").unwrap_or_else(|error| panic!("{error}"));
    assert!(!lint.stderr.contains("%Warning"), "{}", lint.stderr);
}
