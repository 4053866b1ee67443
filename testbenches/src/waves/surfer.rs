//! Surfer command files.
//!
//! Load one with `surfer --command-file run.sucl run.vcd`, or with *File > Run command file* once the dump is open. Only commands
//! of Surfer's manual (chapter "Commands") are used; it has none that makes a group of given signals, so that groups
//! become dividers, and of the folded ones only those that a port has anyway are left out. The text variables show
//! the names of the states without a translator.

use super::timebase::TimeBase;
use super::variables::Variables;
use super::view::{Group, Item, View};

/// The command file for a dump named `dump`.
pub fn command_file(view: &View, variables: &Variables, time: TimeBase, dump: &str) -> String {
    let mut text =
        format!("# Made with powar; open with: surfer --command-file {} {dump}\n", dump.replace(".vcd", ".sucl"));
    for group in view.groups.iter().filter(|group| group.open) {
        write_group(&mut text, &view.block, variables, group);
    }
    if let Some(marker) = view.markers.first() {
        text += &format!("cursor_set {}\ngoto_cursor\n", time.start_of(marker.cycle));
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
