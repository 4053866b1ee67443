//! What can be wrong with an expression: the rules that mutants are made by.

use super::collect::EnumType;
use super::expr::{limit, slice};
use super::index::{Bindings, Index};
use super::ir::{BinaryOperator, BitRange, Comparison, Expr, ExprKind, Reduction, SignalId};
use super::scope::{SignalInfo, SignalKind};
use num_bigint::BigUint;
use std::collections::BTreeSet;

/// A comparison is a neighbour of itself: `<` becomes `<=`.
const COMPARISON: &str = "comparison";
/// An operator is another.
const OPERATOR: &str = "operator";
/// An operand is left out.
const OPERAND: &str = "operand";
/// A constant is one more or one less.
const CONSTANT: &str = "constant";
/// The arms of a multiplexer are swapped, or one is taken always.
const MULTIPLEXER: &str = "multiplexer";
/// A condition is stuck or inverted.
const CONDITION: &str = "condition";
/// Bits are read one place beside.
const SLICE: &str = "slice";
/// A negation is left out.
const NEGATION: &str = "negation";
/// The highest bit of what is read is stuck or inverted.
const BIT: &str = "bit";

/// A wrong expression and the rule it is made by.
pub(super) type Wrong = (&'static str, Expr);

/// What the rules must know of the place of an expression.
pub(super) struct Surroundings<'a> {
    pub signals: &'a [SignalInfo],
    pub enums: &'a [EnumType],
    /// The loops around it: variable, first value, and the end.
    pub loops: Vec<(String, i128, i128)>,
    /// Signals that hang on what is computed here: other bits of them than those that are read might be a loop.
    pub behind: BTreeSet<SignalId>,
}

