//! Building expressions with exact widths.

use super::index::Index;
use super::ir::{BinaryOperator, BitRange, Direction, Expr, ExprKind};
use anyhow::{Result, bail};
use num_bigint::BigUint;

/// The largest number that fits `width` bits, plus one.
pub(crate) fn limit(width: usize) -> BigUint {
    BigUint::from(1u8) << width
}

/// A number used where `width` bits are wanted.
pub(crate) fn number(index: Index, width: usize) -> Result<Expr> {
    let Some(value) = index.constant() else {
        return Ok(Expr::new(ExprKind::Number(index), width));
    };
    match BigUint::try_from(value) {
        Ok(bits) if bits < limit(width) => Ok(Expr::constant(bits, width)),
        _ => bail!("the number {value} does not fit {width} bits"),
    }
}

/// `expr` with zeros above.
pub(crate) fn extend(expr: Expr, width: usize) -> Expr {
    match &expr.kind {
        _ if expr.width == width => expr,
        ExprKind::Constant(value) => Expr::constant(value.clone(), width),
        ExprKind::Extend(inner) => Expr::new(ExprKind::Extend(inner.clone()), width),
        _ => Expr::new(ExprKind::Extend(Box::new(expr)), width),
    }
}

/// The low `width` bits of `expr`. Where the operator allows it the operands are cut instead, which needs no name for the whole value.
pub(crate) fn narrow(expr: &Expr, width: usize) -> Expr {
    if expr.width == width {
        return expr.clone();
    }
    let cut = |e: &Expr| Box::new(narrow(e, width));
    let kind = match &expr.kind {
        ExprKind::Constant(value) => ExprKind::Constant(value % limit(width)),
        ExprKind::Read(place) => ExprKind::Read(BitRange { width, ..place.clone() }),
        ExprKind::Extend(inner) if inner.width >= width => return narrow(inner, width),
        ExprKind::Extend(inner) => ExprKind::Extend(inner.clone()),
        ExprKind::Not(a) => ExprKind::Not(cut(a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, cut(a), cut(b)),
        ExprKind::Shift(Direction::Left, a, distance) => ExprKind::Shift(Direction::Left, cut(a), distance.clone()),
        ExprKind::Mux(test, a, b) => ExprKind::Mux(test.clone(), cut(a), cut(b)),
        _ => ExprKind::Slice(Box::new(expr.clone()), Index::number(0)),
    };
    Expr::new(kind, width)
}

/// `width` bits of `expr` from bit `start`, which lies inside `expr`.
pub(crate) fn slice(expr: &Expr, start: &Index, width: usize) -> Expr {
    match (&expr.kind, start.constant()) {
        (_, Some(0)) => narrow(expr, width),
        (ExprKind::Read(place), _) => {
            let start = place.start.add(start);
            Expr::read(BitRange { signal: place.signal, start, width })
        }
        (ExprKind::Constant(value), Some(low)) => Expr::constant((value >> (low as usize)) % limit(width), width),
        _ => Expr::new(ExprKind::Slice(Box::new(expr.clone()), start.clone()), width),
    }
}

/// `not expr`; a double negation disappears.
pub(crate) fn not(expr: Expr) -> Expr {
    let width = expr.width;
    match expr.kind {
        ExprKind::Not(inner) => *inner,
        ExprKind::Constant(value) => Expr::constant(limit(width) - 1u8 - value, width),
        kind => Expr::new(ExprKind::Not(Box::new(Expr::new(kind, width))), width),
    }
}

/// `left operator right` on equal widths.
pub(crate) fn binary(operator: BinaryOperator, left: Expr, right: Expr) -> Expr {
    let width = left.width;
    Expr::new(ExprKind::Binary(operator, Box::new(left), Box::new(right)), width)
}

/// `expr` repeated `count` times side by side.
pub(crate) fn replicate(count: usize, expr: Expr) -> Expr {
    let width = count * expr.width;
    match expr.kind {
        _ if count == 1 => expr,
        ExprKind::Constant(ref value) => {
            let all_ones = *value == limit(expr.width) - 1u8;
            if *value == BigUint::default() {
                Expr::constant(BigUint::default(), width)
            } else if all_ones {
                Expr::constant(limit(width) - 1u8, width)
            } else {
                Expr::new(ExprKind::Replicate(count, Box::new(expr)), width)
            }
        }
        ExprKind::Replicate(inner, part) => Expr::new(ExprKind::Replicate(count * inner, part), width),
        kind => {
            let part = Expr::new(kind, expr.width);
            Expr::new(ExprKind::Replicate(count, Box::new(part)), width)
        }
    }
}
