//! The first stage: what rust-hdl's visitor tells about a block, as a tree of plain data.

use super::guard::catch;
use crate::primitives::{Announcement, BlockSource, CommentedFields};
use anyhow::{Context, Result, bail};
use num_bigint::BigUint;
use num_traits::Num;
use rust_hdl::core::probe::Probe;
use rust_hdl::prelude::{Atom, AtomKind, Block, TypeDescriptor, TypeKind, Verilog};

/// A block, or a register, with everything below it.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// The field that holds the block, without its position in an array.
    pub field: String,
    /// The position in an array field, outermost array first.
    pub position: Vec<usize>,
    /// What the block's [`crate::primitives::BlockInfo`] says, if it has one.
    pub info: Option<BlockSource>,
    pub kind: InstanceKind,
    /// The ports of bundles and the lines of their comments.
    pub bundled: CommentedFields,
    pub sizes: Vec<(String, usize)>,
    pub tables: Vec<(String, Vec<usize>)>,
    pub signals: Vec<AtomRecord>,
    pub children: Vec<Instance>,
    pub kernel: Verilog,
}

impl Instance {
    /// Whether another instance differs at most in where it stands: both become the same module.
    pub(crate) fn is_alike(&self, other: &Instance) -> bool {
        // rust-hdl's kernels can't be compared but as text.
        let kernel = |instance: &Instance| format!("{:?}", instance.kernel);
        let same_place = |(one, other): (&Instance, &Instance)| {
            (&one.field, &one.position) == (&other.field, &other.position) && one.is_alike(other)
        };
        (&self.info, &self.kind, &self.sizes, &self.tables) == (&other.info, &other.kind, &other.sizes, &other.tables)
            && self.signals == other.signals
            && self.children.len() == other.children.len()
            && self.children.iter().zip(&other.children).all(same_place)
            && kernel(self) == kernel(other)
    }
}

/// What an instance becomes in Verilog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InstanceKind {
    /// A module of its own.
    Block,
    /// Part of the clocked block of its owner.
    Register { reset: BigUint },
    /// An assignment in the module of its owner.
    Subtractor,
    /// An array of words with its clocked block in the module of its owner.
    Memory { output_register: bool },
}

/// One signal or constant of a block, one array element at a time as rust-hdl reports it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AtomRecord {
    /// Field names from the block down: one, or several for a signal of an interface.
    pub path: Vec<(String, Vec<usize>)>,
    pub kind: AtomKind,
    pub width: usize,
    pub value_type: ValueType,
    /// The value of a constant.
    pub value: BigUint,
    pub enums: Vec<EnumType>,
}

/// What a signal carries, as far as the text depends on it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ValueType {
    Bits,
    Clock,
    Signed,
    Enum(String),
}

/// An enum of the design with its variants in order of their codes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct EnumType {
    pub name: String,
    pub variants: Vec<String>,
}

impl EnumType {
    pub(crate) fn width(&self) -> usize {
        self.variants.len().next_power_of_two().trailing_zeros() as usize
    }
}

/// Visits `top` and returns it as a tree.
pub(crate) fn collect(top: &dyn Block) -> Result<Instance> {
    let mut collector = Collector::default();
    catch(|| top.accept("top", &mut collector)).context("rust-hdl cannot visit the block")?;
    if let Some(error) = collector.error {
        return Err(error);
    }
    collector.finished.context("the top of a design must be a block, not a signal")
}

#[derive(Default)]
struct Collector {
    open: Vec<Instance>,
    namespace: Vec<(String, Vec<usize>)>,
    finished: Option<Instance>,
    error: Option<anyhow::Error>,
}

/// `port$3$1` -> `port`, [3, 1].
fn split_position(name: &str) -> (String, Vec<usize>) {
    let mut parts = name.split('$');
    let field = parts.next().unwrap_or_default().to_string();
    (field, parts.filter_map(|part| part.parse().ok()).collect())
}

impl Collector {
    fn place(&self, name: &str) -> String {
        let mut place: Vec<String> = self.open.iter().map(|instance| instance.field.clone()).collect();
        place.push(name.to_string());
        place.join(".")
    }

