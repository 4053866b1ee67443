//! How large an element of a datatype is.

use super::block::Block;
use super::value::Handle;
use crate::format::fields::{MAX_BYTES, shown};
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The predefined datatypes in the order of their numbers, with their sizes where C follows the LP64 model, bytes.
/// (`dumpi_native_datatypes` in `dumpi/common/constants.h` of sst-dumpi; pairs count without padding, as
/// `MPI_Type_size` does.)
const PREDEFINED: &[(&str, u64)] = &[
    ("MPI_DATATYPE_ERROR", 0),
    ("MPI_DATATYPE_NULL", 0),
    ("MPI_CHAR", 1),
    ("MPI_SIGNED_CHAR", 1),
    ("MPI_UNSIGNED_CHAR", 1),
    ("MPI_BYTE", 1),
    ("MPI_WCHAR", 4),
    ("MPI_SHORT", 2),
    ("MPI_UNSIGNED_SHORT", 2),
    ("MPI_INT", 4),
    ("MPI_UNSIGNED", 4),
    ("MPI_LONG", 8),
    ("MPI_UNSIGNED_LONG", 8),
    ("MPI_FLOAT", 4),
    ("MPI_DOUBLE", 8),
    ("MPI_LONG_DOUBLE", 16),
    ("MPI_LONG_LONG_INT", 8),
    ("MPI_UNSIGNED_LONG_LONG", 8),
    ("MPI_LONG_LONG", 8),
    ("MPI_PACKED", 1),
    ("MPI_LB", 0),
    ("MPI_UB", 0),
    ("MPI_FLOAT_INT", 8),
    ("MPI_DOUBLE_INT", 12),
    ("MPI_LONG_INT", 12),
    ("MPI_SHORT_INT", 6),
    ("MPI_2INT", 8),
    ("MPI_LONG_DOUBLE_INT", 20),
];
/// Number of what stands for no datatype.
const NULL: i32 = 1;

/// The sizes that a trace prints behind its calls (`dumpi2ascii -X` or `-a`), by number. Those of 0 say nothing.
pub(crate) type PrintedSizes = BTreeMap<i32, u64>;

/// Sizes of the datatypes of one rank, as its calls define them.
pub(crate) struct Datatypes {
    printed: Arc<PrintedSizes>,
    /// Size of each that is in use; `None` where it can't be worked out.
    defined: HashMap<i32, Option<u64>>,
}

impl Datatypes {
    pub fn new(printed: Arc<PrintedSizes>) -> Datatypes {
        Datatypes { printed, defined: HashMap::new() }
    }

    /// Bytes of `count` elements of the datatype in a field.
    pub fn bytes(&self, block: &Block, count: &str, datatype: &str) -> Result<u64> {
        let count = block.number(count, 0, i64::from(i32::MAX))? as u64;
        if count == 0 { Ok(0) } else { self.product(block, datatype, count) }
    }

    /// Bytes of each of so many elements of the datatype in a field.
    pub fn each(&self, block: &Block, counts: &[u64], datatype: &str) -> Result<Arc<[u64]>> {
        counts.iter().map(|&count| if count == 0 { Ok(0) } else { self.product(block, datatype, count) }).collect()
    }

    /// Bytes of each of so many elements, each of its own datatype, of which only numbers are printed.
    pub fn each_its_own(&self, block: &Block, counts: &[u64], field: &str) -> Result<Arc<[u64]>> {
        let numbers = block.exactly(field, counts.len(), 0, i32::MAX)?;
        let bytes = |(&count, &number): (&u64, &i32)| {
            if count == 0 {
                return Ok(0);
            }
            let size = self.size_of_number(number).with_context(|| unknown(block, field, number))?;
            limited(block, field, size, count)
        };
        counts.iter().zip(&numbers).map(bytes).collect()
    }

    /// Whether a field names no datatype, as the send side of an operation in place does.
    pub fn is_null(block: &Block, datatype: &str) -> Result<bool> {
        Ok(block.handle(datatype)?.number <= NULL)
    }

    fn product(&self, block: &Block, field: &str, count: u64) -> Result<u64> {
        let handle = block.handle(field)?;
        if handle.number <= NULL {
            bail!("{}", block.wrong(field, handle.name, &format!("a datatype for {count} elements")));
        }
        let size = self.size(handle).with_context(|| unknown(block, field, handle.number))?;
        limited(block, field, size, count)
    }

