//! Frames to VCD, cycle by cycle.

use super::activity::Activity;
use super::placement::Style;
use super::timebase::TimeBase;
use super::variables::{ChannelSlots, Content, Names, Selection, Variable, Variables, WaveSource, channel_state, mask};
use super::view::View;
use super::{gtkwave, surfer};
use anyhow::{Result, ensure};
use powar_config::{Config, Layout};
use powar_tools::{AtomicFile, write_atomic};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use vcd::{IdCode, ReferenceIndex, Value, VarType};

/// What a dump shall hold.
#[derive(Clone, Debug)]
pub struct WaveOptions {
    /// Show the golden twin of every signal. Without it `mismatch` still compares all signals, in a file of about half
    /// the size.
    pub golden: bool,
    /// Show the counters of the ports of `power_controller` and `powar_switch`. One of them counts in every cycle on every port, which makes
    /// them four fifths of the file: 1.2 kB of 1.5 kB a cycle for 16 ports.
    pub counters: bool,
    /// Text for the head of the dump, such as the command that made it.
    pub comment: Option<String>,
}

impl Default for WaveOptions {
    fn default() -> Self {
        WaveOptions { golden: true, counters: true, comment: None }
    }
}

/// The files of a finished dump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waves {
    pub vcd: PathBuf,
    /// GTKWave save file.
    pub gtkw: PathBuf,
    /// Surfer command file.
    pub sucl: PathBuf,
    /// The first cycle in which the models differed.
    pub first_mismatch: Option<u64>,
}

/// Writes a run's frames as waves; see the [module](super) for what is shown.
///
/// Nothing appears under the final names before [`WaveWriter::finish`]; dropped without it, the writer leaves nothing.
pub struct WaveWriter {
    path: PathBuf,
    block: String,
    style: Style,
    config: Config,
    time: TimeBase,
    file: BufWriter<AtomicFile>,
    variables: Variables,
    /// Inputs, RTL, golden.
    frames: [FrameState; 3],
    clock: IdCode,
    cycle_line_end: String,
    mismatches: Vec<MismatchBit>,
    activity: Activity,
    next_cycle: Option<u64>,
}

/// What is known of a frame: its last values, and the variables that show each slot.
struct FrameState {
    last: Vec<u64>,
    drives: Vec<Vec<Drive>>,
}

/// A variable that shows bits of a slot.
struct Drive {
    code: IdCode,
    /// The end of a line that changes it as a vector.
    line_end: String,
    shift: usize,
    mask: u64,
    show: Show,
}

/// How the value of a slot is written.
#[derive(Clone, Copy)]
enum Show {
    Number,
    /// The name of a code.
    Name(Names),
    /// The state of the virtual channel that the slot, like these, belongs to.
    Channel(ChannelSlots),
}

struct MismatchBit {
    code: IdCode,
    /// None before the first cycle.
    last: Option<bool>,
    now: bool,
}

