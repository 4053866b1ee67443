//! Loops that compare one value with each number in turn, as a `case`: every tool makes one multiplexer of it, not a chain of them.

use super::effects::{signals_of, signals_read};
use super::expr::limit;
use super::index::Index;
use super::ir::{Arm, Comparison, Expr, ExprKind, Stmt};
use super::scope::Scope;
use super::simplify::substitute;
use num_bigint::BigUint;
use std::collections::BTreeSet;

/// Fewer alternatives read as well as they are.
const LEAST_ALTERNATIVES: i128 = 3;

/// `for i { if value == i { body } }` as `case (value) 0: body ..`, if `body` does not change the value.
pub(crate) fn as_case(variable: &str, from: i128, to: i128, body: &[Stmt], scope: &Scope) -> Option<Stmt> {
    let [Stmt::If { test, then, otherwise }] = body else { return None };
    let value = compared(test, variable)?;
    if !otherwise.is_empty() || value.uses(variable) || from < 0 || to - from < LEAST_ALTERNATIVES {
        return None;
    }
    let values = limit(value.width);
    if BigUint::try_from(to).ok()? > values {
        return None;
    }
    let mut reads = BTreeSet::new();
    signals_read(value, &mut reads);
    if !signals_of(then).0.is_disjoint(&reads) {
        return None;
    }
    let arm = |number: i128| {
        let label = Expr::constant(BigUint::try_from(number).ok()?, value.width);
        Some(Arm { label: Some(label), default: false, body: substitute(then, variable, number, scope) })
    };
    let mut arms = (from..to).map(arm).collect::<Option<Vec<Arm>>>()?;
    if BigUint::from(arms.len()) < values {
        arms.push(Arm { label: None, default: true, body: vec![] });
    }
    Some(Stmt::Case { value: value.clone(), arms })
}

/// The value that is compared with the loop variable.
fn compared<'a>(test: &'a Expr, variable: &str) -> Option<&'a Expr> {
    let ExprKind::Compare(Comparison::Equal, left, right) = &test.kind else { return None };
    let is_variable =
        |expr: &Expr| matches!(&expr.kind, ExprKind::Number(index) if *index == Index::variable(variable));
    match (is_variable(left), is_variable(right)) {
        (false, true) => Some(left),
        (true, false) => Some(right),
        _ => None,
    }
}
