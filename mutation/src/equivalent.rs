//! Mutants that no test can kill, as what they do is the same, each with the reason why.

use crate::rewrite::Mutant;
use crate::rules::Rule;
use crate::verdict::Verdict;
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::path::Path;

/// One of the list: what is changed where. A text that stands on several lines of its file that are the same stands for all of them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Equivalent {
    /// Below `golden-model/src/`.
    pub file: String,
    /// The line that the place begins in, without the spaces around it; the place is between « and ».
    pub line: String,
    pub rule: Rule,
    /// What stands there instead, on one line.
    pub after: String,
    pub reason: String,
}

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    equivalent: Vec<Equivalent>,
}

/// Reads the list.
///
/// # Errors
/// The file can't be read, is not such a list, or gives no reason.
pub fn read(path: &Path) -> Result<Vec<Equivalent>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    parse(&text).with_context(|| format!("reading {}", path.display()))
}

fn parse(text: &str) -> Result<Vec<Equivalent>> {
    let List { equivalent } = toml::from_str(text)?;
    for entry in &equivalent {
        ensure!(!entry.reason.trim().is_empty(), "reason: `{}` of {} must have one", entry.after, entry.file);
    }
    Ok(equivalent)
}

/// A text on one line, with one space for many.
pub fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Equivalent {
    /// Whether it is about this mutant.
    pub fn is(&self, mutant: &Mutant) -> bool {
        mutant.file.strip_prefix("golden-model/src/") == Some(&self.file)
            && mutant.text == self.line
            && mutant.rule == self.rule
            && on_one_line(&mutant.after) == self.after
    }
}

/// The entry of each mutant, if any.
///
/// # Errors
/// An entry that is about none of `all` mutants, or about one that was killed: it must leave the list.
pub fn apply<'a>(
    list: &'a [Equivalent],
    all: &[Mutant],
    judged: &[(&Mutant, Verdict)],
) -> Result<Vec<Option<&'a Equivalent>>> {
    for entry in list {
        let Equivalent { file, line, after, .. } = entry;
        ensure!(
            all.iter().any(|mutant| entry.is(mutant)),
            "equivalent: no mutant of {file} makes `{after}` of `{line}`"
        );
        // Lines that read the same are one entry's, which is right as long as one of them lives.
        let about = all.iter().filter(|mutant| entry.is(mutant)).count();
        let killed: Vec<_> =
            judged.iter().filter(|(mutant, verdict)| entry.is(mutant) && verdict.is_killed()).collect();
        if let Some((mutant, verdict)) = killed.first().filter(|_| killed.len() == about) {
            anyhow::bail!("equivalent: mutant {} of {file}, `{after}`, is killed: {verdict:?}", mutant.number);
        }
    }
    Ok(judged.iter().map(|(mutant, _)| list.iter().find(|entry| entry.is(mutant))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = r#"
        [[equivalent]]
        file = "reference/a.rs"
        line = "self.count = «0»;"
        rule = "constant"
        after = "1"
        reason = "it is set again"
    "#;

    fn mutant(after: &str) -> Mutant {
        Mutant {
            number: 3,
            file: "golden-model/src/reference/a.rs".into(),
            line: 7,
            rule: Rule::Constant,
            before: "0".into(),
            after: after.into(),
            text: "self.count = «0»;".into(),
        }
    }

    #[test]
    fn an_entry_stands_for_its_mutant_alone() {
        let list = parse(LIST).unwrap();
        let all = [mutant("1"), mutant("2")];
        let judged: Vec<_> = all.iter().map(|mutant| (mutant, Verdict::Survived)).collect();
        let found = apply(&list, &all, &judged).unwrap();
        assert_eq!(found, [Some(&list[0]), None]);
    }

    #[test]
    fn entries_that_are_stale_or_wrong_are_refused() {
        let list = parse(LIST).unwrap();
        let stale = apply(&list, &[mutant("2")], &[]).unwrap_err().to_string();
        assert_eq!(stale, "equivalent: no mutant of reference/a.rs makes `1` of `self.count = «0»;`");
        let all = [mutant("1")];
        let killed = Verdict::Killed { block: "a".into(), network: "Star".into(), by: "panic".into() };
        let wrong = apply(&list, &all, &[(&all[0], killed)]).unwrap_err().to_string();
        assert!(wrong.starts_with("equivalent: mutant 3 of reference/a.rs, `1`, is killed"), "{wrong}");
        // Of two lines that read the same, the other one may be killed.
        let (one, other) = (mutant("1"), Mutant { number: 4, line: 9, ..mutant("1") });
        let killed = Verdict::Failed { tests: "reference".into() };
        assert!(apply(&list, &[one.clone(), other], &[(&one, killed)]).is_ok());
        let error = parse(&LIST.replace("it is set again", " ")).unwrap_err().to_string();
        assert_eq!(error, "reason: `1` of reference/a.rs must have one");
    }
}
