//! What somebody meant who wrote a name that there is not.

/// Most names that a guess has.
const MOST: usize = 3;
/// Shorter names are part of too many others to be taken for a part of one.
const SHORTEST_PART: usize = 3;

/// More names are not listed behind a guess.
const MOST_BESIDE_A_GUESS: usize = 20;

/// What is said of a name that there is not: that, what was meant if a name is near, and what there is, if that can be
/// read: ``"`pwar` is unknown; did you mean `powar`? it must be one of reference, powar"``. The field stands in front
/// of it.
pub fn is_unknown<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let (guess, count) = (guess(name, known.iter().copied()), known.len());
    match guess.trim_end() {
        meant if count > MOST_BESIDE_A_GUESS && !meant.is_empty() => format!("`{name}` is unknown; {meant}"),
        _ => format!("`{name}` is unknown; {guess}it must be one of {}", known.join(", ")),
    }
}

/// The same of a name that is one of many, all of which stand in a list elsewhere: ``"`latency` is unknown; did you mean
/// `packet_latency.mean`? docs/columns.md lists them"``.
pub fn is_not_in<'a>(list: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    format!("`{name}` is unknown; {}{list} lists them", guess(name, known))
}

/// The error of a reader (serde's "unknown field `x`, expected one of `a`, `b`") with what was meant behind it.
pub fn with_guess(message: &str) -> String {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let is_of_a_name = ["unknown field", "unknown variant"].iter().any(|start| message.starts_with(start));
    match &quoted[..] {
        [name, known @ ..] if is_of_a_name => match guess(name, known.iter().copied()) {
            guess if guess.is_empty() => message.to_owned(),
            guess => format!("{message}; {}", guess.trim_end()),
        },
        _ => message.to_owned(),
    }
}

/// ``did you mean `powar`? `` with a space behind it, to stand before the list of what there is; empty if no name is
/// near.
fn guess<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
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
        let list = "it must be one of reference, round-robin, first-on, powar";
        assert_eq!(is_unknown("pwar", policies), format!("`pwar` is unknown; did you mean `powar`? {list}"));
        assert_eq!(is_unknown("nope", policies), format!("`nope` is unknown; {list}"));
    }

    #[test]
    fn twenty_names_are_not_listed_behind_a_guess_nor_those_of_a_list_at_all() {
        let many: Vec<String> = (0..=MOST_BESIDE_A_GUESS).map(|number| format!("port{number}.flits")).collect();
        let known = || many.iter().map(String::as_str);
        assert!(is_unknown("prot1.flits", known()).ends_with('?'));
        assert!(is_unknown("load", known()).ends_with(&many.join(", ")));
        let said = is_not_in("a page", "prot1.flits", ["port1.flits", "load"]);
        assert_eq!(said, "`prot1.flits` is unknown; did you mean `port1.flits`? a page lists them");
        assert_eq!(is_not_in("a page", "nothing", ["load"]), "`nothing` is unknown; a page lists them");
    }

    #[test]
    fn an_error_of_serde_gets_a_guess() {
        let of = |name: &str| format!("unknown field `{name}`, expected one of `topology`, `warm_up`");
        assert_eq!(with_guess(&of("warmup")), of("warmup") + "; did you mean `warm_up`?");
        assert_eq!(with_guess(&of("x")), of("x"));
        assert_eq!(with_guess("missing field `title`"), "missing field `title`");
    }

    #[test]
    fn distances_are_counted() {
        for (one, other, far) in [("", "abc", 3), ("abc", "abc", 0), ("acb", "abc", 1), ("kitten", "sitting", 3)] {
            assert_eq!((distance(one, other), distance(other, one)), (far, far), "{one} {other}");
        }
    }
}
