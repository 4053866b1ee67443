//! Blocks whose values never change. `always @*` waits for a change of what it reads, so one that reads nothing would never run.

use super::effects::signals_of;
use super::expr::limit;
use super::index::{Bindings, Index};
use super::ir::{BinaryOperator, BitRange, Direction, Expr, ExprKind, Reduction, SignalId, Stmt};
use super::scope::{Scope, SignalKind};
use super::split::Process;
use anyhow::{Context, Result, bail};
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

/// Replaces every `always` block that reads no changing signal by the values it computes.
pub(crate) fn settle(processes: Vec<Process>, scope: &Scope) -> Result<Vec<Process>> {
    processes.into_iter().map(|process| settle_one(process, scope)).collect()
}

fn settle_one(process: Process, scope: &Scope) -> Result<Process> {
    let Process::Always(block) = &process else {
        return Ok(process);
    };
    let (writes, reads) = signals_of(block);
    let is_constant = |signal: &SignalId| matches!(scope.signals[*signal].kind, SignalKind::Constant(_));
    if !reads.iter().all(|signal| is_constant(signal) || writes.contains(signal)) {
        return Ok(process);
    }
    let mut values = Values::new(scope);
    values.block(block, &mut vec![]).context("constant logic")?;
    Ok(Process::Assigns(values.assignments(&writes)))
}

/// The values of signals while statements run.
pub(crate) struct Values<'a> {
    scope: &'a Scope,
    values: BTreeMap<SignalId, BigUint>,
}

impl<'a> Values<'a> {
    pub(crate) fn new(scope: &'a Scope) -> Self {
        Values { scope, values: BTreeMap::new() }
    }

    #[cfg(test)]
    pub(crate) fn set(&mut self, signal: SignalId, value: BigUint) {
        self.values.insert(signal, value);
    }

    #[cfg(test)]
    pub(crate) fn get(&self, signal: SignalId) -> BigUint {
        self.values.get(&signal).cloned().unwrap_or_default()
    }

    fn assignments(&self, writes: &BTreeSet<SignalId>) -> Vec<Stmt> {
        let assign = |&signal: &SignalId| {
            let width = self.scope.signals[signal].total_width();
            let value = self.values.get(&signal).cloned().unwrap_or_default();
            let place = BitRange { signal, start: Index::number(0), width };
            Stmt::Assign(place, Expr::constant(value, width))
        };
        writes.iter().map(assign).collect()
    }

    pub(crate) fn block(&mut self, block: &[Stmt], bindings: &mut Bindings) -> Result<()> {
        for statement in block {
            match statement {
                Stmt::Assign(place, value) => {
                    let bits = self.value(value, bindings)?;
                    let start = start_of(place, bindings)?;
                    let mask = (limit(place.width) - 1u8) << start;
                    let old = self.values.entry(place.signal).or_default();
                    let kept = &*old ^ (&*old & mask);
                    *old = kept | (bits << start);
                }
                Stmt::If { test, then, otherwise } => {
                    let holds = self.value(test, bindings)? != BigUint::default();
                    self.block(if holds { then } else { otherwise }, bindings)?;
                }
                Stmt::Case { value, arms } => {
                    let value = self.value(value, bindings)?;
                    for arm in arms {
                        let label = arm.label.as_ref().map(|label| self.value(label, bindings)).transpose()?;
                        if arm.default || label == Some(value.clone()) {
                            self.block(&arm.body, bindings)?;
                            break;
                        }
                    }
                }
                Stmt::For { variable, from, to, body } => {
                    for value in *from..*to {
                        bindings.push((variable.clone(), value));
                        self.block(body, bindings)?;
                        bindings.pop();
                    }
                }
                Stmt::Require { .. } => {}
            }
        }
        Ok(())
    }

    fn value(&self, expr: &Expr, bindings: &Bindings) -> Result<BigUint> {
        let width = expr.width;
        let of = |operand: &Expr| self.value(operand, bindings);
        let flag = |value: bool| BigUint::from(u8::from(value));
        let value = match &expr.kind {
            ExprKind::Constant(value) => value.clone(),
            ExprKind::Label(_, variant) => BigUint::from(*variant),
            ExprKind::Read(place) => {
                let start = start_of(place, bindings)?;
                let whole = match &self.scope.signals[place.signal].kind {
                    SignalKind::Constant(value) => value.clone(),
                    _ => self.values.get(&place.signal).cloned().unwrap_or_default(),
                };
                whole >> start
            }
            ExprKind::Number(index) => BigUint::try_from(index.evaluate(bindings).context("unbound loop variable")?)?,
            ExprKind::LoopTest(comparison, left, right) => {
                let (l, r) = (left.evaluate(bindings), right.evaluate(bindings));
                flag(comparison.holds(&l.context("unbound")?, &r.context("unbound")?))
            }
            ExprKind::Not(inner) => limit(width) - 1u8 - of(inner)?,
            ExprKind::Reduce(reduction, inner) => {
                let bits = of(inner)?;
                match reduction {
                    Reduction::And => flag(bits == limit(inner.width) - 1u8),
                    Reduction::Or => flag(bits != BigUint::default()),
                    Reduction::Xor => flag(bits.count_ones() % 2 == 1),
                }
            }
            ExprKind::Binary(operator, left, right) => {
                let (l, r) = (of(left)?, of(right)?);
                match operator {
                    BinaryOperator::Add => l + r,
                    BinaryOperator::Sub => limit(width) + l - r,
                    BinaryOperator::Mul => l * r,
                    BinaryOperator::And | BinaryOperator::LogicalAnd => l & r,
                    BinaryOperator::Or | BinaryOperator::LogicalOr => l | r,
                    BinaryOperator::Xor => l ^ r,
                }
            }
            ExprKind::Compare(comparison, left, right) => flag(comparison.holds(&of(left)?, &of(right)?)),
            ExprKind::Shift(direction, inner, distance) => {
                let distance = usize::try_from(of(distance)?)?.min(width);
                match direction {
                    Direction::Left => of(inner)? << distance,
                    Direction::Right => of(inner)? >> distance,
                }
            }
            ExprKind::Extend(inner) => of(inner)?,
            ExprKind::Slice(inner, start) => {
                of(inner)? >> usize::try_from(start.evaluate(bindings).context("unbound")?)?
            }
            ExprKind::SelectBit(base, position) => of(base)? >> usize::try_from(of(position)?)?,
            ExprKind::Concat(parts) => {
                let mut value = BigUint::default();
                for part in parts {
                    value = (value << part.width) | of(part)?;
                }
                value
            }
            ExprKind::Replicate(count, inner) => {
                let part = of(inner)?;
                (0..*count).fold(BigUint::default(), |value, _| (value << inner.width) | &part)
            }
            ExprKind::Mux(test, then, otherwise) => match of(test)? == BigUint::default() {
                true => of(otherwise)?,
                false => of(then)?,
            },
        };
        Ok(value % limit(width))
    }
}

fn start_of(place: &BitRange, bindings: &Bindings) -> Result<usize> {
    match place.start.evaluate(bindings).map(usize::try_from) {
        Some(Ok(start)) => Ok(start),
        _ => bail!("a bit position cannot be computed"),
    }
}
