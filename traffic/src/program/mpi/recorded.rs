//! What each receive of a rank got when the program ran.

use super::receives::{by_name, each_receive};
use crate::format::paged::PagedFile;
use crate::program::call::{CallSource, Got, Wanted};
use anyhow::Result;

/// No message came for this receive: what was never written.
const NOTHING: u64 = 0;
/// A message came, nobody knows which.
const SOMETHING: u64 = 1;
/// A message came whose source and tag are known.
const KNOWN: u64 = 2;

/// What each receive of a rank got, in a temporary file: 16 bytes a receive.
pub(super) struct Recorded {
    file: PagedFile,
    /// Receives asked about so far.
    receives: u64,
}

impl Recorded {
    /// Reads all calls of a rank.
    pub fn of(source: &dyn CallSource, rank: u32) -> Result<Recorded> {
        let mut file = PagedFile::temporary()?;
        each_receive(source.calls(rank)?, |received| {
            let entry = match received.got {
                None => [SOMETHING, 0],
                Some(Got { source, tag }) => [KNOWN | u64::from(source) << 2, u64::from(tag.cast_unsigned())],
            };
            file.write(received.number, &entry)
        })?;
        Ok(Recorded { file, receives: 0 })
    }

    /// What the next receive in the order of posting, which asked for this, is to ask for.
    pub fn next(&mut self, asked: Wanted) -> Result<Option<Wanted>> {
        let [what, tag]: [u64; 2] = self.file.read(self.receives)?;
        self.receives += 1;
        Ok(match what & 3 {
            NOTHING => None,
            SOMETHING => Some(asked),
            _ => {
                let got = Got { source: (what >> 2) as u32, tag: (tag as u32).cast_signed() };
                Some(by_name(got, asked.communicator))
            }
        })
    }
}
