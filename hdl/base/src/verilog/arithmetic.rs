//! Subtractors: one assignment each, in the module of their owner.

use super::index::Index;
use super::ir::{BinaryOperator, BitRange, Expr, SignalId, Stmt};
use super::scope::Scope;
use super::split::Process;

/// Adds the subtractors of the block to `processes`. An operand that is driven as a whole is written into the subtraction.
pub(crate) fn subtract(scope: &Scope, mut processes: Vec<Process>) -> Vec<Process> {
    for group in &scope.subtractors {
        let width = scope.signals[group.difference].total_width() / group.count;
        let operands: Vec<Option<Expr>> = [group.a, group.b]
            .iter()
            .map(|signal| if group.count == 1 { take_driver(*signal, width, &mut processes) } else { None })
            .collect();
        let mut assignments = vec![];
        for element in 0..group.count {
            let place = |signal: SignalId| BitRange { signal, start: Index::number((element * width) as i128), width };
            let operand = |position: usize, signal: SignalId| {
                Box::new(operands[position].clone().unwrap_or_else(|| Expr::read(place(signal))))
            };
            let (a, b) = (operand(0, group.a), operand(1, group.b));
            let value = super::ir::ExprKind::Binary(BinaryOperator::Sub, a, b);
            assignments.push(Stmt::Assign(place(group.difference), Expr::new(value, width)));
        }
        processes.push(Process::Assigns(assignments));
    }
    processes
}

/// Removes the one assignment that drives all of `signal` and returns its value.
fn take_driver(signal: SignalId, width: usize, processes: &mut Vec<Process>) -> Option<Expr> {
    let position = processes.iter().position(|process| {
        matches!(process, Process::Assigns(statements)
            if matches!(statements.as_slice(), [Stmt::Assign(place, _)] if place.signal == signal && place.width == width))
    })?;
    match processes.remove(position).statements() {
        [Stmt::Assign(_, value)] => Some(value.clone()),
        _ => None,
    }
}
