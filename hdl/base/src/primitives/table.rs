//! A list of numbers that is known only when the block is built.

use super::Announcement;
use rust_hdl::core::signal::get_signal_id;
use rust_hdl::prelude::{Block, Logic, Probe};
use std::ops::Index;

/// Positions fixed when the block is built, such as the ports of a group: `self.flit[self.port_of[m]]` in a kernel.
///
/// Like a [`super::Size`] it is resolved when Verilog is written and costs no hardware.
#[derive(Clone, Debug)]
pub struct Table {
    values: Vec<usize>,
    id: usize,
}

impl Table {
    /// A table of `values`.
    pub fn new(values: Vec<usize>) -> Self {
        Self { values, id: get_signal_id() }
    }
}

impl Index<usize> for Table {
    type Output = usize;
    #[inline]
    fn index(&self, position: usize) -> &usize {
        &self.values[position]
    }
}

impl Logic for Table {
    fn update(&mut self) {}
}

impl Block for Table {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        Announcement::Table(self.values.clone()).visit(name, self.id, probe);
    }
}
