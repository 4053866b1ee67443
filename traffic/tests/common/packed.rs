//! Archives and packed files.

use std::io::{Read, Write};

/// A tar archive of these files.
pub fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, *content).unwrap();
    }
    tar.into_inner().unwrap()
}

/// Packed with each known packing, with the endings of names.
pub fn all(content: &[u8]) -> [(&'static str, Vec<u8>); 5] {
    [("", content.to_vec()), (".xz", xz(content)), (".gz", gz(content)), (".bz2", bz2(content)), (".zst", zst(content))]
}

pub fn xz(mut content: impl Read) -> Vec<u8> {
    let mut xz = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(0)).unwrap();
    std::io::copy(&mut content, &mut xz).unwrap();
    xz.finish().unwrap()
}

pub fn gz(mut content: impl Read) -> Vec<u8> {
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(1));
    std::io::copy(&mut content, &mut gz).unwrap();
    gz.finish().unwrap()
}

fn bz2(content: &[u8]) -> Vec<u8> {
    let mut bz2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bz2.write_all(content).unwrap();
    bz2.finish().unwrap()
}

fn zst(content: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(content, ruzstd::encoding::CompressionLevel::Fastest)
}
