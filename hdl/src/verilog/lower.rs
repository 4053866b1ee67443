//! From rust-hdl's kernel tree to [`super::ir`]: statements.

use super::collect::ValueType;
use super::index::Index;
use super::ir::{Arm, Expr, ExprKind, Place, SignalId, Stmt};
use super::lower_expr::Value;
use super::path::{self, Numbers, Path, readable};
use super::scope::{Scope, SignalKind};
use anyhow::{Context, Error, Result, anyhow, bail};
use num_bigint::BigUint;
use rust_hdl::core::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogConditional, VerilogExpression, VerilogLink, VerilogLoop,
    VerilogMatch, VerilogStatement,
};

/// Marks the error "this index must be a number", which unrolling the loop around it cures.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` needs an index that is a number")]
struct NeedsNumber(String);

/// Translates one kernel.
pub(crate) struct Lowerer<'a> {
    pub scope: &'a Scope,
    /// The loops around the present statement, outermost first: the variable, and its value if the loop is being unrolled.
    loops: Vec<(String, Option<i128>)>,
    /// Conditions the present statement relies on.
    pub requirements: Vec<Stmt>,
}

/// A name that stands for bits of a signal.
pub(crate) struct Resolved {
    pub place: Place,
    /// The name stands for all elements of an array.
    pub whole_array: bool,
}

impl<'a> Lowerer<'a> {
    pub(crate) fn new(scope: &'a Scope) -> Self {
        Lowerer { scope, loops: vec![], requirements: vec![] }
    }

    pub(crate) fn block(&mut self, block: &VerilogBlock) -> Result<Vec<Stmt>> {
        let mut statements = vec![];
        for statement in block {
            self.statement(statement, &mut statements)?;
        }
        Ok(statements)
    }

    fn statement(&mut self, statement: &VerilogStatement, out: &mut Vec<Stmt>) -> Result<()> {
        match statement {
            VerilogStatement::Assignment(target, value) => {
                let VerilogExpression::Signal(name) = target else {
                    bail!("the left side of an assignment must be a signal");
                };
                let lowered = self.assignment(name, value);
                self.flush(out);
                out.push(lowered.with_context(|| format!("assignment to `{}`", readable(name)))?);
            }
            VerilogStatement::SliceAssignment { base, width, offset, replacement } => {
                let VerilogExpression::Signal(name) = base else {
                    bail!("the left side of an assignment must be a signal");
                };
                let lowered = self.field_assignment(name, *width, offset, replacement);
                self.flush(out);
                out.push(lowered.with_context(|| format!("assignment to `{}`", readable(name)))?);
            }
            VerilogStatement::If(conditional) => {
                let lowered = self.conditional(conditional, out)?;
                out.push(lowered);
            }
            VerilogStatement::Match(case) => {
                let lowered = self.case(case, out)?;
                out.push(lowered);
            }
            VerilogStatement::Loop(repeat) => self.repeat(repeat, out)?,
            VerilogStatement::Link(links) => {
                for link in links {
                    out.push(self.link(link)?);
                }
            }
            VerilogStatement::Macro(block) => out.extend(self.block(block)?),
            VerilogStatement::Comment(_) => {}
        }
        Ok(())
    }

    /// Moves what the statement relies on in front of it.
    fn flush(&mut self, out: &mut Vec<Stmt>) {
        out.append(&mut self.requirements);
    }

    fn assignment(&mut self, name: &str, value: &VerilogExpression) -> Result<Stmt> {
        let target = self.target(name)?;
        let info = &self.scope.signals[target.place.signal];
        if info.value_type == ValueType::Clock {
            return self.clock_assignment(target.place, value);
        }
        if target.whole_array {
            return self.array_copy(target.place, value);
        }
        if let Some(assigned) = self.bit_assignment(name, &target.place, value)? {
            return Ok(assigned);
        }
        let value = self.sized(value, target.place.width)?;
        Ok(Stmt::Assign(target.place, value))
    }

