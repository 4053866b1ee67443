//! Memories: what their ports are connected to, and their text in the module of the owner.

use super::connect::{Drivers, digits};
use super::index::Index;
use super::ir::{Expr, Place, SignalId};
use super::module::{MemoryBank, Module};
use super::render_expr::ExprRenderer;
use super::scope::{MemoryGroup, Scope};
use num_bigint::BigUint;

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
            let q = Place { signal: group.q, start: element.times(q_width as i128), width: q_width };
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
                name,
                generate,
                words,
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

/// The text of `bank` without the generate block around an array: the words, the output before the first read, the two ports.
pub(crate) fn lines(bank: &MemoryBank, module: &Module, expr: &ExprRenderer) -> Vec<String> {
    let Some((clk, _)) = module.clock else { return vec![] };
    let clk = &module.signals[clk].name;
    let (name, q) = (&bank.name, expr.place(&bank.q));
    let range = if bank.q.width > 1 { format!("[{}:0] ", bank.q.width - 1) } else { String::new() };
    let zero = expr.value_for(&bank.q, &Expr::constant(BigUint::default(), bank.q.width));
    let (write, write_address) = (expr.condition(&bank.write), expr.expr(&bank.write_address));
    let (read, read_address) = (expr.condition(&bank.read), expr.expr(&bank.read_address));
    vec![
        // Without the attribute Yosys would build the answer to a word that is read while it is written out of flip-flops.
        format!("(* no_rw_check *) reg {range}{name} [0:{}];", bank.words - 1),
        format!("initial {q} = {zero};"),
        format!("always @(posedge {clk}) begin"),
        format!("    if ({write}) {name}[{write_address}] <= {};", expr.expr(&bank.write_data)),
        format!("    if ({read}) {q} <= {name}[{read_address}];"),
        "end".to_string(),
    ]
}
