//! From one collected block to one module: names, checks, transformation, and the pieces of the text.

use super::collect::{Instance, InstanceKind};
use super::connect::connect;
use super::effects::Effects;
use super::index::{Bindings, Index};
use super::ir::{BitRange, Expr, ExprKind, Stmt};
use super::lower::lower;
use super::module::{Connection, Module, RegisterBank};
use super::scope::{Scope, SignalInfo, SignalKind};
use super::set_up::set_up;
use super::source::Source;
use super::split::{split, written_by_always};
use super::{arithmetic, check, hoist, loops, merge, simplify};
use crate::primitives::BlockSource;
use anyhow::{Context, Result, bail};
use rust_hdl::prelude::Verilog;

/// All modules of a design, children first.
#[derive(Default)]
pub(crate) struct Library<'a> {
    pub modules: Vec<Module>,
    /// Instances that have been compiled, and their positions in the library.
    compiled: Vec<(&'a Instance, usize)>,
}

impl<'a> Library<'a> {
    /// Compiles `instance` and everything below it; returns its position in the library.
    pub(crate) fn compile(&mut self, instance: &'a Instance) -> Result<usize> {
        // A switch has hundreds of instances of a few kinds.
        if let Some(&(_, module)) = self.compiled.iter().find(|(known, _)| known.is_alike(instance)) {
            return Ok(module);
        }
        let mut compiled: Vec<Option<(usize, Vec<SignalInfo>)>> = vec![];
        for child in &instance.children {
            if child.kind != InstanceKind::Block {
                compiled.push(None);
                continue;
            }
            let module = self.compile(child)?;
            let ports = self.modules[module].ports().map(|(_, info)| info.clone()).collect();
            compiled.push(Some((module, ports)));
        }
        let Some(told) = &instance.info else {
            bail!("`{}`: the block has no field `info: BlockInfo`, which names its module", instance.field);
        };
        let module = compile_block(instance, told, &compiled).with_context(|| format!("block `{}`", told.module))?;
        let position = match self.modules.iter().position(|known| *known == module) {
            Some(position) => position,
            None => {
                self.modules.push(module);
                self.modules.len() - 1
            }
        };
        self.compiled.push((instance, position));
        Ok(position)
    }
}

fn compile_block(
    instance: &Instance,
    told: &BlockSource,
    compiled: &[Option<(usize, Vec<SignalInfo>)>],
) -> Result<Module> {
    super::names::check_identifier(&told.module).context("module name")?;
    let kernel = match &instance.kernel {
        Verilog::Combinatorial(kernel) => kernel,
        Verilog::Empty => bail!("`update` has no `#[hdl_gen]`, so there is nothing to translate"),
        _ => bail!("Verilog written by hand is not supported"),
    };
    let fields = field_names(instance);
    let source = Source::parse(told, &fields, &instance.bundled, kernel)?;

    let mut scope = Scope::build(instance, compiled)?;
    let mut lowered = lower(kernel, &scope)?;
    if told.declared.is_some() {
        lowered.splice(..0, set_up(&scope, &lowered));
    }
    let lowered = simplify::simplify(&lowered, &scope);
    check::check(&scope, &lowered)?;
    let clock = clock_and_reset(&scope)?;
    scope.memory_clocks = super::memory::clocks(&lowered, &scope)?;
    let block = strip(lowered, &scope);
    let block = merge::choices(loops::rewrite(block, &scope));
    let block = hoist::hoist(block, &mut scope)?;
    let processes = split(block);
    let processes = super::constant::settle(processes, &scope)?;
    let (processes, instances, memories) = connect(&mut scope, processes)?;
    let mut processes = arithmetic::subtract(&scope, processes);
    processes.retain(|process| !process.statements().is_empty());

    let signal_docs = scope.signals.iter().map(|info| source.field_doc(&info.rust)).collect();
    let mut module = Module {
        wish: told.module.clone(),
        doc: source.doc,
        sizes: instance.sizes.clone(),
        signal_docs,
        enums: scope.enums.clone(),
        registers: (scope.registers.iter())
            .map(|group| RegisterBank {
                next: group.next,
                state: group.state,
                reset: group.reset.clone(),
                field: group.field.clone(),
                dims: group.dims.clone(),
            })
            .collect(),
        processes,
        instances,
        memories,
        unused: vec![],
        unused_name: String::new(),
        clock,
        signals: scope.signals.clone(),
    };
    module.unused = unused(&module);
    module.unused_name = scope.free_name("unused");
    Ok(module)
}