    fn size(&self, handle: Handle) -> Option<u64> {
        // The printed name is trusted more than the number, which differs between versions of DUMPI.
        match PREDEFINED.iter().find(|(name, _)| *name == handle.name) {
            Some(&(_, size)) => Some(self.printed.get(&handle.number).copied().filter(|&s| s > 0).unwrap_or(size)),
            None => self.size_of_user(handle.number),
        }
    }

    fn size_of_number(&self, number: i32) -> Option<u64> {
        match usize::try_from(number).ok().and_then(|number| PREDEFINED.get(number)) {
            Some(&(name, _)) => self.size(Handle { number, name }),
            None => self.size_of_user(number),
        }
    }

    fn size_of_user(&self, number: i32) -> Option<u64> {
        let printed = || self.printed.get(&number).copied().filter(|&size| size > 0);
        self.defined.get(&number).copied().flatten().or_else(printed)
    }

    /// Learns from a call that makes, frees or measures a datatype.
    pub fn learn(&mut self, block: &Block) -> Result<()> {
        let int = i64::from(i32::MAX);
        let count = |field: &str| block.number(field, 0, int).map(|count| count as u64);
        let counts = |field: &str, count: u64| block.exactly(field, count as usize, 0, u64::from(u32::MAX));
        let elements: Option<u64> = match &*block.call {
            "MPI_Type_free" => {
                self.defined.remove(&block.handle("datatype")?.number);
                return Ok(());
            }
            "MPI_Type_size" | "MPI_Type_match_size" => {
                let size = block.number("size", i64::from(i32::MIN), int)?;
                let number = block.handle("datatype")?.number;
                let known = self.defined.entry(number).or_default();
                *known = known.or(u64::try_from(size).ok());
                return Ok(());
            }
            "MPI_Type_struct" | "MPI_Type_create_struct" => {
                let field = if block.find("lengths").is_some() { "lengths" } else { "blocklengths" };
                let lengths = counts(field, count("count")?)?;
                let kinds = block.exactly("oldtypes", lengths.len(), 0, i32::MAX)?;
                let sizes = lengths.iter().zip(&kinds);
                let mut sizes = sizes.map(|(&length, &kind)| self.size_of_number(kind)?.checked_mul(length));
                let size = sizes.try_fold(0u64, |sum, size| sum.checked_add(size?));
                self.defined.insert(block.handle("newtype")?.number, size);
                return Ok(());
            }
            "MPI_Type_contiguous" => Some(count("count")?),
            "MPI_Type_dup" | "MPI_Type_create_resized" => Some(1),
            "MPI_Type_vector" | "MPI_Type_hvector" | "MPI_Type_create_hvector" | "MPI_Type_create_indexed_block" => {
                count("count")?.checked_mul(count("blocklength")?)
            }
            "MPI_Type_indexed" | "MPI_Type_hindexed" => Some(counts("lengths", count("count")?)?.iter().sum()),
            "MPI_Type_create_hindexed" => Some(counts("blocklengths", count("count")?)?.iter().sum()),
            "MPI_Type_create_subarray" => {
                let sizes = counts("subsizes", count("ndims")?)?;
                sizes.iter().try_fold(1u64, |product, &size| product.checked_mul(size))
            }
            // Of a distributed array only the printed size is known.
            _ => None,
        };
        let old = self.size(block.handle("oldtype")?);
        let size = elements.zip(old).and_then(|(elements, old)| elements.checked_mul(old));
        self.defined.insert(block.handle("newtype")?.number, size);
        Ok(())
    }
}

fn unknown(block: &Block, field: &str, number: i32) -> String {
    format!(
        "{}: field `{field}` is `{number}`, a datatype whose size can't be worked out; expected its definition before, \
         or its size behind the calls, as `dumpi2ascii -a` prints it",
        block.call
    )
}

fn limited(block: &Block, field: &str, size: u64, count: u64) -> Result<u64> {
    match size.checked_mul(count) {
        Some(bytes) if bytes <= MAX_BYTES => Ok(bytes),
        _ => bail!(
            "{}: {count} elements of `{field}`, {} bytes each, expected at most {MAX_BYTES} bytes",
            block.call,
            shown(&size.to_string())
        ),
    }
}