    /// `x.next = x.val().replace_bit(i, bit)` with a fixed `i` assigns one bit and leaves the others alone.
    fn bit_assignment(&mut self, name: &str, target: &Place, value: &VerilogExpression) -> Result<Option<Stmt>> {
        let VerilogExpression::IndexReplace(base, position, bit) = value else {
            return Ok(None);
        };
        let VerilogExpression::Signal(base) = base.as_ref() else {
            return Ok(None);
        };
        if readable(base) != readable(name) {
            return Ok(None);
        }
        let Value::Number(position) = self.value(position)? else {
            return Ok(None);
        };
        let (SignalKind::Local | SignalKind::Output) = self.scope.signals[target.signal].kind else {
            return Ok(None);
        };
        self.require(&position, target.width as i128, || "position of `replace_bit`".into())?;
        // The other bits must have been assigned before, as if they were read here.
        self.requirements.push(Stmt::Assign(target.clone(), Expr::read(target.clone())));
        let bit = self.sized(bit, 1)?;
        let place = Place { signal: target.signal, start: target.start.add(&position), width: 1 };
        Ok(Some(Stmt::Assign(place, bit)))
    }

    /// A clock is only ever passed on: rust-hdl samples a derived clock one step later than hardware would.
    fn clock_assignment(&mut self, target: Place, value: &VerilogExpression) -> Result<Stmt> {
        if let VerilogExpression::Signal(name) = value
            && let Ok(source) = self.resolve(name)
        {
            let info = &self.scope.signals[source.place.signal];
            let pin = &self.scope.signals[target.signal].kind;
            if pin.is_clock_pin() && info.rust != "clk" {
                let what = if *pin == SignalKind::MemoryClock { "memory" } else { "register" };
                bail!("the clock of a {what} must be the input `clk`");
            }
            if info.kind == SignalKind::Input && info.value_type == ValueType::Clock && info.dims.is_empty() {
                return Ok(Stmt::Assign(target, Expr::read(source.place)));
            }
        }
        bail!(
            "a clock must be a clock input of this block, passed on unchanged; use an enable instead of a derived clock"
        )
    }

    fn array_copy(&mut self, target: Place, value: &VerilogExpression) -> Result<Stmt> {
        if let VerilogExpression::Signal(name) = value {
            let source = self.resolve(name)?;
            self.check_readable(source.place.signal)?;
            if source.whole_array && source.place.width == target.width {
                return Ok(Stmt::Assign(target, Expr::read(source.place)));
            }
        }
        bail!("an array can only be copied from an array of the same size")
    }

    fn field_assignment(
        &mut self,
        name: &str,
        width: usize,
        offset: &VerilogExpression,
        value: &VerilogExpression,
    ) -> Result<Stmt> {
        let target = self.target(name)?.place;
        let Value::Number(offset) = self.value(offset)? else {
            bail!("a field must stand at a fixed position");
        };
        let start = target.start.add(&offset);
        let value = self.sized(value, width)?;
        Ok(Stmt::Assign(Place { signal: target.signal, start, width }, value))
    }

    fn conditional(&mut self, conditional: &VerilogConditional, out: &mut Vec<Stmt>) -> Result<Stmt> {
        let test = self.sized(&conditional.test, 1).context("condition of an `if`");
        self.flush(out);
        let test = test?;
        let then = self.block(&conditional.then)?;
        let otherwise = match &conditional.otherwise {
            VerilogBlockOrConditional::Block(block) => self.block(block)?,
            VerilogBlockOrConditional::Conditional(next) => {
                let mut statements = vec![];
                self.statement(next, &mut statements)?;
                statements
            }
            VerilogBlockOrConditional::None => vec![],
        };
        Ok(Stmt::If { test, then, otherwise })
    }

    fn case(&mut self, case: &VerilogMatch, out: &mut Vec<Stmt>) -> Result<Stmt> {
        let value = self.value(&case.test).context("value of a `match`");
        self.flush(out);
        let Value::Sized(value) = value? else {
            bail!("a `match` on a loop variable is not supported; use `if`");
        };
        let mut arms: Vec<Arm> = vec![];
        for (position, branch) in case.cases.iter().enumerate() {
            let condition = &branch.condition;
            let label = self.case_label(condition, value.width);
            let label = label.with_context(|| format!("pattern `{}` of a `match`", readable(condition)))?;
            if label.is_none() && position + 1 != case.cases.len() {
                bail!("the pattern `_` of a `match` must come last");
            }
            if label.is_some() && arms.iter().any(|arm| arm.label == label) {
                bail!("pattern `{}` occurs twice in one `match`", readable(condition));
            }
            let body = self.block(&branch.block)?;
            arms.push(Arm { default: label.is_none(), label, body });
        }
        let all_codes = BigUint::from(arms.len()) == super::expr::limit(value.width);
        if let Some(last) = arms.last_mut()
            && !all_codes
        {
            // Rust knows that no other value occurs. In hardware the last branch takes the unused codes, so that no latch appears.
            last.default = true;
        }
        Ok(Stmt::Case { value, arms })
    }