/// The fields rust-hdl visits, as the source must have them.
fn field_names(instance: &Instance) -> Vec<String> {
    let mut names: Vec<String> = vec![];
    let signals = instance.signals.iter().filter_map(|signal| signal.path.first()).map(|(name, _)| name);
    let sizes = instance.sizes.iter().map(|(name, _)| name);
    let tables = instance.tables.iter().map(|(name, _)| name);
    let children = instance.children.iter().map(|child| &child.field);
    for name in signals.chain(sizes).chain(tables).chain(children) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// The clock input of a block that owns registers or memories, and the reset input if it owns registers.
fn clock_and_reset(scope: &Scope) -> Result<Option<(usize, Option<usize>)>> {
    if scope.registers.is_empty() && scope.memories.iter().all(|memory| memory.write_clk != memory.read_clk) {
        return Ok(None);
    }
    let find = |key: &str| {
        let id = *scope.keys.get(key)?;
        (scope.signals[id].kind == SignalKind::Input && scope.signals[id].width == 1).then_some(id)
    };
    match (find("clk"), find("rst")) {
        (Some(clk), _) if scope.registers.is_empty() => Ok(Some((clk, None))),
        (Some(clk), Some(rst)) => Ok(Some((clk, Some(rst)))),
        _ if scope.registers.is_empty() => bail!("a block with memories needs the input `clk: Signal<In, Clock>`"),
        _ => bail!("a block with registers needs the inputs `clk: Signal<In, Clock>` and `rst: Signal<In, Bit>`"),
    }
}

/// `block` without what only the check needed.
fn strip(block: Vec<Stmt>, scope: &Scope) -> Vec<Stmt> {
    let keep = |statement: Stmt| match statement {
        Stmt::Require { .. } => None,
        Stmt::Assign(place, _) if scope.signals[place.signal].kind.is_clock_pin() => None,
        Stmt::Assign(place, Expr { kind: ExprKind::Read(source), .. }) if source == place => None,
        Stmt::If { test, then, otherwise } => {
            Some(Stmt::If { test, then: strip(then, scope), otherwise: strip(otherwise, scope) })
        }
        Stmt::Case { value, mut arms } => {
            for arm in &mut arms {
                arm.body = strip(std::mem::take(&mut arm.body), scope);
            }
            Some(Stmt::Case { value, arms })
        }
        Stmt::For { variable, from, to, body } => Some(Stmt::For { variable, from, to, body: strip(body, scope) }),
        other => Some(other),
    };
    simplify::simplify(&block.into_iter().filter_map(keep).collect::<Vec<_>>(), scope)
}

/// The bits of inputs, registers and wires that nothing reads.
fn unused(module: &Module) -> Vec<BitRange> {
    let mut used = Effects::default();
    for process in &module.processes {
        used.reads.merge(&Effects::of(process.statements(), &mut vec![]).reads);
    }
    for instance in &module.instances {
        for bindings in iterations(&instance.generate) {
            for connection in instance.connections.iter().filter(|connection| !connection.output) {
                used.expr(&connection.expr, &bindings);
            }
        }
    }
    for memory in &module.memories {
        for bindings in iterations(&memory.generate) {
            memory.pins().into_iter().for_each(|pin| used.expr(pin, &bindings));
        }
    }
    let clocks = module.memories.iter().flat_map(|memory| [memory.write_clock, memory.read_clock]);
    let of_registers = module.clock.into_iter().flat_map(|(clk, rst)| std::iter::once(clk).chain(rst));
    for signal in clocks.chain(of_registers) {
        used.expr(&Expr::read(BitRange { signal, start: Index::number(0), width: 1 }), &vec![]);
    }
    let written = written_by_always(&module.processes);
    let mut places = vec![];
    for (signal, info) in module.signals.iter().enumerate() {
        let relevant = match info.kind {
            SignalKind::Input | SignalKind::State | SignalKind::Local | SignalKind::Temporary => true,
            SignalKind::ChildOutput => {
                let connects = |connection: &Connection| matches!(&connection.expr.kind, ExprKind::Read(place) if place.signal == signal);
                let by_child = module.instances.iter().any(|instance| instance.connections.iter().any(connects));
                by_child || written.contains_key(&signal)
            }
            _ => false,
        };
        if !relevant {
            continue;
        }
        let bits = used.reads.0.get(&signal);
        let is_used = |bit: usize| bits.is_some_and(|bits| bits.contains(bit));
        let mut bit = 0;
        while bit < info.total_width() {
            let end = (bit..info.total_width()).find(|&b| is_used(b) != is_used(bit)).unwrap_or(info.total_width());
            if !is_used(bit) {
                places.push(BitRange { signal, start: Index::number(bit as i128), width: end - bit });
            }
            bit = end;
        }
    }
    places
}

/// The loop variable of a generate block with each of its values.
fn iterations(generate: &Option<(String, String, usize)>) -> Vec<Bindings> {
    match generate {
        Some((_, variable, count)) => (0..*count).map(|i| vec![(variable.clone(), i as i128)]).collect(),
        None => vec![vec![]],
    }
}
