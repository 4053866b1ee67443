//! Surfer command files.
//!
//! Load one with `surfer --command-file run.sucl run.vcd`, or with *File > Run command file* once the dump is open. It
//! adds the groups that are open in the view, each under a divider, and puts the cursor to the cycle of interest. Only
//! commands of the manual's chapter "Commands" are used. States need no mapping translator: their names are text
//! variables of the dump.

use super::timebase::TimeBase;
use super::variables::Variables;
use super::view::{Group, Item, View};
use std::path::Path;

/// The command file for a dump named `dump`.
pub fn command_file(view: &View, variables: &Variables, time: TimeBase, dump: &str) -> String {
    let own_name = Path::new(dump).with_extension("sucl").display().to_string();
    let mut text = format!("# Made with powar; open with: surfer --command-file {own_name} {dump}\n");
    for group in view.groups.iter().filter(|group| group.open) {
        write_group(&mut text, &view.block, variables, group);
    }
    if let Some(cycle) = view.cursor {
        text += &format!("cursor_set {}\ngoto_cursor\n", time.start_of(cycle));
    }
    text
}

fn write_group(text: &mut String, block: &str, variables: &Variables, group: &Group) {
    // A divider's name is one word.
    *text += &format!("divider_add {}\n", group.name.replace(' ', "_"));
    for item in &group.items {
        if let Item::Trace(trace) = item {
            *text += &format!("variable_add {block}.{}\n", variables.list[trace.variable].path());
        }
    }
}
