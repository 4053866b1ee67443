//! What is not covered, in words: a line for what belongs together.

use super::item::{Item, ItemKind, Items, signal};
use std::collections::BTreeMap;

/// Something that is not covered, and what kind of reason it has as far as the counts tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncovered {
    pub kind: ItemKind,
    /// A signal with its bits, or the text of a line.
    pub what: String,
    pub why: &'static str,
}

/// An input that nothing sets.
pub const HELD_INPUT: &str = "an input that stays as it is";
/// A signal inside that stays the same.
pub const CONSTANT: &str = "stays as it is";
/// A signal that changes once.
pub const ONE_WAY: &str = "changes one way only";
/// A line or a choice whose case does not come.
pub const NEVER: &str = "never comes";

/// What is not covered; bits of a signal in a row are one line.
pub fn uncovered(items: &Items) -> Vec<Uncovered> {
    let missing = |kind: ItemKind| items.all().filter(move |item| item.kind == kind && item.count == 0);
    let mut found = vec![];
    for item in missing(ItemKind::Line) {
        found.push(Uncovered { kind: item.kind, what: item.text.clone(), why: NEVER });
    }
    for kind in [ItemKind::Branch, ItemKind::Expression] {
        found.extend(missing(kind).map(|item| Uncovered {
            kind,
            what: format!("{}: {}", item.what, item.text),
            why: NEVER,
        }));
    }
    found.extend(toggles(items));
    found
}

fn toggles(items: &Items) -> Vec<Uncovered> {
    // By bit: whether it rises and whether it falls.
    let mut bits: BTreeMap<&str, Vec<&Item>> = BTreeMap::new();
    for item in items.all().filter(|item| item.kind == ItemKind::Toggle) {
        let (bit, _) = item.what.rsplit_once(':').unwrap_or((&item.what, ""));
        bits.entry(bit).or_default().push(item);
    }
    let mut by_signal: BTreeMap<(&str, &'static str), Vec<String>> = BTreeMap::new();
    for (bit, both) in bits {
        let covered = both.iter().filter(|item| item.count > 0).count();
        let why = match (covered, both[0].input) {
            (done, _) if done == both.len() => continue,
            (0, true) => HELD_INPUT,
            (0, false) => CONSTANT,
            _ => ONE_WAY,
        };
        let name = signal(&both[0].what);
        by_signal.entry((name, why)).or_default().push(bit[name.len()..].to_owned());
    }
    let toggle = |((name, why), bits): ((&str, &'static str), Vec<String>)| Uncovered {
        kind: ItemKind::Toggle,
        what: format!("{name}{}", ranges(&bits)),
        why,
    };
    by_signal.into_iter().map(toggle).collect()
}

/// Bits `[3]`, `[4]`, `[7]` as `[7, 4:3]`; those of an array's elements as they are.
fn ranges(bits: &[String]) -> String {
    let number = |bit: &String| bit.strip_prefix('[')?.strip_suffix(']')?.parse::<usize>().ok();
    let Some(mut numbers) = bits.iter().map(number).collect::<Option<Vec<usize>>>() else { return bits.join("") };
    numbers.sort_unstable();
    let mut found: Vec<(usize, usize)> = vec![];
    for number in numbers {
        match found.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => found.push((number, number)),
        }
    }
    let text = |&(first, last): &(usize, usize)| match first == last {
        true => first.to_string(),
        false => format!("{last}:{first}"),
    };
    let all: Vec<String> = found.iter().rev().map(text).collect();
    if all.is_empty() { String::new() } else { format!("[{}]", all.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn bits_in_a_row_are_one_range() {
        let bits = |numbers: &[usize]| numbers.iter().map(|bit| format!("[{bit}]")).collect::<Vec<_>>();
        assert_eq!(ranges(&bits(&[10, 3, 4, 5, 12])), "[12, 10, 5:3]");
        assert_eq!(ranges(&["[1][0]".into(), "[1][1]".into()]), "[1][0][1][1]");
        assert_eq!(ranges(&["".into()]), "");
    }
}
