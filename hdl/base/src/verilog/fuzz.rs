//! Random loop nests, rewritten and compared with the original by calculation.

use super::collect::ValueType;
use super::constant::Values;
use super::index::{Index, IndexOperator};
use super::ir::{BinaryOperator, BitRange, Comparison, Expr, ExprKind, SignalId, Stmt};
use super::render_expr::ExprRenderer;
use super::scope::{Scope, SignalInfo, SignalKind};
use super::{expr, loops, merge, simplify, split};
use num_bigint::BigUint;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit
    }

    fn value(&mut self, bits: usize) -> BigUint {
        (0..bits).fold(BigUint::default(), |value, _| (value << 1) | BigUint::from(self.below(2)))
    }
}

const BITS: usize = 24;
const INPUTS: [SignalId; 3] = [0, 1, 2];
const OUTPUTS: [SignalId; 4] = [3, 4, 5, 6];

fn scope() -> Scope {
    let mut scope = Scope::default();
    for (position, name) in ["a", "b", "c", "w", "x", "y", "z"].iter().enumerate() {
        let kind = if INPUTS.contains(&position) { SignalKind::Input } else { SignalKind::Output };
        let info = SignalInfo {
            name: name.to_string(),
            rust: name.to_string(),
            kind,
            dims: vec![BITS],
            width: 1,
            value_type: ValueType::Bits,
            enums: vec![],
        };
        scope.add(name.to_string(), info).unwrap();
    }
    scope
}

/// Makes statements whose positions stay inside the signals.
struct Maker<'a> {
    random: &'a mut Random,
    /// Open loops with their ranges.
    open: Vec<(String, i128, i128)>,
}

impl Maker<'_> {
    /// A position within the signal, from the loop variables; wrapped with `%` where it could leave it.
    fn position(&mut self, width: i128) -> Index {
        let mut index = Index::number(self.random.below(4) as i128 * width);
        for (name, _, _) in self.open.clone() {
            let factor = [0, 1, 1, 1, 1, 1, 3, 4, -1][self.random.below(9) as usize] * width;
            index = index.add(&Index::variable(&name).times(factor));
        }
        let mut least = 0;
        let mut most = 0;
        if let Index::Affine(affine) = &index {
            (least, most) = (affine.constant, affine.constant);
            for (name, factor) in &affine.terms {
                let (_, from, to) = self.open.iter().find(|(known, _, _)| known == name).unwrap();
                let ends = [factor * from, factor * (to - 1)];
                least += ends.iter().min().unwrap();
                most += ends.iter().max().unwrap();
            }
        }
        if least < 0 {
            index = index.plus(-least);
            most -= least;
        }
        match most + width > BITS as i128 {
            true => Index::operation(IndexOperator::Rem, index, Index::number(BITS as i128 - width)),
            false => index,
        }
    }

    fn read(&mut self, signals: &[SignalId], width: usize) -> Expr {
        let signal = signals[self.random.below(signals.len() as u64) as usize];
        Expr::read(BitRange { signal, start: self.position(width as i128), width })
    }

    fn expr(&mut self, width: usize, depth: usize) -> Expr {
        let all: Vec<SignalId> = INPUTS.iter().chain(&OUTPUTS).copied().collect();
        match self.random.below(if depth == 0 { 3 } else { 9 }) {
            0 => Expr::constant(self.random.value(width), width),
            1 => self.read(&all, width),
            2 => self.read(&INPUTS, width),
            3 => expr::not(self.expr(width, depth - 1)),
            4 if width == 1 => {
                let comparison = [Comparison::Equal, Comparison::NotEqual][self.random.below(2) as usize];
                let (left, right) = (self.expr(1, depth - 1), self.expr(1, depth - 1));
                Expr::new(ExprKind::Compare(comparison, Box::new(left), Box::new(right)), 1)
            }
            5 if width == 1 && !self.open.is_empty() => self.test(),
            kind => {
                use BinaryOperator::{Add, And, Mul, Or, Xor};
                let operators = [And, Or, Xor, Add, Mul];
                let operator = operators[kind as usize % operators.len()];
                expr::binary(operator, self.expr(width, depth - 1), self.expr(width, depth - 1))
            }
        }
    }

    fn test(&mut self) -> Expr {
        let comparisons = [Comparison::Equal, Comparison::Less, Comparison::GreaterEqual, Comparison::NotEqual];
        let comparison = comparisons[self.random.below(4) as usize];
        let (name, _, _) = self.open[self.random.below(self.open.len() as u64) as usize].clone();
        let other = match self.open.len() {
            2 if self.random.below(3) == 0 => Index::variable(&self.open[0].0),
            _ => Index::number(self.random.below(5) as i128),
        };
        Expr::new(ExprKind::LoopTest(comparison, Index::variable(&name), other), 1)
    }

    fn block(&mut self, depth: usize) -> Vec<Stmt> {
        (0..1 + self.random.below(3)).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Stmt {
        match self.random.below(if depth == 0 { 4 } else { 8 }) {
            0..=2 => {
                let width = [1, 1, 1, 2, 3][self.random.below(5) as usize];
                let signal = OUTPUTS[self.random.below(4) as usize];
                let target = BitRange { signal, start: self.position(width as i128), width };
                Stmt::Assign(target, self.expr(width, 2))
            }
            3 => {
                let width = 1;
                let signal = OUTPUTS[self.random.below(4) as usize];
                let target = BitRange { signal, start: self.position(1), width };
                let operator =
                    [BinaryOperator::Or, BinaryOperator::And, BinaryOperator::Xor][self.random.below(3) as usize];
                let value = expr::binary(operator, Expr::read(target.clone()), self.expr(1, 1));
                Stmt::Assign(target, value)
            }
            4 | 5 => {
                let test = self.expr(1, 1);
                let then = self.block(depth - 1);
                let otherwise = if self.random.below(2) == 0 { vec![] } else { self.block(depth - 1) };
                Stmt::If { test, then, otherwise }
            }
            _ if self.open.len() < 2 => {
                let variable = ["i", "j"][self.open.len()].to_string();
                let from = self.random.below(2) as i128;
                let to = from + 1 + self.random.below(6) as i128;
                self.open.push((variable.clone(), from, to));
                let body = self.block(depth - 1);
                self.open.pop();
                Stmt::For { variable, from, to, body }
            }
            _ => self.statement(0),
        }
    }
}

