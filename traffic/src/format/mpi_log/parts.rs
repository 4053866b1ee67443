//! What a line of version 2 says behind `req`: a size for each member of a communicator, or for each neighbour.

use super::record::{Operation, Parts};
use crate::format::fields::{Fields, MAX_BYTES, MAX_RANKS, shown};
use anyhow::{Result, anyhow, bail, ensure};
use std::sync::Arc;

/// Reads what `operation` says behind `req`; `is_root` if the rank whose log this is is its root.
pub(super) fn parts(operation: Operation, is_root: bool, fields: &mut Fields, ranks: u32) -> Result<Parts> {
    use Operation::*;
    match operation {
        Gatherv | Scatterv if is_root => members(fields, ranks),
        Allgatherv | Alltoallv | Alltoallw | ReduceScatter => members(fields, ranks),
        _ if operation.is_of_neighbors() => neighbors(fields, ranks),
        _ => Ok(Parts::One),
    }
}

/// `n SIZE...`, equal sizes that follow each other as `COUNTxSIZE`.
fn members(fields: &mut Fields, ranks: u32) -> Result<Parts> {
    fields.literal("n", "n")?;
    let n: u32 = fields.number("n", 1, ranks)?;
    let mut sizes = Vec::with_capacity(n as usize);
    let mut left = MAX_BYTES;
    while sizes.len() < n as usize {
        let text = fields.next("size")?;
        let more = n as usize - sizes.len();
        let wrong = || {
            let expected = format!("an integer from 0 to {MAX_BYTES}, or COUNTxSIZE with COUNT from 1 to {more}");
            anyhow!("field `size` is {}, expected {expected}", shown(text))
        };
        let (count, size) = text.split_once('x').unwrap_or(("1", text));
        let count: usize = count.parse().ok().filter(|count| (1..=more).contains(count)).ok_or_else(wrong)?;
        let size: u64 = size.parse().ok().filter(|size| *size <= MAX_BYTES).ok_or_else(wrong)?;
        let sum = size.saturating_mul(count as u64);
        ensure!(
            sum <= left,
            "field `size` is {}, expected sizes whose sum is at most {MAX_BYTES}, of which {left} are left",
            shown(text)
        );
        left -= sum;
        sizes.extend(std::iter::repeat_n(size, count));
    }
    Ok(Parts::Members(sizes.into()))
}

/// `to n RANK:BYTES... from m RANK...`.
fn neighbors(fields: &mut Fields, ranks: u32) -> Result<Parts> {
    fields.literal("to", "to")?;
    // A graph may name the same neighbour several times, so the number of ranks is no limit; the line's length is, too.
    let n: u32 = fields.number("to", 0, MAX_RANKS)?;
    let mut to = Vec::new();
    let mut left = MAX_BYTES;
    for _ in 0..n {
        let text = fields.next("neighbor")?;
        let read = |(rank, bytes): (&str, &str)| Some((rank.parse::<u32>().ok()?, bytes.parse::<u64>().ok()?));
        let Some((rank, bytes)) = text.split_once(':').and_then(read).filter(|(rank, _)| *rank < ranks) else {
            bail!("field `neighbor` is {}, expected RANK:BYTES with RANK from 0 to {}", shown(text), ranks - 1);
        };
        ensure!(
            bytes <= left,
            "field `neighbor` is {}, expected BYTES whose sum is at most {MAX_BYTES}, of which {left} are left",
            shown(text)
        );
        left -= bytes;
        to.push((rank, bytes));
    }
    fields.literal("from", "from")?;
    let m: u32 = fields.number("from", 0, MAX_RANKS)?;
    let from: Arc<[u32]> = (0..m).map(|_| fields.number("neighbor", 0, ranks - 1)).collect::<Result<_>>()?;
    Ok(Parts::Neighbors { to: to.into(), from })
}
