//! What is counted, under names that the configurations of a block share, so that what one covers is covered.

use super::counts::{Counts, Place};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ItemKind {
    /// A line of an `always` block, or one with a choice in it, that runs.
    Line,
    /// A side of a choice that is taken.
    Branch,
    /// A combination of values that decides what an expression is.
    Expression,
    /// A bit of a signal that rises, or that falls.
    Toggle,
}

impl ItemKind {
    /// All of them.
    pub const ALL: [ItemKind; 4] = [ItemKind::Line, ItemKind::Branch, ItemKind::Expression, ItemKind::Toggle];

    /// In the plural.
    pub fn name(self) -> &'static str {
        match self {
            ItemKind::Line => "lines",
            ItemKind::Branch => "branches",
            ItemKind::Expression => "expressions",
            ItemKind::Toggle => "toggles",
        }
    }

    fn of(place: &Place) -> Option<ItemKind> {
        match place.kind.as_str() {
            "branch" => Some(ItemKind::Branch),
            "expr" => Some(ItemKind::Expression),
            "toggle" => Some(ItemKind::Toggle),
            _ => None,
        }
    }
}

/// Something that is covered or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Item {
    pub kind: ItemKind,
    /// The text of its line; empty for toggles.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Which side of the choice, which values, or which bit (`name[3]`) and `0->1` or `1->0`; empty for lines.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub what: String,
    /// How often; not more than that it was at all is said of several configurations.
    pub count: u64,
    /// An input of the block.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub input: bool,
}

/// The kind; the text and what of it, without numbers but for toggles; which of several that are alike.
type Key = (ItemKind, String, String, usize);

/// Items of a block.
#[derive(Clone, Debug, Default)]
pub struct Items(BTreeMap<Key, Item>);

impl Items {
    /// What was counted of a module with this text and these inputs.
    pub fn new(counts: &Counts, text: &str, inputs: &BTreeSet<&str>) -> Items {
        let lines: Vec<&str> = text.lines().collect();
        let of_line = |line: usize| lines.get(line - 1).map_or(String::new(), |text| text.trim().to_owned());
        let mut by_line: BTreeMap<usize, u64> = BTreeMap::new();
        let mut items = vec![];
        for (place, &count) in counts {
            place.lines.iter().for_each(|&line| *by_line.entry(line).or_default() += count);
            let Some(kind) = ItemKind::of(place) else { continue };
            let scope = if place.scope.is_empty() { String::new() } else { format!("{}.", place.scope) };
            let what = format!("{scope}{}", place.what);
            let is_toggle = kind == ItemKind::Toggle;
            let input = is_toggle && inputs.contains(signal(&what));
            let text = if is_toggle { String::new() } else { of_line(place.line) };
            items.push(Item { kind, text, what, count, input });
        }
        let runs = by_line.into_iter().map(|(line, count)| Item {
            kind: ItemKind::Line,
            text: of_line(line),
            what: String::new(),
            count,
            input: false,
        });
        let mut found = Items::default();
        runs.chain(items).for_each(|item| found.push(item));
        found
    }

    fn push(&mut self, item: Item) {
        let (text, what) = match item.kind {
            ItemKind::Toggle => (String::new(), item.what.clone()),
            _ => (without_numbers(&item.text), without_numbers(&item.what)),
        };
        let mut key = (item.kind, text, what, 0);
        while self.0.contains_key(&key) {
            key.3 += 1;
        }
        self.0.insert(key, item);
    }

    /// Adds those of another configuration: what is covered in one is covered.
    pub fn merge(&mut self, other: Items) {
        for (key, item) in other.0 {
            match self.0.get_mut(&key) {
                Some(known) => known.count += item.count,
                None => drop(self.0.insert(key, item)),
            }
        }
    }

    pub fn all(&self) -> impl Iterator<Item = &Item> {
        self.0.values()
    }

    /// Covered ones of a kind, and all of it.
    pub fn share(&self, kind: ItemKind) -> (usize, usize) {
        let of_kind = || self.all().filter(move |item| item.kind == kind);
        (of_kind().filter(|item| item.count > 0).count(), of_kind().count())
    }
}

/// The signal of a toggle.
pub fn signal(what: &str) -> &str {
    let (bit, _) = what.rsplit_once(':').unwrap_or((what, ""));
    bit.split_once('[').map_or(bit, |(name, _)| name)
}

fn without_numbers(text: &str) -> String {
    text.replace(|c: char| c.is_ascii_digit(), "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: usize, kind: &str, what: &str, lines: &[usize]) -> Place {
        let lines = lines.to_vec();
        Place { line, column: 0, kind: kind.into(), what: what.into(), scope: String::new(), lines }
    }

    #[test]
    fn what_one_configuration_covers_is_covered() {
        let narrow = "always @* begin\n  if (a) x = 2'd1;\n  else x = 2'd0;\nend";
        let wide = narrow.replace("2'", "4'");
        let counts = |taken, not: u64, bits: usize| {
            let mut counts = Counts::from([
                (place(2, "branch", "if", &[2]), taken),
                (place(2, "branch", "else", &[3]), not),
                (place(1, "line", "block", &[1, 2]), taken + not),
            ]);
            counts.extend((0..bits).map(|bit| (place(9, "toggle", &format!("x[{bit}]:0->1"), &[]), taken)));
            counts
        };
        let inputs = BTreeSet::from(["a"]);
        let mut items = Items::new(&counts(5, 0, 2), narrow, &inputs);
        assert_eq!(items.share(ItemKind::Line), (2, 3));
        assert_eq!(items.share(ItemKind::Branch), (1, 2));
        let bare: Vec<&Item> = items.all().filter(|item| item.count == 0).collect();
        assert_eq!(bare[0].text, "else x = 2'd0;");
        assert_eq!((bare[1].kind, bare[1].what.as_str()), (ItemKind::Branch, "else"));
        items.merge(Items::new(&counts(0, 3, 4), &wide, &inputs));
        assert_eq!(items.share(ItemKind::Line), (3, 3));
        assert_eq!(items.share(ItemKind::Branch), (2, 2));
        assert_eq!(items.share(ItemKind::Toggle), (2, 4));
    }

    #[test]
    fn the_signal_of_a_toggle() {
        assert_eq!(signal("x[3]:0->1"), "x");
        assert_eq!(signal("x:1->0"), "x");
        assert_eq!(signal("memory[3][4]:1->0"), "memory");
    }
}