impl Surroundings<'_> {
    /// All that can be wrong with `expr` itself; not with its operands.
    pub(super) fn wrong(&self, expr: &Expr) -> Vec<Wrong> {
        let mut found = match &expr.kind {
            ExprKind::Constant(value) => beside(value, expr.width).into_iter().map(|wrong| (CONSTANT, wrong)).collect(),
            ExprKind::Label(name, variant) => self.other_variants(name, *variant, expr.width),
            ExprKind::Read(place) => self.wrong_reads(place),
            ExprKind::Not(inner) => vec![(NEGATION, (**inner).clone())],
            ExprKind::Reduce(reduction, inner) => {
                let other = if *reduction == Reduction::Or { Reduction::And } else { Reduction::Or };
                vec![(OPERATOR, Expr::new(ExprKind::Reduce(other, inner.clone()), 1))]
            }
            ExprKind::Binary(operator, left, right) => wrong_operators(*operator, left, right),
            ExprKind::Compare(comparison, left, right) => wrong_comparisons(*comparison, left, right),
            ExprKind::Mux(test, then, otherwise) => vec![
                (MULTIPLEXER, Expr::new(ExprKind::Mux(test.clone(), otherwise.clone(), then.clone()), expr.width)),
                (MULTIPLEXER, (**then).clone()),
                (MULTIPLEXER, (**otherwise).clone()),
            ],
            ExprKind::Slice(inner, start) => {
                let starts = [1, -1].into_iter().map(|by| start.plus(by));
                let fits = starts.filter(|start| self.is_within(start, expr.width, inner.width));
                fits.map(|start| (SLICE, Expr::new(ExprKind::Slice(inner.clone(), start), expr.width))).collect()
            }
            ExprKind::Number(_)
            | ExprKind::Shift(..)
            | ExprKind::Extend(_)
            | ExprKind::SelectBit(..)
            | ExprKind::Concat(_)
            | ExprKind::Replicate(..)
            | ExprKind::LoopTest(..) => vec![],
        };
        // A test of loop variables may be what keeps positions in their range.
        if expr.operands().iter().any(|operand| tests_loops(operand)) {
            found.clear();
        }
        distinct(expr, found)
    }

    /// All that can be wrong with `test` because it decides what is done.
    pub(super) fn wrong_conditions(&self, test: &Expr) -> Vec<Wrong> {
        if tests_loops(test) {
            return vec![];
        }
        let inverted = super::expr::not(test.clone());
        [Expr::bit(false), Expr::bit(true), inverted].map(|wrong| (CONDITION, wrong)).into()
    }

    fn other_variants(&self, name: &str, variant: usize, width: usize) -> Vec<Wrong> {
        let count = self.enums.iter().find(|known| known.name == *name).map_or(1, |known| known.variants.len());
        let others = BTreeSet::from([(variant + 1) % count, (variant + count - 1) % count]);
        others.into_iter().map(|other| (CONSTANT, Expr::new(ExprKind::Label(name.to_owned(), other), width))).collect()
    }

    fn wrong_reads(&self, place: &BitRange) -> Vec<Wrong> {
        let info = &self.signals[place.signal];
        if info.value_type == super::collect::ValueType::Clock {
            return vec![];
        }
        if let SignalKind::Constant(value) = &info.kind {
            let Some(start) = place.start.constant() else { return vec![] };
            let value = (value >> start as usize) % limit(place.width);
            return beside(&value, place.width).into_iter().map(|wrong| (CONSTANT, wrong)).collect();
        }
        let mut found = stuck(&Expr::read(place.clone()));
        let outside = matches!(info.kind, SignalKind::Input | SignalKind::State);
        if outside || !self.behind.contains(&place.signal) {
            let starts = [1, -1].into_iter().map(|by| place.start.plus(by));
            let fits = starts.filter(|start| self.is_within(start, place.width, info.total_width()));
            found.extend(fits.map(|start| (SLICE, Expr::read(BitRange { start, ..place.clone() }))));
        }
        found
    }

    /// Whether so many bits from `start` on are within a vector, in every iteration of the loops around.
    fn is_within(&self, start: &Index, width: usize, of: usize) -> bool {
        self.iterations().iter().all(|bindings| {
            let start = start.evaluate(bindings);
            start.is_some_and(|start| start >= 0 && start + width as i128 <= of as i128)
        })
    }

    fn iterations(&self) -> Vec<Bindings> {
        let mut all: Vec<Bindings> = vec![vec![]];
        for (variable, from, to) in &self.loops {
            let with = |bindings: &Bindings| {
                let bindings = bindings.clone();
                (*from..*to).map(move |value| [bindings.clone(), vec![(variable.clone(), value)]].concat())
            };
            all = all.iter().flat_map(with).collect();
        }
        all
    }
}

/// The numbers beside a constant that its width allows.
fn beside(value: &BigUint, width: usize) -> Vec<Expr> {
    let one = BigUint::from(1u8);
    let more = (value + &one < limit(width)).then(|| value + &one);
    let less = (*value > BigUint::default()).then(|| value - &one);
    more.into_iter().chain(less).map(|wrong| Expr::constant(wrong, width)).collect()
}

/// `read` with its highest bit stuck at 0 or 1, or inverted where there are others: one that is alone is inverted by what stands around it.
fn stuck(read: &Expr) -> Vec<Wrong> {
    let width = read.width;
    if width == 1 {
        return vec![(BIT, Expr::bit(false)), (BIT, Expr::bit(true))];
    }
    let highest = BigUint::from(1u8) << (width - 1);
    let below = &highest - 1u8;
    let with = |operator, mask: &BigUint| {
        (BIT, super::expr::binary(operator, read.clone(), Expr::constant(mask.clone(), width)))
    };
    vec![with(BinaryOperator::And, &below), with(BinaryOperator::Or, &highest), with(BinaryOperator::Xor, &highest)]
}

