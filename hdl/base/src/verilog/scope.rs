//! The names of one module: its ports, local signals, registers, constants and the wires to its children.

use super::collect::{AtomRecord, EnumType, Instance, InstanceKind, ValueType};
use super::ir::SignalId;
use super::names::{check_identifier, upper_snake};
use anyhow::{Context, Result, bail};
use num_bigint::BigUint;
use rust_hdl::prelude::AtomKind;
use std::collections::{BTreeMap, BTreeSet};

/// What drives or reads a signal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SignalKind {
    Input,
    Output,
    Local,
    /// A `localparam`; an array of constants is packed like a signal.
    Constant(BigUint),
    /// An input of a child, driven by this module's kernel.
    ChildInput,
    ChildOutput,
    /// `d` of a register.
    Next,
    /// `q` of a register.
    State,
    /// The clock pin of a register: no wire, only a check that it is connected.
    RegisterClock,
    /// The clock pin of a memory, likewise.
    MemoryClock,
    /// Introduced by the back end to name an intermediate value.
    Temporary,
}

/// One packed vector: a signal, or an array of equal signals.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SignalInfo {
    /// The Verilog name.
    pub name: String,
    /// The path of Rust field names, for messages.
    pub rust: String,
    pub kind: SignalKind,
    /// Lengths of the arrays around one element, outermost first; empty for a plain signal.
    pub dims: Vec<usize>,
    /// Bits of one element.
    pub width: usize,
    pub value_type: ValueType,
    pub enums: Vec<EnumType>,
}

impl SignalKind {
    /// The clock pin of a register or a memory, for which the text has no wire.
    pub(crate) fn is_clock_pin(&self) -> bool {
        matches!(self, SignalKind::RegisterClock | SignalKind::MemoryClock)
    }
}

impl SignalInfo {
    pub(crate) fn count(&self) -> usize {
        self.dims.iter().product()
    }

    pub(crate) fn total_width(&self) -> usize {
        self.count() * self.width
    }
}

/// A field that holds a child block or an array of child blocks of one shape.
#[derive(Clone, Debug)]
pub(crate) struct ChildGroup {
    /// The start of the Verilog names.
    pub field: String,
    /// The Rust field, with its position if the array was taken apart.
    pub rust: String,
    pub dims: Vec<usize>,
    /// The compiled module of every element, in order.
    pub modules: Vec<usize>,
    /// Name of the port in the child, and the wire in this module.
    pub ports: Vec<(String, SignalId)>,
}

/// A field that holds a register or an array of registers of one type.
#[derive(Clone, Debug)]
pub(crate) struct RegisterGroup {
    /// The pin of its clock.
    pub clock: SignalId,
    pub next: SignalId,
    pub state: SignalId,
    /// The reset values of all elements, packed like the register.
    pub reset: BigUint,
    /// Number of fields in an array of registers; empty for one register.
    pub dims: Vec<usize>,
    pub field: String,
}

/// A field that holds a subtractor or an array of them.
#[derive(Clone, Debug)]
pub(crate) struct SubtractorGroup {
    pub a: SignalId,
    pub b: SignalId,
    pub difference: SignalId,
    /// Number of subtractors.
    pub count: usize,
}

