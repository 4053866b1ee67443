//! Mutants of a block: its module with one small thing wrong, by rule, to see whether what checks the block notices.
//!
//! Mutants are numbered from 1 on, in the order of the text. They can be written one at a time, or many of them into one text with a
//! choice at each place, so that they are compiled once. Only the module of the block itself is changed, not those of its children.

use super::collect::ValueType;
use super::design::Design;
use super::effects::{signals_of, signals_read};
use super::expr::limit;
use super::index::Index;
use super::ir::{Arm, BitRange, Comparison, Expr, ExprKind, SignalId, Stmt};
use super::module::{Connection, Module, RegisterBank};
use super::mutate_rules::{Surroundings, Wrong, last_element};
use super::render::{RegisterChange, RegisterChanges, render_changed};
use super::render_expr::ExprRenderer;
use super::scope::{SignalInfo, SignalKind};
use super::split::Process;
use super::{EmitOptions, collect, compile};
use anyhow::{Result, ensure};
use num_bigint::BigUint;
use rust_hdl::prelude::Block;
use std::collections::{BTreeMap, BTreeSet};

/// The reset of a register is left out, or wrong in a bit.
const RESET: &str = "reset";
/// A register keeps its value.
const KEEPS: &str = "keeps";

/// One thing that is wrong with a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// From 1 on.
    pub number: usize,
    /// The rule it is made by.
    pub rule: &'static str,
    /// The signal whose value is wrong, or of several that one condition decides, the first; a port of a child as `child.port`.
    pub signal: String,
    /// The Verilog expression in its place.
    pub before: String,
    /// What is there instead.
    pub after: String,
}

/// A signal that says which mutant is on.
#[derive(Clone, Copy, Debug)]
pub struct Selector<'a> {
    /// Its name in Verilog, as seen in the module: 0 is the sound design.
    pub name: &'a str,
    /// Its bits.
    pub width: usize,
}

/// A block's design and the mutants of its own module.
pub struct Mutants {
    modules: Vec<Module>,
    sound: Design,
    top: usize,
    list: Vec<Mutant>,
}

impl Mutants {
    /// Those of `top`, on which `connect_all` has been called. The same block has the same mutants, with the same numbers.
    ///
    /// # Errors
    /// As of [`super::emit`].
    pub fn new(top: &dyn Block, options: &EmitOptions) -> Result<Mutants> {
        let instance = collect::collect(top)?;
        let mut library = compile::Library::default();
        let top = library.compile(&instance)?;
        let modules = library.modules;
        let sound = Design::new(&modules, top, options)?;
        let mut walk = Walk::new(&modules[top], Way::List(vec![]));
        walk.module(&modules[top]);
        let Way::List(list) = walk.way else { unreachable!("the walk keeps its way") };
        Ok(Mutants { modules, sound, top, list })
    }

    /// The design without a mutant.
    pub fn sound(&self) -> &Design {
        &self.sound
    }

    /// All mutants.
    pub fn list(&self) -> &[Mutant] {
        &self.list
    }

    /// The design with the mutant of this number.
    ///
    /// # Errors
    /// There is none of this number.
    pub fn one(&self, number: usize) -> Result<Design> {
        ensure!((1..=self.list.len()).contains(&number), "mutant: {number} must be 1 to {}", self.list.len());
        Ok(self.written(self.modules[self.top].clone(), Way::Only(number)))
    }

    /// The design with the mutants of these numbers in it, each of which is on while the selector has its number.
    ///
    /// # Errors
    /// A number that the selector can't have.
    pub fn choices(&self, numbers: &BTreeSet<usize>, selector: &Selector) -> Result<Design> {
        let most = (1usize << selector.width) - 1;
        let highest = numbers.last().copied().unwrap_or(0);
        ensure!(highest <= most, "mutant: {highest} is more than {most}, which the selector can say");
        let mut module = self.modules[self.top].clone();
        // No declaration comes of this kind: the name is one of another module.
        module.signals.push(SignalInfo {
            name: selector.name.to_owned(),
            rust: selector.name.to_owned(),
            kind: SignalKind::RegisterClock,
            dims: vec![],
            width: selector.width,
            value_type: ValueType::Bits,
            enums: vec![],
        });
        module.signal_docs.push(vec![]);
        let selector = BitRange { signal: module.signals.len() - 1, start: Index::number(0), width: selector.width };
        Ok(self.written(module, Way::Choices(numbers.clone(), selector)))
    }

    fn written(&self, module: Module, way: Way) -> Design {
        let mut walk = Walk::new(&module, way);
        let changed = walk.module(&module);
        let mut design = self.sound.clone();
        let names: Vec<String> = design.modules.iter().map(|module| module.name.clone()).collect();
        design.modules[self.top].text = render_changed(&changed, &names[self.top], &names, &walk.registers);
        design
    }
}

/// What is done with the mutants on the way through a module.
enum Way {
    List(Vec<Mutant>),
    Only(usize),
    Choices(BTreeSet<usize>, BitRange),
}

