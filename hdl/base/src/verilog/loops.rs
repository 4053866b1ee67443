//! Loops taken apart: each statement of a body becomes a vector expression if it can, and the rest stays a `for`.

use super::choices::as_case;
use super::dependence::{Range, in_order};
use super::effects::{signals_of, signals_read};
use super::index::Index;
use super::ir::{Arm, Expr, ExprKind, Stmt};
use super::pieces::{Plan, plan};
use super::scope::Scope;
use super::simplify::{simplify, substitute};
use super::vectorise::{Span, reads_only, without_condition};
use std::collections::BTreeSet;

/// `block` with its loops rewritten.
pub(crate) fn rewrite(block: Vec<Stmt>, scope: &Scope) -> Vec<Stmt> {
    Rewriter { scope, outer: vec![] }.block(block)
}

/// What a loop has become so far.
#[derive(Default)]
struct Output {
    done: Vec<Stmt>,
    /// Statements that stay in a loop, not yet written because the next one may join them.
    open: Vec<Stmt>,
}

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

    /// Gives every statement of a loop body that does not depend on the others a loop, or a vector expression, of its own.
    fn repeat(&mut self, variable: &str, from: i128, to: i128, body: Vec<Stmt>) -> Vec<Stmt> {
        let range = (variable.to_string(), from, to);
        let mut pieces = Output::default();
        if let Plan::Whole = plan(variable, from, to, &body) {
            self.outer.push(range.clone());
            let inner = self.block(body);
            self.outer.pop();
            self.distribute(&range, inner, &mut pieces);
            self.close(&range, &mut pieces);
            return pieces.done;
        }
        for group in in_order(&body, &range, &self.outer) {
            match plan(variable, from, to, &group.statements) {
                Plan::Whole => {
                    self.outer.push(range.clone());
                    let inner = self.block(group.statements);
                    self.outer.pop();
                    self.distribute(&range, inner, &mut pieces);
                }
                Plan::Unroll => {
                    self.close(&range, &mut pieces);
                    pieces.done.extend(self.unroll(variable, from, to, &group.statements));
                }
                Plan::Pieces(parts) => {
                    self.close(&range, &mut pieces);
                    for part in parts {
                        let body = simplify(&part.body, self.scope);
                        pieces.done.extend(match part.to - part.from {
                            1 => self.block(substitute(&body, variable, part.from, self.scope)),
                            _ => self.repeat(variable, part.from, part.to, body),
                        });
                    }
                }
            }
        }
        self.close(&range, &mut pieces);
        pieces.done
    }

    fn unroll(&mut self, variable: &str, from: i128, to: i128, body: &[Stmt]) -> Vec<Stmt> {
        let iterations = (from..to).flat_map(|value| substitute(body, variable, value, self.scope));
        let iterations: Vec<Stmt> = iterations.collect();
        self.block(iterations)
    }

    /// Rewrites statements of a loop body whose loop variable needs no special treatment.
    fn distribute(&mut self, range: &Range, body: Vec<Stmt>, out: &mut Output) {
        for group in in_order(&body, range, &self.outer) {
            let rewritten = match group.statements.as_slice() {
                [single] => self.single(range, single, group.carries),
                _ => None,
            };
            match rewritten {
                Some(statements) => {
                    self.close(range, out);
                    out.done.extend(statements);
                }
                None => {
                    if !connected(&out.open, &group.statements) {
                        self.close(range, out);
                    }
                    out.open.extend(group.statements);
                }
            }
        }
    }

    /// A branch of a condition that is the same in all iterations.
    fn branch(&mut self, range: &Range, body: &[Stmt]) -> Vec<Stmt> {
        let mut out = Output::default();
        self.distribute(range, body.to_vec(), &mut out);
        self.close(range, &mut out);
        out.done
    }

    /// Puts the statements that stay in a loop into one, if it can be written down; else into one copy per iteration.
    fn close(&mut self, range: &Range, out: &mut Output) {
        if out.open.is_empty() {
            return;
        }
        let body = std::mem::take(&mut out.open);
        let (variable, from, to) = range;
        if let Some(case) = as_case(variable, *from, *to, &body, self.scope) {
            out.done.push(case);
            return;
        }
        match body.iter().all(|statement| numbers_are_plain(statement, variable)) {
            true => out.done.push(Stmt::For { variable: variable.clone(), from: *from, to: *to, body }),
            false => out.done.extend(self.unroll(variable, *from, *to, &body)),
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
                    let (then, otherwise) = (self.branch(range, then), self.branch(range, otherwise));
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
            Stmt::For { variable: inner, from, to, body } => {
                let [Stmt::Assign(target, value)] = body.as_slice() else { return None };
                let inner = (inner.clone(), *from, *to);
                // `for r { for p { t[p] = t[p] | x(p, r) } }` is a reduction over r for each p. And if no iteration of r needs
                // another, `for r { for p { t[r] = t[r] | x(p, r) } }` is one vector operation over r for each p.
                let turned = span.reduction(target, value).or_else(|| {
                    let independent = reads_only(value, target) && !target.start.uses(&inner.0);
                    span.assignment(target, value).filter(|_| independent)
                })?;
                let mut out = Output::default();
                self.distribute(&inner, vec![turned], &mut out);
                self.close(&inner, &mut out);
                Some(out.done)
            }
            Stmt::Case { value, arms } if !value.uses(variable) => {
                let bodies: Vec<&Vec<Stmt>> = arms.iter().map(|arm| &arm.body).collect();
                if !self.is_stable(value, &bodies) {
                    return None;
                }
                let arm = |arm: &Arm| Arm { body: self.branch(range, &arm.body), ..arm.clone() };
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

/// Whether one of two lists of statements needs a signal that the other writes. Others are better apart: blocks of logic that have
/// nothing to do with each other should not wake each other.
fn connected(first: &[Stmt], second: &[Stmt]) -> bool {
    let ((writes_a, reads_a), (writes_b, reads_b)) = (signals_of(first), signals_of(second));
    !writes_a.is_disjoint(&writes_b) || !writes_a.is_disjoint(&reads_b) || !reads_a.is_disjoint(&writes_b)
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