/// A field that holds a memory or an array of memories of one shape.
#[derive(Clone, Debug)]
pub(crate) struct MemoryGroup {
    /// The start of the Verilog names.
    pub field: String,
    /// The Rust field, with its position if the array was taken apart.
    pub rust: String,
    pub dims: Vec<usize>,
    /// The word goes through a second register before it is `q`.
    pub output_register: bool,
    /// The pins of its clocks, the same one for both ports unless they have two.
    pub write_clk: SignalId,
    pub read_clk: SignalId,
    pub write: SignalId,
    pub write_address: SignalId,
    pub write_data: SignalId,
    pub read: SignalId,
    pub read_address: SignalId,
    pub q: SignalId,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    pub signals: Vec<SignalInfo>,
    /// Signals by Rust path: `clk`, `bus.valid`, `fsm.state`; an element of an irregular array as `fsm[3].state`.
    pub keys: BTreeMap<String, SignalId>,
    pub sizes: BTreeMap<String, usize>,
    pub tables: BTreeMap<String, Vec<usize>>,
    pub enums: Vec<EnumType>,
    pub children: Vec<ChildGroup>,
    pub registers: Vec<RegisterGroup>,
    pub subtractors: Vec<SubtractorGroup>,
    pub memories: Vec<MemoryGroup>,
    /// The clock input that each clock pin of a memory is connected to.
    pub memory_clocks: BTreeMap<SignalId, SignalId>,
    /// Arrays of children whose elements differ in shape, so that their wires cannot be packed.
    pub irregular: BTreeSet<String>,
    names: BTreeMap<String, String>,
}

impl Scope {
    /// The names of `instance`, whose children have been compiled: `compiled[i]` is the module and the ports of child `i`, in the
    /// order of `instance.children`, and `None` for a primitive without a module.
    pub(crate) fn build(instance: &Instance, compiled: &[Option<(usize, Vec<SignalInfo>)>]) -> Result<Self> {
        let sizes = instance.sizes.iter().cloned().collect();
        let tables = instance.tables.iter().cloned().collect();
        let mut scope = Scope { sizes, tables, ..Scope::default() };
        for (key, info) in own_signals(&instance.signals)? {
            scope.add(key, info)?;
        }
        let mut order: Vec<&str> = vec![];
        for child in &instance.children {
            if !order.contains(&child.field.as_str()) {
                order.push(&child.field);
            }
        }
        for field in order {
            let members: Vec<Member> = (instance.children.iter().zip(compiled))
                .filter(|(child, _)| child.field == field)
                .map(|(child, compiled)| Member::new(child, compiled.as_ref()))
                .collect::<Result<_>>()?;
            scope.add_children(field, members)?;
        }
        for signal in &scope.signals {
            for new in &signal.enums {
                match scope.enums.iter().find(|known| known.name == new.name) {
                    Some(known) if known != new => {
                        bail!("two different enums called `{}` meet in this block; rename one", new.name)
                    }
                    Some(_) => {}
                    None => scope.enums.push(new.clone()),
                }
            }
        }
        for position in 0..scope.enums.len() {
            let labels: Vec<String> = (0..scope.enums[position].variants.len())
                .map(|variant| label_name(&scope.enums[position], variant))
                .collect();
            for label in labels {
                scope.claim_name(&label, &format!("enum {}", scope.enums[position].name))?;
            }
        }
        Ok(scope)
    }

    pub(crate) fn add(&mut self, key: String, info: SignalInfo) -> Result<SignalId> {
        if !info.kind.is_clock_pin() {
            self.claim_name(&info.name, &info.rust)?;
        }
        self.signals.push(info);
        self.keys.insert(key, self.signals.len() - 1);
        Ok(self.signals.len() - 1)
    }

    /// Reserves a Verilog name; `rust` says for whom.
    pub(crate) fn claim_name(&mut self, name: &str, rust: &str) -> Result<()> {
        check_identifier(name).with_context(|| format!("`{rust}`"))?;
        if let Some(other) = self.names.insert(name.to_string(), rust.to_string()) {
            bail!("`{other}` and `{rust}` would both be called `{name}`; rename one");
        }
        Ok(())
    }

