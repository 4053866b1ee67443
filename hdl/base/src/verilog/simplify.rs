//! Folding: loop variables that have become numbers, tests that have become constant, branches that can never run.

use super::expr::{limit, narrow, not, slice};
use super::index::Index;
use super::ir::{Arm, BinaryOperator, BitRange, Comparison, Expr, ExprKind, Stmt};
use super::scope::{Scope, SignalKind};
use num_bigint::BigUint;

/// `block` with a loop variable replaced by a number, then simplified.
pub(crate) fn substitute(block: &[Stmt], variable: &str, value: i128, scope: &Scope) -> Vec<Stmt> {
    let statements =
        block.iter().map(|statement| map_statement(statement, &mut |index| index.substitute(variable, value)));
    simplify(&statements.collect::<Vec<_>>(), scope)
}

/// `statement` with every index replaced by `change(index)`.
pub(crate) fn map_statement(statement: &Stmt, change: &mut dyn FnMut(&Index) -> Index) -> Stmt {
    let block = |statements: &[Stmt], change: &mut dyn FnMut(&Index) -> Index| {
        statements.iter().map(|inner| map_statement(inner, change)).collect::<Vec<_>>()
    };
    match statement {
        Stmt::Assign(place, value) => Stmt::Assign(map_place(place, change), map_indices(value, change)),
        Stmt::If { test, then, otherwise } => {
            Stmt::If { test: map_indices(test, change), then: block(then, change), otherwise: block(otherwise, change) }
        }
        Stmt::Case { value, arms } => Stmt::Case {
            value: map_indices(value, change),
            arms: arms.iter().map(|arm| Arm { body: block(&arm.body, change), ..arm.clone() }).collect(),
        },
        Stmt::For { variable, from, to, body } => {
            Stmt::For { variable: variable.clone(), from: *from, to: *to, body: block(body, change) }
        }
        Stmt::Require { index, limit, what } => {
            Stmt::Require { index: change(index), limit: *limit, what: what.clone() }
        }
    }
}

fn map_place(place: &BitRange, change: &mut dyn FnMut(&Index) -> Index) -> BitRange {
    BitRange { start: change(&place.start), ..place.clone() }
}

/// `expr` with every index replaced by `change(index)`.
pub(crate) fn map_indices(expr: &Expr, change: &mut dyn FnMut(&Index) -> Index) -> Expr {
    let kind = match &expr.kind {
        ExprKind::Read(place) => ExprKind::Read(map_place(place, change)),
        ExprKind::Number(index) => {
            let index = change(index);
            match index.constant().and_then(|value| BigUint::try_from(value).ok()) {
                Some(value) => ExprKind::Constant(value % limit(expr.width)),
                None => ExprKind::Number(index),
            }
        }
        ExprKind::LoopTest(comparison, left, right) => {
            let (left, right) = (change(left), change(right));
            match (left.constant(), right.constant()) {
                (Some(l), Some(r)) => return Expr::bit(comparison.holds(&l, &r)),
                _ => ExprKind::LoopTest(*comparison, left, right),
            }
        }
        ExprKind::Slice(inner, start) => {
            let inner = map_indices(inner, change);
            return slice(&inner, &change(start), expr.width);
        }
        _ => return expr.map_operands(&mut |operand| map_indices(operand, change)),
    };
    Expr::new(kind, expr.width)
}

/// `block` without branches that can never run and without empty statements.
pub(crate) fn simplify(block: &[Stmt], scope: &Scope) -> Vec<Stmt> {
    let mut out = vec![];
    for statement in block {
        match statement {
            Stmt::Assign(place, value) => out.push(Stmt::Assign(place.clone(), fold(value, scope))),
            Stmt::If { test, then, otherwise } => {
                let test = fold(test, scope);
                let then = simplify(then, scope);
                let otherwise = simplify(otherwise, scope);
                match test.as_constant() {
                    Some(value) if *value == BigUint::default() => out.extend(otherwise),
                    Some(_) => out.extend(then),
                    None if then.is_empty() && otherwise.is_empty() => {}
                    None if then.is_empty() => {
                        out.push(Stmt::If { test: not(test), then: otherwise, otherwise: vec![] });
                    }
                    None => out.push(Stmt::If { test, then, otherwise }),
                }
            }
            Stmt::Case { value, arms } => {
                let simple = |arm: &Arm| Arm { body: simplify(&arm.body, scope), ..arm.clone() };
                let arms: Vec<Arm> = arms.iter().map(simple).collect();
                if arms.iter().any(|arm| !arm.body.is_empty()) {
                    out.push(Stmt::Case { value: fold(value, scope), arms });
                }
            }
            Stmt::For { variable, from, to, body } => {
                if from + 1 == *to {
                    out.extend(substitute(body, variable, *from, scope));
                    continue;
                }
                let body = simplify(body, scope);
                if !body.is_empty() {
                    out.push(Stmt::For { variable: variable.clone(), from: *from, to: *to, body });
                }
            }
            Stmt::Require { .. } => out.push(statement.clone()),
        }
    }
    out
}

/// The value of an expression that is the same in every cycle: a number, or a constant of the block.
fn known<'a>(expr: &'a Expr, scope: &'a Scope) -> Option<BigUint> {
    match &expr.kind {
        ExprKind::Constant(value) => Some(value.clone()),
        ExprKind::Read(place) => match (&scope.signals[place.signal].kind, place.start.constant()) {
            (SignalKind::Constant(value), Some(start)) => {
                Some((value >> usize::try_from(start).ok()?) % limit(place.width))
            }
            _ => None,
        },
        _ => None,
    }
}

