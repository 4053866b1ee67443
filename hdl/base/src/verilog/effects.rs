//! Which bits a statement reads and writes, with the loop variables bound.

use super::check::bit_range;
use super::index::Bindings;
use super::ir::{Expr, ExprKind, SignalId, Stmt};
use super::simplify::decided;
use fixedbitset::FixedBitSet;
use std::collections::{BTreeMap, BTreeSet};

/// Bits by signal.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct BitMap(pub BTreeMap<SignalId, FixedBitSet>);

impl BitMap {
    fn insert(&mut self, signal: SignalId, range: std::ops::Range<usize>) {
        let bits = self.0.entry(signal).or_default();
        bits.grow(range.end);
        bits.insert_range(range);
    }

    pub(crate) fn merge(&mut self, other: &BitMap) {
        for (signal, bits) in &other.0 {
            self.0.entry(*signal).or_default().union_with(bits);
        }
    }

    pub(crate) fn meets(&self, other: &BitMap) -> bool {
        self.0.iter().any(|(signal, bits)| other.0.get(signal).is_some_and(|others| !bits.is_disjoint(others)))
    }
}

/// What a piece of a kernel reads and writes on any path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    pub reads: BitMap,
    pub writes: BitMap,
}

impl Effects {
    pub(crate) fn of(block: &[Stmt], bindings: &mut Bindings) -> Self {
        let mut effects = Effects::default();
        effects.block(block, bindings);
        effects
    }

    fn block(&mut self, block: &[Stmt], bindings: &mut Bindings) {
        for statement in block {
            match statement {
                Stmt::Assign(place, value) => {
                    self.expr(value, bindings);
                    if let Some(range) = bit_range(place, bindings) {
                        self.writes.insert(place.signal, range);
                    }
                }
                Stmt::If { test, then, otherwise } => match decided(test, bindings) {
                    Some(true) => self.block(then, bindings),
                    Some(false) => self.block(otherwise, bindings),
                    None => {
                        self.expr(test, bindings);
                        self.block(then, bindings);
                        self.block(otherwise, bindings);
                    }
                },
                Stmt::Case { value, arms } => {
                    self.expr(value, bindings);
                    arms.iter().for_each(|arm| self.block(&arm.body, bindings));
                }
                Stmt::For { variable, from, to, body } => {
                    for value in *from..*to {
                        bindings.push((variable.clone(), value));
                        self.block(body, bindings);
                        bindings.pop();
                    }
                }
                Stmt::Require { .. } => {}
            }
        }
    }

    pub(crate) fn expr(&mut self, expr: &Expr, bindings: &Bindings) {
        if let ExprKind::Read(place) = &expr.kind
            && let Some(range) = bit_range(place, bindings)
        {
            self.reads.insert(place.signal, range);
        }
        expr.operands().into_iter().for_each(|operand| self.expr(operand, bindings));
    }
}

/// The signals a block writes, and the signals it reads.
pub(crate) fn signals_of(block: &[Stmt]) -> (BTreeSet<SignalId>, BTreeSet<SignalId>) {
    let (mut writes, mut reads) = (BTreeSet::new(), BTreeSet::new());
    collect(block, &mut writes, &mut reads);
    (writes, reads)
}

fn collect(block: &[Stmt], writes: &mut BTreeSet<SignalId>, reads: &mut BTreeSet<SignalId>) {
    for statement in block {
        match statement {
            Stmt::Assign(place, value) => {
                writes.insert(place.signal);
                signals_read(value, reads);
            }
            Stmt::If { test, then, otherwise } => {
                signals_read(test, reads);
                collect(then, writes, reads);
                collect(otherwise, writes, reads);
            }
            Stmt::Case { value, arms } => {
                signals_read(value, reads);
                arms.iter().for_each(|arm| collect(&arm.body, writes, reads));
            }
            Stmt::For { body, .. } => collect(body, writes, reads),
            Stmt::Require { .. } => {}
        }
    }
}

/// Adds the signals `expr` reads to `reads`.
pub(crate) fn signals_read(expr: &Expr, reads: &mut BTreeSet<SignalId>) {
    if let ExprKind::Read(place) = &expr.kind {
        reads.insert(place.signal);
    }
    expr.operands().into_iter().for_each(|operand| signals_read(operand, reads));
}

/// The variables of the loops in a block, and whether some loop of that name runs only in some cases.
pub(crate) fn loop_variables(block: &[Stmt]) -> BTreeMap<String, bool> {
    fn gather(block: &[Stmt], conditional: bool, found: &mut BTreeMap<String, bool>) {
        for statement in block {
            match statement {
                Stmt::For { variable, body, .. } => {
                    *found.entry(variable.clone()).or_default() |= conditional;
                    gather(body, conditional, found);
                }
                Stmt::If { then, otherwise, .. } => {
                    gather(then, true, found);
                    gather(otherwise, true, found);
                }
                Stmt::Case { arms, .. } => arms.iter().for_each(|arm| gather(&arm.body, true, found)),
                Stmt::Assign(..) | Stmt::Require { .. } => {}
            }
        }
    }
    let mut found = BTreeMap::new();
    gather(block, false, &mut found);
    found
}
