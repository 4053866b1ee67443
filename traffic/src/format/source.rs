//! What is at a path, told by the beginnings of files and their names: which format reads it, or what else it looks like.

use super::archive::{self, Member, each_member, one_line};
use super::packing::{bare_name, content};
use super::{FORMATS, Format};
use anyhow::{Context, Error, Result, ensure};
use std::io::Read;
use std::path::Path;

/// How much of a file tells what it is, bytes.
const HEAD: u64 = 64 * 1024;
/// Texts of ranks in a folder or an archive that are looked at until one is of a format.
const MOST_TEXTS: usize = 256;
/// Other files of which the beginning is looked at.
const MOST_OTHERS: usize = 8;

/// Where a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// It is what the path names.
    Alone,
    Folder,
    Archive,
}

/// The beginning of a file.
pub(crate) struct Sample {
    name: String,
    place: Place,
    /// Unpacked.
    head: Vec<u8>,
}

impl Sample {
    /// Its name, without folders.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its name in small letters, without the ending of a packing.
    pub fn bare_name(&self) -> String {
        bare_name(&self.name)
    }

    /// Its first 64 KiB, or all of it.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// The same without a byte-order mark.
    pub fn text(&self) -> &[u8] {
        self.head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.head)
    }

    /// Whether it is one of several files, in a folder or an archive.
    pub fn is_of_ranks(&self) -> bool {
        self.place != Place::Alone
    }

    /// Whether it is what the path names.
    pub fn is_one_file(&self) -> bool {
        self.place == Place::Alone
    }

    /// As it would be with a path of its own.
    pub fn alone(&self) -> Sample {
        Sample { name: self.name.clone(), place: Place::Alone, head: self.head.clone() }
    }
}

/// What is at a path.
pub(crate) struct Source {
    /// The format that reads it.
    pub format: Option<&'static Format>,
    pub place: Place,
    /// Files of no format, some of them.
    pub samples: Vec<Sample>,
    /// The folders in a folder, some of them.
    pub folders: Vec<String>,
    /// Why not all could be looked at.
    pub damage: Option<Error>,
}

/// Whether what is at a path is of this format.
///
/// # Errors
/// It isn't there, or can't be opened.
pub(crate) fn is_of(path: &Path, format: &Format) -> Result<bool> {
    Ok(Source::open(path)?.format.is_some_and(|found| found.name == format.name))
}

impl Source {
    /// Looks at what is at a path.
    ///
    /// # Errors
    /// It isn't there, can't be opened, or is neither a file nor a folder.
    pub fn open(path: &Path) -> Result<Source> {
        let name = path.display();
        let kind = path.metadata().with_context(|| format!("cannot open {name}"))?;
        ensure!(
            kind.is_file() || kind.is_dir(),
            "{name} is neither a file nor a folder, expected one, since a trace is read more than once"
        );
        let mut source =
            Source { format: None, place: Place::Alone, samples: Vec::new(), folders: Vec::new(), damage: None };
        if kind.is_dir() {
            source.place = Place::Folder;
            source.folder(path)?;
            return Ok(source);
        }
        let mut head = Vec::new();
        let read = content(path)?.take(HEAD).read_to_end(&mut head);
        source.damage = read.err().map(|error| one_line(error).context(format!("{name}: cannot unpack it")));
        if archive::is_tar(&head) {
            source.place = Place::Archive;
            source.damage = source.archive(path).err();
            return Ok(source);
        }
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        source.look(Sample { name: file, place: Place::Alone, head });
        Ok(source)
    }

    /// Whether one more file is of a format; if not, it is kept.
    fn look(&mut self, sample: Sample) -> bool {
        self.format = FORMATS.iter().find(|format| (format.recognises)(&sample));
        if self.format.is_none() {
            self.samples.push(sample);
        }
        self.format.is_some()
    }

    fn folder(&mut self, path: &Path) -> Result<()> {
        let cannot_list = || format!("cannot list {}", path.display());
        let (mut texts, mut others) = (Vec::new(), Vec::new());
        for entry in path.read_dir().with_context(cannot_list)? {
            let path = entry.with_context(cannot_list)?.path();
            let Some(file) = path.file_name().map(|file| file.to_string_lossy().into_owned()) else { continue };
            if path.is_dir() {
                self.folders.push(file);
            } else if path.is_file() {
                if is_of_rank(&file) { texts.push(file) } else { others.push(file) }
            }
        }
        for names in [&mut texts, &mut others, &mut self.folders] {
            names.sort_unstable();
        }
        texts.truncate(MOST_TEXTS);
        others.truncate(MOST_OTHERS);
        for file in texts.into_iter().chain(others) {
            let mut head = Vec::new();
            let cannot_read = || format!("cannot read {}", path.join(&file).display());
            let file_content = std::fs::File::open(path.join(&file)).with_context(cannot_read)?;
            file_content.take(HEAD).read_to_end(&mut head).with_context(cannot_read)?;
            if self.look(Sample { name: file, place: Place::Folder, head }) {
                break;
            }
        }
        Ok(())
    }

    fn archive(&mut self, path: &Path) -> Result<()> {
        let (mut texts, mut others) = (0, 0);
        each_member(path, "the files of a trace", &mut |file, member| {
            let (count, most) = if is_of_rank(file) { (&mut texts, MOST_TEXTS) } else { (&mut others, MOST_OTHERS) };
            *count += 1;
            if *count > most {
                return Ok(Member::Other);
            }
            let mut head = Vec::new();
            // What can't be unpacked is found again, behind this member.
            let _ = member.take(HEAD).read_to_end(&mut head);
            let found = self.look(Sample { name: file.to_owned(), place: Place::Archive, head });
            Ok(if found { Member::Last } else { Member::Other })
        })
    }
}

/// Whether a file's name is one of a rank's text, in whatever format.
fn is_of_rank(name: &str) -> bool {
    FORMATS.iter().any(|format| (format.is_of_rank)(name))
}