    fn case_label(&mut self, condition: &str, width: usize) -> Result<Option<Expr>> {
        match condition {
            "default" => Ok(None),
            "true" => Ok(Some(Expr::bit(true))),
            "false" => Ok(Some(Expr::bit(false))),
            _ => {
                let digits: String = condition.chars().filter(|c| *c != '_').collect();
                if let Ok(number) = digits.parse::<i128>() {
                    return super::expr::number(Index::number(number), width).map(Some);
                }
                let label = self.label(condition).ok_or_else(|| {
                    anyhow!("not an enum variant written with its type, a number, `true`, `false` or `_`")
                })?;
                Ok(Some(label))
            }
        }
    }

    fn repeat(&mut self, repeat: &VerilogLoop, out: &mut Vec<Stmt>) -> Result<()> {
        let (from, to) = super::guard::catch(|| (repeat.from.as_usize(), repeat.to.as_usize()))?;
        let (from, to) = (from as i128, to as i128);
        let variable = &repeat.index;
        self.check_loop_variable(variable)?;
        if from >= to {
            return Ok(());
        }
        if from + 1 < to {
            self.loops.push((variable.clone(), None));
            let body = self.block(&repeat.block);
            self.loops.pop();
            match body {
                Ok(body) => {
                    out.push(Stmt::For { variable: variable.clone(), from, to, body });
                    return Ok(());
                }
                Err(error) if error.downcast_ref::<NeedsNumber>().is_some() => self.requirements.clear(),
                Err(error) => return Err(error),
            }
        }
        for value in from..to {
            self.loops.push((variable.clone(), Some(value)));
            let body = self.block(&repeat.block);
            self.loops.pop();
            out.extend(body?);
        }
        Ok(())
    }

    fn check_loop_variable(&self, variable: &str) -> Result<()> {
        super::names::check_identifier(variable).context("loop variable")?;
        let is_field = |key: &String| key.split(['.', '[']).next() == Some(variable);
        if self.scope.keys.keys().any(is_field)
            || self.scope.sizes.contains_key(variable)
            || self.scope.tables.contains_key(variable)
            || self.scope.name_is_taken(variable)
        {
            bail!("loop variable `{variable}` has the name of a field; rename it");
        }
        if self.loops.iter().any(|(outer, _)| outer == variable) {
            bail!("nested loops both use the variable `{variable}`; rename one");
        }
        Ok(())
    }

    fn link(&mut self, link: &VerilogLink) -> Result<Stmt> {
        let (details, forward) = match link {
            VerilogLink::Forward(details) => (details, true),
            VerilogLink::Backward(details) => (details, false),
            VerilogLink::Bidirectional(details) => {
                bail!("`{}`: bidirectional signals are not supported", details.my_name)
            }
        };
        let full = |owner: &str| format!("{}${}", owner, details.my_name.trim_start_matches('.'));
        let (owner, other) = (full(&details.owner_name), full(&details.other_name));
        let (source, target) = if forward { (owner, other) } else { (other, owner) };
        let clean = |name: String| name.trim_end_matches('$').to_string();
        self.assignment(&clean(target.clone()), &VerilogExpression::Signal(clean(source)))
            .with_context(|| format!("link to `{}`", readable(&target)))
    }

