//! Runs a kernel once with every loop unrolled and no values, to prove that every bit is written before it is read and in every case.

use super::index::{Bindings, Index};
use super::ir::{BitRange, Expr, ExprKind, SignalId, Stmt};
use super::scope::{Scope, SignalKind};
use super::simplify::decided;
use anyhow::{Result, bail};
use fixedbitset::FixedBitSet;

/// Proves that `block` describes combinational logic. Returns, for every signal, the bits the kernel reads.
pub(crate) fn check(scope: &Scope, block: &[Stmt]) -> Result<Vec<FixedBitSet>> {
    let bits = || scope.signals.iter().map(|s| FixedBitSet::with_capacity(s.total_width())).collect();
    let mut checker = Checker { scope, assigned: bits(), touched: bits(), read: bits(), log: vec![] };
    checker.block(block, &mut vec![])?;
    checker.all_assigned()?;
    Ok(checker.read)
}

/// The bits a place covers, with the loop variables bound.
pub(crate) fn bit_range(place: &BitRange, bindings: &Bindings) -> Option<std::ops::Range<usize>> {
    let start = usize::try_from(place.start.evaluate(bindings)?).ok()?;
    Some(start..start + place.width)
}

struct Checker<'a> {
    scope: &'a Scope,
    /// Bits written on every path so far.
    assigned: Vec<FixedBitSet>,
    /// Bits written on some path.
    touched: Vec<FixedBitSet>,
    read: Vec<FixedBitSet>,
    /// Every bit that became assigned, in order, so that a branch can be taken back.
    log: Vec<(SignalId, usize)>,
}

impl Checker<'_> {
    fn block(&mut self, block: &[Stmt], bindings: &mut Bindings) -> Result<()> {
        block.iter().try_for_each(|statement| self.statement(statement, bindings))
    }

    fn statement(&mut self, statement: &Stmt, bindings: &mut Bindings) -> Result<()> {
        match statement {
            Stmt::Assign(place, value) => {
                self.expr(value, bindings)?;
                self.write(place, bindings)
            }
            Stmt::If { test, then, otherwise } => match decided(test, bindings) {
                Some(true) => self.block(then, bindings),
                Some(false) => self.block(otherwise, bindings),
                None => {
                    self.expr(test, bindings)?;
                    self.branches(&[then.as_slice(), otherwise.as_slice()], bindings)
                }
            },
            Stmt::Case { value, arms } => {
                self.expr(value, bindings)?;
                let bodies: Vec<&[Stmt]> = arms.iter().map(|arm| arm.body.as_slice()).collect();
                self.branches(&bodies, bindings)
            }
            Stmt::For { variable, from, to, body } => {
                for value in *from..*to {
                    bindings.push((variable.clone(), value));
                    let outcome = self.block(body, bindings);
                    bindings.pop();
                    outcome?;
                }
                Ok(())
            }
            Stmt::Require { index, limit, what } => require(index, *limit, what, bindings),
        }
    }

    /// Runs each branch from the same state; afterwards a bit is assigned if every branch assigned it.
    fn branches(&mut self, branches: &[&[Stmt]], bindings: &mut Bindings) -> Result<()> {
        let start = self.log.len();
        let mut common: Option<Vec<(SignalId, usize)>> = None;
        for branch in branches {
            self.block(branch, bindings)?;
            let new = self.log.split_off(start);
            for &(signal, bit) in &new {
                self.assigned[signal].remove(bit);
            }
            common = Some(match common {
                None => new,
                Some(before) => {
                    let new: std::collections::BTreeSet<_> = new.into_iter().collect();
                    before.into_iter().filter(|bit| new.contains(bit)).collect()
                }
            });
        }
        for (signal, bit) in common.unwrap_or_default() {
            self.assigned[signal].insert(bit);
            self.log.push((signal, bit));
        }
        Ok(())
    }

    fn write(&mut self, place: &BitRange, bindings: &Bindings) -> Result<()> {
        let info = &self.scope.signals[place.signal];
        let range = bit_range(place, bindings).filter(|range| range.end <= info.total_width());
        let Some(range) = range else {
            bail!("assignment outside `{}`", info.rust);
        };
        for bit in range {
            self.touched[place.signal].insert(bit);
            if !self.assigned[place.signal].put(bit) {
                self.log.push((place.signal, bit));
            }
        }
        Ok(())
    }

    fn expr(&mut self, expr: &Expr, bindings: &Bindings) -> Result<()> {
        if let ExprKind::Read(place) = &expr.kind {
            let info = &self.scope.signals[place.signal];
            let range = bit_range(place, bindings).filter(|range| range.end <= info.total_width());
            let Some(range) = range else {
                bail!("`{}` is read outside its bits", info.rust);
            };
            if let SignalKind::Output | SignalKind::Local = info.kind
                && range.clone().any(|bit| !self.assigned[place.signal].contains(bit))
            {
                bail!("`{}` is read before it is assigned{}", info.rust, at(bindings));
            }
            self.read[place.signal].insert_range(range);
        }
        expr.operands().into_iter().try_for_each(|operand| self.expr(operand, bindings))
    }

    fn all_assigned(&self) -> Result<()> {
        for (signal, info) in self.scope.signals.iter().enumerate() {
            let what = match info.kind {
                SignalKind::Output => "output",
                SignalKind::ChildInput => "input of a child",
                SignalKind::Next => "`d` of a register",
                SignalKind::Local => "local signal",
                SignalKind::RegisterClock => "clock of a register, set by `dff_setup!`,",
                SignalKind::MemoryClock => "clock of a memory",
                _ => continue,
            };
            let name = &info.rust;
            let assigned = &self.assigned[signal];
            let total = info.total_width();
            let missing = (0..total).find(|&bit| !assigned.contains(bit));
            let Some(bit) = missing else { continue };
            let element = match info.dims.is_empty() {
                true => String::new(),
                false => format!(" (element {})", bit / info.width),
            };
            if self.touched[signal].contains(bit) {
                bail!("{what} `{name}`{element} is assigned in some cases only, which would be a latch");
            }
            bail!("{what} `{name}`{element} is never assigned");
        }
        Ok(())
    }
}

fn require(index: &Index, limit: i128, what: &str, bindings: &Bindings) -> Result<()> {
    match index.evaluate(bindings) {
        Some(value) if (0..limit).contains(&value) => Ok(()),
        Some(value) => bail!("{what} is {value}, outside 0..{limit}{}", at(bindings)),
        None => bail!("{what} cannot be computed{}", at(bindings)),
    }
}

/// ` (i = 3)`: the iteration a message is about.
fn at(bindings: &Bindings) -> String {
    if bindings.is_empty() {
        return String::new();
    }
    let values: Vec<String> = bindings.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    format!(" ({})", values.join(", "))
}
