//! Memories: what their ports are connected to.

use super::drivers::Drivers;
use super::index::{Index, digits};
use super::ir::{BitRange, ExprKind, SignalId, Stmt};
use super::module::MemoryBank;
use super::scope::{MemoryGroup, Scope, SignalKind};
use anyhow::{Result, bail};
use std::collections::BTreeMap;

/// The clock input that each clock pin of a memory is connected to.
pub(crate) fn clocks(block: &[Stmt], scope: &Scope) -> Result<BTreeMap<SignalId, SignalId>> {
    let mut found = BTreeMap::new();
    collect_clocks(block, scope, &mut found)?;
    Ok(found)
}

fn collect_clocks(block: &[Stmt], scope: &Scope, found: &mut BTreeMap<SignalId, SignalId>) -> Result<()> {
    for statement in block {
        match statement {
            Stmt::Assign(pin, value) if scope.signals[pin.signal].kind == SignalKind::MemoryClock => {
                let ExprKind::Read(clock) = &value.kind else { continue };
                if found.insert(pin.signal, clock.signal).is_some_and(|other| other != clock.signal) {
                    bail!("memories of one array have different clocks: `{}`", scope.signals[pin.signal].rust);
                }
            }
            Stmt::If { then, otherwise, .. } => {
                collect_clocks(then, scope, found)?;
                collect_clocks(otherwise, scope, found)?;
            }
            Stmt::Case { arms, .. } => {
                arms.iter().try_for_each(|arm| collect_clocks(&arm.body, scope, found))?;
            }
            Stmt::For { body, .. } => collect_clocks(body, scope, found)?,
            Stmt::Assign(..) | Stmt::Require { .. } => (),
        }
    }
    Ok(())
}

/// Whether the text is a loop over memories.
pub(crate) fn is_array(group: &MemoryGroup) -> bool {
    group.dims.len() == 1 && group.dims[0] > 1
}

/// The memories of the block; `genvar` is the loop variable for arrays of them.
pub(crate) fn banks(scope: &mut Scope, genvar: Option<&str>, drivers: &mut Drivers) -> Vec<MemoryBank> {
    let groups = scope.memories.clone();
    let mut banks = vec![];
    for group in &groups {
        let count: usize = group.dims.iter().product();
        let genvar = genvar.filter(|_| is_array(group));
        for position in 0..if genvar.is_some() { 1 } else { count } {
            let element = match genvar {
                Some(variable) => Index::variable(variable),
                None => Index::number(position as i128),
            };
            let width = |signal: SignalId| scope.signals[signal].total_width() / count;
            let mut pin = |signal: SignalId| drivers.pin(signal, &element, width(signal));
            let write = pin(group.write);
            let (write_address, write_data) = (pin(group.write_address), pin(group.write_data));
            let (read, read_address) = (pin(group.read), pin(group.read_address));
            let words = 1 << width(group.write_address);
            let q_width = width(group.q);
            let q = BitRange { signal: group.q, start: element.times(q_width as i128), width: q_width };
            let (mut name, mut field) = (format!("{}_mem", group.field), group.rust.clone());
            if genvar.is_none() {
                for digit in digits(&group.dims, position) {
                    name.push_str(&format!("_{digit}"));
                    field.push_str(&format!("[{digit}]"));
                }
            }
            let generate = genvar
                .map(|variable| (scope.free_name(&format!("g_{}", group.field)), variable.to_string(), group.dims[0]));
            let name = scope.free_name(&name);
            banks.push(MemoryBank {
                field,
                fetched: group.output_register.then(|| scope.free_name(&format!("{name}_fetched"))),
                name,
                generate,
                words,
                write_clock: scope.memory_clocks[&group.write_clk],
                read_clock: scope.memory_clocks[&group.read_clk],
                write,
                write_address,
                write_data,
                read,
                read_address,
                q,
            });
        }
    }
    banks
}
