//! What the kernel assigns to inputs of children, and the part of it that can stand in a port connection.

use super::expr::{limit, replicate};
use super::index::Index;
use super::ir::{BitRange, Expr, ExprKind, SignalId, Stmt};
use super::scope::{Scope, SignalKind};
use super::split::Process;
use std::collections::BTreeMap;

/// What the kernel assigns to inputs of children as a whole.
pub(crate) struct Drivers {
    driven: BTreeMap<SignalId, Expr>,
    /// The signals that need no wire, because what drives them stands in the port connection.
    absorbed: Vec<SignalId>,
}

impl Drivers {
    /// The inputs of children that one of `processes` does nothing but drive.
    pub(crate) fn of(processes: &[Process], scope: &Scope) -> Self {
        let mut driven: BTreeMap<SignalId, Expr> = BTreeMap::new();
        for process in processes {
            if let Process::Assigns(statements) = process
                && let [Stmt::Assign(place, value)] = statements.as_slice()
                && scope.signals[place.signal].kind == SignalKind::ChildInput
                && place.width == scope.signals[place.signal].total_width()
            {
                driven.insert(place.signal, value.clone());
            }
        }
        Drivers { driven, absorbed: vec![] }
    }

    /// What drives one element of `signal`, if it can stand in a port connection; the signal needs no wire then.
    pub(crate) fn absorb(&mut self, signal: SignalId, element: &Index, width: usize) -> Option<Expr> {
        let expr = element_of(self.driven.get(&signal)?, element, width)?;
        self.absorbed.push(signal);
        Some(expr)
    }

    /// The same, or else the element of the signal itself.
    pub(crate) fn pin(&mut self, signal: SignalId, element: &Index, width: usize) -> Expr {
        let own = || Expr::read(BitRange { signal, start: element.times(width as i128), width });
        self.absorb(signal, element, width).unwrap_or_else(own)
    }

    /// Whether what drives `signal` stands in a port connection.
    pub(crate) fn is_absorbed(&self, signal: SignalId) -> bool {
        self.absorbed.contains(&signal)
    }
}

/// The part of `value` that belongs to one element of an array, if it can stand in a port connection.
fn element_of(value: &Expr, element: &Index, width: usize) -> Option<Expr> {
    match &value.kind {
        ExprKind::Read(place) => {
            let start = place.start.add(&element.times(width as i128));
            Some(Expr::read(BitRange { signal: place.signal, start, width }))
        }
        ExprKind::Constant(_) | ExprKind::Label(..) if value.width == width => Some(value.clone()),
        ExprKind::Constant(bits) => {
            let zeros = *bits == Default::default();
            let ones = *bits == limit(value.width) - 1u8;
            let bits = if ones { limit(width) - 1u8 } else { Default::default() };
            (zeros || ones).then(|| Expr::constant(bits, width))
        }
        ExprKind::Replicate(_, inner) if width.is_multiple_of(inner.width) => {
            let simple = matches!(inner.kind, ExprKind::Read(_) | ExprKind::Constant(_) | ExprKind::Label(..));
            simple.then(|| replicate(width / inner.width, (**inner).clone()))
        }
        _ => None,
    }
}
