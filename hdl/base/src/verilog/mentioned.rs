//! The constants and enum variants that a module's text will name: only these are declared.

use super::ir::{Expr, ExprKind, SignalId, Stmt};
use std::collections::BTreeSet;

/// Signals, and variants by the name of their enum and their position.
#[derive(Default)]
pub(crate) struct Mentioned {
    pub signals: BTreeSet<SignalId>,
    pub labels: BTreeSet<(String, usize)>,
}

impl Mentioned {
    pub(crate) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Read(place) => {
                self.signals.insert(place.signal);
            }
            ExprKind::Label(name, variant) => {
                self.labels.insert((name.clone(), *variant));
            }
            _ => {}
        }
        expr.operands().into_iter().for_each(|operand| self.expr(operand));
    }

    pub(crate) fn block(&mut self, block: &[Stmt]) {
        for statement in block {
            match statement {
                Stmt::Assign(_, value) => self.expr(value),
                Stmt::If { test, then, otherwise } => {
                    self.expr(test);
                    self.block(then);
                    self.block(otherwise);
                }
                Stmt::Case { value, arms } => {
                    self.expr(value);
                    for arm in arms {
                        // The label of the default branch stands in a comment.
                        if let (Some(label), false) = (&arm.label, arm.default) {
                            self.expr(label);
                        }
                        self.block(&arm.body);
                    }
                }
                Stmt::For { body, .. } => self.block(body),
                Stmt::Require { .. } => {}
            }
        }
    }
}
