//! Lines that read like cables and are something else in files of others.

use std::collections::HashSet;

/// What to say if the first line may be the numbers of switches and cables, as many programs write them there. `first`:
/// the two numbers, if the first line of a cable is two numbers; `ends`: of all cables, in the order of the file.
pub(super) fn counts_in_front(first: Option<(usize, usize)>, lines: usize, ends: &[(u32, u32)]) -> Option<String> {
    let (switches, cables) = first?;
    let behind = ends.get(1..)?;
    let named: HashSet<u32> = behind.iter().flat_map(|&(one, other)| [one, other]).collect();
    (lines - 1 == cables && named.len() == switches).then(|| {
        format!(
            "cables: the first line, `{switches} {cables}`, is taken for a cable; if it says how many switches and cables \
             there are, leave it out"
        )
    })
}

/// What to say if lines in front of a `#` that is alone may name the switches, one a line, as in the Trivial Graph Format
/// (yEd writes it). `ends`: of all cables, in the order of the file; `before`: how many are in front of that `#`.
pub(super) fn names_in_front(before: usize, ends: &[(u32, u32)]) -> Option<String> {
    let (front, behind) = ends.split_at_checked(before)?;
    let named: HashSet<u32> = front.iter().map(|&(one, _)| one).collect();
    let all_named = behind.iter().all(|&(one, other)| named.contains(&one) && named.contains(&other));
    (named.len() == front.len() && front.len() > 1 && !behind.is_empty() && all_named).then(|| {
        format!(
            "cables: the {before} lines in front of `#` are taken for cables, like those behind it; if they name the \
             switches (TGF), leave them out"
        )
    })
}
