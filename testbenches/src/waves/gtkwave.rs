//! GTKWave save files.
//!
//! The format is line by line: `@flags` (hexadecimal, for the traces after it), `+{label} name`, `-text` (a comment or a
//! group's bounds), `*zoom cursor A B C ...` (marker times) and `[key] value`. Flags and keys are those that GTKWave 3.3
//! itself writes.

use super::timebase::TimeBase;
use super::variables::{Variable, Variables};
use super::view::{Group, Item, Radix, Tone, Trace, View};
use std::fmt::Write;
use std::fs;
use std::path::Path;

const RIGHT_JUSTIFIED: u64 = 0x20;
const HEXADECIMAL: u64 = 0x2;
const DECIMAL: u64 = 0x4;
const BINARY: u64 = 0x8;
const ASCII: u64 = 0x800;
/// A line that is no trace.
const BLANK: u64 = 0x200;
const ANALOG_STEP: u64 = 0x8000;
const COLLAPSED: u64 = 0x1000;
const CLOSED: u64 = 0x40_0000;
const GROUP_BEGIN: u64 = 0x80_0000;
const GROUP_END: u64 = 0x100_0000;

/// Window in pixels, and how it is divided.
const WINDOW: (u64, u64) = (1600, 1000);
const TREE_WIDTH: u64 = 220;
const LABELS_WIDTH: u64 = 330;
/// Pixels that are 2^-zoom ticks wide.
const ZOOM_FRAME: f64 = 200.0;
/// Named markers of GTKWave, `A` to `Z`.
const MARKERS: usize = 26;

/// Whether a file is a view that GTKWave has written: a user's, who has moved signals or set markers and saved it.
pub fn is_saved_by_gtkwave(path: &Path) -> bool {
    fs::read(path)
        .is_ok_and(|text| String::from_utf8_lossy(&text[..text.len().min(200)]).contains("[*] GTKWave Analyzer"))
}

/// The save file for a dump named `dump`, in the folder of the dump.
pub fn save_file(view: &View, variables: &Variables, time: TimeBase, dump: &str) -> String {
    let (from, to) = (time.start_of(view.cycles.0), time.start_of(view.cycles.1));
    let pixels = (WINDOW.0 - TREE_WIDTH - LABELS_WIDTH - 40) as f64;
    let zoom = -(ZOOM_FRAME * (to - from).max(1) as f64 / pixels).log2();
    let cursor = view.cursor.map_or(-1, |cycle| time.start_of(cycle) as i64);

    let own_name = Path::new(dump).with_extension("gtkw").display().to_string();
    let mut text = String::new();
    let mut line = |parts: std::fmt::Arguments| writeln!(text, "{parts}").expect("text grows");
    line(format_args!("[*] Made with powar; open with: gtkwave {own_name}"));
    // GTKWave finds the dump by the way from one name to the other, wherever it is started.
    line(format_args!("[dumpfile] \"{dump}\""));
    line(format_args!("[savefile] \"{own_name}\""));
    line(format_args!("[timestart] {from}"));
    line(format_args!("[size] {} {}", WINDOW.0, WINDOW.1));
    line(format_args!("[pos] -1 -1"));
    let times = (0..MARKERS).map(|place| match view.markers.get(place) {
        Some(marker) => time.start_of(marker.cycle).to_string(),
        None => "-1".to_owned(),
    });
    line(format_args!("*{zoom:.6} {cursor} {}", times.collect::<Vec<_>>().join(" ")));
    for (letter, marker) in ('A'..='Z').zip(&view.markers) {
        line(format_args!("[markername] {letter}{}", marker.name));
    }
    line(format_args!("[treeopen] {}.", view.block));
    line(format_args!("[sst_width] {TREE_WIDTH}"));
    line(format_args!("[signals_width] {LABELS_WIDTH}"));
    line(format_args!("[sst_expanded] 1"));
    for group in &view.groups {
        write_group(&mut text, &view.block, variables, group);
    }
    text
}

fn write_group(text: &mut String, block: &str, variables: &Variables, group: &Group) {
    let Group { name, open, items } = group;
    let (begin, end) = match open {
        true => (BLANK | GROUP_BEGIN, BLANK | GROUP_END),
        false => (BLANK | GROUP_BEGIN | CLOSED, BLANK | GROUP_END | CLOSED | COLLAPSED),
    };
    *text += &format!("@{begin:x}\n-{name}\n");
    for item in items {
        match item {
            Item::Trace(trace) => write_trace(text, block, variables, trace),
            Item::Group(group) => write_group(text, block, variables, group),
        }
    }
    *text += &format!("@{end:x}\n-{name}\n");
}

fn write_trace(text: &mut String, block: &str, variables: &Variables, trace: &Trace) {
    let radix = match trace.radix {
        Radix::Binary => BINARY,
        Radix::Decimal => DECIMAL,
        Radix::Hexadecimal => HEXADECIMAL,
        Radix::Analog => DECIMAL | ANALOG_STEP,
        Radix::Text => ASCII,
    };
    let color = match trace.tone {
        Tone::Normal => 0,
        Tone::Mismatch => 1,
        Tone::Golden => 2,
        Tone::State => 3,
    };
    let name = full_name(block, &variables.list[trace.variable]);
    *text += &format!("@{:x}\n[color] {color}\n+{{{}}} {name}\n", radix | RIGHT_JUSTIFIED, trace.label);
}

/// The name by which GTKWave knows a variable: vectors carry their range.
fn full_name(block: &str, variable: &Variable) -> String {
    let range = if variable.width > 1 { format!("[{}:0]", variable.width - 1) } else { String::new() };
    format!("{block}.{}{range}", variable.path())
}
