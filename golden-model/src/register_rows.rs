//! The registers of a composed block as the lock-step harness wants them: by path, one row an instance.

use crate::lock_step::Observed;
use powar_config::{Role, SignalDecl};

/// A block that lists its registers and those of its children: always the same ones in the same order.
pub trait Registers {
    /// Lists them with the values of the cycle under way.
    fn list(&self, rows: &mut RegisterRows);
}

/// A list of registers under way. The same walk over the blocks declares the registers and reads them, so that the two
/// can't differ.
#[derive(Clone, Debug, Default)]
pub struct RegisterRows {
    /// Path of the block that is listed, with a dot at the end; empty for the top.
    path: String,
    /// Place of the next register.
    place: usize,
    registers: Vec<RegisterRow>,
}

#[derive(Clone, Debug)]
struct RegisterRow {
    name: String,
    width: usize,
    rows: Vec<u64>,
}

impl RegisterRows {
    /// The registers of a block with their values.
    pub fn of(block: &(impl Registers + ?Sized)) -> Self {
        let mut rows = RegisterRows::default();
        rows.read(block);
        rows
    }

    /// Takes new values, of the block whose registers these are.
    pub fn read(&mut self, block: &(impl Registers + ?Sized)) {
        self.place = 0;
        self.registers.iter_mut().for_each(|register| register.rows.clear());
        block.list(self);
    }

    /// A register of one row.
    pub fn one(&mut self, name: &str, width: usize, value: impl Into<u64>) {
        self.many(name, width, [value]);
    }

    /// A register of any number of rows.
    pub fn many<T: Into<u64>>(&mut self, name: &str, width: usize, values: impl IntoIterator<Item = T>) {
        if self.place == self.registers.len() {
            self.registers.push(RegisterRow { name: format!("{}{name}", self.path), width, rows: Vec::new() });
        }
        let register = &mut self.registers[self.place];
        debug_assert!(register.name.ends_with(name), "{} is listed where {name} was", register.name);
        register.width = register.width.max(width);
        register.rows.extend(values.into_iter().map(Into::into));
        self.place += 1;
    }

    /// A child, or the children of an array: each register has the rows of the first, then of the second and so on.
    pub fn child<'a, B: Registers + ?Sized + 'a>(&mut self, name: &str, blocks: impl IntoIterator<Item = &'a B>) {
        let (length, first) = (self.path.len(), self.place);
        self.path.push_str(name);
        self.path.push('.');
        for block in blocks {
            self.place = first;
            block.list(self);
        }
        self.path.truncate(length);
    }

    /// Declares them.
    pub fn declarations(&self) -> impl Iterator<Item = SignalDecl> {
        let declare = |one: &RegisterRow| SignalDecl::new(Role::Register, one.name.clone(), one.rows.len(), one.width);
        self.registers.iter().map(declare)
    }

    /// Puts them into an observed frame.
    pub fn observe(&self, observed: &mut Observed) {
        for register in &self.registers {
            observed.rows(register.rows.iter().copied());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Leaf(u8, usize);
    struct Top([Leaf; 2]);

    impl Registers for Leaf {
        fn list(&self, rows: &mut RegisterRows) {
            rows.one("a", self.1, self.0);
            rows.many("b", 1, [false, true]);
        }
    }

    impl Registers for Top {
        fn list(&self, rows: &mut RegisterRows) {
            rows.one("own", 8, 7u8);
            rows.child("leaf", &self.0);
            rows.one("after", 1, true);
        }
    }

    #[test]
    fn children_become_rows_as_wide_as_the_widest() {
        let mut rows = RegisterRows::of(&Top([Leaf(1, 3), Leaf(9, 4)]));
        rows.read(&Top([Leaf(2, 3), Leaf(8, 4)]));
        let seen: Vec<_> = rows.registers.iter().map(|one| (one.name.as_str(), one.width, one.rows.clone())).collect();
        assert_eq!(
            seen,
            [("own", 8, vec![7]), ("leaf.a", 4, vec![2, 8]), ("leaf.b", 1, vec![0, 1, 0, 1]), ("after", 1, vec![1]),]
        );
        assert_eq!(rows.declarations().nth(1), Some(SignalDecl::new(Role::Register, "leaf.a", 2, 4)));
    }
}
