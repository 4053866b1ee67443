//! IP-XACT components, checked against the schema and read by ipyxact.

use crate::run::run_json;
use crate::{ToolError, Tools};
use serde::Deserialize;
use std::path::Path;

/// A component as the reader understands it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct IpXactComponent {
    /// Vendor, library, name and version, with colons between them.
    pub vlnv: String,
    /// The top module.
    pub module: String,
    /// In the order of the file.
    pub ports: Vec<IpXactPort>,
    /// In the order of the file.
    pub interfaces: Vec<IpXactInterface>,
    /// In the order of the file; of each block of addresses one.
    pub memory_maps: Vec<IpXactMemoryMap>,
    /// The files of its file sets.
    pub files: Vec<String>,
}

/// A port of a component.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct IpXactPort {
    /// Its name.
    pub name: String,
    /// `in`, `out` or `inout`.
    pub direction: String,
    /// Bits.
    pub width: usize,
}

/// A bus interface of a component.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct IpXactInterface {
    /// Its name.
    pub name: String,
    /// Vendor, library, name and version of the definition of its bus, with colons between them.
    pub bus: String,
    /// The same of the definition of the bus's signals.
    pub abstraction: String,
    /// `master`, `slave` or `other`.
    pub mode: String,
    /// The memory map of a slave, if it has one.
    pub memory_map: Option<String>,
    /// Signals of the bus and the ports that carry them.
    pub ports: Vec<(String, String)>,
    /// Names and values of its parameters.
    pub parameters: Vec<(String, String)>,
}

/// A block of addresses of a memory map.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct IpXactMemoryMap {
    /// The map's name.
    pub name: String,
    /// Size of the block.
    pub bytes: u64,
    /// Width of a word.
    pub word_bits: u64,
}

/// Reads the component in a file, which must keep to the schema of IEEE 1685-2014.
///
/// # Errors
/// [`ToolError::Failed`] with the first complaint of the schema or the reader, as `file:line: error: text`; [`ToolError::Missing`] without
/// the pinned set.
pub fn read_ip_xact(tools: &Tools, file: &Path) -> Result<IpXactComponent, ToolError> {
    run_json(tools.python(include_str!("ipxact.py"))?.arg(file), &format!("reading {}", file.display()))
}
