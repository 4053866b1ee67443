//! The power mechanisms: one folder each.

pub mod powar;
