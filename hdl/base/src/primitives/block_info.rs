//! By which a block says what its Verilog module is called and where its documentation stands.

use super::Announcement;
use rust_hdl::core::signal::get_signal_id;
use rust_hdl::prelude::{Block, Logic, Probe};

/// The name of a block's Verilog module and the Rust source that declares the block.
///
/// Every block has one in its field `info`. The back end takes the module name from it, turns the `//!` lines of the source into the
/// comment above the module and the `///` lines of the fields into comments of the ports and registers, and looks in the kernel for
/// the constructs rust-hdl would mis-translate without a word.
#[derive(Clone, Copy, Debug)]
pub struct BlockInfo {
    module: &'static str,
    source: &'static str,
    id: usize,
}

impl BlockInfo {
    /// `module` is a Verilog identifier in lower case, `source` the text of the file that declares the block:
    /// `BlockInfo::new("port_selector", include_str!("port_selector.rs"))`.
    pub fn new(module: &'static str, source: &'static str) -> Self {
        Self { module, source, id: get_signal_id() }
    }

    /// The Verilog module name.
    pub fn module(&self) -> &'static str {
        self.module
    }
}

impl Logic for BlockInfo {
    fn update(&mut self) {}
}

impl Block for BlockInfo {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        let fact = Announcement::Block { module: self.module.into(), source: self.source.into() };
        fact.visit(name, self.id, probe);
    }
}