impl WaveWriter {
    /// Starts a dump of a block's run at `path`, whose name ends in `.vcd`.
    ///
    /// # Errors
    /// A path that does not end in `.vcd`, a folder that does not exist or can't be written, a block name that is no
    /// word.
    pub fn create(
        path: impl AsRef<Path>,
        layout: &Layout,
        block: &str,
        config: &Config,
        options: &WaveOptions,
    ) -> Result<WaveWriter> {
        let path = path.as_ref();
        ensure_is_vcd(path)?;
        let is_word = !block.is_empty() && block.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        ensure!(is_word, "block: `{block}` must be one word of letters, digits and _");
        let style = Style::of(block, config);
        let selection = Selection { golden: options.golden, counters: options.counters };
        let variables = Variables::of(layout, style, selection);
        let time = TimeBase::of_cycle_ns(config.cycle_ns);

        let mut file = BufWriter::with_capacity(1 << 18, AtomicFile::create(path)?);
        let comment = options.comment.as_deref().map(|comment| format!("; {comment}")).unwrap_or_default();
        let comment = format!("{block} of {}, {} ns a cycle{comment}", config.name, config.cycle_ns);
        let codes = head(&mut vcd::Writer::new(&mut file), block, &comment, time, &variables)
            .map_err(|error| cannot_write(path, error))?;
        let code_of = |wanted: fn(&Content) -> bool| {
            let place = variables.list.iter().position(|variable| wanted(&variable.content));
            codes[place.expect("every dump has it")]
        };
        let mut mismatches = vec![None; variables.mismatch_scopes.len()];
        for (variable, &code) in variables.list.iter().zip(&codes) {
            if let Content::Mismatch(place) = variable.content {
                mismatches[place] = Some(code);
            }
        }
        Ok(WaveWriter {
            path: path.to_owned(),
            block: block.to_owned(),
            style,
            config: config.clone(),
            time,
            file,
            frames: [
                FrameState::new(WaveSource::Inputs, layout.input_slots(), &variables, &codes),
                FrameState::new(WaveSource::Rtl, layout.observed_slots(), &variables, &codes),
                FrameState::new(WaveSource::Golden, layout.observed_slots(), &variables, &codes),
            ],
            clock: code_of(|content| *content == Content::Clock),
            cycle_line_end: vector_line_end(code_of(|content| *content == Content::Cycle)),
            mismatches: mismatches
                .into_iter()
                .map(|code| MismatchBit { code: code.expect("every scope has its bit"), last: None, now: false })
                .collect(),
            activity: Activity::new(layout),
            variables,
            next_cycle: None,
        })
    }

    /// Adds a cycle: its input frame, and the observed frames of the golden model and of the RTL. Cycle numbers rise;
    /// where some are left out the waves hold still.
    ///
    /// # Errors
    /// The file can't be written (a full disk), frames of the wrong length, a cycle number that does not rise.
    pub fn cycle(&mut self, cycle: u64, inputs: &[u64], golden: &[u64], dut: &[u64]) -> Result<()> {
        for (frame, state) in [inputs, dut, golden].into_iter().zip(&self.frames) {
            ensure!(
                frame.len() == state.last.len(),
                "waves: a frame of cycle {cycle} has {} slots, not {}",
                frame.len(),
                state.last.len()
            );
        }
        if let Some(next) = self.next_cycle {
            ensure!(cycle >= next, "waves: cycle {cycle} comes after cycle {}", next - 1);
        }
        self.activity.cycle(cycle, golden, dut);
        self.compare(golden, dut);
        self.put(cycle, inputs, golden, dut).map_err(|error| cannot_write(&self.path, error))?;
        self.next_cycle = Some(cycle + 1);
        Ok(())
    }

    /// Ends the last cycle, and puts the dump and the files of the viewers in their places. A view that GTKWave has saved there stays.
    ///
    /// # Errors
    /// A file can't be written. If it is the dump there is none of the three.
    pub fn finish(mut self) -> Result<Waves> {
        self.end().map_err(|error| cannot_write(&self.path, error))?;
        let view = View::new(&self.variables, self.style, &self.block, &self.config, &self.activity);
        let WaveWriter { path, file, activity, variables, time, .. } = self;
        file.into_inner().map_err(|error| cannot_write(&path, error.into_error()))?.commit()?;
        let (gtkw, sucl) = write_views(&path, &view, &variables, time)?;
        Ok(Waves { vcd: path, gtkw, sucl, first_mismatch: activity.first_mismatch() })
    }

    /// The clock edge that ends the last cycle, so that it is as wide as all others.
    fn end(&mut self) -> io::Result<()> {
        if let Some(next) = self.next_cycle {
            let mut vcd = vcd::Writer::new(&mut self.file);
            vcd.timestamp(self.time.start_of(next))?;
            vcd.change_scalar(self.clock, Value::V1)?;
        }
        Ok(())
    }

