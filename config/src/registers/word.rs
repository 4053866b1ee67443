//! A word of a register map.

use crate::shape::Shape;

/// Bytes of a word; every register is one.
pub const WORD_BYTES: u16 = 4;

/// What software may do with a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    ReadWrite,
}

impl Access {
    /// As documents write it.
    pub fn name(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::ReadWrite => "read, write",
        }
    }
}

/// Bits of a word that mean something together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: &'static str,
    /// Lowest bit.
    pub low: u32,
    pub bits: u32,
    pub doc: &'static str,
}

impl Field {
    /// The field's bits in the word.
    pub fn mask(&self) -> u32 {
        mask(self.bits) << self.low
    }
}

/// One word of the map. Bits above `bits` read as 0 and are ignored when written.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    pub name: &'static str,
    /// Byte address; of a word of a port: bytes from the port's first.
    pub offset: u16,
    pub access: Access,
    /// Low bits that exist.
    pub bits: u32,
    /// The parts, lowest first; none if the word is one number.
    pub fields: &'static [Field],
    pub reset: Reset,
    /// One line.
    pub doc: &'static str,
}

/// Value of a word after reset.
#[derive(Clone, Copy, Debug)]
pub enum Reset {
    /// The same in every configuration.
    Value(u32),
    /// What the configuration says.
    Configured(fn(&Shape) -> u32),
    /// What the parameters of the mechanism say.
    OfMechanism,
}

impl Word {
    pub(super) const fn read(name: &'static str, offset: u16, reset: Reset, doc: &'static str) -> Word {
        Word { name, offset, access: Access::Read, bits: 32, fields: &[], reset, doc }
    }

    /// The bits that exist.
    pub fn mask(&self) -> u32 {
        mask(self.bits)
    }

    pub(super) const fn with(self, bits: u32, fields: &'static [Field]) -> Word {
        Word { bits, fields, ..self }
    }

    /// A word of a mechanism, which software writes.
    pub(crate) const fn of_mechanism(offset: u16, name: &'static str, bits: u32, doc: &'static str) -> Word {
        Word::written(offset, name, bits, Reset::OfMechanism, doc)
    }

    /// A word that software writes.
    pub(crate) const fn written(offset: u16, name: &'static str, bits: u32, reset: Reset, doc: &'static str) -> Word {
        Word { name, offset, access: Access::ReadWrite, bits, fields: &[], reset, doc }
    }
}

pub(super) const fn field(name: &'static str, low: u32, bits: u32, doc: &'static str) -> Field {
    Field { name, low, bits, doc }
}

const fn mask(bits: u32) -> u32 {
    u32::MAX >> (32 - bits)
}
