//! Statements and expressions of a loop as expressions on whole vectors.
//!
//! `for i in 0..16 { x[i] = a[i] & !b[i + 1] }` says `x = a & ~b[16:1]`. This holds for operators that treat every bit alike, if each
//! position advances with the loop by exactly the width it covers.

use super::expr::{binary, limit, not, replicate};
use super::index::Index;
use super::ir::{BinaryOperator, BitRange, Comparison, Direction, Expr, ExprKind, Reduction, Stmt};

/// A loop whose body is being rewritten: the values `from .. from + count` of `variable`.
#[derive(Clone, Copy)]
pub(crate) struct Span<'a> {
    pub variable: &'a str,
    pub from: i128,
    pub count: usize,
}

impl Span<'_> {
    /// The assignment for all iterations at once; the caller has made sure that no iteration needs the result of an earlier one.
    pub(crate) fn assignment(&self, target: &BitRange, value: &Expr) -> Option<Stmt> {
        Some(Stmt::Assign(self.place(target)?, self.expr(value)?))
    }

    /// `t = t | f(i)` for all iterations at once: `t = t | (|f)`.
    pub(crate) fn reduction(&self, target: &BitRange, value: &Expr) -> Option<Stmt> {
        if target.width != 1 || target.start.uses(self.variable) {
            return None;
        }
        let ExprKind::Binary(operator, ..) = &value.kind else {
            return None;
        };
        let (operator, reduction) = match operator {
            BinaryOperator::Or | BinaryOperator::LogicalOr => (BinaryOperator::Or, Reduction::Or),
            BinaryOperator::And | BinaryOperator::LogicalAnd => (BinaryOperator::And, Reduction::And),
            BinaryOperator::Xor => (BinaryOperator::Xor, Reduction::Xor),
            _ => return None,
        };
        let mut parts = vec![];
        flatten(value, operator, &mut parts);
        let old = Expr::read(target.clone());
        let rest: Vec<&Expr> = parts.iter().copied().filter(|part| **part != old).collect();
        if rest.len() + 1 != parts.len() || rest.iter().any(|part| reads_signal(part, target)) {
            return None;
        }
        let rest = rest.into_iter().cloned().reduce(|left, right| binary(operator, left, right))?;
        if !rest.uses(self.variable) && reduction == Reduction::Xor {
            return None;
        }
        Some(Stmt::Assign(target.clone(), binary(operator, old, reduce(reduction, self.expr(&rest)?))))
    }

    fn at_start(&self, index: &Index) -> Index {
        index.substitute(self.variable, self.from)
    }

    /// The bits that `place` covers over all iterations, if they are one run without gaps.
    fn place(&self, place: &BitRange) -> Option<BitRange> {
        let advances = place.start.coefficient(self.variable)? == place.width as i128;
        let (signal, start) = (place.signal, self.at_start(&place.start));
        advances.then_some(BitRange { signal, start, width: place.width * self.count })
    }

    fn expr(&self, expr: &Expr) -> Option<Expr> {
        if !expr.uses(self.variable) {
            return Some(replicate(self.count, expr.clone()));
        }
        match &expr.kind {
            ExprKind::Read(place) => Some(Expr::read(self.place(place)?)),
            ExprKind::Not(inner) => Some(not(self.expr(inner)?)),
            ExprKind::Binary(operator, left, right) => {
                let operator = match operator {
                    BinaryOperator::And | BinaryOperator::LogicalAnd => BinaryOperator::And,
                    BinaryOperator::Or | BinaryOperator::LogicalOr => BinaryOperator::Or,
                    BinaryOperator::Xor => BinaryOperator::Xor,
                    BinaryOperator::Add | BinaryOperator::Sub | BinaryOperator::Mul => return None,
                };
                Some(binary(operator, self.expr(left)?, self.expr(right)?))
            }
            ExprKind::Mux(test, then, otherwise) if !test.uses(self.variable) => {
                let (then, otherwise) = (self.expr(then)?, self.expr(otherwise)?);
                let width = then.width;
                Some(Expr::new(ExprKind::Mux(test.clone(), Box::new(then), Box::new(otherwise)), width))
            }
            ExprKind::Compare(comparison, left, right) => self.comparison(*comparison, left, right),
            _ => None,
        }
    }

    fn comparison(&self, comparison: Comparison, left: &Expr, right: &Expr) -> Option<Expr> {
        if left.width == 1 {
            let different = binary(BinaryOperator::Xor, self.expr(left)?, self.expr(right)?);
            return match comparison {
                Comparison::NotEqual => Some(different),
                Comparison::Equal => Some(not(different)),
                _ => None,
            };
        }
        // `x == i` for every i is the one-hot code of x.
        let (value, index) = match (&left.kind, &right.kind) {
            (ExprKind::Number(index), _) => (right, index),
            (_, ExprKind::Number(index)) => (left, index),
            _ => return None,
        };
        let counts_from_zero =
            index.coefficient(self.variable) == Some(1) && self.at_start(index).constant() == Some(0);
        if !counts_from_zero || value.uses(self.variable) {
            return None;
        }
        let one = Expr::constant(1u8.into(), self.count);
        let one_hot = ExprKind::Shift(Direction::Left, Box::new(one), Box::new(value.clone()));
        let one_hot = Expr::new(one_hot, self.count);
        match comparison {
            Comparison::Equal => Some(one_hot),
            Comparison::NotEqual => Some(not(one_hot)),
            _ => None,
        }
    }
}