    /// Sets the bits of the scopes in which the models differ.
    fn compare(&mut self, golden: &[u64], dut: &[u64]) {
        for bit in &mut self.mismatches {
            bit.now = false;
        }
        if golden == dut {
            return;
        }
        self.mismatches[0].now = true;
        for ((golden, dut), watches) in golden.iter().zip(dut).zip(&self.variables.watches) {
            let difference = golden ^ dut;
            for watch in watches.iter().filter(|watch| difference & watch.mask != 0) {
                self.mismatches[watch.scope].now = true;
            }
        }
    }

    fn put(&mut self, cycle: u64, inputs: &[u64], golden: &[u64], dut: &[u64]) -> io::Result<()> {
        let start = self.time.start_of(cycle);
        let is_first = self.next_cycle.is_none();
        let mut vcd = vcd::Writer::new(&mut self.file);
        vcd.timestamp(start)?;
        vcd.change_scalar(self.clock, Value::V1)?;
        put_vector(vcd.writer(), cycle & mask(32), &self.cycle_line_end)?;
        for bit in &mut self.mismatches {
            if bit.last != Some(bit.now) {
                bit.last = Some(bit.now);
                vcd.change_scalar(bit.code, bit.now)?;
            }
        }
        for (state, frame) in self.frames.iter_mut().zip([inputs, dut, golden]) {
            state.put(&mut vcd, frame, is_first)?;
        }
        vcd.timestamp(start + self.time.ticks / 2)?;
        vcd.change_scalar(self.clock, Value::V0)
    }
}

impl FrameState {
    fn new(frame: WaveSource, slots: usize, variables: &Variables, codes: &[IdCode]) -> FrameState {
        let mut state = FrameState { last: vec![0; slots], drives: Vec::new() };
        state.drives.resize_with(slots, Vec::new);
        for (variable, &code) in variables.list.iter().zip(codes) {
            let (slots, shift, width, show) = match variable.content {
                Content::Bits { frame: of, slot, shift } if of == frame => {
                    (vec![slot], shift, variable.width, Show::Number)
                }
                Content::Text { frame: of, slot, names } if of == frame => (vec![slot], 0, 64, Show::Name(names)),
                Content::Channel { frame: of, slots } if of == frame => (slots.to_vec(), 0, 64, Show::Channel(slots)),
                _ => continue,
            };
            for slot in slots {
                let drive = Drive { code, line_end: vector_line_end(code), shift, mask: mask(width), show };
                state.drives[slot].push(drive);
            }
        }
        state
    }

    /// Writes what has changed since the last cycle, or everything.
    fn put<W: Write>(&mut self, vcd: &mut vcd::Writer<W>, frame: &[u64], everything: bool) -> io::Result<()> {
        for ((&value, last), drives) in frame.iter().zip(&mut self.last).zip(&self.drives) {
            let changed = if everything { u64::MAX } else { value ^ *last };
            if changed == 0 {
                continue;
            }
            *last = value;
            for drive in drives {
                if changed >> drive.shift & drive.mask == 0 {
                    continue;
                }
                let value = value >> drive.shift & drive.mask;
                match drive.show {
                    Show::Name(names) => vcd.change_string(drive.code, &names.get(value))?,
                    Show::Channel(slots) => {
                        vcd.change_string(drive.code, channel_state(slots.map(|slot| frame[slot] == 1)))?;
                    }
                    Show::Number if drive.mask == 1 => vcd.change_scalar(drive.code, value == 1)?,
                    Show::Number => put_vector(vcd.writer(), value, &drive.line_end)?,
                }
            }
        }
        Ok(())
    }
}

/// A failure to write, as one line that names the file.
pub(super) fn cannot_write(path: &Path, error: io::Error) -> anyhow::Error {
    anyhow::anyhow!("cannot write {}: {error}", path.display())
}

