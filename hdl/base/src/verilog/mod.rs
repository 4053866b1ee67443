//! The Verilog back end: from a rust-hdl block to Verilog-2005 an FPGA engineer can read.
//!
//! rust-hdl parses each kernel (`#[hdl_gen]`) into a tree and simulates it correctly, but the Verilog it writes itself differs from the
//! simulation in many places. So only its tree is used here. The stages, one file each:
//!
//! 1. `collect`: the visitor's report as a tree of blocks, signals and kernels; `source`: the Rust source, for doc comments and for
//!    what the kernel tree has lost; `scope`: the names of one module.
//! 2. `resolve`, `lower_expr` and `lower`: the kernel with every name resolved and every width exact; `check`: the proof that it is
//!    combinational.
//! 3. `dependence`, `vectorise`, `choices` and `loops`: loops as whole-vector expressions and `case`; `hoist`: names for values whose bits are taken;
//!    `split`: independent pieces.
//! 4. `drivers`, `memory` and `connect`: arrays of words, and instances; `compile`: all of it for one block.
//! 5. `render_expr`, `render_stmt` and `render`: the text of a module; `design`: the modules together; `fusesoc`:
//!    their core description.
//! 6. `mutate_rules` and `mutate`: the same module with one small thing wrong, for what checks the blocks.
//!
//! No file uses one that uses it.
//!
//! Generation fails with one line where the text could differ from the simulation. The rules are in `docs/rust-hdl-subset.md`.

mod arithmetic;
mod check;
mod choices;
mod collect;
mod compile;
mod connect;
mod constant;
mod dependence;
mod describe;
mod design;
mod drivers;
mod effects;
mod expr;
mod fusesoc;
#[cfg(test)]
mod fuzz;
mod guard;
mod hoist;
mod index;
mod ipxact;
mod ir;
mod loops;
mod lower;
mod lower_expr;
mod memory;
mod mentioned;
mod merge;
mod module;
mod mutate;
mod mutate_rules;
mod names;
mod path;
mod pieces;
mod render;
mod render_expr;
mod render_stmt;
mod reserved;
mod resolve;
mod scope;
mod set_up;
mod simplify;
mod source;
mod split;
mod text;
mod vectorise;

pub use describe::{Description, MemoryInfo, Port, RegisterInfo};
pub use design::{Design, ModuleText};
pub use fusesoc::Core;
pub use mutate::{Mutant, Mutants, Selector};

use anyhow::Result;
use powar_config::Prefix;
use rust_hdl::prelude::Block;

/// What the caller may add to the text.
#[derive(Clone, Debug, Default)]
pub struct EmitOptions {
    /// Free text for the header of the top module's file, one comment line per line: the configuration the design was built from.
    pub configuration: String,
    /// What stands before the names of all modules.
    pub prefix: Prefix,
}

/// Writes `top`, on which `connect_all` has been called, and all blocks below it as Verilog.
///
/// The same block and options give the same text, byte for byte.
///
/// # Errors
///
/// If a block has no [`crate::primitives::BlockInfo`], uses a construct that has no exact translation, or does not describe
/// combinational logic and registers. The message names the block, the signal and the reason; the checks are listed in
/// `docs/rust-hdl-subset.md`.
pub fn emit(top: &dyn Block, options: &EmitOptions) -> Result<Design> {
    let instance = collect::collect(top)?;
    let mut library = compile::Library::default();
    let top = library.compile(&instance)?;
    Design::new(&library.modules, top, options)
}
