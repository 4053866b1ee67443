//! Expressions as Verilog text.

use super::collect::EnumType;
use super::expr::limit;
use super::index::{Affine, Index};
use super::ir::{BinaryOperator, BitRange, Comparison, Direction, Expr, ExprKind, Reduction};
use super::scope::{SignalInfo, label_name};
use num_bigint::BigUint;

/// Knows the names an expression refers to.
pub(crate) struct ExprRenderer<'a> {
    pub signals: &'a [SignalInfo],
    pub enums: &'a [EnumType],
}

/// How an expression is used by the text around it.
#[derive(Clone, Copy, PartialEq)]
enum Around {
    /// Nothing binds to it: a whole right-hand side, an operand in brackets or braces.
    Nothing,
    /// The condition of an `if`, or an operand of `&&` and `||` there: negation is written `!`.
    Condition,
    /// An operand of this operator.
    Operator(&'static str),
}

impl ExprRenderer<'_> {
    pub(crate) fn expr(&self, expr: &Expr) -> String {
        self.render(expr, Around::Nothing)
    }

    /// The right-hand side of an assignment to `target`. A constant for a vector of single bits is written bit by bit.
    pub(crate) fn value_for(&self, target: &BitRange, value: &Expr) -> String {
        let info = &self.signals[target.signal];
        match &value.kind {
            ExprKind::Constant(bits) if info.width == 1 && value.width > 1 => bit_pattern(bits, value.width),
            _ => self.expr(value),
        }
    }

    pub(crate) fn condition(&self, expr: &Expr) -> String {
        self.render(expr, Around::Condition)
    }

