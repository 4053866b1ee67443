//! The registers of a composed block as the lock-step harness wants them: by path, one row an instance, each with what it belongs to.

use powar_config::{Owner, Role, SignalDecl, SignalSpec};

/// A block that lists its registers and those of its children: always the same ones in the same order.
pub trait Registers {
    /// Lists them with the values of the cycle under way; none unless a block says so.
    fn list(&self, _rows: &mut RegisterRows) {}
}

/// A list of registers under way, or of the outputs of a [`Block`](crate::lock_step::Block). The same walk over the
/// blocks declares the registers and reads them, so that the two can't differ.
#[derive(Clone, Debug, Default)]
pub struct RegisterRows {
    /// Path of the block that is listed, with a dot at the end; empty for the top.
    path: String,
    /// To what the block that is listed belongs, and its path below that.
    owner: Owner,
    own_path: String,
    /// Place of the next register.
    place: usize,
    registers: Vec<RegisterRow>,
    /// They are outputs.
    outputs: bool,
}

#[derive(Clone, Debug)]
struct RegisterRow {
    declaration: SignalDecl,
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
        self.read_with(|rows| block.list(rows));
    }

    /// For the outputs of a block, which are listed the same way.
    pub(crate) fn for_outputs() -> Self {
        RegisterRows { outputs: true, ..Self::default() }
    }

    /// Takes new values from whoever lists the same ones as the time before.
    pub(crate) fn read_with(&mut self, list: impl FnOnce(&mut Self)) {
        self.place = 0;
        self.registers.iter_mut().for_each(|register| register.rows.clear());
        list(self);
    }

    /// A register of one row.
    pub fn one(&mut self, register: SignalSpec, value: impl Into<u64>) {
        self.many(register, [value]);
    }

    /// A register of any number of rows, as many as there are values.
    pub fn many<T: Into<u64>>(&mut self, register: SignalSpec, values: impl IntoIterator<Item = T>) {
        if self.place == self.registers.len() {
            let declaration = self.declaration(register);
            self.registers.push(RegisterRow { declaration, rows: Vec::new() });
        }
        let listed = &mut self.registers[self.place];
        let known = &mut listed.declaration;
        debug_assert!(known.name.ends_with(register.name), "{} is listed where {} was", known.name, register.name);
        known.width = known.width.max(register.width);
        listed.rows.extend(values.into_iter().map(Into::into));
        self.place += 1;
    }

    fn declaration(&self, register: SignalSpec) -> SignalDecl {
        let own = register.declare(if self.outputs { Role::Output } else { Role::Register });
        let (owner, own_name) = match own.owner {
            Owner::Block => (self.owner, format!("{}{}", self.own_path, own.own_name)),
            owner => (owner, own.own_name),
        };
        SignalDecl { name: format!("{}{}", self.path, own.name), owner, own_name, ..own }
    }

    /// A child, or the children of an array: each register has the rows of the first, then of the second and so on. What it holds
    /// belongs to whatever this block belongs to.
    pub fn child<'a, B: Registers + ?Sized + 'a>(&mut self, name: &str, blocks: impl IntoIterator<Item = &'a B>) {
        self.child_of(Owner::Block, name, blocks);
    }

    /// Children that each belong to an owner: the FSMs of the ports.
    pub fn child_of<'a, B: Registers + ?Sized + 'a>(
        &mut self,
        owner: Owner,
        name: &str,
        blocks: impl IntoIterator<Item = &'a B>,
    ) {
        self.walk(owner, name, true, blocks);
    }

    /// Children that are the owners: the input ports. With [`Owner::Block`], a child whose registers count as this block's own.
    pub fn owners<'a, B: Registers + ?Sized + 'a>(
        &mut self,
        owner: Owner,
        name: &str,
        blocks: impl IntoIterator<Item = &'a B>,
    ) {
        self.walk(owner, name, false, blocks);
    }

    fn walk<'a, B: Registers + ?Sized + 'a>(
        &mut self,
        owner: Owner,
        name: &str,
        is_part: bool,
        blocks: impl IntoIterator<Item = &'a B>,
    ) {
        let (length, own_length, first) = (self.path.len(), self.own_path.len(), self.place);
        self.path.push_str(name);
        self.path.push('.');
        let outer = (owner != Owner::Block)
            .then(|| (std::mem::replace(&mut self.owner, owner), std::mem::take(&mut self.own_path)));
        if is_part {
            self.own_path.push_str(name);
            self.own_path.push('.');
        }
        for block in blocks {
            self.place = first;
            block.list(self);
        }
        self.path.truncate(length);
        match outer {
            Some(outer) => (self.owner, self.own_path) = outer,
            None => self.own_path.truncate(own_length),
        }
    }

    /// Declares them.
    pub fn declarations(&self) -> impl Iterator<Item = SignalDecl> {
        let declare = |one: &RegisterRow| SignalDecl { rows: one.rows.len(), ..one.declaration.clone() };
        self.registers.iter().map(declare)
    }

    /// Their values.
    pub(crate) fn rows(&self) -> impl Iterator<Item = u64> {
        self.registers.iter().flat_map(|register| register.rows.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::signal::{count, flag, flags, number};

    struct Leaf(u8, usize);
    struct Top([Leaf; 2]);

    impl Registers for Leaf {
        fn list(&self, rows: &mut RegisterRows) {
            rows.one(count("a", self.1), self.0);
            rows.many(flag("b"), [false, true]);
            rows.one(flags("c", Owner::OutputLink, 1).known_as("valid"), true);
        }
    }

    impl Registers for Top {
        fn list(&self, rows: &mut RegisterRows) {
            rows.one(number("own", 8), 7u8);
            rows.child_of(Owner::Port, "leaf", &self.0);
            rows.one(flag("after"), true);
        }
    }

    #[test]
    fn children_become_rows_as_wide_as_the_widest() {
        let mut rows = RegisterRows::of(&Top([Leaf(1, 3), Leaf(9, 4)]));
        rows.read(&Top([Leaf(2, 3), Leaf(8, 4)]));
        let declarations: Vec<SignalDecl> = rows.declarations().collect();
        let seen: Vec<_> = (declarations.iter().zip(&rows.registers))
            .map(|(declared, one)| (declared.name.as_str(), declared.rows, declared.width, one.rows.clone()))
            .collect();
        assert_eq!(
            seen,
            [
                ("own", 1, 8, vec![7]),
                ("leaf.a", 2, 4, vec![2, 8]),
                ("leaf.b", 4, 1, vec![0, 1, 0, 1]),
                ("leaf.c", 2, 1, vec![1, 1]),
                ("after", 1, 1, vec![1]),
            ]
        );
    }

    /// Lists a block as a part of another.
    struct Within<B>(Owner, bool, B);

    impl<B: Registers> Registers for Within<B> {
        fn list(&self, rows: &mut RegisterRows) {
            match self.1 {
                true => rows.owners(self.0, "whole", [&self.2]),
                false => rows.child_of(self.0, "part", [&self.2]),
            }
        }
    }

    #[test]
    fn what_has_no_owner_of_its_own_belongs_to_the_innermost() {
        let own_names = |block: &dyn Registers| -> Vec<(Owner, String)> {
            RegisterRows::of(block).declarations().map(|one| (one.owner, one.own_name)).collect()
        };
        let named = |list: [(Owner, &str); 5]| list.map(|(owner, name)| (owner, name.to_owned()));
        let top = || Top([Leaf(1, 3), Leaf(9, 4)]);
        let of_leaf = [(Owner::Port, "leaf.a"), (Owner::Port, "leaf.b"), (Owner::OutputLink, "valid")];
        let around = |owner, own, after| named([(owner, own), of_leaf[0], of_leaf[1], of_leaf[2], (owner, after)]);
        assert_eq!(own_names(&top()), around(Owner::Block, "own", "after"));
        assert_eq!(own_names(&Within(Owner::Block, false, top())), around(Owner::Block, "part.own", "part.after"));
        assert_eq!(own_names(&Within(Owner::Block, true, top())), around(Owner::Block, "own", "after"));
        assert_eq!(own_names(&Within(Owner::Group, true, top())), around(Owner::Group, "own", "after"));
        let inner = || Within(Owner::Block, false, Within(Owner::Group, false, top()));
        assert_eq!(own_names(&inner()), around(Owner::Group, "part.own", "part.after"));
        let outer = Within(Owner::Requester, true, Within(Owner::Block, false, top()));
        assert_eq!(own_names(&outer), around(Owner::Requester, "part.own", "part.after"));
    }
}
