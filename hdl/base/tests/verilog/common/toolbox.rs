//! The EDA tools, and folders for their files.

use powar_tools::{Tools, run, tools_for_tests};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The pinned tools, installed on first use.
pub fn tools() -> &'static Tools {
    static TOOLS: OnceLock<Tools> = OnceLock::new();
    TOOLS.get_or_init(|| tools_for_tests().unwrap_or_else(|error| panic!("{error}")))
}

/// An empty folder for one test, inside Cargo's folder for test files.
pub fn work_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Whether Icarus Verilog is missing. Says so, and fails instead if the environment forbids skipping.
pub fn icarus_is_missing() -> bool {
    if tools().icarus().is_some() {
        return false;
    }
    powar_tools::skip("a test of Verilog in Icarus", "iverilog is not installed");
    true
}

/// Runs a Yosys script on files in `folder`; panics with Yosys's message if it fails.
pub fn yosys(folder: &Path, script: &str) -> String {
    try_yosys(folder, script).unwrap_or_else(|message| panic!("{message}\n{script}"))
}

/// Runs a Yosys script on files in `folder`.
pub fn try_yosys(folder: &Path, script: &str) -> Result<String, String> {
    std::fs::write(folder.join("script.ys"), script).unwrap();
    let mut command = tools().yosys().unwrap();
    command.current_dir(folder).args(["-q", "-s", "script.ys"]);
    run(&mut command, "yosys").map(|output| output.stdout).map_err(|error| error.to_string())
}