/// The end of a line that changes a vector.
fn vector_line_end(code: IdCode) -> String {
    format!(" {code}\n")
}

/// A vector without its leading zeros, which every reader adds again. Counters make up most of a dump; a line at once is
/// several times as fast as `vcd`'s way of formatting every bit.
fn put_vector(out: &mut impl Write, value: u64, line_end: &str) -> io::Result<()> {
    let digits = 64 - (value | 1).leading_zeros() as usize;
    let mut line = [b'b'; 65];
    for (place, digit) in line[1..=digits].iter_mut().rev().enumerate() {
        *digit = b'0' + (value >> place & 1) as u8;
    }
    out.write_all(&line[..=digits])?;
    out.write_all(line_end.as_bytes())
}

/// What waves are written to ends in `.vcd`.
pub(super) fn ensure_is_vcd(path: &Path) -> Result<()> {
    ensure!(path.extension().is_some_and(|extension| extension == "vcd"), "waves: {} must end in .vcd", path.display());
    Ok(())
}

/// Writes the files of the viewers beside a dump: GTKWave's, unless GTKWave has saved a view there, and Surfer's.
pub(super) fn write_views(
    dump: &Path,
    view: &View,
    variables: &Variables,
    time: TimeBase,
) -> Result<(PathBuf, PathBuf)> {
    let name = dump.file_name().unwrap_or_default().to_string_lossy();
    let (gtkw, sucl) = (dump.with_extension("gtkw"), dump.with_extension("sucl"));
    if !gtkwave::is_saved_by_gtkwave(&gtkw) {
        write_atomic(&gtkw, gtkwave::save_file(view, variables, time, &name))?;
    }
    write_atomic(&sucl, surfer::command_file(view, variables, time, &name))?;
    Ok((gtkw, sucl))
}

/// The head of a dump whose outermost scope has this name; returns the code of each variable.
pub(super) fn head<W: Write>(
    vcd: &mut vcd::Writer<W>,
    scope: &str,
    comment: &str,
    time: TimeBase,
    variables: &Variables,
) -> io::Result<Vec<IdCode>> {
    // No date: the same run gives the same bytes.
    vcd.version(concat!("powar ", env!("CARGO_PKG_VERSION")))?;
    vcd.comment(&comment.replace("$end", "$ end"))?;
    vcd.timescale(1, time.unit)?;
    let mut codes = vec![IdCode::FIRST; variables.list.len()];
    let all: Vec<usize> = (0..variables.list.len()).collect();
    declare(vcd, scope, 0, &all, &variables.list, &mut codes)?;
    vcd.enddefinitions()?;
    Ok(codes)
}

/// Declares a scope that is `depth` scopes below the block, with the `members` in and below it.
fn declare<W: Write>(
    vcd: &mut vcd::Writer<W>,
    name: &str,
    depth: usize,
    members: &[usize],
    list: &[Variable],
    codes: &mut [IdCode],
) -> io::Result<()> {
    vcd.add_module(name)?;
    let (own, below): (Vec<usize>, Vec<usize>) = members.iter().partition(|&&place| list[place].scope.len() == depth);
    for place in own {
        let Variable { name, width, .. } = &list[place];
        codes[place] = if list[place].is_text() {
            vcd.add_var(VarType::String, 1, name, None)?
        } else {
            let range = (*width > 1).then(|| ReferenceIndex::Range(*width as i32 - 1, 0));
            vcd.add_var(VarType::Wire, *width as u32, name, range)?
        };
    }
    let mut rest = below;
    while let Some(&first) = rest.first() {
        let name = list[first].scope[depth].as_str();
        // All of a scope is declared at once, wherever its variables stand in the list.
        let (here, others): (Vec<usize>, Vec<usize>) =
            rest.into_iter().partition(|&place| list[place].scope[depth] == name);
        declare(vcd, name, depth + 1, &here, list, codes)?;
        rest = others;
    }
    vcd.upscope()
}
