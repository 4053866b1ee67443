//! IP-XACT components, read by ipyxact.

use crate::{ToolError, Tools, run};
use serde::Deserialize;
use std::path::Path;

/// A component as the reader understands it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct IpXactComponent {
    /// Vendor, library, name and version, with colons between them.
    pub vlnv: String,
    /// The top module.
    pub module: String,
    /// In order.
    pub ports: Vec<IpXactPort>,
    /// In order.
    pub interfaces: Vec<IpXactInterface>,
    /// Name, bytes and width of a word in bits, of each block of addresses.
    pub address_blocks: Vec<(String, u64, u64)>,
    /// The files of its view.
    pub files: Vec<String>,
}

/// A port of a component.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct IpXactPort {
    /// Its name.
    pub name: String,
    /// `in` or `out`.
    pub direction: String,
    /// Bits.
    pub width: usize,
}

/// A bus interface of a component.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct IpXactInterface {
    /// Its name.
    pub name: String,
    /// Name of the definition of its bus.
    pub bus: String,
    /// `master` or `slave`.
    pub mode: String,
    /// Signals of the bus and the ports that carry them.
    pub ports: Vec<(String, String)>,
}

/// Reads the component in a file.
///
/// # Errors
/// [`ToolError::Failed`] with the reader's complaint, [`ToolError::Missing`] without the pinned set.
pub fn read_ip_xact(tools: &Tools, file: &Path) -> Result<IpXactComponent, ToolError> {
    let what = format!("reading {}", file.display());
    let printed = run(tools.python(include_str!("ipxact.py"))?.arg(file), &what)?.stdout;
    serde_json::from_str(&printed).map_err(|error| ToolError::Failed {
        what,
        status: "exit status: 0".into(),
        reason: format!("what it printed can't be read: {error}"),
    })
}