    pub(crate) fn name_is_taken(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// A name that is still free, `wish` itself if possible.
    pub(crate) fn free_name(&mut self, wish: &str) -> String {
        let mut name = wish.to_string();
        let mut number = 2;
        while self.names.contains_key(&name) || check_identifier(&name).is_err() {
            name = format!("{wish}_{number}");
            number += 1;
        }
        self.names.insert(name.clone(), "the back end".to_string());
        name
    }

    fn add_children(&mut self, field: &str, members: Vec<Member>) -> Result<()> {
        let dims = rectangle(members.iter().map(|member| member.position.clone()));
        let regular = members
            .iter()
            .all(|member| member.ports == members[0].ports && member.module.is_some() == members[0].module.is_some());
        match dims {
            Some(dims) if regular => self.add_group(field, field, dims, &members),
            _ => {
                self.irregular.insert(field.to_string());
                for member in members {
                    let position: Vec<String> = member.position.iter().map(usize::to_string).collect();
                    let name = format!("{field}_{}", position.join("_"));
                    let key = format!("{field}[{}]", position.join("]["));
                    self.add_group(&name, &key, vec![], &[member])?;
                }
                Ok(())
            }
        }
    }

    fn add_group(&mut self, name: &str, key: &str, dims: Vec<usize>, members: &[Member]) -> Result<()> {
        let mut ports = vec![];
        let name = match &members[0].kind {
            InstanceKind::Register { .. } => register_name(name),
            _ => name,
        };
        for port in &members[0].ports {
            let mut wire = format!("{name}_{}", port.name);
            // A wire to a child yields: nobody but this module knows its name.
            if members[0].kind == InstanceKind::Block && self.name_is_taken(&wire) {
                wire.push_str("_wire");
            }
            let info = SignalInfo {
                name: wire,
                rust: format!("{key}.{}", port.rust),
                dims: [dims.clone(), port.dims.clone()].concat(),
                ..port.clone()
            };
            let id = self.add(format!("{key}.{}", port.rust), info)?;
            ports.push((port.name.clone(), id));
        }
        let find = |wanted: &str| {
            let port = ports.iter().find(|(port, _)| port == wanted).map(|(_, id)| *id);
            port.with_context(|| format!("`{key}` has no port `{wanted}`"))
        };
        let field = name.to_string();
        match &members[0].kind {
            InstanceKind::Block => {
                let modules = members.iter().filter_map(|member| member.module).collect();
                self.children.push(ChildGroup { field, rust: key.to_string(), dims, modules, ports });
            }
            InstanceKind::Register { .. } => {
                let (clock, next, state) = (find("clock")?, find("d")?, find("q")?);
                let one = self.signals[state].total_width() / members.len();
                let mut reset = BigUint::default();
                for (position, member) in members.iter().enumerate() {
                    if let InstanceKind::Register { reset: value } = &member.kind {
                        reset |= value << (position * one);
                    }
                }
                self.registers.push(RegisterGroup { clock, next, state, reset, dims, field });
            }
            InstanceKind::Subtractor => {
                let (a, b, difference) = (find("a")?, find("b")?, find("difference")?);
                self.subtractors.push(SubtractorGroup { a, b, difference, count: members.len() });
            }
            InstanceKind::Memory { output_register } => {
                let address = |wanted: &str| find(wanted).context("a memory needs at least one address bit");
                let (write_address, read_address) = (address("write_address")?, address("read_address")?);
                let clock = |of_its_own: &str| find("clk").or_else(|_| find(of_its_own));
                let (write_clk, read_clk) = (clock("write_clk")?, clock("read_clk")?);
                let (write, write_data) = (find("write")?, find("write_data")?);
                let (read, q, rust) = (find("read")?, find("q")?, key.to_string());
                let group = MemoryGroup {
                    field,
                    rust,
                    dims,
                    output_register: *output_register,
                    write_clk,
                    read_clk,
                    write,
                    write_address,
                    write_data,
                    read,
                    read_address,
                    q,
                };
                self.memories.push(group);
            }
        }
        Ok(())
    }
}

/// A register field may end in `_r` to tell it from an output; its Verilog names end in `_q` and `_d`, which says the same.
fn register_name(field: &str) -> &str {
    field.strip_suffix("_r").unwrap_or(field)
}

/// The name of a variant's `localparam`.
pub(crate) fn label_name(of: &EnumType, variant: usize) -> String {
    format!("{}_{}", upper_snake(&of.name), upper_snake(&of.variants[variant]))
}

/// One child as its parent sees it.
struct Member {
    position: Vec<usize>,
    kind: InstanceKind,
    /// The compiled module, if the child has one of its own.
    module: Option<usize>,
    ports: Vec<SignalInfo>,
}

impl Member {
    fn new(child: &Instance, compiled: Option<&(usize, Vec<SignalInfo>)>) -> Result<Self> {
        let signals = match compiled {
            Some((_, ports)) => ports.clone(),
            None => own_signals(&child.signals)?.into_iter().map(|(_, info)| info).collect(),
        };
        let is_register = matches!(child.kind, InstanceKind::Register { .. });
        let is_memory = matches!(child.kind, InstanceKind::Memory { .. });
        let mut ports = vec![];
        for mut info in signals {
            info.kind = match (is_register, info.rust.as_str()) {
                (true, "d") => SignalKind::Next,
                (true, "q") => SignalKind::State,
                (true, "clock") => SignalKind::RegisterClock,
                (true, _) => continue,
                (false, "clk" | "write_clk" | "read_clk") if is_memory => SignalKind::MemoryClock,
                (false, "q") if is_memory => SignalKind::State,
                (false, _) if info.kind == SignalKind::Input => SignalKind::ChildInput,
                (false, _) => SignalKind::ChildOutput,
            };
            ports.push(info);
        }
        let module = compiled.map(|(module, _)| *module);
        Ok(Member { position: child.position.clone(), kind: child.kind.clone(), module, ports })
    }
}

/// The lengths of the arrays, if the positions fill a rectangle in order.
fn rectangle(positions: impl Iterator<Item = Vec<usize>>) -> Option<Vec<usize>> {
    let positions: Vec<Vec<usize>> = positions.collect();
    let depth = positions.first()?.len();
    if positions.iter().any(|position| position.len() != depth) {
        return None;
    }
    let length = |level| positions.iter().map(|p: &Vec<usize>| p[level] + 1).max().unwrap_or(0);
    let dims: Vec<usize> = (0..depth).map(length).collect();
    (dims.iter().product::<usize>() == positions.len()).then_some(dims)
}

/// The signals of one block, arrays put together, each under its Rust path.
pub(crate) fn own_signals(records: &[AtomRecord]) -> Result<Vec<(String, SignalInfo)>> {
    let mut order: Vec<(String, Vec<&AtomRecord>)> = vec![];
    for record in records {
        let names: Vec<&str> = record.path.iter().map(|(name, _)| name.as_str()).collect();
        let key = names.join(".");
        match order.iter_mut().find(|(known, _)| *known == key) {
            Some((_, elements)) => elements.push(record),
            None => order.push((key, vec![record])),
        }
    }
    let mut signals = vec![];
    for (key, elements) in order {
        let first = elements[0];
        let position = |record: &&AtomRecord| record.path.iter().flat_map(|(_, p)| p.clone()).collect();
        let dims = rectangle(elements.iter().map(position))
            .with_context(|| format!("the arrays in `{key}` differ in length"))?;
        let mut value = BigUint::default();
        for (place, element) in elements.iter().enumerate() {
            value |= &element.value << (place * first.width);
        }
        let (kind, name) = match first.kind {
            AtomKind::InputParameter => (SignalKind::Input, key.replace('.', "_")),
            AtomKind::OutputParameter => (SignalKind::Output, key.replace('.', "_")),
            AtomKind::LocalSignal => (SignalKind::Local, key.replace('.', "_")),
            AtomKind::Constant => (SignalKind::Constant(value), upper_snake(&key.replace('.', "_"))),
            other => bail!("`{key}`: signals of kind {other:?} are not supported"),
        };
        let info = SignalInfo {
            name,
            rust: key.clone(),
            kind,
            dims,
            width: first.width,
            value_type: first.value_type.clone(),
            enums: first.enums.clone(),
        };
        signals.push((key, info));
    }
    Ok(signals)
}
