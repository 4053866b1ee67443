//! The form between the kernel and the Verilog text: every name resolved, every width known, loops still loops.

use super::index::Index;
use num_bigint::BigUint;

/// Position of a signal in the table of its module.
pub(crate) type SignalId = usize;

/// A run of bits of one signal: `width` bits from bit `start` of its packed vector.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BitRange {
    pub signal: SignalId,
    pub start: Index,
    pub width: usize,
}

/// An expression with its exact width in bits; operands always have the width the operator needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Expr {
    pub kind: ExprKind,
    pub width: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ExprKind {
    Constant(BigUint),
    /// A variant of an enum: the name of the type and the position of the variant.
    Label(String, usize),
    Read(BitRange),
    /// The value of a loop variable, or of arithmetic on loop variables.
    Number(Index),
    Not(Box<Expr>),
    Reduce(Reduction, Box<Expr>),
    /// Both operands have the width of the result.
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    /// Operands of equal width, result one bit.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// The second operand is a shift distance of any width.
    Shift(Direction, Box<Expr>, Box<Expr>),
    /// Zero extension.
    Extend(Box<Expr>),
    /// Bits `start ..` of an expression that is not a signal.
    Slice(Box<Expr>, Index),
    /// One bit at a position computed by the hardware.
    SelectBit(Box<Expr>, Box<Expr>),
    /// Most significant part first.
    Concat(Vec<Expr>),
    Replicate(usize, Box<Expr>),
    Mux(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A comparison of loop variables, decided when the loop is unrolled.
    LoopTest(Comparison, Index, Index),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Reduction {
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BinaryOperator {
    Add,
    Sub,
    /// Of operands that are as wide as the product.
    Mul,
    And,
    Or,
    Xor,
    /// `&&` of the kernel; on one bit the same as `And`, kept apart because it reads better in a condition.
    LogicalAnd,
    LogicalOr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Comparison {
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterEqual => ">=",
        }
    }

    pub(crate) fn holds<T: Ord>(self, left: &T, right: &T) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::LessEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterEqual => left >= right,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Direction {
    Left,
    Right,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stmt {
    Assign(BitRange, Expr),
    If {
        test: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    Case {
        value: Expr,
        arms: Vec<Arm>,
    },
    For {
        variable: String,
        from: i128,
        to: i128,
        body: Vec<Stmt>,
    },
    /// `0 <= index < limit` must hold in every iteration; checked by [`super::check`], then dropped.
    Require {
        index: Index,
        limit: i128,
        what: String,
    },
}

/// One branch of a `case`; `default` marks the branch that also takes every value no label names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Arm {
    pub label: Option<Expr>,
    pub default: bool,
    pub body: Vec<Stmt>,
}

impl Expr {
    pub(crate) fn new(kind: ExprKind, width: usize) -> Self {
        Expr { kind, width }
    }

    pub(crate) fn constant(value: BigUint, width: usize) -> Self {
        Expr::new(ExprKind::Constant(value), width)
    }

    pub(crate) fn bit(value: bool) -> Self {
        Expr::constant(BigUint::from(u8::from(value)), 1)
    }

    pub(crate) fn read(place: BitRange) -> Self {
        let width = place.width;
        Expr::new(ExprKind::Read(place), width)
    }

    /// The value of a constant expression that is written as a number.
    pub(crate) fn as_constant(&self) -> Option<&BigUint> {
        match &self.kind {
            ExprKind::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The sub-expressions, in order.
    pub(crate) fn operands(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Constant(_)
            | ExprKind::Label(..)
            | ExprKind::Read(_)
            | ExprKind::Number(_)
            | ExprKind::LoopTest(..) => vec![],
            ExprKind::Not(a)
            | ExprKind::Reduce(_, a)
            | ExprKind::Extend(a)
            | ExprKind::Slice(a, _)
            | ExprKind::Replicate(_, a) => vec![a],
            ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::Shift(_, a, b)
            | ExprKind::SelectBit(a, b) => vec![a, b],
            ExprKind::Mux(a, b, c) => vec![a, b, c],
            ExprKind::Concat(parts) => parts.iter().collect(),
        }
    }

    /// The same expression with every sub-expression replaced by `change(sub-expression)`.
    pub(crate) fn map_operands(&self, change: &mut dyn FnMut(&Expr) -> Expr) -> Expr {
        let mut boxed = |e: &Expr| Box::new(change(e));
        let kind = match &self.kind {
            ExprKind::Constant(_)
            | ExprKind::Label(..)
            | ExprKind::Read(_)
            | ExprKind::Number(_)
            | ExprKind::LoopTest(..) => self.kind.clone(),
            ExprKind::Not(a) => ExprKind::Not(boxed(a)),
            ExprKind::Reduce(op, a) => ExprKind::Reduce(*op, boxed(a)),
            ExprKind::Extend(a) => ExprKind::Extend(boxed(a)),
            ExprKind::Slice(a, start) => ExprKind::Slice(boxed(a), start.clone()),
            ExprKind::Replicate(n, a) => ExprKind::Replicate(*n, boxed(a)),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, boxed(a), boxed(b)),
            ExprKind::Compare(op, a, b) => ExprKind::Compare(*op, boxed(a), boxed(b)),
            ExprKind::Shift(op, a, b) => ExprKind::Shift(*op, boxed(a), boxed(b)),
            ExprKind::SelectBit(a, b) => ExprKind::SelectBit(boxed(a), boxed(b)),
            ExprKind::Mux(a, b, c) => ExprKind::Mux(boxed(a), boxed(b), boxed(c)),
            ExprKind::Concat(parts) => ExprKind::Concat(parts.iter().map(|p| *boxed(p)).collect()),
        };
        Expr::new(kind, self.width)
    }

    /// Whether the value depends on a loop variable.
    pub(crate) fn uses(&self, variable: &str) -> bool {
        let here = match &self.kind {
            ExprKind::Read(place) => place.start.uses(variable),
            ExprKind::Number(index) | ExprKind::Slice(_, index) => index.uses(variable),
            ExprKind::LoopTest(_, left, right) => left.uses(variable) || right.uses(variable),
            _ => false,
        };
        here || self.operands().iter().any(|operand| operand.uses(variable))
    }
}
