//! Fixed-size entries in a temporary file, with the pages last used in memory.

use super::temporary::{TemporaryFile, cannot_write};
use anyhow::{Context, Result};
use std::io::ErrorKind;

/// Bytes of a page.
const PAGE: usize = 4096;
/// Words of a page.
const WORDS: usize = PAGE / 8;
/// Most pages in memory.
const PAGES: usize = 256;

/// A file of words, all 0 where nothing was written; an entry is some words in one page.
pub struct PagedFile {
    file: TemporaryFile,
    /// Page p is at place p mod [`PAGES`], if it is in memory.
    pages: Vec<Option<Page>>,
}

struct Page {
    number: u64,
    changed: bool,
    words: Box<[u64; WORDS]>,
}

impl PagedFile {
    /// The entries in `file`, which nobody else may be writing.
    pub(crate) fn new(file: TemporaryFile) -> PagedFile {
        PagedFile { file, pages: (0..PAGES).map(|_| None).collect() }
    }

    /// A file of its own, which goes away with this value.
    pub fn temporary() -> Result<PagedFile> {
        Ok(PagedFile::new(TemporaryFile::new()?))
    }

    /// Entry `number`; `N` is a power of two and the same for the whole file.
    pub fn read<const N: usize>(&mut self, number: u64) -> Result<[u64; N]> {
        let (page, place) = self.page::<N>(number)?;
        let mut entry = [0; N];
        entry.copy_from_slice(&page.words[place..place + N]);
        Ok(entry)
    }

    /// Overwrites entry `number`.
    pub fn write<const N: usize>(&mut self, number: u64, entry: &[u64; N]) -> Result<()> {
        let (page, place) = self.page::<N>(number)?;
        page.words[place..place + N].copy_from_slice(entry);
        page.changed = true;
        Ok(())
    }

    /// Writes all that is only in memory to the file.
    pub fn flush(&mut self) -> Result<()> {
        for page in self.pages.iter_mut().flatten() {
            write_back(&self.file, page)?;
        }
        Ok(())
    }

    fn page<const N: usize>(&mut self, entry: u64) -> Result<(&mut Page, usize)> {
        const { assert!(N.is_power_of_two() && N <= WORDS) };
        let entries = (WORDS / N) as u64;
        let number = entry / entries;
        let place = (number % PAGES as u64) as usize;
        let slot = &mut self.pages[place];
        if slot.as_ref().is_none_or(|page| page.number != number) {
            if let Some(page) = slot {
                write_back(&self.file, page)?;
            }
            let words = load(&self.file, number).context("cannot read a temporary file")?;
            *slot = Some(Page { number, changed: false, words });
        }
        let page = slot.as_mut().context("a page is in memory once it is loaded")?;
        Ok((page, (entry % entries) as usize * N))
    }
}

fn load(file: &TemporaryFile, number: u64) -> std::io::Result<Box<[u64; WORDS]>> {
    let mut bytes = [0; PAGE];
    let mut filled = 0;
    while filled < PAGE {
        match file.read_at(&mut bytes[filled..], number * PAGE as u64 + filled as u64) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let mut words = Box::new([0; WORDS]);
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    Ok(words)
}

fn write_back(file: &TemporaryFile, page: &mut Page) -> Result<()> {
    if page.changed {
        let bytes: Vec<u8> = page.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        file.write_all_at(&bytes, page.number * PAGE as u64).map_err(cannot_write)?;
        page.changed = false;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_from_memory_and_from_the_file() {
        let mut file = PagedFile::temporary().unwrap();
        let entries = 3 * (PAGES * WORDS / 8) as u64;
        // So far apart that every page is evicted, in an order that mixes them.
        let numbers = || (0..entries).map(|i| i * 7919 % entries * 5);
        for number in numbers() {
            file.write(number, &[number; 8]).unwrap();
        }
        for number in numbers() {
            assert_eq!(file.read(number).unwrap(), [number; 8]);
            assert_eq!(file.read(number + 1).unwrap(), [0; 8]);
        }
        file.write(3, &[1; 8]).unwrap();
        file.flush().unwrap();
        let mut again = PagedFile::new(file.file.clone());
        assert_eq!(again.read(3).unwrap(), [1; 8]);
        assert_eq!(again.read(1 << 36).unwrap(), [0; 8]);
    }
}