    fn record(&mut self, name: &str, atom: &dyn Atom) -> Result<()> {
        let Some(owner) = self.open.last_mut() else {
            bail!("the top of a design must be a block, not a signal");
        };
        match Announcement::decode(atom) {
            Some(Announcement::Block(told)) => owner.info = Some(told),
            Some(Announcement::Ports(ports)) => owner.bundled.extend(ports),
            Some(Announcement::Size(value)) => owner.sizes.push((name.to_string(), value)),
            Some(Announcement::Table(values)) => owner.tables.push((name.to_string(), values)),
            Some(Announcement::Subtractor) => owner.kind = InstanceKind::Subtractor,
            Some(Announcement::Memory { output_register }) => owner.kind = InstanceKind::Memory { output_register },
            Some(Announcement::Reset(value)) => owner.kind = InstanceKind::Register { reset: value },
            None => {
                let descriptor = atom.descriptor();
                let mut enums = vec![];
                enums_of(&descriptor, &mut enums)?;
                let value_type = match &descriptor.kind {
                    TypeKind::Enum(_) => ValueType::Enum(descriptor.name.clone()),
                    TypeKind::Signed(_) => ValueType::Signed,
                    TypeKind::Bits(1) if descriptor.name == "clock" => ValueType::Clock,
                    TypeKind::Bits(_) | TypeKind::Composite(_) => ValueType::Bits,
                };
                if atom.bits() == 0 {
                    bail!("the signal has no bits");
                }
                if value_type == ValueType::Signed {
                    bail!("signed signals are not supported");
                }
                let mut path = self.namespace.clone();
                path.push(split_position(name));
                let value = match atom.kind() {
                    AtomKind::Constant => literal_value(&format!("{:x}", atom.verilog()))?,
                    _ => BigUint::default(),
                };
                let (kind, width) = (atom.kind(), atom.bits());
                owner.signals.push(AtomRecord { path, kind, width, value_type, value, enums });
            }
        }
        Ok(())
    }
}

/// `8'h2a` -> 42.
pub(crate) fn literal_value(text: &str) -> Result<BigUint> {
    let digits = text.rsplit("'h").next().unwrap_or_default();
    BigUint::from_str_radix(digits, 16).ok().with_context(|| format!("literal {text} is negative"))
}

fn enums_of(descriptor: &TypeDescriptor, found: &mut Vec<EnumType>) -> Result<()> {
    match &descriptor.kind {
        TypeKind::Enum(labels) => {
            if labels.len() < 2 {
                bail!("enum `{}` has one variant and therefore no bits", descriptor.name);
            }
            let variant = |label: &String| label.rsplit("::").next().unwrap_or_default().to_string();
            let variants = labels.iter().map(variant).collect();
            found.push(EnumType { name: descriptor.name.clone(), variants });
        }
        TypeKind::Composite(fields) => {
            for field in fields {
                enums_of(&field.kind, found)?;
            }
        }
        TypeKind::Bits(_) | TypeKind::Signed(_) => {}
    }
    Ok(())
}

impl Probe for Collector {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        let place = self.place(name);
        let kernel = catch(|| node.hdl()).with_context(|| format!("{place}: the kernel panics"));
        let kernel = kernel.unwrap_or_else(|error| {
            self.error.get_or_insert(error);
            Verilog::Empty
        });
        let (field, position) = split_position(name);
        self.open.push(Instance {
            field,
            position,
            info: None,
            kind: InstanceKind::Block,
            bundled: vec![],
            sizes: vec![],
            tables: vec![],
            signals: vec![],
            children: vec![],
            kernel,
        });
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        if let Some(done) = self.open.pop() {
            match self.open.last_mut() {
                Some(parent) => parent.children.push(done),
                None => self.finished = Some(done),
            }
        }
    }

    fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
        self.namespace.push(split_position(name));
    }

    fn visit_end_namespace(&mut self, _name: &str, _node: &dyn Block) {
        self.namespace.pop();
    }

    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        let place = self.place(name);
        if let Err(error) = self.record(name, atom) {
            self.error.get_or_insert(error.context(place));
        }
    }
}
