//! From rust-hdl's kernel tree to [`super::ir`]: expressions.
//!
//! rust-hdl's tree has lost the types. Every expression here is either *sized*, with the width Rust gave it, or a plain number that
//! takes the width of what it meets.

use super::collect::literal_value;
use super::expr::{binary, extend, narrow, not, number, slice};
use super::index::{Index, IndexOperator};
use super::ir::{BinaryOperator, Comparison, Direction, Expr, ExprKind, Reduction};
use super::path::{self, readable};
use super::resolve::Lowerer;
use anyhow::{Context, Result, bail};
use rust_hdl::core::ast::{VerilogExpression, VerilogLiteral, VerilogOp, VerilogOpUnary};

/// rust-hdl gives a literal that is shifted by a signal this width.
const SHIFTED_LITERAL_WIDTH: usize = 64;

pub(crate) enum Value {
    Sized(Expr),
    Number(Index),
}

impl Lowerer<'_> {
    /// The expression where exactly `width` bits are wanted.
    pub(crate) fn sized(&mut self, expression: &VerilogExpression, width: usize) -> Result<Expr> {
        match self.value(expression)? {
            Value::Number(index) => self.number_of_width(index, width),
            Value::Sized(expr) if expr.width == width => Ok(expr),
            Value::Sized(expr) => bail!("{width} bits are wanted, the value has {}", expr.width),
        }
    }

    fn number_of_width(&mut self, index: Index, width: usize) -> Result<Expr> {
        if width < 100 {
            self.require(&index, 1 << width, || format!("a number of {width} bits"))?;
        }
        number(index, width)
    }

    pub(crate) fn value(&mut self, expression: &VerilogExpression) -> Result<Value> {
        let sized = match expression {
            VerilogExpression::Signal(name) => return self.named(name),
            VerilogExpression::Literal(literal) => return literal_of(literal),
            VerilogExpression::Paren(inner) => return self.value(inner),
            VerilogExpression::Cast(inner, width) => match self.value(inner)? {
                Value::Number(index) => self.number_of_width(index, *width)?,
                Value::Sized(expr) if expr.width < *width => extend(expr, *width),
                Value::Sized(expr) => narrow(&expr, *width),
            },
            VerilogExpression::Signed(_) | VerilogExpression::Unsigned(_) => {
                bail!("signed arithmetic is not supported")
            }
            VerilogExpression::Unary(operator, inner) => {
                let inner = self.operand(inner)?;
                match operator {
                    VerilogOpUnary::Not => not(inner),
                    VerilogOpUnary::Neg => bail!("negation is not supported; write `0 - x`"),
                    VerilogOpUnary::All => reduce(Reduction::And, inner),
                    VerilogOpUnary::Any => reduce(Reduction::Or, inner),
                    VerilogOpUnary::Xor => reduce(Reduction::Xor, inner),
                }
            }
            VerilogExpression::Index(base, position) => self.bit_of(base, position)?,
            VerilogExpression::Slice(base, width, offset) => self.bits_of(base, *width, offset)?,
            VerilogExpression::IndexReplace(base, position, bit) => {
                let base = self.operand(base)?;
                let bit = self.sized(bit, 1)?;
                match self.value(position)? {
                    Value::Number(index) => {
                        self.require(&index, base.width as i128, || "position of `replace_bit`".into())?;
                        replace_bit(base, index, bit)
                    }
                    Value::Sized(position) => masked_replace(base, position, bit),
                }
            }
            VerilogExpression::Binary(left, operator, right) => {
                return self.binary_value(left, operator, right);
            }
        };
        Ok(Value::Sized(sized))
    }

    /// An expression that must have a width of its own.
    fn operand(&mut self, expression: &VerilogExpression) -> Result<Expr> {
        match self.value(expression)? {
            Value::Sized(expr) => Ok(expr),
            Value::Number(_) => bail!("a number without a width stands where bits are wanted"),
        }
    }

    fn named(&mut self, name: &str) -> Result<Value> {
        // A loop variable, a size, or an entry of a table; every other name stands for bits.
        if let Some(number) = path::parse_number(name, self) {
            return Ok(Value::Number(number));
        }
        if let Some(label) = self.label(name) {
            return Ok(Value::Sized(label));
        }
        let resolved = self.resolve(name)?;
        self.check_readable(resolved.place.signal)?;
        if resolved.whole_array {
            bail!("`{}` is an array and needs an index", readable(name));
        }
        Ok(Value::Sized(Expr::read(resolved.place)))
    }

    fn bit_of(&mut self, base: &VerilogExpression, position: &VerilogExpression) -> Result<Expr> {
        let base = self.operand(base)?;
        match self.value(position)? {
            Value::Number(index) => {
                self.require(&index, base.width as i128, || "position of `get_bit`".into())?;
                Ok(slice(&base, &index, 1))
            }
            Value::Sized(_) if base.width == 1 => Ok(base),
            Value::Sized(position) => {
                let position = fit(position, base.width.next_power_of_two().trailing_zeros() as usize);
                Ok(Expr::new(ExprKind::SelectBit(Box::new(base), Box::new(position)), 1))
            }
        }
    }

    fn bits_of(&mut self, base: &VerilogExpression, width: usize, offset: &VerilogExpression) -> Result<Expr> {
        let base = self.operand(base)?;
        match self.value(offset)? {
            Value::Number(index) => {
                // Bits beyond the end read as zero in rust-hdl.
                if let Some(low) = index.constant()
                    && low + width as i128 > base.width as i128
                    && (0..base.width as i128).contains(&low)
                {
                    let inside = slice(&base, &index, base.width - low as usize);
                    return Ok(extend(inside, width));
                }
                let limit = base.width as i128 - width as i128 + 1;
                self.require(&index, limit, || "position of `get_bits`".into())?;
                Ok(slice(&base, &index, width))
            }
            Value::Sized(distance) => {
                let whole = base.width.max(width);
                let base = Box::new(extend(base, whole));
                let kind = ExprKind::Shift(Direction::Right, base, Box::new(distance));
                Ok(narrow(&Expr::new(kind, whole), width))
            }
        }
    }

    fn binary_value(
        &mut self,
        left: &VerilogExpression,
        operator: &VerilogOp,
        right: &VerilogExpression,
    ) -> Result<Value> {
        let left = self.value(left)?;
        let right = self.value(right)?;
        if let VerilogOp::Shl | VerilogOp::Shr = operator {
            return shift(operator, left, right);
        }
        let (left, right) = match (left, right) {
            (Value::Number(left), Value::Number(right)) => return numbers(operator, left, right),
            (Value::Sized(left), Value::Number(right)) => {
                let right = self.number_of_width(right, left.width)?;
                (left, right)
            }
            (Value::Number(left), Value::Sized(right)) => (self.number_of_width(left, right.width)?, right),
            (Value::Sized(left), Value::Sized(right)) => (left, right),
        };
        let (left, right) = match operator {
            // `Bits + bool` adds the bit.
            VerilogOp::Add if right.width == 1 => {
                let width = left.width;
                (left, extend(right, width))
            }
            _ => (left, right),
        };
        if left.width != right.width {
            bail!("operands of {} and {} bits", left.width, right.width);
        }
        let comparison = |kind| Expr::new(ExprKind::Compare(kind, Box::new(left.clone()), Box::new(right.clone())), 1);
        let plain = |kind| binary(kind, left.clone(), right.clone());
        Ok(Value::Sized(match operator {
            VerilogOp::Add => plain(BinaryOperator::Add),
            VerilogOp::Sub => plain(BinaryOperator::Sub),
            VerilogOp::BitAnd => plain(BinaryOperator::And),
            VerilogOp::BitOr => plain(BinaryOperator::Or),
            VerilogOp::BitXor => plain(BinaryOperator::Xor),
            VerilogOp::LogicalAnd => plain(BinaryOperator::LogicalAnd),
            VerilogOp::LogicalOr => plain(BinaryOperator::LogicalOr),
            VerilogOp::Mul => {
                // All bits of the product, wherever it stands; an operand that is as wide would be cut to the width around it.
                let width = 2 * left.width;
                binary(BinaryOperator::Mul, extend(left, width), extend(right, width))
            }
            other => comparison(comparison_of(other).context("unknown operator")?),
        }))
    }
}