fn wrong_operators(operator: BinaryOperator, left: &Expr, right: &Expr) -> Vec<Wrong> {
    use BinaryOperator::{Add, And, LogicalAnd, LogicalOr, Mul, Or, Sub, Xor};
    let others: &[BinaryOperator] = match operator {
        Add => &[Sub],
        Sub | Mul => &[Add],
        And => &[Or, Xor],
        Or => &[And, Xor],
        Xor => &[And, Or],
        LogicalAnd => &[LogicalOr],
        LogicalOr => &[LogicalAnd],
    };
    let changed = others.iter().map(|&other| (OPERATOR, super::expr::binary(other, left.clone(), right.clone())));
    let alone = [left, right].map(|operand| (OPERAND, operand.clone()));
    changed.chain(alone).collect()
}

fn wrong_comparisons(comparison: Comparison, left: &Expr, right: &Expr) -> Vec<Wrong> {
    use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let is_number = left.width > 1 && ![left, right].iter().any(|side| matches!(side.kind, ExprKind::Label(..)));
    let others: &[Comparison] = match comparison {
        Equal if is_number => &[NotEqual, GreaterEqual, LessEqual],
        Equal => &[NotEqual],
        NotEqual => &[Equal],
        Less => &[LessEqual, GreaterEqual],
        LessEqual => &[Less, Greater],
        Greater => &[GreaterEqual, LessEqual],
        GreaterEqual => &[Greater, Less],
    };
    let with = |&other| {
        let kind = ExprKind::Compare(other, Box::new(left.clone()), Box::new(right.clone()));
        (COMPARISON, Expr::new(kind, 1))
    };
    others.iter().map(with).collect()
}

/// Whether loop variables are compared somewhere in an expression.
fn tests_loops(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::LoopTest(..)) || expr.operands().iter().any(|operand| tests_loops(operand))
}

/// Without those that are alike or as the sound one.
fn distinct(sound: &Expr, found: Vec<Wrong>) -> Vec<Wrong> {
    let mut kept: Vec<Wrong> = vec![];
    for (rule, wrong) in found {
        if wrong != *sound && kept.iter().all(|(_, other)| *other != wrong) {
            kept.push((rule, wrong));
        }
    }
    kept
}

/// The bits of a register's next value of which only the last element is another.
pub(super) fn last_element(whole: &Expr, other: &Expr, elements: usize) -> Expr {
    let width = whole.width / elements;
    let below = whole.width - width;
    let last = slice(other, &Index::number(below as i128), width);
    Expr::new(ExprKind::Concat(vec![last, slice(whole, &Index::number(0), below)]), whole.width)
}

#[cfg(test)]
mod tests {
    use super::super::collect::ValueType;
    use super::super::ir::Direction;
    use super::super::render_expr::ExprRenderer;
    use super::*;

    /// Inputs `a` and `b` of 4 bits and `x` and `y` of one, a wire `w` of 8, a constant `LIMIT`, the clock, and a state.
    fn signals() -> Vec<SignalInfo> {
        let signal = |name: &str, kind, width, value_type| SignalInfo {
            name: name.into(),
            rust: name.into(),
            kind,
            dims: vec![],
            width,
            value_type,
            enums: vec![],
        };
        let input = |name, width| signal(name, SignalKind::Input, width, ValueType::Bits);
        let limit = SignalKind::Constant(BigUint::from(5u8));
        vec![
            input("a", 4),
            input("b", 4),
            input("x", 1),
            input("y", 1),
            signal("w", SignalKind::Local, 8, ValueType::Bits),
            signal("LIMIT", limit, 4, ValueType::Bits),
            signal("clk", SignalKind::Input, 1, ValueType::Clock),
        ]
    }

    fn part(name: &str, start: Index, width: usize) -> Expr {
        let signal = signals().iter().position(|info| info.name == name).unwrap();
        Expr::read(BitRange { signal, start, width })
    }

    fn read(name: &str) -> Expr {
        let width = signals().iter().find(|info| info.name == name).unwrap().width;
        part(name, Index::number(0), width)
    }

    fn compare(comparison: Comparison, left: Expr, right: Expr) -> Expr {
        Expr::new(ExprKind::Compare(comparison, Box::new(left), Box::new(right)), 1)
    }

