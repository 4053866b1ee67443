//! Lists of nodes, as patterns have them among their options.

use anyhow::{Result, ensure};

/// By node: its place in a list, or the list's length. `field` is what errors call the list.
///
/// # Errors
/// Nothing in the list, a node that there is not, one that is named twice.
pub fn places(field: &str, list: &[u32], nodes: u32) -> Result<Vec<u32>> {
    ensure!(!list.is_empty(), "{field} is `[]`, expected one node at least");
    let none = list.len() as u32;
    let mut places = vec![none; nodes as usize];
    for (place, &node) in (0..).zip(list) {
        ensure!(node < nodes, "{field} has `{node}`, expected 0 to {}", nodes - 1);
        ensure!(places[node as usize] == none, "{field} has `{node}` twice, expected each node once");
        places[node as usize] = place;
    }
    Ok(places)
}

/// A list for people to read: the first of a long one.
pub fn shown(list: &[u32]) -> String {
    const MOST: usize = 8;
    let named: Vec<String> = list.iter().take(MOST).map(u32::to_string).collect();
    let more = if list.len() > MOST { format!(" .. ({} in all)", list.len()) } else { String::new() };
    let nodes = if list.len() == 1 { "node" } else { "nodes" };
    format!("{nodes} {}{more}", named.join(", "))
}