/// The outputs after `block`, from given inputs.
fn run(scope: &Scope, block: &[Stmt], inputs: &[BigUint]) -> Vec<BigUint> {
    let mut values = Values::new(scope);
    for (signal, value) in inputs.iter().enumerate() {
        values.set(signal, value.clone());
    }
    values.block(block, &mut vec![]).unwrap();
    OUTPUTS.iter().map(|signal| values.get(*signal)).collect()
}

#[test]
fn rewritten_loops_calculate_the_same() {
    let scope = scope();
    let mut vectors = 0;
    // A longer run after a change of the rewriting: POWAR_FUZZ_SEEDS=100000.
    let seeds = std::env::var("POWAR_FUZZ_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(4000);
    for seed in 0..seeds {
        let mut random = Random(seed);
        let mut original: Vec<Stmt> = (OUTPUTS.iter())
            .map(|&signal| {
                let place = BitRange { signal, start: Index::number(0), width: BITS };
                let value = match random.below(2) {
                    0 => Expr::constant(Default::default(), BITS),
                    _ => Expr::read(BitRange { signal: 0, ..place.clone() }),
                };
                Stmt::Assign(place, value)
            })
            .collect();
        let mut maker = Maker { random: &mut random, open: vec![] };
        let body = (0..3).flat_map(|_| maker.block(3));
        original.extend(body.collect::<Vec<_>>());
        let simple = simplify::simplify(&original, &scope);
        let rewritten = merge::choices(loops::rewrite(simple.clone(), &scope));
        vectors += usize::from(loops_in(&rewritten) < loops_in(&simple));
        // The pieces run side by side in hardware; one after the other is one of the orders that must work.
        let pieces: Vec<Stmt> =
            split::split(rewritten.clone()).iter().flat_map(|process| process.statements().to_vec()).collect();
        for _ in 0..6 {
            let inputs: Vec<BigUint> = INPUTS.iter().map(|_| random.value(BITS)).collect();
            let expected = run(&scope, &original, &inputs);
            let texts =
                || format!("seed {seed}\n{}became\n{}", text(&scope, &original, 0), text(&scope, &rewritten, 0));
            assert_eq!(expected, run(&scope, &rewritten, &inputs), "{}", texts());
            let settled = settle(&scope, &pieces, &inputs);
            assert_eq!(expected, settled, "{}split\n{}", texts(), text(&scope, &pieces, 0));
        }
    }
    assert!(vectors > seeds as usize / 20, "only {vectors} of the loop nests became shorter: the test is too weak");
}

/// The outputs of pieces that run until nothing changes, as hardware does.
fn settle(scope: &Scope, pieces: &[Stmt], inputs: &[BigUint]) -> Vec<BigUint> {
    let mut values = Values::new(scope);
    for (signal, value) in inputs.iter().enumerate() {
        values.set(signal, value.clone());
    }
    for _ in 0..20 {
        let before: Vec<BigUint> = OUTPUTS.iter().map(|signal| values.get(*signal)).collect();
        values.block(pieces, &mut vec![]).unwrap();
        if OUTPUTS.iter().map(|signal| values.get(*signal)).eq(before) {
            break;
        }
    }
    OUTPUTS.iter().map(|signal| values.get(*signal)).collect()
}

/// A block in a form that fits on a screen.
fn text(scope: &Scope, block: &[Stmt], indent: usize) -> String {
    let renderer = ExprRenderer { signals: &scope.signals, enums: &[] };
    let mut out = String::new();
    for statement in block {
        let inner = |block: &[Stmt]| text(scope, block, indent + 1);
        out += &"  ".repeat(indent);
        out += &match statement {
            Stmt::Assign(place, value) => format!("{} = {}\n", renderer.place(place), renderer.expr(value)),
            Stmt::If { test, then, otherwise } => {
                format!("if {}\n{}else\n{}", renderer.expr(test), inner(then), inner(otherwise))
            }
            Stmt::For { variable, from, to, body } => format!("for {variable} in {from}..{to}\n{}", inner(body)),
            other => format!("{other:?}\n"),
        };
    }
    out
}

fn loops_in(block: &[Stmt]) -> usize {
    let count = |statement: &Stmt| match statement {
        Stmt::For { body, .. } => 1 + loops_in(body),
        Stmt::If { then, otherwise, .. } => loops_in(then) + loops_in(otherwise),
        _ => 0,
    };
    block.iter().map(count).sum()
}
