//! Groups: what their calls make of lists of ranks (MPI 3.1, section 6.3.2).

use super::lists::Lists;
use super::survey::Combination;
use anyhow::{Result, ensure};
use std::collections::HashSet;
use std::sync::Arc;

pub(crate) fn combine(how: Combination, first: &[u32], second: &[u32], lists: &mut Lists) -> Result<Arc<[u32]>> {
    let in_second: HashSet<u32> = second.iter().copied().collect();
    let of_first = first.iter().copied();
    lists.of(match how {
        Combination::Union => {
            let in_first: HashSet<u32> = first.iter().copied().collect();
            of_first.chain(second.iter().copied().filter(|rank| !in_first.contains(rank))).collect()
        }
        Combination::Intersection => of_first.filter(|rank| in_second.contains(rank)).collect(),
        Combination::Difference => of_first.filter(|rank| !in_second.contains(rank)).collect(),
    })
}

pub(crate) fn include(group: &[u32], positions: &[u32], lists: &mut Lists) -> Result<Arc<[u32]>> {
    check(group, positions)?;
    lists.of(positions.iter().map(|&position| group[position as usize]).collect())
}

pub(crate) fn exclude(group: &[u32], positions: &[u32], lists: &mut Lists) -> Result<Arc<[u32]>> {
    check(group, positions)?;
    let out: HashSet<u32> = positions.iter().copied().collect();
    lists.of((0u32..).zip(group).filter(|(position, _)| !out.contains(position)).map(|(_, &rank)| rank).collect())
}

fn check(group: &[u32], positions: &[u32]) -> Result<()> {
    let mut seen = HashSet::new();
    for &position in positions {
        ensure!(
            (position as usize) < group.len(),
            "rank `{position}` of a group of {}, expected a rank below",
            group.len()
        );
        ensure!(seen.insert(position), "rank `{position}` of the group a second time, expected different ranks");
    }
    Ok(())
}
