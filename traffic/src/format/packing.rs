//! How files are packed, a line each: whatever is packed like this is read as it is, without unpacking it first.

use anyhow::{Result, anyhow};
use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Most memory that a packed file may ask for, KiB; `xz -9` needs 65 MiB.
const MOST_MEMORY_KIB: u32 = 1 << 20;
/// Bytes that are unpacked at a time.
const BUFFER: usize = 64 * 1024;

type Packed = Box<dyn BufRead + Send>;
type Unpacked = Box<dyn Read + Send>;

/// A way to pack files.
pub(crate) struct Packing {
    /// What the names of such files end with.
    pub ending: &'static str,
    /// What such files begin with.
    magic: &'static [u8],
    unpack: fn(Packed) -> Unpacked,
}

/// All that are known.
pub(crate) const PACKINGS: &[Packing] = &[
    Packing {
        ending: ".xz",
        magic: b"\xfd7zXZ\0",
        unpack: |input| Box::new(XzReader::new_mem_limit(input, true, MOST_MEMORY_KIB)),
    },
    Packing { ending: ".gz", magic: b"\x1f\x8b\x08", unpack: |input| Box::new(MultiGzDecoder::new(input)) },
    Packing { ending: ".bz2", magic: b"BZh", unpack: |input| Box::new(MultiBzDecoder::new(input)) },
    Packing { ending: ".zst", magic: b"\x28\xb5\x2f\xfd", unpack: |input| Box::new(Frames::Between(Some(input))) },
];

/// What is in a file, unpacked if it is packed.
///
/// # Errors
/// It can't be opened or read.
pub(crate) fn content(path: &Path) -> Result<Box<dyn BufRead + Send>> {
    let name = path.display();
    let file = File::open(path).map_err(|error| anyhow!("cannot open {name}: {error}"))?;
    let mut input = BufReader::with_capacity(BUFFER, file);
    let begin = input.fill_buf().map_err(|error| anyhow!("cannot read {name}: {error}"))?;
    Ok(match PACKINGS.iter().find(|packing| begin.starts_with(packing.magic)) {
        Some(packing) => Box::new(BufReader::with_capacity(BUFFER, (packing.unpack)(Box::new(input)))),
        None => Box::new(input),
    })
}

/// The name of a file without the ending of its packing, in small letters.
pub(crate) fn bare_name(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let bare = PACKINGS.iter().find_map(|packing| name.strip_suffix(packing.ending));
    bare.map_or(name.clone(), str::to_owned)
}

/// The frames of a zstd file, one after the other.
enum Frames {
    Between(Option<Packed>),
    Inside(Box<StreamingDecoder<Packed, FrameDecoder>>),
}

impl Read for Frames {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self {
                Frames::Between(input) => {
                    let Some(mut packed) = input.take() else { return Ok(0) };
                    if packed.fill_buf()?.is_empty() {
                        return Ok(0);
                    }
                    let decoder = StreamingDecoder::new(packed).map_err(io::Error::other)?;
                    *self = Frames::Inside(Box::new(decoder));
                }
                Frames::Inside(decoder) => {
                    let read = decoder.read(buffer)?;
                    if read > 0 || buffer.is_empty() {
                        return Ok(read);
                    }
                    let Frames::Inside(decoder) = std::mem::replace(self, Frames::Between(None)) else { return Ok(0) };
                    *self = Frames::Between(Some(decoder.into_inner()));
                }
            }
        }
    }
}