/// `expr` with constant parts computed.
pub(crate) fn fold(expr: &Expr, scope: &Scope) -> Expr {
    let expr = expr.map_operands(&mut |operand| fold(operand, scope));
    let zero = BigUint::default();
    match &expr.kind {
        ExprKind::Not(inner) => match inner.as_constant() {
            Some(_) => not((**inner).clone()),
            None => expr,
        },
        ExprKind::Compare(comparison, left, right) => {
            let most = limit(left.width) - 1u8;
            let (l, r) = (known(left, scope), known(right, scope));
            // A test that cannot fail, such as `x >= 0`, is a warning in every linter.
            let always = match (comparison, l, r) {
                (_, Some(l), Some(r)) => Some(comparison.holds(&l, &r)),
                (Comparison::Less, _, Some(r)) if r == zero => Some(false),
                (Comparison::GreaterEqual, _, Some(r)) if r == zero => Some(true),
                (Comparison::Greater, _, Some(r)) if r == most => Some(false),
                (Comparison::LessEqual, _, Some(r)) if r == most => Some(true),
                (Comparison::Greater, Some(l), _) if l == zero => Some(false),
                (Comparison::LessEqual, Some(l), _) if l == zero => Some(true),
                (Comparison::Less, Some(l), _) if l == most => Some(false),
                (Comparison::GreaterEqual, Some(l), _) if l == most => Some(true),
                _ => None,
            };
            always.map_or(expr, Expr::bit)
        }
        ExprKind::Binary(operator, left, right) => fold_binary(*operator, left, right, expr.width).unwrap_or(expr),
        ExprKind::Mux(test, then, otherwise) => match test.as_constant() {
            Some(value) if *value == zero => (**otherwise).clone(),
            Some(_) => (**then).clone(),
            None if then == otherwise => (**then).clone(),
            None => expr,
        },
        ExprKind::Extend(inner) => match inner.as_constant() {
            Some(value) => Expr::constant(value.clone(), expr.width),
            None => expr,
        },
        ExprKind::Concat(parts) => {
            let join = |whole: BigUint, part: &Expr| Some((whole << part.width) | part.as_constant()?);
            match parts.iter().try_fold(zero, join) {
                Some(value) => Expr::constant(value, expr.width),
                None => expr,
            }
        }
        ExprKind::Slice(inner, start) => match start.constant() {
            Some(0) => narrow(inner, expr.width),
            _ => expr,
        },
        ExprKind::Reduce(..) => match &expr.kind {
            ExprKind::Reduce(_, inner) if inner.width == 1 => (**inner).clone(),
            _ => expr,
        },
        _ => expr,
    }
}

fn fold_binary(operator: BinaryOperator, left: &Expr, right: &Expr, width: usize) -> Option<Expr> {
    let zero = BigUint::default();
    let ones = limit(width) - 1u8;
    let (l, r) = (left.as_constant(), right.as_constant());
    if let (Some(l), Some(r)) = (l, r) {
        let value = match operator {
            BinaryOperator::Add => (l + r) % limit(width),
            BinaryOperator::Sub => (limit(width) + l - r) % limit(width),
            BinaryOperator::Mul => (l * r) % limit(width),
            BinaryOperator::And | BinaryOperator::LogicalAnd => l & r,
            BinaryOperator::Or | BinaryOperator::LogicalOr => l | r,
            BinaryOperator::Xor => l ^ r,
        };
        return Some(Expr::constant(value, width));
    }
    let (constant, other) = match (l, r) {
        (Some(l), None) => (l, right),
        (None, Some(r)) => (r, left),
        _ => return None,
    };
    match operator {
        BinaryOperator::And | BinaryOperator::LogicalAnd if *constant == zero => Some(Expr::constant(zero, width)),
        BinaryOperator::And | BinaryOperator::LogicalAnd if *constant == ones => Some(other.clone()),
        BinaryOperator::Or | BinaryOperator::LogicalOr if *constant == zero => Some(other.clone()),
        BinaryOperator::Or | BinaryOperator::LogicalOr if *constant == ones => Some(Expr::constant(ones, width)),
        BinaryOperator::Xor if *constant == zero => Some(other.clone()),
        BinaryOperator::Xor if *constant == ones => Some(not(other.clone())),
        BinaryOperator::Add if *constant == zero => Some(other.clone()),
        BinaryOperator::Mul if *constant == zero => Some(Expr::constant(zero, width)),
        BinaryOperator::Mul if *constant == BigUint::from(1u8) => Some(other.clone()),
        BinaryOperator::Sub if *constant == zero && r.is_some() => Some(other.clone()),
        _ => None,
    }
}

/// Whether a test is decided by the loop variables alone, and how, with the variables bound.
pub(crate) fn decided(test: &Expr, bindings: &super::index::Bindings) -> Option<bool> {
    match &test.kind {
        ExprKind::Constant(value) => Some(*value != BigUint::default()),
        ExprKind::LoopTest(comparison, left, right) => {
            Some(comparison.holds(&left.evaluate(bindings)?, &right.evaluate(bindings)?))
        }
        ExprKind::Not(inner) if inner.width == 1 => decided(inner, bindings).map(|value| !value),
        ExprKind::Binary(operator, left, right) if test.width == 1 => {
            let (l, r) = (decided(left, bindings), decided(right, bindings));
            match operator {
                BinaryOperator::And | BinaryOperator::LogicalAnd => match (l, r) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                },
                BinaryOperator::Or | BinaryOperator::LogicalOr => match (l, r) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}