    fn binary(operator: BinaryOperator, left: &str, right: &str) -> Expr {
        super::super::expr::binary(operator, read(left), read(right))
    }

    /// Texts of what can be wrong, each behind its rule.
    fn wrong_in(expr: &Expr, loops: &[(String, i128, i128)], behind: &[SignalId]) -> Vec<String> {
        let (signals, behind) = (signals(), behind.iter().copied().collect());
        let enums = [EnumType { name: "Phase".into(), variants: ["Off", "On", "Down"].map(String::from).into() }];
        let surroundings = Surroundings { signals: &signals, enums: &enums, loops: loops.into(), behind };
        let renderer = ExprRenderer { signals: &signals, enums: &enums };
        surroundings.wrong(expr).iter().map(|(rule, wrong)| format!("{rule}: {}", renderer.expr(wrong))).collect()
    }

    fn wrong(expr: &Expr) -> Vec<String> {
        wrong_in(expr, &[], &[])
    }

    #[test]
    fn a_comparison_becomes_its_neighbours() {
        let of = |comparison| wrong(&compare(comparison, read("a"), read("b")));
        assert_eq!(of(Comparison::Less), ["comparison: a <= b", "comparison: a >= b"]);
        assert_eq!(of(Comparison::LessEqual), ["comparison: a < b", "comparison: a > b"]);
        assert_eq!(of(Comparison::Greater), ["comparison: a >= b", "comparison: a <= b"]);
        assert_eq!(of(Comparison::GreaterEqual), ["comparison: a > b", "comparison: a < b"]);
        assert_eq!(of(Comparison::Equal), ["comparison: a != b", "comparison: a >= b", "comparison: a <= b"]);
        assert_eq!(of(Comparison::NotEqual), ["comparison: a == b"]);
        // Of bits and of variants there is no order.
        assert_eq!(wrong(&compare(Comparison::Equal, read("x"), read("y"))), ["comparison: x != y"]);
    }

    #[test]
    fn an_operator_becomes_another_and_loses_an_operand() {
        let of = |operator| wrong(&binary(operator, "a", "b"));
        assert_eq!(of(BinaryOperator::Add), ["operator: a - b", "operand: a", "operand: b"]);
        assert_eq!(of(BinaryOperator::Sub), ["operator: a + b", "operand: a", "operand: b"]);
        assert_eq!(of(BinaryOperator::Mul), ["operator: a + b", "operand: a", "operand: b"]);
        assert_eq!(of(BinaryOperator::And), ["operator: a | b", "operator: a ^ b", "operand: a", "operand: b"]);
        assert_eq!(of(BinaryOperator::Or), ["operator: a & b", "operator: a ^ b", "operand: a", "operand: b"]);
        assert_eq!(of(BinaryOperator::Xor), ["operator: a & b", "operator: a | b", "operand: a", "operand: b"]);
        let logical = |operator| wrong(&binary(operator, "x", "y"));
        assert_eq!(logical(BinaryOperator::LogicalAnd), ["operator: x || y", "operand: x", "operand: y"]);
        assert_eq!(logical(BinaryOperator::LogicalOr), ["operator: x && y", "operand: x", "operand: y"]);
        let reduced = |reduction| wrong(&Expr::new(ExprKind::Reduce(reduction, Box::new(read("a"))), 1));
        assert_eq!(reduced(Reduction::And), ["operator: |a"]);
        assert_eq!(reduced(Reduction::Or), ["operator: &a"]);
        assert_eq!(reduced(Reduction::Xor), ["operator: |a"]);
    }

    #[test]
    fn a_constant_is_one_beside_within_its_width() {
        let of = |value: u8| wrong(&Expr::constant(BigUint::from(value), 2));
        assert_eq!(of(0), ["constant: 2'd1"]);
        assert_eq!(of(1), ["constant: 2'd2", "constant: 2'd0"]);
        assert_eq!(of(3), ["constant: 2'd2"]);
        assert_eq!(wrong(&read("LIMIT")), ["constant: 4'd6", "constant: 4'd4"]);
        let label = |variant| wrong(&Expr::new(ExprKind::Label("Phase".into(), variant), 2));
        assert_eq!(label(1), ["constant: PHASE_OFF", "constant: PHASE_DOWN"]);
    }