/// `expr` with `width` bits, cut or extended.
fn fit(expr: Expr, width: usize) -> Expr {
    match expr.width < width {
        true => extend(expr, width),
        false => narrow(&expr, width),
    }
}

/// `base` with the bit at a position known before synthesis replaced.
fn replace_bit(base: Expr, position: Index, bit: Expr) -> Expr {
    let Some(low) = position.constant().and_then(|value| usize::try_from(value).ok()) else {
        let width = base.width;
        return masked_replace(base, Expr::new(ExprKind::Number(position), width), bit);
    };
    let mut parts = vec![];
    if low + 1 < base.width {
        parts.push(slice(&base, &Index::number(low as i128 + 1), base.width - low - 1));
    }
    parts.push(bit);
    if low > 0 {
        parts.push(narrow(&base, low));
    }
    match parts.len() {
        1 => parts.remove(0),
        _ => Expr::new(ExprKind::Concat(parts), base.width),
    }
}

/// `base` with the bit at a position computed by the hardware replaced: clear it with a mask, then set it.
fn masked_replace(base: Expr, position: Expr, bit: Expr) -> Expr {
    let width = base.width;
    let at_position = |value: Expr| {
        let kind = ExprKind::Shift(Direction::Left, Box::new(value), Box::new(position.clone()));
        Expr::new(kind, width)
    };
    let mask = at_position(Expr::constant(1u8.into(), width));
    let cleared = binary(BinaryOperator::And, base, not(mask));
    binary(BinaryOperator::Or, cleared, at_position(extend(bit, width)))
}

