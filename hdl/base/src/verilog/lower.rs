//! From rust-hdl's kernel tree to [`super::ir`]: statements.

use super::collect::ValueType;
use super::index::Index;
use super::ir::{Arm, BitRange, Expr, Stmt};
use super::lower_expr::Value;
use super::path::readable;
use super::resolve::{Lowerer, NeedsNumber};
use super::scope::{Scope, SignalKind};
use anyhow::{Context, Result, anyhow, bail};
use num_bigint::BigUint;
use rust_hdl::core::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogConditional, VerilogExpression, VerilogLink, VerilogLoop,
    VerilogMatch, VerilogStatement,
};

/// The statements of a kernel, with every name resolved in `scope`.
pub(crate) fn lower(kernel: &VerilogBlock, scope: &Scope) -> Result<Vec<Stmt>> {
    Lowerer::new(scope).block(kernel)
}

impl Lowerer<'_> {
    fn block(&mut self, block: &VerilogBlock) -> Result<Vec<Stmt>> {
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
    fn bit_assignment(&mut self, name: &str, target: &BitRange, value: &VerilogExpression) -> Result<Option<Stmt>> {
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
        let place = BitRange { signal: target.signal, start: target.start.add(&position), width: 1 };
        Ok(Some(Stmt::Assign(place, bit)))
    }

    /// A clock is only ever passed on: rust-hdl samples a derived clock one step later than hardware would.
    fn clock_assignment(&mut self, target: BitRange, value: &VerilogExpression) -> Result<Stmt> {
        if let VerilogExpression::Signal(name) = value
            && let Ok(source) = self.resolve(name)
        {
            let info = &self.scope.signals[source.place.signal];
            let pin = &self.scope.signals[target.signal].kind;
            // A memory with two clocks may have any.
            let of_two = self.scope.signals[target.signal].rust.ends_with("_clk");
            if pin.is_clock_pin() && info.rust != "clk" && !(of_two && *pin == SignalKind::MemoryClock) {
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

    fn array_copy(&mut self, target: BitRange, value: &VerilogExpression) -> Result<Stmt> {
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
        Ok(Stmt::Assign(BitRange { signal: target.signal, start, width }, value))
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
}
