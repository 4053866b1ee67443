//! Rank files: the node of rank 0 in the first line, that of rank 1 in the second, and so on; by number, or by the name that the network's file has.
//! Empty lines and those that begin with `#` don't count.

use crate::labels::Labels;
use anyhow::{Context, Result, ensure};
use powar_config::document::text;

/// Longest file that is read, bytes.
pub const MOST_BYTES: u64 = 64 << 20;

/// The node of each of so many ranks, at most `per_node` of them on a node. Further lines are for larger programs.
///
/// # Errors
/// One line, with the number of the line that is wrong: a node that there is not or that has too many ranks; too few lines.
pub fn read(bytes: &[u8], labels: &Labels, ranks: u32, per_node: u32) -> Result<Vec<u32>> {
    let mut nodes = vec![];
    let mut ranks_on = vec![0; labels.count() as usize];
    let mut said = 0;
    for (number, line) in (1..).zip(text(bytes)?.lines()) {
        let label = line.trim();
        if label.is_empty() || label.starts_with('#') {
            continue;
        }
        let node = labels.number(label).with_context(|| format!("line {number}"))?;
        said += 1;
        if said > ranks {
            continue;
        }
        let on = &mut ranks_on[node as usize];
        *on += 1;
        ensure!(
            *on <= per_node,
            "line {number}: node `{label}` has {on} ranks, expected {per_node}, the ranks per node"
        );
        nodes.push(node);
    }
    ensure!(said >= ranks, "the file has {said} nodes, expected {ranks}, one for each rank");
    Ok(nodes)
}
