//! Loops taken apart: each statement of a body becomes a vector expression if it can, and the rest stays a `for`.

use super::dependence::in_order;
use super::effects::{signals_of, signals_read};
use super::index::Index;
use super::ir::{Arm, Expr, ExprKind, Stmt};
use super::pieces::{Plan, plan};
use super::scope::Scope;
use super::simplify::{simplify, substitute};
use super::vectorise::{Span, without_condition};
use std::collections::BTreeSet;

/// `block` with its loops rewritten.
pub(crate) fn rewrite(block: Vec<Stmt>, scope: &Scope) -> Vec<Stmt> {
    Rewriter { scope, outer: vec![] }.block(block)
}

/// A loop variable and its range.
pub(crate) type Range = (String, i128, i128);

struct Rewriter<'a> {
    scope: &'a Scope,
    /// The loops around the present statement that stay loops.
    outer: Vec<Range>,
}

impl Rewriter<'_> {
    fn block(&mut self, block: Vec<Stmt>) -> Vec<Stmt> {
        let mut out = vec![];
        for statement in block {
            match statement {
                Stmt::For { variable, from, to, body } => out.extend(self.repeat(&variable, from, to, body)),
                Stmt::If { test, then, otherwise } => {
                    let (then, otherwise) = (self.block(then), self.block(otherwise));
                    out.push(Stmt::If { test, then, otherwise });
                }
                Stmt::Case { value, arms } => {
                    let arm = |arm: Arm| Arm { body: self.block(arm.body), ..arm };
                    out.push(Stmt::Case { value, arms: arms.into_iter().map(arm).collect() });
                }
                other => out.push(other),
            }
        }
        super::merge::merge(out, self.scope)
    }

    fn repeat(&mut self, variable: &str, from: i128, to: i128, body: Vec<Stmt>) -> Vec<Stmt> {
        match plan(variable, from, to, &body) {
            Plan::Whole => {}
            Plan::Unroll => return self.unroll(variable, from, to, &body),
            Plan::Pieces(pieces) => {
                let mut out = vec![];
                for piece in pieces {
                    let body = simplify(&piece.body, self.scope);
                    match piece.to - piece.from {
                        1 => out.extend(self.block(substitute(&body, variable, piece.from, self.scope))),
                        _ => out.extend(self.repeat(variable, piece.from, piece.to, body)),
                    }
                }
                return out;
            }
        }
        let range = (variable.to_string(), from, to);
        self.outer.push(range.clone());
        let body = self.block(body);
        self.outer.pop();
        self.distribute(&range, body)
    }

    fn unroll(&mut self, variable: &str, from: i128, to: i128, body: &[Stmt]) -> Vec<Stmt> {
        let iterations = (from..to).flat_map(|value| substitute(body, variable, value, self.scope));
        let iterations: Vec<Stmt> = iterations.collect();
        self.block(iterations)
    }

    /// Gives every statement of a loop body that does not depend on the others a loop, or a vector expression, of its own.
    fn distribute(&mut self, range: &Range, body: Vec<Stmt>) -> Vec<Stmt> {
        let mut out: Vec<Stmt> = vec![];
        let mut kept: Vec<Stmt> = vec![];
        for group in in_order(&body, range, &self.outer) {
            let rewritten = match group.statements.as_slice() {
                [single] => self.single(range, single, group.carries),
                _ => None,
            };
            match rewritten {
                Some(statements) => {
                    self.keep(range, &mut kept, &mut out);
                    out.extend(statements);
                }
                None => kept.extend(group.statements),
            }
        }
        self.keep(range, &mut kept, &mut out);
        out
    }

    /// Statements that stay in a loop, if the loop can be written down; else one copy per iteration.
    fn keep(&mut self, range: &Range, kept: &mut Vec<Stmt>, out: &mut Vec<Stmt>) {
        if kept.is_empty() {
            return;
        }
        let body = std::mem::take(kept);
        let (variable, from, to) = range;
        match body.iter().all(|statement| numbers_are_plain(statement, variable)) {
            true => out.push(Stmt::For { variable: variable.clone(), from: *from, to: *to, body }),
            false => out.extend(self.unroll(variable, *from, *to, &body)),
        }
    }

    /// One statement of a loop body for all iterations at once. `carries`: an iteration needs what an earlier one wrote.
    fn single(&mut self, range: &Range, statement: &Stmt, carries: bool) -> Option<Vec<Stmt>> {
        let (variable, from, to) = range;
        let span = Span { variable, from: *from, count: usize::try_from(to - from).ok()? };
        match statement {
            Stmt::Assign(target, value) => {
                if let Some(reduced) = span.reduction(target, value) {
                    return Some(vec![reduced]);
                }
                match carries {
                    true => None,
                    false => Some(vec![span.assignment(target, value)?]),
                }
            }
            Stmt::If { test, then, otherwise } => {
                if !test.uses(variable) && self.is_stable(test, &[then, otherwise]) {
                    let then = self.distribute(range, then.clone());
                    let otherwise = self.distribute(range, otherwise.clone());
                    return Some(vec![Stmt::If { test: test.clone(), then, otherwise }]);
                }
                let plain = simplify(&without_condition(test, then, otherwise)?, self.scope);
                let mut out = vec![];
                for group in in_order(&plain, range, &self.outer) {
                    match group.statements.as_slice() {
                        [single] => out.extend(self.single(range, single, group.carries)?),
                        _ => return None,
                    }
                }
                Some(out)
            }
            Stmt::Case { value, arms } if !value.uses(variable) => {
                let bodies: Vec<&Vec<Stmt>> = arms.iter().map(|arm| &arm.body).collect();
                if !self.is_stable(value, &bodies) {
                    return None;
                }
                let arm = |arm: &Arm| Arm { body: self.distribute(range, arm.body.clone()), ..arm.clone() };
                let arms = arms.iter().map(arm).collect();
                Some(vec![Stmt::Case { value: value.clone(), arms }])
            }
            _ => None,
        }
    }

    /// Whether no statement of the branches changes what `test` reads.
    fn is_stable(&self, test: &Expr, branches: &[&Vec<Stmt>]) -> bool {
        let mut reads = BTreeSet::new();
        signals_read(test, &mut reads);
        branches.iter().all(|branch| signals_of(branch).0.is_disjoint(&reads))
    }
}

/// Whether every use of the loop variable as a value is the variable itself, which Verilog can take bits of; a sum it cannot.
fn numbers_are_plain(statement: &Stmt, variable: &str) -> bool {
    let block = |block: &[Stmt]| block.iter().all(|inner| numbers_are_plain(inner, variable));
    match statement {
        Stmt::Assign(_, value) => plain(value, variable),
        Stmt::If { test, then, otherwise } => plain(test, variable) && block(then) && block(otherwise),
        Stmt::Case { value, arms } => plain(value, variable) && arms.iter().all(|arm| block(&arm.body)),
        Stmt::For { body, .. } => block(body),
        Stmt::Require { .. } => true,
    }
}

fn plain(expr: &Expr, variable: &str) -> bool {
    const INTEGER_BITS: usize = 32;
    let here = match &expr.kind {
        ExprKind::Number(index) if index.uses(variable) => {
            *index == Index::variable(variable) && expr.width <= INTEGER_BITS
        }
        ExprKind::Slice(_, start) => !start.uses(variable),
        _ => true,
    };
    here && expr.operands().into_iter().all(|operand| plain(operand, variable))
}
