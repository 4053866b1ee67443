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
    /// The Verilog module name of a block and the Rust source that declares it.
    Block { module: String, source: String },
    /// The ports of a bundle ([`crate::port_bundle`]) and the lines of their comments.
    Ports(Vec<(String, Vec<String>)>),
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
            Announcement::Block { module, source } => (BLOCK, vec![module.clone(), source.clone()]),
            Announcement::Ports(ports) => (PORTS, ports.iter().map(|(port, docs)| port_text(port, docs)).collect()),
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
            BLOCK => Some(Announcement::Block { module: text(0)?, source: text(1)? }),
            PORTS => Some(Announcement::Ports(fields.iter().map(|field| port_of_text(&field.fieldname)).collect())),
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

/// A line with the port's name, then its comment.
fn port_text(port: &str, docs: &[String]) -> String {
    [port].into_iter().chain(docs.iter().map(String::as_str)).collect::<Vec<_>>().join("\n")
}

fn port_of_text(text: &str) -> (String, Vec<String>) {
    let mut lines = text.split('\n').map(str::to_owned);
    (lines.next().unwrap_or_default(), lines.collect())
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
