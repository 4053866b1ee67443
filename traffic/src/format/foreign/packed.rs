//! Archives and packed files that are not read.

use super::Foreign;
use crate::format::source::Sample;

const UNPACK: &str = "unpack it and give what is in it, or pack that as .tar.xz, .tar.gz, .tar.bz2 or .tar.zst";

macro_rules! packed {
    ($about:literal, $($magic:literal),+) => {
        Foreign { about: $about, recognises: |sample| begins(sample, &[$($magic),+]), advice: UNPACK }
    };
}

pub(super) const KINDS: &[Foreign] = &[
    packed!("a zip archive", b"PK\x03\x04", b"PK\x05\x06"),
    packed!("a 7z archive", b"7z\xbc\xaf\x27\x1c"),
    packed!("a rar archive", b"Rar!\x1a\x07"),
    packed!("a file packed with lz4", b"\x04\x22\x4d\x18"),
    packed!("a file packed with lzip", b"LZIP\x01"),
    packed!("a file packed with lzma", b"\x5d\0\0"),
    packed!("a file packed with compress", b"\x1f\x9d"),
    packed!("a cpio archive", b"070701", b"070702", b"070707"),
    packed!("an ar archive", b"!<arch>\n"),
    // Something that is packed twice, or a packed file in a folder: it is read neither.
    packed!("a file packed with xz", b"\xfd7zXZ\0"),
    packed!("a file packed with gzip", b"\x1f\x8b\x08"),
    packed!("a file packed with bzip2", b"BZh"),
    packed!("a file packed with zstd", b"\x28\xb5\x2f\xfd"),
];

fn begins(sample: &Sample, magics: &[&[u8]]) -> bool {
    magics.iter().any(|magic| sample.head().starts_with(magic))
}
