//! Names in a kernel: the bits of a signal, the loop variable, the size or the enum variant that each stands for.

use super::index::Index;
use super::ir::{BitRange, Expr, ExprKind, SignalId, Stmt};
use super::path::{self, Numbers, Path, readable};
use super::scope::{Scope, SignalKind};
use anyhow::{Context, Error, Result, bail};

/// Marks the error "this index must be a number", which unrolling the loop around it cures.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` needs an index that is a number")]
pub(crate) struct NeedsNumber(String);

/// Translates one kernel. Its methods for expressions stand in `lower_expr`, those for statements in `lower`.
pub(crate) struct Lowerer<'a> {
    pub scope: &'a Scope,
    /// The loops around the present statement, outermost first: the variable, and its value if the loop is being unrolled.
    pub loops: Vec<(String, Option<i128>)>,
    /// Conditions the present statement relies on.
    pub requirements: Vec<Stmt>,
}

/// A name that stands for bits of a signal.
pub(crate) struct Resolved {
    pub place: BitRange,
    /// The name stands for all elements of an array.
    pub whole_array: bool,
}

impl<'a> Lowerer<'a> {
    pub(crate) fn new(scope: &'a Scope) -> Self {
        Lowerer { scope, loops: vec![], requirements: vec![] }
    }

    /// The bits a name stands for.
    pub(crate) fn resolve(&mut self, text: &str) -> Result<Resolved> {
        let path = path::parse(text, self)?;
        let (signal, indices) = self.find(&path, text)?;
        let info = &self.scope.signals[signal];
        if indices.len() > info.dims.len() {
            bail!("`{}` needs {} indices", readable(text), info.dims.len());
        }
        // With fewer indices than dimensions the name stands for the whole inner array: `mask[i].d` of a `BitRegister`.
        let (outer, inner) = info.dims.split_at(indices.len());
        let width = info.width * inner.iter().product::<usize>();
        let mut element = Index::number(0);
        for (index, &length) in indices.iter().zip(outer) {
            self.require(index, length as i128, || format!("index of `{}`", readable(text)))?;
            element = element.times(length as i128).add(index);
        }
        let place = BitRange { signal, start: element.times(width as i128), width };
        Ok(Resolved { place, whole_array: !inner.is_empty() })
    }

    /// Notes that `0 <= index < limit` must hold; fails at once if it is a number and does not.
    pub(crate) fn require(&mut self, index: &Index, limit: i128, what: impl Fn() -> String) -> Result<()> {
        match index.constant() {
            Some(value) if (0..limit).contains(&value) => {}
            Some(value) => bail!("{} is {value}, outside 0..{limit}", what()),
            None => {
                let (index, what) = (index.clone(), what());
                self.requirements.push(Stmt::Require { index, limit, what });
            }
        }
        Ok(())
    }

    fn find(&self, path: &Path, text: &str) -> Result<(SignalId, Vec<Index>)> {
        if let Some(&signal) = self.scope.keys.get(&path.key()) {
            return Ok((signal, path.indices()));
        }
        let first = &path.segments[0];
        if self.scope.irregular.contains(&first.name) {
            let mut key = first.name.clone();
            for index in &first.indices {
                let number = index.constant();
                let number = number.ok_or_else(|| Error::new(NeedsNumber(readable(text))))?;
                key.push_str(&format!("[{number}]"));
            }
            for segment in &path.segments[1..] {
                key.push_str(&format!(".{}", segment.name));
            }
            if let Some(&signal) = self.scope.keys.get(&key) {
                let rest = path.segments[1..].iter().flat_map(|segment| segment.indices.clone());
                return Ok((signal, rest.collect()));
            }
        }
        bail!(
            "`{}` is not a signal of this block; a value from outside the kernel must be a `Constant` or a `Size`",
            readable(text)
        )
    }

    /// The bits of the name on the left of an assignment.
    pub(crate) fn target(&mut self, text: &str) -> Result<Resolved> {
        let resolved = self.resolve(text)?;
        match self.scope.signals[resolved.place.signal].kind {
            SignalKind::Input => bail!("the kernel writes to an input of its own block"),
            SignalKind::ChildOutput | SignalKind::State => bail!("the kernel writes to an output of a child"),
            SignalKind::Constant(_) => bail!("the kernel writes to a constant"),
            _ => Ok(resolved),
        }
    }

    /// Fails if the name of a loop variable has another meaning already.
    pub(crate) fn check_loop_variable(&self, variable: &str) -> Result<()> {
        super::names::check_identifier(variable).context("loop variable")?;
        let is_field = |key: &String| key.split(['.', '[']).next() == Some(variable);
        if self.scope.keys.keys().any(is_field)
            || self.scope.sizes.contains_key(variable)
            || self.scope.tables.contains_key(variable)
            || self.scope.name_is_taken(variable)
        {
            bail!("loop variable `{variable}` has the name of a field; rename it");
        }
        if self.loops.iter().any(|(outer, _)| outer == variable) {
            bail!("nested loops both use the variable `{variable}`; rename one");
        }
        Ok(())
    }

    /// Fails if the kernel may not read the signal.
    pub(crate) fn check_readable(&self, signal: SignalId) -> Result<()> {
        let info = &self.scope.signals[signal];
        match info.kind {
            SignalKind::ChildInput | SignalKind::Next | SignalKind::RegisterClock | SignalKind::MemoryClock => {
                bail!("`{}` is an input of a child and cannot be read here; read what it is driven by", info.rust)
            }
            _ => Ok(()),
        }
    }

    /// A case label or a value written as an enum variant with its type.
    pub(crate) fn label(&self, text: &str) -> Option<Expr> {
        let mut parts = text.rsplit('$');
        let (variant, name) = (parts.next()?, parts.next()?);
        let of = self.scope.enums.iter().find(|known| known.name == name)?;
        let position = of.variants.iter().position(|known| known == variant)?;
        Some(Expr::new(ExprKind::Label(of.name.clone(), position), of.width()))
    }
}

impl Numbers for Lowerer<'_> {
    fn number(&self, name: &str) -> Option<Index> {
        if let Some((_, value)) = self.loops.iter().rev().find(|(variable, _)| variable == name) {
            return Some(value.map_or_else(|| Index::variable(name), Index::number));
        }
        self.scope.sizes.get(name).map(|&value| Index::number(value as i128))
    }

    fn table(&self, name: &str) -> Option<Vec<i128>> {
        Some(self.scope.tables.get(name)?.iter().map(|&value| value as i128).collect())
    }
}
