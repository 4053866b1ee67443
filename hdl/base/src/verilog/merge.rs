//! Neighbouring assignments to one signal put together: a value that is overwritten disappears, a choice becomes `? :`.

use super::effects::{signals_of, signals_read};
use super::expr::{limit, replicate, slice};
use super::index::Index;
use super::ir::{BitRange, Expr, ExprKind, SignalId, Stmt};
use super::scope::Scope;
use super::simplify::fold;
use std::collections::BTreeSet;

/// `block` with assignments merged.
pub(crate) fn merge(block: Vec<Stmt>, scope: &Scope) -> Vec<Stmt> {
    let mut out: Vec<Stmt> = vec![];
    for statement in block {
        match statement {
            Stmt::Assign(target, value) => {
                let value = match earlier(&out, &target, &value).map(|position| out.remove(position)) {
                    Some(Stmt::Assign(_, old)) => fold(&put_in(&value, &target, &old), scope),
                    _ => value,
                };
                let merged =
                    neighbour(&out, &target, &value, scope).or_else(|| enclosing(&out, &target, &value, scope));
                let merged = match merged {
                    Some((position, both)) => {
                        out.remove(position);
                        both
                    }
                    None => Stmt::Assign(target, value),
                };
                out.push(merged);
            }
            Stmt::If { test, then, otherwise } => match out.pop() {
                Some(Stmt::If { test: before, then: mut first, otherwise: mut second })
                    if before == test && !changes(&first, &test) && !changes(&second, &test) =>
                {
                    first.extend(then);
                    second.extend(otherwise);
                    let (then, otherwise) = (merge(first, scope), merge(second, scope));
                    out.push(Stmt::If { test, then, otherwise });
                }
                last => out.extend(last.into_iter().chain([Stmt::If { test, then, otherwise }])),
            },
            other => match default_in_loop(&out, &other, scope) {
                Some((position, alone)) => {
                    out.remove(position);
                    out.push(alone);
                }
                None => out.push(other),
            },
        }
    }
    without_overwritten(out)
}

/// Whether the statements write something `expr` reads.
fn changes(block: &[Stmt], expr: &Expr) -> bool {
    let mut reads = BTreeSet::new();
    signals_read(expr, &mut reads);
    !signals_of(block).0.is_disjoint(&reads)
}

/// The position of an earlier assignment to the neighbouring bits, and both as one: `{a[0], a[3:1]}`.
fn neighbour(block: &[Stmt], target: &BitRange, value: &Expr, scope: &Scope) -> Option<(usize, Stmt)> {
    let (position, place, old) = last_use(block, target.signal)?;
    if changes(&block[position + 1..], old) {
        return None;
    }
    Some((position, side_by_side(place, old, target, value, scope)?))
}

/// Two assignments to neighbouring bits of a signal as one, where the values are short or the same.
fn side_by_side(first: &BitRange, old: &Expr, second: &BitRange, new: &Expr, scope: &Scope) -> Option<Stmt> {
    const MOST_PARTS: usize = 4;
    let adjacent = |low: &BitRange, high: &BitRange| low.start.plus(low.width as i128) == high.start;
    let (low, low_value, high, high_value) = match () {
        _ if first.signal != second.signal => return None,
        _ if adjacent(first, second) => (first, old, second, new),
        _ if adjacent(second, first) => (second, new, first, old),
        _ => return None,
    };
    if reads_elsewhere(old, first.signal) || reads_elsewhere(new, first.signal) {
        return None;
    }
    let width = low.width + high.width;
    let place = BitRange { signal: low.signal, start: low.start.clone(), width };
    // Elements of an array that happen to be equal are better left as they are.
    if high_value == low_value && scope.signals[low.signal].width == 1 && low.width > 1 {
        return Some(Stmt::Assign(place, replicate(2, low_value.clone())));
    }
    let mut parts = vec![];
    for value in [high_value, low_value] {
        match &value.kind {
            ExprKind::Concat(inner) => parts.extend(inner.clone()),
            ExprKind::Read(_) | ExprKind::Constant(_) | ExprKind::Label(..) => parts.push(value.clone()),
            _ => return None,
        }
    }
    let parts = joined(parts);
    if let [single] = parts.as_slice() {
        return Some(Stmt::Assign(place, single.clone()));
    }
    (parts.len() <= MOST_PARTS).then(|| Stmt::Assign(place, fold(&Expr::new(ExprKind::Concat(parts), width), scope)))
}

/// Parts of a concatenation, with neighbouring bits of one signal read at once.
fn joined(parts: Vec<Expr>) -> Vec<Expr> {
    let mut out: Vec<Expr> = vec![];
    for part in parts {
        let both = match (out.last().map(|last| &last.kind), &part.kind) {
            (Some(ExprKind::Read(high)), ExprKind::Read(low))
                if high.signal == low.signal && low.start.plus(low.width as i128) == high.start =>
            {
                Some(Expr::read(BitRange { width: low.width + high.width, ..low.clone() }))
            }
            _ => None,
        };
        match both {
            Some(both) => {
                out.pop();
                out.push(both);
            }
            None => out.push(part),
        }
    }
    out
}

