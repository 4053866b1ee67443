//! Archives of several files: tar, packed or not. Members are streamed, and nothing of their own paths is ever used but the last part.

use super::packing::{PACKINGS, content};
use anyhow::{Error, Result, anyhow, bail, ensure};
use std::cell::Cell;
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;

/// Most bytes of what says of a member what it is called and how long it is.
const MOST_HEADER: u64 = 1 << 20;
/// Most members that nobody takes, and most bytes of them: what an archive of a trace may hold besides.
const MOST_OTHERS: u64 = 100_000;
const MOST_OTHER_BYTES: u64 = 256 << 20;
/// What a tar archive begins with, and where its checksum and its name stand in that.
const BLOCK: usize = 512;
const CHECKSUM: std::ops::Range<usize> = 148..156;
const MAGIC: std::ops::Range<usize> = 257..262;

/// What becomes of a member.
pub(crate) enum Member {
    /// It is part of the trace.
    Taken,
    /// It is something else.
    Other,
    /// No more members are wanted.
    Last,
}

/// Whether a file whose content begins like this is a tar archive.
pub(crate) fn is_tar(head: &[u8]) -> bool {
    let Some(block) = head.get(..BLOCK) else { return false };
    if &block[MAGIC] == b"ustar" {
        return true;
    }
    // Archives of before 1988 have a checksum only.
    let sum: u64 = block.iter().map(|&byte| u64::from(byte)).sum();
    let own: u64 = block[CHECKSUM].iter().map(|&byte| u64::from(byte)).sum();
    let text = String::from_utf8_lossy(&block[CHECKSUM]);
    let written = u64::from_str_radix(text.trim_matches([' ', '\0']), 8);
    block[0] != 0 && written == Ok(sum - own + 8 * u64::from(b' '))
}

/// Archives, and how all may be packed, for messages.
pub(crate) fn endings() -> String {
    let packed: Vec<_> = PACKINGS.iter().map(|packing| packing.ending).collect();
    format!("archives are .tar, and all may be packed ({})", packed.join(", "))
}

/// Shows the files in an archive, one after the other, each by the last part of its name.
///
/// # Errors
/// Those of `visit`; it is no archive or a damaged one, or holds too much that is none of the trace.
pub(crate) fn each_member(
    path: &Path,
    what: &str,
    visit: &mut dyn FnMut(&str, &mut dyn Read) -> Result<Member>,
) -> Result<()> {
    let name = path.display();
    let damaged =
        |error: io::Error| anyhow!("{name}: cannot unpack it, expected an archive of {what}: {}", one_line(error));
    // A plain file that is cut has an end like any other: members would just be shorter, or missing.
    let cut_short = |where_: &str| anyhow!("{name}: the archive is cut short: it ends {where_}");
    let (left, ended) = (Rc::new(Cell::new(MOST_HEADER)), Rc::new(Cell::new(false)));
    let input = Metered { input: content(path)?, left: Rc::clone(&left), ended: Rc::clone(&ended) };
    let mut archive = tar::Archive::new(input);
    let mut members = archive.entries().map_err(damaged)?;
    let (mut others, mut other_bytes) = (0, 0);
    loop {
        left.set(MOST_HEADER);
        let Some(member) = members.next() else {
            ensure!(!ended.get(), cut_short("without the blocks of zeros that stand behind the last file"));
            return Ok(());
        };
        let mut member =
            member.map_err(|error| if ended.get() { cut_short("between files") } else { damaged(error) })?;
        left.set(u64::MAX);
        let is_file = member.header().entry_type().is_file();
        let file = member.path().ok().and_then(|path| Some(path.file_name()?.to_str()?.to_owned()));
        let taken = match file.filter(|_| is_file) {
            Some(file) => {
                let taken = visit(&file, &mut member);
                ensure!(!ended.get(), cut_short(&format!("within {file}")));
                taken?
            }
            None => Member::Other,
        };
        match taken {
            Member::Last => return Ok(()),
            Member::Other => others += 1,
            Member::Taken => {}
        }
        other_bytes += rest(&mut member, MOST_OTHER_BYTES - other_bytes).map_err(damaged)?;
        ensure!(!ended.get(), cut_short("within a file"));
        if others > MOST_OTHERS || other_bytes > MOST_OTHER_BYTES {
            bail!(
                "{name}: more than {MOST_OTHERS} files or {} MiB in it are none of the {what}, expected an archive of these",
                MOST_OTHER_BYTES >> 20
            );
        }
    }
}

/// Reads what is left of a member, up to a little more than `most`; returns how much.
fn rest(member: &mut dyn Read, most: u64) -> io::Result<u64> {
    let mut buffer = vec![0; 32 * 1024];
    let mut count = 0;
    while count <= most {
        match member.read(&mut buffer)? {
            0 => break,
            read => count += read as u64,
        }
    }
    Ok(count)
}

/// An error of whatever unpacks, whose text may be of a broken file.
pub(crate) fn one_line(error: io::Error) -> Error {
    match is_cut_short(&error) {
        true => anyhow!("it is cut short"),
        false => anyhow!("{}", error.to_string().escape_debug()),
    }
}

/// The file ends too early: each library that unpacks says so in its own words. Of plain files there is no such end: they have their length.
pub(crate) fn is_cut_short(error: &io::Error) -> bool {
    let text = error.to_string();
    error.kind() == io::ErrorKind::UnexpectedEof
        || ["UnexpectedEof", "not finished but EOF reached"].iter().any(|end| text.contains(end))
}

/// Reads so much and no more: what names and lengths of members take is in memory at once.
struct Metered<R> {
    input: R,
    left: Rc<Cell<u64>>,
    /// There is no more to read: what tar ends with is in front of that.
    ended: Rc<Cell<bool>>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.left.get();
        if left == 0 {
            return Err(io::Error::other(format!("the name of a member is longer than {MOST_HEADER} bytes")));
        }
        let most = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let read = self.input.read(&mut buffer[..most])?;
        self.left.set(left - read as u64);
        self.ended.set(self.ended.get() || read == 0 && most > 0);
        Ok(read)
    }
}
