//! Traces that are one text for each rank: in a folder, or in an archive, out of which they are read into one temporary file.

use super::archive::{Member, each_member};
use super::fields::{MAX_RANKS, shown};
use super::temporary::{Appender, Section, TemporaryFile, cannot_write, read_at};
use anyhow::{Context, Error, Result, bail, ensure};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Most text of all ranks in an archive, bytes.
const MOST_TEXT: u64 = 64 << 30;
/// Most files that a trace holds open; with more ranks each is opened for every read.
const MOST_OPEN: usize = 64;
/// Memory for what was read of all ranks, and of a single one, bytes.
const BUFFERS: usize = 64 << 20;
const SMALLEST_BUFFER: usize = 4 * 1024;
const LARGEST_BUFFER: usize = 16 * 1024;

/// The texts of a format, as names and messages have them.
pub(crate) struct Kind {
    /// What they are, such as `logs`.
    pub what: &'static str,
    /// The digits of the rank in a file's name; none in that of another file.
    pub rank: fn(&str) -> Option<&str>,
}

/// The texts of some ranks, by rank.
pub(crate) type Found = BTreeMap<u32, RankFile>;

/// One rank's text.
#[derive(Debug)]
pub(crate) struct RankFile {
    place: Place,
    /// The name of its file.
    file: String,
    /// What error messages call it.
    pub shown: String,
}

#[derive(Debug)]
enum Place {
    File(PathBuf),
    Unpacked(TemporaryFile, Range<u64>),
}

impl RankFile {
    /// Its text from the beginning, as one of so many ranks.
    pub fn open(&self, ranks: usize) -> Result<BufReader<RankText>> {
        let text = match &self.place {
            Place::File(path) if ranks <= MOST_OPEN => {
                Text::Open(File::open(path).with_context(|| format!("cannot open {}", path.display()))?)
            }
            Place::File(path) => Text::Closed { path: path.clone(), offset: 0 },
            Place::Unpacked(file, range) => Text::Unpacked(file.section(range.clone())),
        };
        // A replay holds one of these for every rank.
        let buffer = (BUFFERS / ranks.max(1)).clamp(SMALLEST_BUFFER, LARGEST_BUFFER);
        Ok(BufReader::with_capacity(buffer, RankText(text)))
    }
}

/// Reads the text of a rank.
pub struct RankText(Text);

enum Text {
    Open(File),
    /// It is opened for every read: a process may not have as many files open as a program has ranks.
    Closed {
        path: PathBuf,
        offset: u64,
    },
    Unpacked(Section),
}

impl Read for RankText {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Text::Open(file) => file.read(buffer),
            Text::Closed { path, offset } => {
                let read = read_at(&File::open(path)?, buffer, *offset)?;
                *offset += read as u64;
                Ok(read)
            }
            Text::Unpacked(section) => section.read(buffer),
        }
    }
}

/// The texts in a folder; none of them is opened.
pub(crate) fn in_folder(path: &Path, kind: &Kind) -> Result<Found> {
    let name = path.display().to_string();
    let mut found = Found::new();
    let cannot_list = || format!("cannot list {name}");
    for entry in path.read_dir().with_context(cannot_list)? {
        let path = entry.with_context(cannot_list)?.path();
        let Some(file) = path.file_name().and_then(|file| file.to_str()).map(str::to_owned) else { continue };
        let Some(rank) = rank_of(&name, &file, kind).filter(|_| path.is_file()) else { continue };
        let shown = format!("{name}: {file}");
        add(&mut found, &name, rank?, RankFile { place: Place::File(path), file, shown })?;
    }
    Ok(found)
}

/// The texts in an archive, streamed through `check`, which gets rank, name for messages and text: what is wrong ends it at once. What
/// was read is then in one temporary file.
///
/// # Errors
/// Those of `check`; it is no archive or a damaged one, holds a rank twice, or too much; there is no room for it.
pub(crate) fn in_archive(
    path: &Path,
    kind: &Kind,
    check: &mut dyn FnMut(u32, &str, &mut dyn BufRead) -> Result<()>,
) -> Result<Found> {
    let name = path.display().to_string();
    let unpacked = TemporaryFile::new()?;
    let mut keeper = Keeper::new(&unpacked, MOST_TEXT);
    let mut found = Found::new();
    each_member(path, kind.what, &mut |file, member| {
        let Some(rank) = rank_of(&name, file, kind) else { return Ok(Member::Other) };
        let (rank, shown) = (rank?, format!("{name}: {file}"));
        let begin = keeper.kept;
        let mut text = BufReader::with_capacity(LARGEST_BUFFER, Keeping { member, keeper: &mut keeper });
        let checked = check(rank, &shown, &mut text);
        // What could not be written has made the text end too early.
        if let Some(error) = keeper.failed.take() {
            return Err(error.context(format!("cannot unpack {name}")));
        }
        checked?;
        let place = Place::Unpacked(unpacked.clone(), begin..keeper.kept);
        add(&mut found, &name, rank, RankFile { place, file: file.to_owned(), shown })?;
        Ok(Member::Taken)
    })?;
    keeper.out.flush().map_err(cannot_write)?;
    Ok(found)
}

/// The rank of the file of this name; none if it is another file.
fn rank_of(trace: &str, file: &str, kind: &Kind) -> Option<Result<u32>> {
    let digits = (kind.rank)(file)?;
    let rank = digits.parse().ok().filter(|&rank| rank < MAX_RANKS);
    Some(rank.with_context(|| {
        format!("{trace}: {file}: the rank is {}, expected one from 0 to {}", shown(digits), MAX_RANKS - 1)
    }))
}

fn add(found: &mut Found, trace: &str, rank: u32, text: RankFile) -> Result<()> {
    let Some(other) = found.insert(rank, text) else { return Ok(()) };
    let (other, file) = (other.file, &found[&rank].file);
    if other == *file {
        bail!("{trace} holds {file} twice");
    }
    let (first, second) = if other < *file { (&other, file) } else { (file, &other) };
    bail!("{trace} holds rank {rank} twice: {first} and {second}");
}

/// Writes down what is read.
struct Keeper {
    out: BufWriter<Appender>,
    /// Bytes so far.
    kept: u64,
    most: u64,
    failed: Option<Error>,
}

impl Keeper {
    fn new(file: &TemporaryFile, most: u64) -> Keeper {
        Keeper { out: BufWriter::with_capacity(256 * 1024, file.appender(0)), kept: 0, most, failed: None }
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<()> {
        self.kept += bytes.len() as u64;
        ensure!(
            self.kept <= self.most,
            "it holds more than {} GiB of text; unpack it yourself and give the folder",
            self.most >> 30
        );
        self.out.write_all(bytes).map_err(cannot_write)
    }
}

/// A member whose text is written down as it is read.
struct Keeping<'a> {
    member: &'a mut dyn Read,
    keeper: &'a mut Keeper,
}

impl Read for Keeping<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.member.read(buffer)?;
        if let Err(error) = self.keeper.keep(&buffer[..read]) {
            self.keeper.failed = Some(error);
            return Err(io::Error::other("cannot be kept"));
        }
        Ok(read)
    }
}