    #[test]
    fn a_multiplexer_has_its_arms_swapped_or_takes_one_always() {
        let of = |test: Expr| Expr::new(ExprKind::Mux(Box::new(test), Box::new(read("a")), Box::new(read("b"))), 4);
        let expected = ["multiplexer: x ? b : a", "multiplexer: a", "multiplexer: b"];
        assert_eq!(wrong(&of(read("x"))), expected);
        // A loop's first turn may have no place before it.
        let first = ExprKind::LoopTest(Comparison::Greater, Index::variable("i"), Index::number(0));
        assert_eq!(wrong(&of(Expr::new(first, 1))), [""; 0]);
    }

    #[test]
    fn a_condition_is_stuck_or_inverted() {
        let (signals, enums) = (signals(), []);
        let surroundings = Surroundings { signals: &signals, enums: &enums, loops: vec![], behind: BTreeSet::new() };
        let renderer = ExprRenderer { signals: &signals, enums: &enums };
        let texts = surroundings.wrong_conditions(&read("x")).into_iter().map(|(_, wrong)| renderer.expr(&wrong));
        assert_eq!(texts.collect::<Vec<_>>(), ["1'b0", "1'b1", "~x"]);
    }

    #[test]
    fn bits_are_read_beside_where_there_are_some() {
        let slices = |expr: &Expr, loops: &[(String, i128, i128)], behind: &[SignalId]| -> Vec<String> {
            wrong_in(expr, loops, behind).into_iter().filter(|text| text.starts_with("slice")).collect()
        };
        let at = |start| part("a", Index::number(start), 2);
        assert_eq!(slices(&at(0), &[], &[]), ["slice: a[2:1]"]);
        assert_eq!(slices(&at(1), &[], &[]), ["slice: a[3:2]", "slice: a[1:0]"]);
        assert_eq!(slices(&read("a"), &[], &[]), [""; 0]);
        // In a loop, in every turn.
        let turned = part("a", Index::variable("i"), 1);
        assert_eq!(slices(&turned, &[("i".into(), 0, 3)], &[]), ["slice: a[i + 1]"]);
        assert_eq!(slices(&turned, &[("i".into(), 0, 4)], &[]), [""; 0]);
        // A wire that hangs on what is computed could be a loop.
        let wire = part("w", Index::number(0), 4);
        assert_eq!(slices(&wire, &[], &[]), ["slice: w[4:1]"]);
        assert_eq!(slices(&wire, &[], &[4]), [""; 0]);
    }

    #[test]
    fn a_negation_is_left_out() {
        assert_eq!(wrong(&super::super::expr::not(read("a"))), ["negation: a"]);
    }

    #[test]
    fn the_highest_bit_is_stuck_or_inverted() {
        assert_eq!(wrong(&read("a")), ["bit: a & 4'd7", "bit: a | 4'd8", "bit: a ^ 4'd8"]);
        assert_eq!(wrong(&read("x")), ["bit: 1'b0", "bit: 1'b1"]);
        assert_eq!(wrong(&read("clk")), [""; 0]);
    }

    #[test]
    fn a_shift_has_only_wrong_operands() {
        let shift = ExprKind::Shift(Direction::Left, Box::new(read("a")), Box::new(read("b")));
        assert_eq!(wrong(&Expr::new(shift, 4)), [""; 0]);
    }

    #[test]
    fn the_last_element_of_a_register_keeps_its_value() {
        let (signals, enums) = (signals(), []);
        let renderer = ExprRenderer { signals: &signals, enums: &enums };
        assert_eq!(renderer.expr(&last_element(&read("a"), &read("b"), 2)), "{b[3:2], a[1:0]}");
    }
}
