//! By which a block says what its Verilog module is called and where its documentation stands.

use super::announcement::{Announcement, BlockSource, Declared, lines, owned};
use rust_hdl::core::signal::get_signal_id;
use rust_hdl::prelude::{Block, Logic, Probe};

/// The name of a block's Verilog module and the Rust source that declares the block.
///
/// Every block has one in its field `info`. The back end takes the module name from it, turns the `//!` lines of the source into the
/// comment above the module and the `///` lines of the fields into comments of the ports and registers, and looks in the kernel for
/// the constructs rust-hdl would mis-translate without a word. Of a block that [`block!`](crate::block) declares, that macro tells the
/// fields.
#[derive(Clone, Copy, Debug)]
pub struct BlockInfo {
    module: &'static str,
    source: &'static str,
    declared: Option<(&'static str, &'static [&'static str], Fields)>,
    id: usize,
}

/// The fields of a block and the lines of their comments.
type Fields = &'static [(&'static str, &'static [&'static str])];

impl BlockInfo {
    /// `module` is a Verilog identifier in lower case, `source` the text of the file that declares the block:
    /// `BlockInfo::new("port_selector", include_str!("port_selector.rs"))`.
    pub fn new(module: &'static str, source: &'static str) -> Self {
        Self { module, source, declared: None, id: get_signal_id() }
    }

    /// The same for a block of this type with this comment and these fields; for [`block!`](crate::block).
    pub fn declared(self, block: &'static str, comment: &'static [&'static str], fields: Fields) -> Self {
        Self { declared: Some((block, comment, fields)), ..self }
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
        let declared = self
            .declared
            .map(|(block, comment, fields)| Declared { block: (block.into(), lines(comment)), fields: owned(fields) });
        let told = BlockSource { module: self.module.into(), text: self.source.into(), declared };
        Announcement::Block(told).visit(name, self.id, probe);
    }
}
