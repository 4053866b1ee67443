//! What somebody meant who wrote a name that there is not.

/// Most names that a guess has.
const MOST: usize = 3;
/// Shorter names are part of too many others to be taken for a part of one.
const SHORTEST_PART: usize = 3;

/// ``did you mean `powar`? `` with a space behind it, to stand before the list of what there is; empty if no name is
/// near.
pub fn guess<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match &nearest(name, known)[..] {
        [] => String::new(),
        names => {
            format!("did you mean {}? ", names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or "))
        }
    }
}

/// The names that are next to one that there is not, the nearest first: those in which a third of its letters are
/// wrong at the most, else those that have all its parts (`latency.p99`: `packet_latency.p99`), else those that it is
/// in.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name = name.to_lowercase();
    let known: Vec<&str> = known.into_iter().collect();
    let most = (name.chars().count() / 3).max(1);
    let mut near: Vec<(usize, &str)> = known
        .iter()
        .map(|known| (distance(&name, &known.to_lowercase()), *known))
        .filter(|(far, _)| *far <= most)
        .collect();
    if near.is_empty() {
        near = known.iter().filter(|known| has_parts(known, &name)).map(|known| (known.len(), *known)).collect();
    }
    if near.is_empty() && name.chars().count() >= SHORTEST_PART {
        let contains = |known: &&&str| known.to_lowercase().contains(&name);
        near = known.iter().filter(contains).map(|known| (known.len(), *known)).collect();
    }
    near.sort_by_key(|(far, _)| *far);
    near.dedup();
    near.into_iter().take(MOST).map(|(_, known)| known).collect()
}

/// A name has all parts of another that has several.
fn has_parts(known: &str, name: &str) -> bool {
    let parts = |name: &str| name.split(['.', '_', '-']).map(str::to_lowercase).collect::<Vec<_>>();
    let (all, some) = (parts(known), parts(name));
    some.len() > 1 && some.iter().all(|part| all.contains(part))
}

/// Letters to be added, left out, changed or exchanged with their neighbour, at least, to make one name of the other.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let width = other.len() + 1;
    let mut far = vec![0; (one.len() + 1) * width];
    for row in 0..=one.len() {
        for column in 0..width {
            let at = |row: usize, column: usize| far[row * width + column];
            far[row * width + column] = match (row, column) {
                (0, _) | (_, 0) => row + column,
                _ => {
                    let (left, above) = (one[row - 1], other[column - 1]);
                    let changed = at(row - 1, column - 1) + usize::from(left != above);
                    let is_exchanged = row > 1 && column > 1 && left == other[column - 2] && one[row - 2] == above;
                    let exchanged = if is_exchanged { at(row - 2, column - 2) + 1 } else { usize::MAX };
                    changed.min(exchanged).min(at(row - 1, column) + 1).min(at(row, column - 1) + 1)
                }
            };
        }
    }
    far[far.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_is_found() {
        let policies = ["reference", "round-robin", "first-on", "powar"];
        for (name, meant) in
            [("pwar", "powar"), ("POWR", "powar"), ("frist-on", "first-on"), ("roundrobin", "round-robin")]
        {
            assert_eq!(nearest(name, policies), [meant], "{name}");
        }
        assert!(nearest("nope", policies).is_empty() && nearest("", policies).is_empty());
        let columns = ["packet_latency.p99", "packet_latency.p999", "message_latency.p99", "accepted", "watts.e_net"];
        assert_eq!(nearest("latency.p99", columns), ["packet_latency.p99", "message_latency.p99"]);
        assert_eq!(nearest("e_net", columns), ["watts.e_net"]);
        assert_eq!(guess("pwar", policies), "did you mean `powar`? ");
        assert_eq!(guess("nope", policies), "");
    }

    #[test]
    fn distances_are_counted() {
        for (one, other, far) in [("", "abc", 3), ("abc", "abc", 0), ("acb", "abc", 1), ("kitten", "sitting", 3)] {
            assert_eq!((distance(one, other), distance(other, one)), (far, far), "{one} {other}");
        }
    }
}