    /// The bits a name stands for.
    pub(crate) fn resolve(&mut self, text: &str) -> Result<Resolved> {
        let path = path::parse(text, self)?;
        let (signal, indices) = self.find(&path, text)?;
        let info = &self.scope.signals[signal];
        if indices.len() > info.dims.len() {
            bail!("`{}` needs {} indices", readable(text), info.dims.len());
        }
        // With fewer indices than dimensions the name stands for the whole inner array: `mask[i].d` of a `BitRegister`.
        let (outer, inner) = info.dims.split_at(indices.len());
        let width = info.width * inner.iter().product::<usize>();
        let mut element = Index::number(0);
        for (index, &length) in indices.iter().zip(outer) {
            self.require(index, length as i128, || format!("index of `{}`", readable(text)))?;
            element = element.times(length as i128).add(index);
        }
        let place = Place { signal, start: element.times(width as i128), width };
        Ok(Resolved { place, whole_array: !inner.is_empty() })
    }

    /// Notes that `0 <= index < limit` must hold; fails at once if it is a number and does not.
    pub(crate) fn require(&mut self, index: &Index, limit: i128, what: impl Fn() -> String) -> Result<()> {
        match index.constant() {
            Some(value) if (0..limit).contains(&value) => {}
            Some(value) => bail!("{} is {value}, outside 0..{limit}", what()),
            None => {
                let (index, what) = (index.clone(), what());
                self.requirements.push(Stmt::Require { index, limit, what });
            }
        }
        Ok(())
    }

    fn find(&self, path: &Path, text: &str) -> Result<(SignalId, Vec<Index>)> {
        if let Some(&signal) = self.scope.keys.get(&path.key()) {
            return Ok((signal, path.indices()));
        }
        let first = &path.segments[0];
        if self.scope.irregular.contains(&first.name) {
            let mut key = first.name.clone();
            for index in &first.indices {
                let number = index.constant();
                let number = number.ok_or_else(|| Error::new(NeedsNumber(readable(text))))?;
                key.push_str(&format!("[{number}]"));
            }
            for segment in &path.segments[1..] {
                key.push_str(&format!(".{}", segment.name));
            }
            if let Some(&signal) = self.scope.keys.get(&key) {
                let rest = path.segments[1..].iter().flat_map(|segment| segment.indices.clone());
                return Ok((signal, rest.collect()));
            }
        }
        bail!(
            "`{}` is not a signal of this block; a value from outside the kernel must be a `Constant` or a `Size`",
            readable(text)
        )
    }

    fn target(&mut self, text: &str) -> Result<Resolved> {
        let resolved = self.resolve(text)?;
        match self.scope.signals[resolved.place.signal].kind {
            SignalKind::Input => bail!("the kernel writes to an input of its own block"),
            SignalKind::ChildOutput | SignalKind::State => bail!("the kernel writes to an output of a child"),
            SignalKind::Constant(_) => bail!("the kernel writes to a constant"),
            _ => Ok(resolved),
        }
    }

    /// Fails if the kernel may not read the signal.
    pub(crate) fn check_readable(&self, signal: SignalId) -> Result<()> {
        let info = &self.scope.signals[signal];
        match info.kind {
            SignalKind::ChildInput | SignalKind::Next | SignalKind::RegisterClock | SignalKind::MemoryClock => {
                bail!("`{}` is an input of a child and cannot be read here; read what it is driven by", info.rust)
            }
            _ => Ok(()),
        }
    }

    /// A case label or a value written as an enum variant with its type.
    pub(crate) fn label(&self, text: &str) -> Option<Expr> {
        let mut parts = text.rsplit('$');
        let (variant, name) = (parts.next()?, parts.next()?);
        let of = self.scope.enums.iter().find(|known| known.name == name)?;
        let position = of.variants.iter().position(|known| known == variant)?;
        Some(Expr::new(ExprKind::Label(of.name.clone(), position), of.width()))
    }
}

impl Numbers for Lowerer<'_> {
    fn number(&self, name: &str) -> Option<Index> {
        if let Some((_, value)) = self.loops.iter().rev().find(|(variable, _)| variable == name) {
            return Some(value.map_or_else(|| Index::variable(name), Index::number));
        }
        self.scope.sizes.get(name).map(|&value| Index::number(value as i128))
    }

    fn table(&self, name: &str) -> Option<Vec<i128>> {
        Some(self.scope.tables.get(name)?.iter().map(|&value| value as i128).collect())
    }
}