fn comparison_of(operator: &VerilogOp) -> Option<Comparison> {
    Some(match operator {
        VerilogOp::Eq => Comparison::Equal,
        VerilogOp::Ne => Comparison::NotEqual,
        VerilogOp::Lt => Comparison::Less,
        VerilogOp::Le => Comparison::LessEqual,
        VerilogOp::Gt => Comparison::Greater,
        VerilogOp::Ge => Comparison::GreaterEqual,
        _ => return None,
    })
}

fn literal_of(literal: &VerilogLiteral) -> Result<Value> {
    let text = format!("{literal:x}");
    let value = literal_value(&text)?;
    // Only `true` and `false` are one bit wide; every integer literal has the width of its Rust type.
    if text.starts_with("1'h") {
        return Ok(Value::Sized(Expr::constant(value, 1)));
    }
    let value = i128::try_from(value).ok().context("a literal of more than 127 bits")?;
    Ok(Value::Number(Index::number(value)))
}

fn reduce(reduction: Reduction, inner: Expr) -> Expr {
    match inner.width {
        1 => inner,
        _ => Expr::new(ExprKind::Reduce(reduction, Box::new(inner)), 1),
    }
}

fn shift(operator: &VerilogOp, left: Value, right: Value) -> Result<Value> {
    let direction = match operator {
        VerilogOp::Shl => Direction::Left,
        _ => Direction::Right,
    };
    let left = match left {
        Value::Sized(left) => left,
        Value::Number(left) => match &right {
            Value::Number(right) => {
                let operator = match direction {
                    Direction::Left => IndexOperator::Shl,
                    Direction::Right => IndexOperator::Shr,
                };
                return Ok(Value::Number(Index::operation(operator, left, right.clone())));
            }
            Value::Sized(_) => number(left, SHIFTED_LITERAL_WIDTH)?,
        },
    };
    let distance = match right {
        Value::Sized(distance) => distance,
        Value::Number(distance) => number(distance, 32)?,
    };
    let width = left.width;
    let kind = ExprKind::Shift(direction, Box::new(left), Box::new(distance));
    Ok(Value::Sized(Expr::new(kind, width)))
}

/// An operation between two plain numbers.
fn numbers(operator: &VerilogOp, left: Index, right: Index) -> Result<Value> {
    if let Some(comparison) = comparison_of(operator) {
        let test = match (left.constant(), right.constant()) {
            (Some(l), Some(r)) => Expr::bit(comparison.holds(&l, &r)),
            _ => Expr::new(ExprKind::LoopTest(comparison, left, right), 1),
        };
        return Ok(Value::Sized(test));
    }
    let operator = match operator {
        VerilogOp::Add => IndexOperator::Add,
        VerilogOp::Sub => IndexOperator::Sub,
        VerilogOp::Mul => IndexOperator::Mul,
        _ => bail!("bit operations between plain numbers are not supported"),
    };
    Ok(Value::Number(Index::operation(operator, left, right)))
}
