//! SystemRDL descriptions of registers, read by PeakRDL's compiler.

use crate::run::run_json;
use crate::{ToolError, Tools};
use serde::Deserialize;
use std::path::Path;

/// A register as the compiler understands it. Arrays are taken apart.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct RdlRegister {
    /// Instance names from the outermost address map's children down: `control` or `port[3].sleeps`.
    pub path: String,
    /// In bytes, from the outermost address map.
    pub address: u64,
    /// Its size.
    pub bytes: u64,
    /// From the lowest bit up.
    pub fields: Vec<RdlField>,
}

/// A field of a register.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct RdlField {
    /// Its instance name.
    pub name: String,
    /// Its lowest bit.
    pub low: u32,
    /// Bits.
    pub width: u32,
    /// What software may do: `rw`, `r`, `w`, `rw1`, `w1` or `na`.
    pub software: String,
    /// The value after a reset, if it is a number.
    pub reset: Option<u64>,
}

/// Compiles a SystemRDL file whose last address map is the outermost one; returns its registers by address.
///
/// # Errors
/// [`ToolError::Failed`] with the first complaint, as `file:line:column: error: text`; [`ToolError::Missing`] without the pinned set.
pub fn compile_systemrdl(tools: &Tools, file: &Path) -> Result<Vec<RdlRegister>, ToolError> {
    run_json(tools.python(include_str!("systemrdl.py"))?.arg(file), &format!("compiling {}", file.display()))
}
