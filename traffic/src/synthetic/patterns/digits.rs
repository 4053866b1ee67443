//! Numbers of nodes as digits, one a dimension.

/// The node whose digits are those of `node`, each moved on by `shift` of its dimension's size, modulo that size.
pub fn moved(node: u32, dimensions: &[u32], shift: impl Fn(u32) -> u32) -> u32 {
    let (mut rest, mut place, mut moved) = (node, 1, 0);
    for &size in dimensions {
        moved += (rest % size + shift(size)) % size * place;
        rest /= size;
        place *= size;
    }
    moved
}
