//! Child instances: what each port is connected to, without a wire in between where the kernel only passes a signal on.

use super::collect::ValueType;
use super::drivers::Drivers;
use super::effects::signals_of;
use super::index::{Index, digits};
use super::ir::{BitRange, Expr, ExprKind, SignalId, Stmt};
use super::memory;
use super::module::{Connection, Instantiation, MemoryBank};
use super::scope::{ChildGroup, Scope, SignalKind};
use super::split::Process;
use anyhow::{Result, bail};
use std::collections::BTreeMap;

/// The pieces of a block with children.
type Connected = (Vec<Process>, Vec<Instantiation>, Vec<MemoryBank>);

/// The instances of the block's children, and its memories. Processes that have become port connections are removed from `processes`.
pub(crate) fn connect(scope: &mut Scope, processes: Vec<Process>) -> Result<Connected> {
    let mut processes = processes;
    let outputs = passed_out(scope, &mut processes);
    let mut drivers = Drivers::of(&processes, scope);
    let mut instances = vec![];
    let groups = scope.children.clone();
    let is_array = |group: &ChildGroup| group.dims.len() == 1 && group.modules.len() > 1 && same_module(group);
    let any_array = groups.iter().any(is_array) || scope.memories.iter().any(memory::is_array);
    let array_variable = any_array.then(|| scope.free_name("i"));
    for group in &groups {
        let genvar = array_variable.clone().filter(|_| is_array(group));
        for position in 0..if genvar.is_some() { 1 } else { group.modules.len() } {
            let element = match &genvar {
                Some(variable) => Index::variable(variable),
                None => Index::number(position as i128),
            };
            let mut connections = vec![];
            for (port, signal) in &group.ports {
                let info = &scope.signals[*signal];
                let width = info.total_width() / group.modules.len();
                let own = Expr::read(BitRange { signal: *signal, start: element.times(width as i128), width });
                let expr = match (drivers.absorb(*signal, &element, width), outputs.get(signal)) {
                    (Some(expr), _) => expr,
                    (None, Some(&output)) => {
                        Expr::read(BitRange { signal: output, start: element.times(width as i128), width })
                    }
                    (None, None) if info.value_type == ValueType::Clock && info.kind == SignalKind::ChildInput => {
                        bail!("the clock `{}` must be passed on once and unconditionally", info.rust)
                    }
                    (None, None) => own,
                };
                let output = scope.signals[*signal].kind == SignalKind::ChildOutput;
                connections.push(Connection { port: port.clone(), expr, output });
            }
            instances.push(instantiate(scope, group, position, genvar.as_deref(), connections));
        }
    }
    let memories = memory::banks(scope, array_variable.as_deref(), &mut drivers);
    processes.retain(|process| {
        let (writes, _) = signals_of(process.statements());
        !writes.iter().any(|&signal| drivers.is_absorbed(signal))
    });
    Ok((processes, instances, memories))
}

fn same_module(group: &ChildGroup) -> bool {
    group.modules.iter().all(|module| *module == group.modules[0])
}

fn instantiate(
    scope: &mut Scope,
    group: &ChildGroup,
    position: usize,
    genvar: Option<&str>,
    connections: Vec<Connection>,
) -> Instantiation {
    let module = group.modules[position];
    if let Some(variable) = genvar {
        let block = scope.free_name(&format!("g_{}", group.field));
        return Instantiation {
            field: group.rust.clone(),
            module,
            // The name lives inside the generate block, so it cannot meet a signal of the module.
            name: group.field.clone(),
            generate: Some((block, variable.to_string(), group.modules.len())),
            connections,
        };
    }
    let mut name = group.field.clone();
    let digits = digits(&group.dims, position);
    for digit in &digits {
        name.push_str(&format!("_{digit}"));
    }
    let indices: String = digits.iter().map(|digit| format!("[{digit}]")).collect();
    let field = format!("{}{indices}", group.rust);
    Instantiation { field, module, name: scope.free_name(&name), generate: None, connections }
}

/// Outputs of children that are passed on unchanged as outputs of this block, which then need no wire of their own.
fn passed_out(scope: &Scope, processes: &mut Vec<Process>) -> BTreeMap<SignalId, SignalId> {
    let mut outputs: BTreeMap<SignalId, SignalId> = BTreeMap::new();
    processes.retain(|process| {
        let Process::Assigns(statements) = process else { return true };
        let [Stmt::Assign(target, Expr { kind: ExprKind::Read(source), .. })] = statements.as_slice() else {
            return true;
        };
        let (to, from) = (&scope.signals[target.signal], &scope.signals[source.signal]);
        let whole = target.width == to.total_width() && source.width == from.total_width();
        let from_child = scope.children.iter().any(|group| group.ports.iter().any(|(_, port)| *port == source.signal));
        let fits = to.kind == SignalKind::Output && from.kind == SignalKind::ChildOutput && from_child && whole;
        if fits && !outputs.contains_key(&source.signal) {
            outputs.insert(source.signal, target.signal);
            return false;
        }
        true
    });
    for process in processes.iter_mut() {
        let statements = process.statements().iter().map(|statement| rename(statement, &outputs)).collect();
        *process = match process {
            Process::Assigns(_) => Process::Assigns(statements),
            Process::Always(_) => Process::Always(statements),
        };
    }
    outputs
}

fn rename(statement: &Stmt, names: &BTreeMap<SignalId, SignalId>) -> Stmt {
    let block = |statements: &[Stmt]| statements.iter().map(|inner| rename(inner, names)).collect::<Vec<_>>();
    match statement {
        Stmt::Assign(place, value) => Stmt::Assign(place.clone(), rename_expr(value, names)),
        Stmt::If { test, then, otherwise } => {
            Stmt::If { test: rename_expr(test, names), then: block(then), otherwise: block(otherwise) }
        }
        Stmt::Case { value, arms } => {
            let mut arms = arms.clone();
            for arm in &mut arms {
                arm.body = block(&arm.body);
            }
            Stmt::Case { value: rename_expr(value, names), arms }
        }
        Stmt::For { variable, from, to, body } => {
            Stmt::For { variable: variable.clone(), from: *from, to: *to, body: block(body) }
        }
        Stmt::Require { .. } => statement.clone(),
    }
}

fn rename_expr(expr: &Expr, names: &BTreeMap<SignalId, SignalId>) -> Expr {
    match &expr.kind {
        ExprKind::Read(place) => {
            let signal = *names.get(&place.signal).unwrap_or(&place.signal);
            Expr::read(BitRange { signal, ..place.clone() })
        }
        _ => expr.map_operands(&mut |operand| rename_expr(operand, names)),
    }
}