/// `block` without assignments of which every bit is overwritten before anything reads the signal.
fn without_overwritten(block: Vec<Stmt>) -> Vec<Stmt> {
    let overwritten = |position: usize| {
        let Stmt::Assign(target, _) = &block[position] else { return false };
        let Some(start) = target.start.constant() else { return false };
        let mut missing: BTreeSet<i128> = (start..start + target.width as i128).collect();
        for later in &block[position + 1..] {
            if signals_of(std::slice::from_ref(later)).1.contains(&target.signal) {
                return false;
            }
            let written = always_written(std::slice::from_ref(later), target.signal);
            missing.retain(|bit| !written.contains(bit));
        }
        missing.is_empty()
    };
    let keep: Vec<bool> = (0..block.len()).map(|position| !overwritten(position)).collect();
    block.into_iter().zip(keep).filter_map(|(statement, keep)| keep.then_some(statement)).collect()
}

/// The bits of a signal that the statements write in every case.
fn always_written(block: &[Stmt], signal: SignalId) -> BTreeSet<i128> {
    let mut bits = BTreeSet::new();
    for statement in block {
        match statement {
            Stmt::Assign(place, _) if place.signal == signal => {
                if let Some(start) = place.start.constant() {
                    bits.extend(start..start + place.width as i128);
                }
            }
            Stmt::If { then, otherwise, .. } => {
                let other = always_written(otherwise, signal);
                bits.extend(always_written(then, signal).intersection(&other));
            }
            Stmt::Case { arms, .. } => {
                let branches = arms.iter().map(|arm| always_written(&arm.body, signal));
                bits.extend(branches.reduce(|all, branch| &all & &branch).unwrap_or_default());
            }
            _ => {}
        }
    }
    bits
}

/// An earlier assignment to more bits than `target`, and both as one: `{group, {16{1'b1}}}` for "all ones, then some from a group".
fn enclosing(block: &[Stmt], target: &BitRange, value: &Expr, scope: &Scope) -> Option<(usize, Stmt)> {
    let (position, place, old) = last_use(block, target.signal)?;
    if changes(&block[position + 1..], old) || reads_elsewhere(value, target.signal) || !is_short(value) {
        return None;
    }
    let simple = matches!(old.kind, ExprKind::Read(_) | ExprKind::Constant(_));
    let (outer, inner) = (place.start.constant()?, target.start.constant()?);
    let below = usize::try_from(inner - outer).ok()?;
    let above = place.width.checked_sub(below + target.width)?;
    if !simple || place.width == target.width || reads_elsewhere(old, target.signal) {
        return None;
    }
    let mut parts = vec![];
    if above > 0 {
        parts.push(slice(old, &Index::number((below + target.width) as i128), above));
    }
    parts.push(value.clone());
    if below > 0 {
        parts.push(slice(old, &Index::number(0), below));
    }
    let parts = joined(parts);
    let value = fold(&Expr::new(ExprKind::Concat(parts), place.width), scope);
    Some((position, Stmt::Assign(place.clone(), value)))
}

/// The last statement that touches `signal`, if it is an assignment: its position, target and value.
fn last_use(block: &[Stmt], signal: SignalId) -> Option<(usize, &BitRange, &Expr)> {
    let position = block.iter().rposition(|statement| {
        let (writes, reads) = signals_of(std::slice::from_ref(statement));
        writes.contains(&signal) || reads.contains(&signal)
    })?;
    match &block[position] {
        Stmt::Assign(place, value) if place.signal == signal => Some((position, place, value)),
        _ => None,
    }
}

/// Whether a value is short enough for a part of a concatenation.
fn is_short(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Read(_) | ExprKind::Constant(_) | ExprKind::Label(..) => true,
        ExprKind::Concat(parts) => parts.iter().all(is_short),
        _ => false,
    }
}

/// `t = 0; for i { t[i] = t[i] | x[i*8 +: 8] }` without the first assignment: the position of that, and the loop on its own.
fn default_in_loop(block: &[Stmt], statement: &Stmt, scope: &Scope) -> Option<(usize, Stmt)> {
    let Stmt::For { variable, from, to, body } = statement else { return None };
    let [Stmt::Assign(target, value)] = body.as_slice() else { return None };
    let (position, place, old) = last_use(block, target.signal)?;
    let bits = old.as_constant()?;
    let part = match () {
        _ if *bits == Default::default() => Expr::constant(Default::default(), target.width),
        _ if *bits == limit(place.width) - 1u8 => Expr::constant(limit(target.width) - 1u8, target.width),
        _ => return None,
    };
    let all = target.start.coefficient(variable)? == target.width as i128
        && target.start.substitute(variable, *from) == place.start
        && (to - from) * target.width as i128 == place.width as i128;
    count_reads(value, target).filter(|_| all)?;
    let value = fold(&put_in(value, target, &part), scope);
    let body = vec![Stmt::Assign(target.clone(), value)];
    Some((position, Stmt::For { variable: variable.clone(), from: *from, to: *to, body }))
}

/// The position of an earlier assignment to exactly `target` that `value` supersedes.
fn earlier(block: &[Stmt], target: &BitRange, value: &Expr) -> Option<usize> {
    let (position, place, old) = last_use(block, target.signal)?;
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
fn count_reads(expr: &Expr, place: &BitRange) -> Option<usize> {
    if let ExprKind::Read(read) = &expr.kind {
        return match read.signal == place.signal {
            true if read == place => Some(1),
            true => None,
            false => Some(0),
        };
    }
    expr.operands().into_iter().map(|operand| count_reads(operand, place)).sum()
}

fn put_in(expr: &Expr, place: &BitRange, value: &Expr) -> Expr {
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
