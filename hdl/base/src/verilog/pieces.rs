//! Loops cut where their behaviour changes: at `if i == 0`, or where `(i + 1) % n` wraps.

use super::index::{Index, IndexOperator};
use super::ir::{Expr, ExprKind, Stmt};
use super::simplify::map_statement;
use std::collections::BTreeSet;

/// More pieces than this read worse than one loop.
const MOST_PIECES: usize = 4;

pub(crate) enum Plan {
    /// The loop can be treated as one.
    Whole,
    /// One loop per piece.
    Pieces(Vec<Piece>),
    /// One copy of the body per iteration.
    Unroll,
}

/// The iterations `from..to`, with tests of the loop variable decided and its positions made linear.
pub(crate) struct Piece {
    pub from: i128,
    pub to: i128,
    pub body: Vec<Stmt>,
}

/// How to treat a loop, by what its body does with the loop variable.
pub(crate) fn plan(variable: &str, from: i128, to: i128, body: &[Stmt]) -> Plan {
    let mut found = Found::default();
    found.block(body, variable);
    if found.tests.is_empty() && found.curves.is_empty() {
        return Plan::Whole;
    }
    let only = |index: &Index| index.evaluate(&vec![(variable.to_string(), from)]).is_some();
    let foreign = found.tests.iter().any(|(left, right)| !only(left) || !only(right));
    if foreign || !found.curves.iter().all(only) {
        return Plan::Unroll;
    }
    let mut pieces = vec![];
    let mut start = from;
    while start < to {
        let end = end_of_piece(variable, start, to, &found);
        pieces.push((start, end));
        start = end;
    }
    // A piece of one iteration costs as much text as a whole loop.
    let short = pieces.len() <= MOST_PIECES && (pieces.len() as i128) < (to - from).max(2);
    // Verilog has `/` and `%` for integers but no tables of them.
    let writable = found.tests.is_empty() && !found.curves.iter().any(Index::has_entry);
    match (short, writable) {
        (true, _) => Plan::Pieces(pieces.into_iter().map(|(from, to)| piece(variable, from, to, body)).collect()),
        (false, true) => Plan::Whole,
        (false, false) => Plan::Unroll,
    }
}

fn piece(variable: &str, from: i128, to: i128, body: &[Stmt]) -> Piece {
    let at = |index: &Index, value: i128| index.substitute(variable, value).constant();
    let mut straight = |index: &Index| -> Index {
        // A test is the same throughout the piece; its sides may stay as they are.
        let line = |index: &Index| {
            let first = at(index, from)?;
            let step = if from + 1 < to { at(index, from + 1)? - first } else { 0 };
            Some(Index::variable(variable).plus(-from).times(step).plus(first))
        };
        straighten(index, &line)
    };
    let body = body.iter().map(|statement| map_statement(statement, &mut straight));
    let body: Vec<Stmt> = body.collect();
    Piece { from, to, body: body.iter().map(|statement| decide(statement, variable, from)).collect() }
}

/// `index` with its curved parts replaced by `line` of them.
fn straighten(index: &Index, line: &dyn Fn(&Index) -> Option<Index>) -> Index {
    match index {
        Index::Affine(_) => index.clone(),
        Index::Operation(operator @ (IndexOperator::Add | IndexOperator::Sub), left, right) => {
            Index::operation(*operator, straighten(left, line), straighten(right, line))
        }
        Index::Operation(operator @ IndexOperator::Mul, left, right) => {
            let straight = Index::operation(*operator, straighten(left, line), straighten(right, line));
            match straight {
                Index::Operation(..) => line(index).unwrap_or(straight),
                affine => affine,
            }
        }
        _ => line(index).unwrap_or_else(|| index.clone()),
    }
}

