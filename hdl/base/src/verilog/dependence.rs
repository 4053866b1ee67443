//! Which statements of a loop body need which others, found by looking at every bit of every iteration.

use super::effects::{Effects, signals_of};
use super::index::Bindings;
use super::ir::Stmt;

/// A loop variable and its range.
pub(crate) type Range = (String, i128, i128);

/// Above this number of statement instances the exact look is too slow, and sharing a signal counts as dependence.
const MOST_INSTANCES: usize = 400_000;

/// Statements that need each other and therefore stay in one loop.
pub(crate) struct Group {
    pub statements: Vec<Stmt>,
    /// An iteration needs what an earlier one wrote.
    pub carries: bool,
}

/// The statements of a loop body in groups, each after the groups whose results it needs.
pub(crate) fn in_order(body: &[Stmt], range: &Range, outer: &[Range]) -> Vec<Group> {
    let needs = Needs::find(body, range, outer);
    let count = body.len();
    let mut reach = needs.edges.clone();
    for middle in 0..count {
        for from in 0..count {
            for to in 0..count {
                reach[from][to] |= reach[from][middle] && reach[middle][to];
            }
        }
    }
    let together = |a: usize, b: usize| a == b || (reach[a][b] && reach[b][a]);
    let mut done = vec![false; count];
    let mut groups = vec![];
    while let Some(members) = (0..count).filter(|&first| !done[first]).find_map(|first| {
        let members: Vec<usize> = (0..count).filter(|&other| together(first, other)).collect();
        let ready = |&member: &usize| {
            (0..count).all(|other| done[other] || members.contains(&other) || !needs.edges[other][member])
        };
        members.iter().all(ready).then_some(members)
    }) {
        members.iter().for_each(|&member| done[member] = true);
        let carries = members.len() > 1 || needs.carried[members[0]];
        let statements = members.iter().map(|&member| body[member].clone()).collect();
        groups.push(Group { statements, carries });
    }
    groups
}

struct Needs {
    /// `edges[a][b]`: some instance of `b` must run after some instance of `a`.
    edges: Vec<Vec<bool>>,
    /// A statement reads in one iteration what it wrote in an earlier one.
    carried: Vec<bool>,
}

impl Needs {
    fn find(body: &[Stmt], range: &Range, outer: &[Range]) -> Self {
        let count = body.len();
        let mut needs = Needs { edges: vec![vec![false; count]; count], carried: vec![false; count] };
        let signals: Vec<_> = body.iter().map(|statement| signals_of(std::slice::from_ref(statement))).collect();
        let share = |a: usize, b: usize| {
            let ((writes_a, reads_a), (writes_b, reads_b)) = (&signals[a], &signals[b]);
            !writes_a.is_disjoint(writes_b) || !writes_a.is_disjoint(reads_b) || !reads_a.is_disjoint(writes_b)
        };
        let pairs: Vec<(usize, usize)> = (0..count)
            .flat_map(|a| (0..count).map(move |b| (a, b)))
            .filter(|&(a, b)| if a == b { !signals[a].0.is_disjoint(&signals[a].1) } else { share(a, b) })
            .collect();
        if pairs.is_empty() {
            return needs;
        }
        let iterations = |(_, from, to): &Range| usize::try_from(to - from).unwrap_or(usize::MAX);
        let instances = outer.iter().chain([range]).map(iterations).fold(count, usize::saturating_mul);
        if instances > MOST_INSTANCES {
            for (a, b) in pairs {
                needs.edges[a][b] = a != b;
                needs.carried[a] |= a == b;
            }
            return needs;
        }
        let mut bindings = vec![];
        needs.every_outer(body, range, outer, &pairs, &mut bindings);
        needs
    }

    fn every_outer(
        &mut self,
        body: &[Stmt],
        range: &Range,
        outer: &[Range],
        pairs: &[(usize, usize)],
        bindings: &mut Bindings,
    ) {
        if let Some(((variable, from, to), rest)) = outer.split_first() {
            for value in *from..*to {
                bindings.push((variable.clone(), value));
                self.every_outer(body, range, rest, pairs, bindings);
                bindings.pop();
            }
            return;
        }
        let (variable, from, to) = range;
        let mut before: Vec<Effects> = vec![Effects::default(); body.len()];
        for value in *from..*to {
            bindings.push((variable.clone(), value));
            let now: Vec<Effects> =
                body.iter().map(|statement| Effects::of(std::slice::from_ref(statement), bindings)).collect();
            bindings.pop();
            for &(a, b) in pairs {
                if a == b {
                    self.carried[a] |= before[a].writes.meets(&now[a].reads);
                } else {
                    self.edges[a][b] |= conflict(&before[a], &now[b]) || (a < b && conflict(&now[a], &now[b]));
                }
            }
            for (all, new) in before.iter_mut().zip(&now) {
                all.reads.merge(&new.reads);
                all.writes.merge(&new.writes);
            }
        }
    }
}

fn conflict(first: &Effects, second: &Effects) -> bool {
    first.writes.meets(&second.reads) || first.reads.meets(&second.writes) || first.writes.meets(&second.writes)
}