/// The way through a module, in the order of its text, which gives the mutants their numbers.
struct Walk<'a> {
    surroundings: Surroundings<'a>,
    way: Way,
    /// Mutants that were passed.
    passed: usize,
    /// The signal whose value is computed.
    signal: String,
    registers: RegisterChanges,
    /// What each signal hangs on within a cycle.
    hangs_on: BTreeMap<SignalId, BTreeSet<SignalId>>,
}

impl<'a> Walk<'a> {
    fn new(module: &'a Module, way: Way) -> Walk<'a> {
        let (signals, enums) = (&module.signals[..], &module.enums[..]);
        let surroundings = Surroundings { signals, enums, loops: vec![], behind: BTreeSet::new() };
        let hangs_on = hangs_on(module);
        Walk { surroundings, way, passed: 0, signal: String::new(), registers: BTreeMap::new(), hangs_on }
    }

    fn module(&mut self, module: &Module) -> Module {
        let mut changed = module.clone();
        for process in &mut changed.processes {
            self.surroundings.behind = self.behind(signals_of(process.statements()).0);
            *process = match process {
                Process::Assigns(statements) => Process::Assigns(self.block(statements)),
                Process::Always(statements) => Process::Always(self.block(statements)),
            };
        }
        module.registers.iter().for_each(|bank| self.register(bank));
        for bank in &mut changed.memories {
            self.surroundings.behind = BTreeSet::new();
            self.enter(&bank.generate);
            let pins = [
                ("write", &mut bank.write),
                ("write_address", &mut bank.write_address),
                ("write_data", &mut bank.write_data),
                ("read", &mut bank.read),
                ("read_address", &mut bank.read_address),
            ];
            for (pin, expr) in pins {
                self.signal = format!("{}.{pin}", bank.name);
                *expr = self.expr(expr);
            }
            self.surroundings.loops.clear();
        }
        for instance in &mut changed.instances {
            self.surroundings.behind = self.behind(driven(&instance.connections));
            self.enter(&instance.generate);
            for connection in instance.connections.iter_mut().filter(|connection| !connection.output) {
                self.signal = format!("{}.{}", instance.name, connection.port);
                connection.expr = self.expr(&connection.expr);
            }
            self.surroundings.loops.clear();
        }
        changed
    }

    fn enter(&mut self, generate: &Option<(String, String, usize)>) {
        let of_block = generate.iter().map(|(_, variable, count)| (variable.clone(), 0, *count as i128));
        self.surroundings.loops = of_block.collect();
    }

    /// The signals that hang on one of these, and these.
    fn behind(&self, these: BTreeSet<SignalId>) -> BTreeSet<SignalId> {
        let mut found = these;
        loop {
            let meets = |on: &BTreeSet<SignalId>| !on.is_disjoint(&found);
            let more = self.hangs_on.iter().filter(|(_, on)| meets(on)).map(|(signal, _)| *signal);
            let all: BTreeSet<SignalId> = found.iter().copied().chain(more).collect();
            if all.len() == found.len() {
                return found;
            }
            found = all;
        }
    }

    fn block(&mut self, block: &[Stmt]) -> Vec<Stmt> {
        block.iter().map(|statement| self.statement(statement)).collect()
    }

    fn statement(&mut self, statement: &Stmt) -> Stmt {
        self.name(statement);
        match statement {
            Stmt::Assign(place, value) => Stmt::Assign(place.clone(), self.expr(value)),
            Stmt::If { test, then, otherwise } => {
                let wrong = self.surroundings.wrong_conditions(test);
                let test = self.choose(test, wrong, |walk| walk.expr(test));
                Stmt::If { test, then: self.block(then), otherwise: self.block(otherwise) }
            }
            Stmt::Case { value, arms } => {
                let value = self.expr(value);
                let arms = arms.iter().map(|arm| self.arm(arm, statement)).collect();
                Stmt::Case { value, arms }
            }
            Stmt::For { variable, from, to, body } => {
                self.surroundings.loops.push((variable.clone(), *from, *to));
                let body = self.block(body);
                self.surroundings.loops.pop();
                Stmt::For { variable: variable.clone(), from: *from, to: *to, body }
            }
            Stmt::Require { .. } => statement.clone(),
        }
    }

    fn arm(&mut self, arm: &Arm, of: &Stmt) -> Arm {
        self.name(of);
        // The label of the default branch is a comment.
        let label = match &arm.label {
            Some(label) if !arm.default => Some(self.expr(label)),
            label => label.clone(),
        };
        Arm { label, default: arm.default, body: self.block(&arm.body) }
    }

    /// The first signal that a statement writes stands for its place.
    fn name(&mut self, statement: &Stmt) {
        let (writes, _) = signals_of(std::slice::from_ref(statement));
        let first = writes.first().map(|&signal| self.surroundings.signals[signal].name.clone());
        self.signal = first.unwrap_or_default();
    }

    /// An expression with what is chosen of its mutants and of those of its operands.
    fn expr(&mut self, expr: &Expr) -> Expr {
        let wrong = self.surroundings.wrong(expr);
        self.choose(expr, wrong, |walk| match &expr.kind {
            // Only of a name can a bit be taken.
            ExprKind::SelectBit(base, position) => {
                Expr::new(ExprKind::SelectBit(base.clone(), Box::new(walk.expr(position))), expr.width)
            }
            _ => expr.map_operands(&mut |operand| walk.expr(operand)),
        })
    }

    /// `sound` with what is chosen of these; `rest` makes its operands.
    fn choose(&mut self, sound: &Expr, wrong: Vec<Wrong>, rest: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let first = self.passed + 1;
        self.passed += wrong.len();
        let numbered = (first..).zip(wrong);
        let (signals, enums) = (self.surroundings.signals, self.surroundings.enums);
        match &mut self.way {
            Way::List(list) => {
                let text = |expr: &Expr| ExprRenderer { signals, enums }.expr(expr);
                list.extend(numbered.map(|(number, (rule, wrong))| Mutant {
                    number,
                    rule,
                    signal: self.signal.clone(),
                    before: text(sound),
                    after: text(&wrong),
                }));
                rest(self)
            }
            Way::Only(number) => {
                let number = *number;
                let right = rest(self);
                let mut chosen = numbered.filter(|(of, _)| *of == number).map(|(_, (_, wrong))| wrong);
                chosen.next().unwrap_or(right)
            }
            Way::Choices(numbers, selector) => {
                let chosen: Vec<_> = numbered.filter(|(number, _)| numbers.contains(number)).collect();
                let selector = Expr::read(selector.clone());
                let choice = |right, (number, (_, wrong)): (usize, Wrong)| {
                    let number = Expr::constant(BigUint::from(number), selector.width);
                    let is_on = ExprKind::Compare(Comparison::Equal, Box::new(selector.clone()), Box::new(number));
                    let is_on = Box::new(Expr::new(is_on, 1));
                    Expr::new(ExprKind::Mux(is_on, Box::new(wrong), Box::new(right)), sound.width)
                };
                chosen.into_iter().rev().fold(rest(self), choice)
            }
        }
    }

    /// A register's reset and next value.
    fn register(&mut self, bank: &RegisterBank) {
        let signals = self.surroundings.signals;
        self.signal = signals[bank.state].name.clone();
        let width = signals[bank.state].total_width();
        let whole = |signal: SignalId| Expr::read(BitRange { signal, start: Index::number(0), width });
        let (state, next) = (whole(bank.state), whole(bank.next));
        let reset = Expr::constant(bank.reset.clone(), width);
        let flipped = |bit: usize| Expr::constant((&bank.reset ^ (BigUint::from(1u8) << bit)) % limit(width), width);
        let bits = BTreeSet::from([0, width - 1]);
        let wrong = std::iter::once(state.clone()).chain(bits.into_iter().map(flipped));
        let wrong_reset: Vec<Wrong> = wrong.map(|wrong| (RESET, wrong)).collect();
        let elements: usize = bank.dims.iter().product();
        let last = (elements > 1).then(|| last_element(&next, &state, elements));
        let wrong_next: Vec<Wrong> = [state].into_iter().chain(last).map(|wrong| (KEEPS, wrong)).collect();
        // What stays is written as it always is.
        let changed = |sound: &Expr, now: Expr| (now != *sound).then_some(now);
        let reset = changed(&reset, self.choose(&reset, wrong_reset, |_| reset.clone()));
        let next = changed(&next, self.choose(&next, wrong_next, |_| next.clone()));
        self.registers.insert(bank.state, RegisterChange { reset, next });
    }
}

/// What each signal hangs on within a cycle: through processes, and through children whatever they do.
fn hangs_on(module: &Module) -> BTreeMap<SignalId, BTreeSet<SignalId>> {
    let mut found: BTreeMap<SignalId, BTreeSet<SignalId>> = BTreeMap::new();
    for process in &module.processes {
        let (writes, reads) = signals_of(process.statements());
        writes.into_iter().for_each(|signal| found.entry(signal).or_default().extend(&reads));
    }
    for instance in &module.instances {
        let mut reads = BTreeSet::new();
        let inputs = instance.connections.iter().filter(|connection| !connection.output);
        inputs.for_each(|connection| signals_read(&connection.expr, &mut reads));
        driven(&instance.connections).into_iter().for_each(|signal| found.entry(signal).or_default().extend(&reads));
    }
    found
}

/// The signals that a child drives.
fn driven(connections: &[Connection]) -> BTreeSet<SignalId> {
    let mut found = BTreeSet::new();
    let outputs = connections.iter().filter(|connection| connection.output);
    outputs.for_each(|connection| signals_read(&connection.expr, &mut found));
    found
}