/// `statement` with every test of the loop variable replaced by its outcome at `value`.
fn decide(statement: &Stmt, variable: &str, value: i128) -> Stmt {
    let block = |block: &[Stmt]| block.iter().map(|inner| decide(inner, variable, value)).collect::<Vec<_>>();
    match statement {
        Stmt::Assign(place, expr) => Stmt::Assign(place.clone(), decide_expr(expr, variable, value)),
        Stmt::If { test, then, otherwise } => {
            Stmt::If { test: decide_expr(test, variable, value), then: block(then), otherwise: block(otherwise) }
        }
        Stmt::Case { value: on, arms } => {
            let mut arms = arms.clone();
            arms.iter_mut().for_each(|arm| arm.body = block(&arm.body));
            Stmt::Case { value: decide_expr(on, variable, value), arms }
        }
        Stmt::For { variable: inner, from, to, body } => {
            Stmt::For { variable: inner.clone(), from: *from, to: *to, body: block(body) }
        }
        Stmt::Require { .. } => statement.clone(),
    }
}

fn decide_expr(expr: &Expr, variable: &str, value: i128) -> Expr {
    match &expr.kind {
        ExprKind::LoopTest(comparison, left, right) => {
            let (l, r) = (left.substitute(variable, value), right.substitute(variable, value));
            match (l.constant(), r.constant()) {
                (Some(l), Some(r)) => Expr::bit(comparison.holds(&l, &r)),
                _ => expr.clone(),
            }
        }
        _ => expr.map_operands(&mut |operand| decide_expr(operand, variable, value)),
    }
}

/// The first iteration after `start` in which a test changes or a position leaves its line.
fn end_of_piece(variable: &str, start: i128, to: i128, found: &Found) -> i128 {
    let at = |index: &Index, value: i128| index.evaluate(&vec![(variable.to_string(), value)]);
    let sides = |value: i128| -> Vec<_> {
        found.tests.iter().map(|(left, right)| at(left, value).cmp(&at(right, value))).collect()
    };
    let step = |index: &Index, value: i128| Some(at(index, value)? - at(index, value - 1)?);
    let steps: Vec<_> = found.curves.iter().map(|index| step(index, start + 1)).collect();
    let mut end = start + 1;
    while end < to && sides(end) == sides(start) {
        let same = |(index, first): (&Index, &Option<i128>)| first.is_some() && step(index, end) == *first;
        if !found.curves.iter().zip(&steps).all(same) {
            break;
        }
        end += 1;
    }
    end
}

/// What depends on the loop variable other than linearly.
#[derive(Default)]
struct Found {
    /// Both sides of a comparison of loop variables.
    tests: BTreeSet<(Index, Index)>,
    curves: BTreeSet<Index>,
}

impl Found {
    fn block(&mut self, block: &[Stmt], variable: &str) {
        for statement in block {
            match statement {
                Stmt::Assign(place, value) => {
                    self.index(&place.start, variable);
                    self.expr(value, variable);
                }
                Stmt::If { test, then, otherwise } => {
                    self.expr(test, variable);
                    self.block(then, variable);
                    self.block(otherwise, variable);
                }
                Stmt::Case { value, arms } => {
                    self.expr(value, variable);
                    arms.iter().for_each(|arm| self.block(&arm.body, variable));
                }
                Stmt::For { body, .. } => self.block(body, variable),
                Stmt::Require { .. } => {}
            }
        }
    }

    fn expr(&mut self, expr: &Expr, variable: &str) {
        match &expr.kind {
            ExprKind::Read(place) => self.index(&place.start, variable),
            ExprKind::Number(index) | ExprKind::Slice(_, index) => self.index(index, variable),
            ExprKind::LoopTest(_, left, right) if left.uses(variable) || right.uses(variable) => {
                self.tests.insert((left.clone(), right.clone()));
            }
            _ => {}
        }
        expr.operands().into_iter().for_each(|operand| self.expr(operand, variable));
    }

    fn index(&mut self, index: &Index, variable: &str) {
        if index.uses(variable) && index.coefficient(variable).is_none() {
            self.curves.insert(index.clone());
        }
    }
}
