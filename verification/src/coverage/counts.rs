//! Verilator's counts, read from the file that a model writes.

use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;

/// The file begins with this line.
const HEADER: &str = "# SystemC::Coverage-3";

/// What Verilator counts at a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// In the file of the module; the first is 1.
    pub line: usize,
    pub column: usize,
    /// `line`, `branch`, `expr`, `toggle`, ..
    pub kind: String,
    /// What of it: which side of a branch, which bit and whether it rises or falls.
    pub what: String,
    /// Generate blocks around it, with dots between them.
    pub scope: String,
    /// The lines that run with it.
    pub lines: Vec<usize>,
}

/// Counts by place.
pub type Counts = BTreeMap<Place, u64>;

/// Adds the counts of a file.
///
/// # Errors
/// It is not of the form that Verilator writes.
pub fn add(counts: &mut Counts, text: &str) -> Result<()> {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    ensure!(first == HEADER, "coverage: the file begins with `{first}` instead of `{HEADER}`");
    for line in rest.lines() {
        let (place, count) = parse(line).with_context(|| format!("coverage: can't read `{}`", line.escape_debug()))?;
        *counts.entry(place).or_default() += count;
    }
    Ok(())
}

/// A line: `C 'keys and values' count`, with a 1 before each key and a 2 before each value.
fn parse(line: &str) -> Option<(Place, u64)> {
    let (fields, count) = line.strip_prefix("C '")?.rsplit_once("' ")?;
    let fields: BTreeMap<&str, &str> = fields.split('\u{1}').filter_map(|field| field.split_once('\u{2}')).collect();
    let number = |key: &str| fields.get(key).and_then(|text| text.parse().ok());
    // top.lockstep_top.dut, and what is around it in there.
    let scope = fields.get("h").map(|hierarchy| hierarchy.split('.').skip(3).collect::<Vec<_>>().join("."));
    let place = Place {
        line: number("l")?,
        column: number("n").unwrap_or(0),
        kind: (*fields.get("t")?).to_owned(),
        what: fields.get("o").copied().unwrap_or_default().to_owned(),
        scope: scope.unwrap_or_default(),
        lines: lines(fields.get("S").copied().unwrap_or_default())?,
    };
    Some((place, count.trim().parse().ok()?))
}

/// `3,7-9` as numbers.
fn lines(text: &str) -> Option<Vec<usize>> {
    let mut found = vec![];
    for range in text.split(',').filter(|range| !range.is_empty()) {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        found.extend(first..=last);
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_several_runs_are_added() {
        let line = "C '\u{1}f\u{2}a.v\u{1}l\u{2}12\u{1}n\u{2}9\u{1}t\u{2}branch\u{1}page\u{2}v_branch/a\u{1}o\u{2}else\u{1}S\u{2}12,14-15\u{1}h\u{2}top.lockstep_top.dut.g_port[3]' 7";
        let mut counts = Counts::new();
        for _ in 0..2 {
            add(&mut counts, &format!("{HEADER}\n{line}\n")).unwrap();
        }
        let place = Place {
            line: 12,
            column: 9,
            kind: "branch".into(),
            what: "else".into(),
            scope: "g_port[3]".into(),
            lines: vec![12, 14, 15],
        };
        assert_eq!(counts, Counts::from([(place, 14)]));
        assert!(add(&mut counts, "# something else\n").is_err());
        assert!(add(&mut counts, &format!("{HEADER}\nC nothing\n")).is_err());
    }
}