    fn render(&self, expr: &Expr, around: Around) -> String {
        let width = expr.width;
        match &expr.kind {
            ExprKind::Constant(value) => constant(value, width),
            ExprKind::Label(name, variant) => match self.enums.iter().find(|known| known.name == *name) {
                Some(known) => label_name(known, *variant),
                None => constant(&BigUint::from(*variant), width),
            },
            ExprKind::Read(place) => self.place(place),
            ExprKind::Number(index) => match index {
                Index::Affine(Affine { constant: 0, terms }) if terms.len() == 1 && width == 1 => {
                    format!("{}[0]", index_text(index))
                }
                _ => format!("{}[{}:0]", index_text(index), width - 1),
            },
            ExprKind::Not(inner) => {
                let logical = around == Around::Condition && width == 1;
                let symbol = if logical { "!" } else { "~" };
                let inner = self.render(inner, Around::Operator("~"));
                format!("{symbol}{inner}")
            }
            ExprKind::Reduce(reduction, inner) => {
                let symbol = match reduction {
                    Reduction::And => "&",
                    Reduction::Or => "|",
                    Reduction::Xor => "^",
                };
                let inner = self.render(inner, Around::Operator("reduce"));
                // `a & |b` and `~|b` are legal and easily misread.
                let text = format!("{symbol}{inner}");
                if let Around::Operator(_) = around { format!("({text})") } else { text }
            }
            ExprKind::Binary(operator, left, right) => {
                let (symbol, associative) = binary_symbol(*operator);
                let logical = symbol == "&&" || symbol == "||";
                let inside = match (around, logical) {
                    (Around::Condition, true) => Around::Condition,
                    _ => Around::Operator(symbol),
                };
                let side = |operand: &Expr, is_left: bool| {
                    let same = matches!(&operand.kind, ExprKind::Binary(inner, ..) if inner == operator);
                    let sum = is_left
                        && matches!(symbol, "+" | "-")
                        && matches!(&operand.kind, ExprKind::Binary(BinaryOperator::Add | BinaryOperator::Sub, ..));
                    match &operand.kind {
                        ExprKind::Binary(..) if (same && associative) || sum => self.bare(operand, inside),
                        ExprKind::Binary(..) | ExprKind::Compare(..) | ExprKind::Shift(..) => {
                            format!("({})", self.bare(operand, inside))
                        }
                        _ => self.operand(operand, inside, symbol),
                    }
                };
                let text = format!("{} {symbol} {}", side(left, true), side(right, false));
                self.bracket(text, around)
            }
            ExprKind::Compare(comparison, left, right) => {
                let text = self.comparison(*comparison, left, right);
                self.bracket(text, around)
            }
            ExprKind::Shift(direction, value, distance) => {
                let symbol = match direction {
                    Direction::Left => "<<",
                    Direction::Right => ">>",
                };
                let distance = match &distance.kind {
                    ExprKind::Constant(value) => value.to_string(),
                    ExprKind::Number(index) => match index {
                        Index::Affine(Affine { constant: 0, terms }) if terms.len() == 1 => index_text(index),
                        _ => format!("({})", index_text(index)),
                    },
                    _ => self.render(distance, Around::Operator(symbol)),
                };
                let text = format!("{} {symbol} {distance}", self.render(value, Around::Operator(symbol)));
                self.bracket(text, around)
            }
            ExprKind::Extend(inner) => {
                let zeros = constant(&BigUint::default(), width - inner.width);
                format!("{{{zeros}, {}}}", self.expr(inner))
            }
            ExprKind::SelectBit(base, position) => format!("{}[{}]", self.expr(base), self.expr(position)),
            ExprKind::Slice(base, start) => {
                // `hoist` has removed these; the text keeps the meaning visible should one ever be left.
                format!("({} >> {})", self.expr(base), index_text(start))
            }
            ExprKind::Concat(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.expr(part)).collect();
                format!("{{{}}}", parts.join(", "))
            }
            ExprKind::Replicate(count, inner) => format!("{{{count}{{{}}}}}", self.expr(inner)),
            ExprKind::Mux(test, then, otherwise) => {
                let test = match &test.kind {
                    ExprKind::Binary(..) | ExprKind::Compare(..) => format!("({})", self.condition(test)),
                    ExprKind::Reduce(..) => format!("({})", self.expr(test)),
                    _ => self.condition(test),
                };
                let otherwise = match &otherwise.kind {
                    ExprKind::Mux(..) => self.expr(otherwise),
                    _ => self.render(otherwise, Around::Operator("?:")),
                };
                let text = format!("{test} ? {} : {otherwise}", self.render(then, Around::Operator("?:")));
                self.bracket(text, around)
            }
            ExprKind::LoopTest(comparison, left, right) => {
                let text = format!("{} {} {}", index_text(left), comparison.symbol(), index_text(right));
                self.bracket(text, around)
            }
        }
    }

    fn bare(&self, expr: &Expr, inside: Around) -> String {
        let around = if inside == Around::Condition { Around::Condition } else { Around::Nothing };
        self.render(expr, around)
    }

    /// An operand of `&&` or `||` keeps the condition's style of negation.
    fn operand(&self, expr: &Expr, inside: Around, symbol: &'static str) -> String {
        match (&expr.kind, inside) {
            (ExprKind::Not(_), Around::Condition) => self.render(expr, inside),
            _ => self.render(expr, Around::Operator(symbol)),
        }
    }

    fn comparison(&self, comparison: Comparison, left: &Expr, right: &Expr) -> String {
        let symbol = comparison.symbol();
        let side = |operand| self.render(operand, Around::Operator(symbol));
        format!("{} {symbol} {}", side(left), side(right))
    }

    fn bracket(&self, text: String, around: Around) -> String {
        match around {
            Around::Nothing | Around::Condition => text,
            Around::Operator(_) => format!("({text})"),
        }
    }

    /// A signal, or the bits of it that a place covers.
    pub(crate) fn place(&self, place: &BitRange) -> String {
        let info = &self.signals[place.signal];
        let name = &info.name;
        if place.width == info.total_width() {
            return name.clone();
        }
        match place.start.constant() {
            Some(low) if place.width == 1 => format!("{name}[{low}]"),
            Some(low) => format!("{name}[{}:{low}]", low + place.width as i128 - 1),
            None if place.width == 1 => format!("{name}[{}]", index_text(&place.start)),
            None => format!("{name}[{} +: {}]", position_text(&place.start, place.width), place.width),
        }
    }
}