fn flatten<'a>(expr: &'a Expr, operator: BinaryOperator, parts: &mut Vec<&'a Expr>) {
    let same = |inner: BinaryOperator| {
        inner == operator
            || (inner == BinaryOperator::LogicalAnd && operator == BinaryOperator::And)
            || (inner == BinaryOperator::LogicalOr && operator == BinaryOperator::Or)
    };
    match &expr.kind {
        ExprKind::Binary(inner, left, right) if same(*inner) => {
            flatten(left, operator, parts);
            flatten(right, operator, parts);
        }
        _ => parts.push(expr),
    }
}

/// The reduction of `expr`; "all are zero" is written as "not any".
fn reduce(reduction: Reduction, expr: Expr) -> Expr {
    match (reduction, expr.kind) {
        (Reduction::And, ExprKind::Not(inner)) => not(reduce(Reduction::Or, *inner)),
        (_, ExprKind::Replicate(_, inner)) if inner.width == 1 && reduction != Reduction::Xor => *inner,
        (_, kind) => Expr::new(ExprKind::Reduce(reduction, Box::new(Expr::new(kind, expr.width))), 1),
    }
}

fn reads_signal(expr: &Expr, place: &BitRange) -> bool {
    matches!(&expr.kind, ExprKind::Read(read) if read.signal == place.signal)
        || expr.operands().into_iter().any(|operand| reads_signal(operand, place))
}

/// `if test { .. } else { .. }` as assignments without a condition, for one-bit targets: `x = test & a | ~test & b`.
///
/// `None` where a value or the test needs a target of another assignment, so that the order would matter.
pub(crate) fn without_condition(test: &Expr, then: &[Stmt], otherwise: &[Stmt]) -> Option<Vec<Stmt>> {
    let (then, otherwise) = (plain_assignments(then)?, plain_assignments(otherwise)?);
    let all = || then.iter().chain(&otherwise);
    for (position, (target, value)) in all().enumerate() {
        let alone = !reads_signal(test, target)
            && (all().enumerate()).all(|(other, (_, source))| other == position || !reads_signal(source, target));
        if target.width != 1 || !alone || (reads_signal(value, target) && !reads_only(value, target)) {
            return None;
        }
    }
    for list in [&then, &otherwise] {
        let twice = |position: usize| list[..position].iter().any(|(target, _)| *target == list[position].0);
        if (0..list.len()).any(twice) {
            return None;
        }
    }
    let mut out = vec![];
    for (target, value) in &then {
        let other = otherwise.iter().find(|(other, _)| other == target);
        let other = other.map_or_else(|| Expr::read(target.clone()), |(_, value)| value.clone());
        out.push(Stmt::Assign(target.clone(), choose(test, value, &other)));
    }
    for (target, value) in &otherwise {
        if !then.iter().any(|(other, _)| other == target) {
            out.push(Stmt::Assign(target.clone(), choose(test, &Expr::read(target.clone()), value)));
        }
    }
    Some(out)
}

/// The block as a list of assignments, inner conditions dissolved.
fn plain_assignments(block: &[Stmt]) -> Option<Vec<(BitRange, Expr)>> {
    let mut out = vec![];
    for statement in block {
        match statement {
            Stmt::Assign(place, value) => out.push((place.clone(), value.clone())),
            Stmt::If { test, then, otherwise } => {
                out.extend(plain_assignments(&without_condition(test, then, otherwise)?)?);
            }
            _ => return None,
        }
    }
    Some(out)
}

/// Whether `expr` reads the signal of `place` at `place` only.
pub(crate) fn reads_only(expr: &Expr, place: &BitRange) -> bool {
    let here = match &expr.kind {
        ExprKind::Read(read) => read.signal != place.signal || read == place,
        _ => true,
    };
    here && expr.operands().into_iter().all(|operand| reads_only(operand, place))
}

/// `test ? then : otherwise` on single bits, with logic operators.
fn choose(test: &Expr, then: &Expr, otherwise: &Expr) -> Expr {
    let is = |expr: &Expr, value: u8| expr.as_constant().is_some_and(|bits| *bits == value.into());
    debug_assert!(then.width == 1 && limit(1) == 2u8.into());
    match (then, otherwise) {
        _ if then == otherwise => then.clone(),
        _ if is(then, 1) && is(otherwise, 0) => test.clone(),
        _ if is(then, 0) && is(otherwise, 1) => not(test.clone()),
        _ if is(then, 1) => binary(BinaryOperator::Or, otherwise.clone(), test.clone()),
        _ if is(then, 0) => binary(BinaryOperator::And, otherwise.clone(), not(test.clone())),
        _ if is(otherwise, 0) => binary(BinaryOperator::And, then.clone(), test.clone()),
        _ if is(otherwise, 1) => binary(BinaryOperator::Or, then.clone(), not(test.clone())),
        _ => binary(
            BinaryOperator::Or,
            binary(BinaryOperator::And, then.clone(), test.clone()),
            binary(BinaryOperator::And, otherwise.clone(), not(test.clone())),
        ),
    }
}
