//! Files of waves that checks write.

use super::as_text;
use anyhow::{Context, Result, ensure};
use powar_testbenches::waves::is_saved_by_gtkwave;
use powar_tools::shell_word;
use std::path::{Path, PathBuf};

/// Where waves go unless --vcd says otherwise.
const DEFAULT_FOLDER: &str = "build";

/// Refuses what waves can't be written to.
pub(super) fn check_vcd(vcd: &Path) -> Result<()> {
    // GTKWave's and Surfer's files name it.
    as_text("--vcd", vcd)?;
    ensure!(vcd.extension().is_some_and(|ending| ending == "vcd"), "--vcd: {} must end in .vcd", vcd.display());
    Ok(())
}

/// Where the waves of a difference go: beside those of the run, or in the default folder.
pub(super) fn difference_path(vcd: Option<&Path>) -> Result<PathBuf> {
    let path = vcd
        .map_or_else(|| Path::new(DEFAULT_FOLDER).join("difference.vcd"), |vcd| vcd.with_extension("difference.vcd"));
    let folder = folder_of(&path);
    std::fs::create_dir_all(folder).with_context(|| format!("can't create {}", folder.display()))?;
    Ok(path)
}

/// The folder that a file is in or will be.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Where the waves are, in words.
pub(super) fn waves_text(vcd: Option<&Path>) -> String {
    vcd.map(|vcd| waves_line(vcd, "")).unwrap_or_default()
}

/// The same of waves of which there is something more to say.
pub(super) fn waves_line(vcd: &Path, more: &str) -> String {
    let view = vcd.with_extension("gtkw");
    let stays = if is_saved_by_gtkwave(&view) { ", your own view: delete it for a new one" } else { "" };
    format!("  waves: {} (gtkwave {}{stays}){more}\n", vcd.display(), shell_word(&view.display().to_string()))
}
