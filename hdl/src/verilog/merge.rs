//! Neighbouring assignments to one signal put together: a value that is overwritten disappears, a choice becomes `? :`.

use super::effects::{signals_of, signals_read};
use super::ir::{Expr, ExprKind, Place, SignalId, Stmt};
use super::scope::Scope;
use super::simplify::fold;
use std::collections::BTreeSet;

/// `block` with assignments merged.
pub(crate) fn merge(block: Vec<Stmt>, scope: &Scope) -> Vec<Stmt> {
    let mut out: Vec<Stmt> = vec![];
    for statement in block {
        match &statement {
            Stmt::Assign(target, value) => match earlier(&out, target, value) {
                Some(position) => {
                    let Stmt::Assign(_, old) = out.remove(position) else { continue };
                    let value = fold(&put_in(value, target, &old), scope);
                    out.push(Stmt::Assign(target.clone(), value));
                }
                None => out.push(statement),
            },
            _ => out.push(statement),
        }
    }
    out
}

/// The position of an earlier assignment to exactly `target` that `value` supersedes.
fn earlier(block: &[Stmt], target: &Place, value: &Expr) -> Option<usize> {
    let position = block.iter().rposition(|statement| {
        let (writes, reads) = signals_of(std::slice::from_ref(statement));
        writes.contains(&target.signal) || reads.contains(&target.signal)
    })?;
    let Stmt::Assign(place, old) = &block[position] else { return None };
    if place != target || reads_elsewhere(old, target.signal) {
        return None;
    }
    let count = count_reads(value, target)?;
    let mut sources = BTreeSet::new();
    signals_read(old, &mut sources);
    // The old value moves down, so nothing may change what it is made of on the way.
    let unchanged = block[position + 1..]
        .iter()
        .all(|statement| signals_of(std::slice::from_ref(statement)).0.is_disjoint(&sources));
    let cheap = matches!(old.kind, ExprKind::Constant(_) | ExprKind::Label(..) | ExprKind::Read(_));
    (count == 0 || (unchanged && (count == 1 || cheap))).then_some(position)
}

fn reads_elsewhere(expr: &Expr, signal: SignalId) -> bool {
    let mut reads = BTreeSet::new();
    signals_read(expr, &mut reads);
    reads.contains(&signal)
}

/// How often `expr` reads `place`; `None` if it reads other bits of the same signal.
fn count_reads(expr: &Expr, place: &Place) -> Option<usize> {
    if let ExprKind::Read(read) = &expr.kind {
        return match read.signal == place.signal {
            true if read == place => Some(1),
            true => None,
            false => Some(0),
        };
    }
    expr.operands().into_iter().map(|operand| count_reads(operand, place)).sum()
}

fn put_in(expr: &Expr, place: &Place, value: &Expr) -> Expr {
    match &expr.kind {
        ExprKind::Read(read) if read == place => value.clone(),
        _ => expr.map_operands(&mut |operand| put_in(operand, place, value)),
    }
}

/// `block` in which a signal that is given one of two values, and nothing else, gets them in one assignment.
pub(crate) fn choices(block: Vec<Stmt>) -> Vec<Stmt> {
    let mut out: Vec<Stmt> = vec![];
    let writers = |signal: SignalId| -> usize {
        let writes = |statement: &&Stmt| signals_of(std::slice::from_ref(*statement)).0.contains(&signal);
        block.iter().filter(writes).count()
    };
    for statement in &block {
        let Stmt::If { test, then, otherwise } = statement else {
            out.push(statement.clone());
            continue;
        };
        let [Stmt::Assign(target, first)] = then.as_slice() else {
            out.push(statement.clone());
            continue;
        };
        let choice = |second: &Expr| {
            let kind = ExprKind::Mux(Box::new(test.clone()), Box::new(first.clone()), Box::new(second.clone()));
            Stmt::Assign(target.clone(), Expr::new(kind, target.width))
        };
        match otherwise.as_slice() {
            [Stmt::Assign(other, second)] if other == target && writers(target.signal) == 1 => {
                out.push(choice(second));
            }
            [] if writers(target.signal) == 2 => {
                let position = earlier(&out, target, first);
                let mut reads = BTreeSet::new();
                signals_read(test, &mut reads);
                signals_read(first, &mut reads);
                match position {
                    Some(position) if !reads.contains(&target.signal) => {
                        let sources_change = {
                            let Stmt::Assign(_, old) = &out[position] else { continue };
                            let mut sources = BTreeSet::new();
                            signals_read(old, &mut sources);
                            let changes =
                                |later: &Stmt| !signals_of(std::slice::from_ref(later)).0.is_disjoint(&sources);
                            out[position + 1..].iter().any(changes)
                        };
                        if sources_change {
                            out.push(statement.clone());
                            continue;
                        }
                        let Stmt::Assign(_, old) = out.remove(position) else { continue };
                        out.push(choice(&old));
                    }
                    _ => out.push(statement.clone()),
                }
            }
            _ => out.push(statement.clone()),
        }
    }
    out
}
