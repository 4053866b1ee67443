//! Verilog-2005 can only take bits of a signal; where a kernel takes bits of an expression, the expression gets a name.

use super::collect::ValueType;
use super::index::Index;
use super::ir::{Arm, BitRange, Expr, ExprKind, Stmt};
use super::scope::{Scope, SignalInfo, SignalKind};
use anyhow::Result;

/// `block` in which bits are only taken of signals.
pub(crate) fn hoist(block: Vec<Stmt>, scope: &mut Scope) -> Result<Vec<Stmt>> {
    let mut hoister = Hoister { scope, defaults: vec![] };
    let body = hoister.block(block, true)?;
    let mut out = hoister.defaults;
    out.extend(body);
    Ok(out)
}

struct Hoister<'a> {
    scope: &'a mut Scope,
    /// A named value that is computed in some branch only needs a value in the others too, or it would be a latch.
    defaults: Vec<Stmt>,
}

impl Hoister<'_> {
    fn block(&mut self, block: Vec<Stmt>, top: bool) -> Result<Vec<Stmt>> {
        let mut out = vec![];
        for statement in block {
            let statement = match statement {
                Stmt::Assign(place, value) => Stmt::Assign(place, self.expr(value, top, &mut out)?),
                Stmt::If { test, then, otherwise } => Stmt::If {
                    test: self.expr(test, top, &mut out)?,
                    then: self.block(then, false)?,
                    otherwise: self.block(otherwise, false)?,
                },
                Stmt::Case { value, arms } => {
                    let value = self.expr(value, top, &mut out)?;
                    let arm = |arm: Arm| Ok(Arm { body: self.block(arm.body, false)?, ..arm });
                    let arms = arms.into_iter().map(arm).collect::<Result<_>>()?;
                    Stmt::Case { value, arms }
                }
                Stmt::For { variable, from, to, body } => {
                    Stmt::For { variable, from, to, body: self.block(body, false)? }
                }
                other => other,
            };
            out.push(statement);
        }
        Ok(out)
    }

    fn expr(&mut self, expr: Expr, top: bool, out: &mut Vec<Stmt>) -> Result<Expr> {
        let mut failure = None;
        let expr = expr.map_operands(&mut |operand| match self.expr(operand.clone(), top, out) {
            Ok(new) => new,
            Err(error) => {
                failure.get_or_insert(error);
                operand.clone()
            }
        });
        if let Some(error) = failure {
            return Err(error);
        }
        Ok(match expr.kind {
            ExprKind::Slice(base, start) => {
                let base = self.name(*base, top, out)?;
                super::expr::slice(&base, &start, expr.width)
            }
            ExprKind::SelectBit(base, position) if !self.is_whole_signal(&base) => {
                let base = self.name(*base, top, out)?;
                Expr::new(ExprKind::SelectBit(Box::new(base), position), 1)
            }
            kind => Expr::new(kind, expr.width),
        })
    }

    fn is_whole_signal(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Read(place) => place.width == self.scope.signals[place.signal].total_width(),
            _ => false,
        }
    }

    /// Gives `base` a name and returns the name as an expression.
    fn name(&mut self, base: Expr, top: bool, out: &mut Vec<Stmt>) -> Result<Expr> {
        let name = self.scope.free_name("value");
        let width = base.width;
        self.scope.signals.push(SignalInfo {
            name: name.clone(),
            rust: name,
            kind: SignalKind::Temporary,
            dims: vec![],
            width,
            value_type: ValueType::Bits,
            enums: vec![],
        });
        let place = BitRange { signal: self.scope.signals.len() - 1, start: Index::number(0), width };
        if !top {
            let zero = Expr::constant(Default::default(), width);
            self.defaults.push(Stmt::Assign(place.clone(), zero));
        }
        out.push(Stmt::Assign(place.clone(), base));
        Ok(Expr::read(place))
    }
}