fn binary_symbol(operator: BinaryOperator) -> (&'static str, bool) {
    match operator {
        BinaryOperator::Add => ("+", true),
        BinaryOperator::Sub => ("-", false),
        BinaryOperator::Mul => ("*", true),
        BinaryOperator::And => ("&", true),
        BinaryOperator::Or => ("|", true),
        BinaryOperator::Xor => ("^", true),
        BinaryOperator::LogicalAnd => ("&&", true),
        BinaryOperator::LogicalOr => ("||", true),
    }
}

/// A sized literal: decimal while that is easy to read, then hexadecimal.
pub(crate) fn constant(value: &BigUint, width: usize) -> String {
    if width > 32 && *value == limit(width) - 1u8 {
        return format!("{{{width}{{1'b1}}}}");
    }
    if width == 1 {
        return format!("1'b{value}");
    }
    match u32::try_from(value) {
        Ok(small) if small < 10_000 => format!("{width}'d{small}"),
        _ => format!("{width}'h{value:x}"),
    }
}

/// Bits without a meaning as a number.
fn bit_pattern(value: &BigUint, width: usize) -> String {
    if *value == limit(width) - 1u8 {
        return format!("{{{width}{{1'b1}}}}");
    }
    match width {
        _ if *value == BigUint::default() => format!("{width}'d0"),
        ..=16 => format!("{width}'b{value:0width$b}"),
        _ => format!("{width}'h{value:x}"),
    }
}

/// The position of an element of `width` bits: `(i + 1)*4` rather than `i*4 + 4`.
fn position_text(start: &Index, width: usize) -> String {
    let unit = width as i128;
    if let Index::Affine(affine) = start {
        let divisible = affine.constant % unit == 0 && affine.terms.values().all(|coefficient| coefficient % unit == 0);
        if divisible && (affine.terms.len() > 1 || affine.constant != 0) {
            let terms = affine.terms.iter().map(|(name, coefficient)| (name.clone(), coefficient / unit));
            let elements = Affine { constant: affine.constant / unit, terms: terms.collect() };
            return format!("({})*{width}", index_text(&Index::Affine(elements)));
        }
    }
    index_text(start)
}

/// An index as an integer expression: the widest step first, and nothing negative in front.
pub(crate) fn index_text(index: &Index) -> String {
    match index {
        Index::Affine(affine) => {
            let mut terms: Vec<(&String, i128)> = affine.terms.iter().map(|(name, factor)| (name, *factor)).collect();
            terms.sort_by_key(|(_, factor)| -factor);
            let (added, taken): (Vec<_>, Vec<_>) = terms.into_iter().partition(|(_, factor)| *factor > 0);
            let mut parts: Vec<(bool, String)> = vec![];
            let term = |(name, factor): (&String, i128)| match factor.unsigned_abs() {
                1 => name.clone(),
                size => format!("{name}*{size}"),
            };
            parts.extend(added.into_iter().map(|part| (false, term(part))));
            let lonely = parts.is_empty() && (taken.is_empty() || affine.constant > 0);
            if affine.constant != 0 || lonely {
                parts.push((affine.constant < 0, affine.constant.unsigned_abs().to_string()));
            }
            parts.extend(taken.into_iter().map(|part| (true, term(part))));
            let mut text = String::new();
            for (minus, part) in parts {
                text.push_str(match (text.is_empty(), minus) {
                    (true, false) => "",
                    (true, true) => "-",
                    (false, false) => " + ",
                    (false, true) => " - ",
                });
                text.push_str(&part);
            }
            text
        }
        // `pieces` unrolls loops with tables; the name keeps the mistake visible should one ever be left.
        Index::Entry(_, position) => format!("table_entry({})", index_text(position)),
        Index::Operation(operator, left, right) => {
            let side = |index: &Index| match index {
                Index::Affine(affine) if affine.terms.is_empty() => index_text(index),
                Index::Affine(affine) if affine.terms.len() == 1 && affine.constant == 0 => {
                    let text = index_text(index);
                    if text.contains(['*', '-']) { format!("({text})") } else { text }
                }
                _ => format!("({})", index_text(index)),
            };
            format!("{} {} {}", side(left), operator.symbol(), side(right))
        }
    }
}
