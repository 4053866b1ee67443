//! One Verilog module, complete but for the final names of its children.

use super::collect::EnumType;
use super::ir::{BitRange, Expr, SignalId};
use super::scope::SignalInfo;
use super::split::Process;
use num_bigint::BigUint;

/// A module ready to be rendered. Two instances of a block share a module if these are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Module {
    /// The name its block asks for.
    pub wish: String,
    /// The contract of the block: the lines of its file comment.
    pub doc: Vec<String>,
    /// The run-time sizes it was built with.
    pub sizes: Vec<(String, usize)>,
    pub signals: Vec<SignalInfo>,
    /// Comment lines of a signal, from the field's doc comment.
    pub signal_docs: Vec<Vec<String>>,
    pub enums: Vec<EnumType>,
    pub processes: Vec<Process>,
    pub registers: Vec<RegisterBank>,
    pub instances: Vec<Instantiation>,
    pub memories: Vec<MemoryBank>,
    /// Bits nothing reads, gathered so that a linter sees they are unused on purpose.
    pub unused: Vec<BitRange>,
    /// The name of the wire that gathers them.
    pub unused_name: String,
    /// Clock of the registers; reset of the registers.
    pub clock: Option<(SignalId, Option<SignalId>)>,
}

/// A register or a packed array of registers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RegisterBank {
    pub next: SignalId,
    pub state: SignalId,
    pub reset: BigUint,
    /// The Rust field, for reports.
    pub field: String,
    /// Number of fields if it is an array of registers.
    pub dims: Vec<usize>,
}

/// A memory, or an array of memories of one shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MemoryBank {
    /// The Rust field, with its position if the array was taken apart.
    pub field: String,
    /// The name of the array of words.
    pub name: String,
    /// That of the register before the output register, if there is one.
    pub fetched: Option<String>,
    /// For an array of memories: the name of the generate block, the genvar and the number of memories.
    pub generate: Option<(String, String, usize)>,
    pub words: usize,
    /// The clocks of its two ports, mostly the same.
    pub write_clock: SignalId,
    pub read_clock: SignalId,
    pub write: Expr,
    pub write_address: Expr,
    pub write_data: Expr,
    pub read: Expr,
    pub read_address: Expr,
    /// The output register.
    pub q: BitRange,
}

impl MemoryBank {
    /// What the memory reads.
    pub(crate) fn pins(&self) -> [&Expr; 5] {
        [&self.write, &self.write_address, &self.write_data, &self.read, &self.read_address]
    }
}

/// A child, or an array of children of one module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Instantiation {
    /// The Rust field, with its position if the array was taken apart.
    pub field: String,
    pub module: usize,
    pub name: String,
    /// For an array: the name of the generate block, the genvar and the number of elements.
    pub generate: Option<(String, String, usize)>,
    pub connections: Vec<Connection>,
}

/// A port of a child and what it is connected to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Connection {
    pub port: String,
    pub expr: Expr,
    /// The child drives it.
    pub output: bool,
}

impl Module {
    /// Whether anything in the module refers to the signal at all.
    pub(crate) fn ports(&self) -> impl Iterator<Item = (SignalId, &SignalInfo)> {
        use super::scope::SignalKind::{Input, Output};
        (self.signals.iter().enumerate()).filter(|(_, info)| matches!(info.kind, Input | Output))
    }
}
