//! Facts about a block that rust-hdl has no field for, told to the back end through its visitor.

use num_bigint::BigUint;
use num_traits::Num;
use rust_hdl::core::constraint::PinConstraint;
use rust_hdl::core::probe::Probe;
use rust_hdl::prelude::{Atom, AtomKind, TypeDescriptor, TypeField, TypeKind, VCDValue, VerilogLiteral};

/// A fact that a primitive announces when rust-hdl visits it.
///
/// The visitor only carries signals, so the fact travels as a constant whose *type descriptor* holds the text. The visitors of
/// rust-hdl itself see a harmless one-bit constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Announcement {
    /// What a block says of itself.
    Block(BlockSource),
    /// The ports of a bundle ([`crate::port_bundle`]).
    Ports(CommentedFields),
    /// The value of a [`super::Size`].
    Size(usize),
    /// The values of a [`super::Table`].
    Table(Vec<usize>),
    /// The block is a [`super::Subtractor`].
    Subtractor,
    /// The block is a [`super::Memory`], with a second register at its output or without.
    Memory { output_register: bool },
    /// The value a register takes at reset.
    Reset(BigUint),
}

/// Fields and the lines of their comments.
pub(crate) type CommentedFields = Vec<(String, Vec<String>)>;

/// The Verilog module name of a block, the Rust source of its kernel, and the fields that [`crate::block!`] has told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BlockSource {
    pub module: String,
    pub text: String,
    pub declared: Option<Declared>,
}

/// The type of a block with the lines of its comment, and its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    pub block: (String, Vec<String>),
    pub fields: CommentedFields,
}

/// Fields as a macro lists them.
pub(crate) fn owned(fields: &[(&str, &[&str])]) -> CommentedFields {
    fields.iter().map(|(field, docs)| ((*field).to_owned(), lines(docs))).collect()
}

/// The lines of a comment likewise.
pub(crate) fn lines(docs: &[&str]) -> Vec<String> {
    docs.iter().map(|line| (*line).to_owned()).collect()
}

const BLOCK: &str = "powar::block";
const PORTS: &str = "powar::ports";
const SIZE: &str = "powar::size";
const TABLE: &str = "powar::table";
const SUBTRACTOR: &str = "powar::subtractor";
const MEMORY: &str = "powar::memory";
const RESET: &str = "powar::reset";

impl Announcement {
    /// Tells `probe` this fact under the field name `name`.
    pub(crate) fn visit(&self, name: &str, id: usize, probe: &mut dyn Probe) {
        let (tag, texts) = match self {
            Announcement::Block(told) => {
                let declared = told.declared.iter().flat_map(|Declared { block, fields }| {
                    [block].into_iter().chain(fields).map(|(name, docs)| field_text(name, docs))
                });
                (BLOCK, [told.module.clone(), told.text.clone()].into_iter().chain(declared).collect())
            }
            Announcement::Ports(ports) => (PORTS, ports.iter().map(|(port, docs)| field_text(port, docs)).collect()),
            Announcement::Size(value) => (SIZE, vec![value.to_string()]),
            Announcement::Table(values) => (TABLE, values.iter().map(usize::to_string).collect()),
            Announcement::Subtractor => (SUBTRACTOR, vec![]),
            Announcement::Memory { output_register } => (MEMORY, vec![output_register.to_string()]),
            Announcement::Reset(value) => (RESET, vec![value.to_str_radix(16)]),
        };
        let descriptor = TypeDescriptor {
            name: tag.to_string(),
            kind: TypeKind::Composite(texts.into_iter().map(text_field).collect()),
        };
        let value = match self {
            Announcement::Size(value) => (*value).into(),
            _ => false.into(),
        };
        probe.visit_atom(name, &PseudoAtom { descriptor, value, id });
    }

    /// Reads the fact back, or `None` for an ordinary signal or constant.
    pub(crate) fn decode(atom: &dyn Atom) -> Option<Self> {
        let descriptor = atom.descriptor();
        let TypeKind::Composite(fields) = descriptor.kind else {
            return None;
        };
        let text = |position: usize| fields.get(position).map(|field| field.fieldname.clone());
        match descriptor.name.as_str() {
            BLOCK => {
                let mut told = fields_of(&fields[2..]).into_iter();
                let declared = told.next().map(|block| Declared { block, fields: told.collect() });
                Some(Announcement::Block(BlockSource { module: text(0)?, text: text(1)?, declared }))
            }
            PORTS => Some(Announcement::Ports(fields_of(&fields))),
            SIZE => Some(Announcement::Size(text(0)?.parse().ok()?)),
            TABLE => {
                let values = fields.iter().map(|field| field.fieldname.parse().ok());
                Some(Announcement::Table(values.collect::<Option<_>>()?))
            }
            SUBTRACTOR => Some(Announcement::Subtractor),
            MEMORY => Some(Announcement::Memory { output_register: text(0)?.parse().ok()? }),
            RESET => Some(Announcement::Reset(BigUint::from_str_radix(&text(0)?, 16).ok()?)),
            _ => None,
        }
    }
}

/// A line with the field's name, then its comment.
fn field_text(field: &str, docs: &[String]) -> String {
    [field].into_iter().chain(docs.iter().map(String::as_str)).collect::<Vec<_>>().join("\n")
}

fn fields_of(texts: &[Box<TypeField>]) -> CommentedFields {
    let field = |text: &TypeField| {
        let mut lines = text.fieldname.split('\n').map(str::to_owned);
        (lines.next().unwrap_or_default(), lines.collect())
    };
    texts.iter().map(|text| field(text)).collect()
}

fn text_field(text: String) -> Box<TypeField> {
    let kind = TypeDescriptor { name: String::new(), kind: TypeKind::Bits(0) };
    Box::new(TypeField { fieldname: text, kind })
}

struct PseudoAtom {
    descriptor: TypeDescriptor,
    value: VerilogLiteral,
    id: usize,
}

impl Atom for PseudoAtom {
    fn bits(&self) -> usize {
        1
    }
    fn connected(&self) -> bool {
        true
    }
    fn changed(&self) -> bool {
        false
    }
    fn kind(&self) -> AtomKind {
        AtomKind::Constant
    }
    fn descriptor(&self) -> TypeDescriptor {
        self.descriptor.clone()
    }
    fn vcd(&self) -> VCDValue {
        false.into()
    }
    fn id(&self) -> usize {
        self.id
    }
    fn verilog(&self) -> VerilogLiteral {
        self.value.clone()
    }
    fn constraints(&self) -> Vec<PinConstraint> {
        vec![]
    }
}
