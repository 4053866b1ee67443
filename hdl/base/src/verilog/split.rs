//! From one sequential kernel to parallel pieces: `assign` where a signal is simply given a value, `always @*` where the order matters.

use super::effects::signals_of;
use super::ir::{SignalId, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// Statements that must stay together, in program order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Process {
    /// Assignments to different bits, each of which could stand alone.
    Assigns(Vec<Stmt>),
    Always(Vec<Stmt>),
}

impl Process {
    pub(crate) fn statements(&self) -> &[Stmt] {
        match self {
            Process::Assigns(statements) | Process::Always(statements) => statements,
        }
    }
}

/// Splits `block`.
///
/// Two statements stay together if they write one signal, or if one reads a signal that the other writes later: there the order of
/// execution matters. A signal that is complete when it is read can be read from anywhere.
pub(crate) fn split(block: Vec<Stmt>) -> Vec<Process> {
    let effects: Vec<(BTreeSet<SignalId>, BTreeSet<SignalId>)> =
        block.iter().map(|statement| signals_of(std::slice::from_ref(statement))).collect();
    let mut writers: BTreeMap<SignalId, Vec<usize>> = BTreeMap::new();
    for (position, (writes, _)) in effects.iter().enumerate() {
        for signal in writes {
            writers.entry(*signal).or_default().push(position);
        }
    }
    let mut groups = Groups { parent: (0..block.len()).collect() };
    for positions in writers.values() {
        for &position in positions {
            groups.join(positions[0], position);
        }
    }
    for (position, (_, reads)) in effects.iter().enumerate() {
        for signal in reads {
            if let Some(positions) = writers.get(signal)
                && positions.iter().any(|&writer| writer >= position)
            {
                groups.join(positions[0], position);
            }
        }
    }
    while let Some((first, second)) = groups.find_cycle(&effects, &writers) {
        groups.join(first, second);
    }
    let mut processes: BTreeMap<usize, Vec<Stmt>> = BTreeMap::new();
    for (position, statement) in block.into_iter().enumerate() {
        processes.entry(groups.of(position)).or_default().push(statement);
    }
    processes.into_values().map(classify).collect()
}

fn classify(statements: Vec<Stmt>) -> Process {
    let (writes, reads) = signals_of(&statements);
    let mut ranges: Vec<(SignalId, i128, i128)> = vec![];
    for statement in &statements {
        let Stmt::Assign(place, _) = statement else {
            return Process::Always(statements);
        };
        let Some(start) = place.start.constant() else {
            return Process::Always(statements);
        };
        ranges.push((place.signal, start, start + place.width as i128));
    }
    ranges.sort();
    let overlap = ranges.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].2 > pair[1].1);
    match overlap || !writes.is_disjoint(&reads) {
        true => Process::Always(statements),
        false => Process::Assigns(statements),
    }
}

/// Sets of statements; the representative of a set is its first statement.
struct Groups {
    parent: Vec<usize>,
}

impl Groups {
    fn of(&self, mut position: usize) -> usize {
        while self.parent[position] != position {
            position = self.parent[position];
        }
        position
    }

    fn join(&mut self, first: usize, second: usize) {
        let (first, second) = (self.of(first), self.of(second));
        self.parent[first.max(second)] = first.min(second);
    }

    /// Two groups of which each needs a value of the other, directly or through further groups.
    ///
    /// As separate blocks they would be a combinational loop in the eyes of a tool, though no bit depends on itself.
    fn find_cycle(
        &self,
        effects: &[(BTreeSet<SignalId>, BTreeSet<SignalId>)],
        writers: &BTreeMap<SignalId, Vec<usize>>,
    ) -> Option<(usize, usize)> {
        let mut needs: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (position, (_, reads)) in effects.iter().enumerate() {
            let group = self.of(position);
            for signal in reads {
                if let Some(positions) = writers.get(signal) {
                    let source = self.of(positions[0]);
                    if source != group {
                        needs.entry(group).or_default().insert(source);
                    }
                }
            }
        }
        for &start in needs.keys() {
            let mut reached: BTreeSet<usize> = BTreeSet::new();
            let mut open = vec![start];
            while let Some(group) = open.pop() {
                for &source in needs.get(&group).into_iter().flatten() {
                    if source == start {
                        return Some((start, group));
                    }
                    if reached.insert(source) {
                        open.push(source);
                    }
                }
            }
        }
        None
    }
}

/// The signals that processes write, and whether an `always` block does: decides between `wire` and `reg`.
pub(crate) fn written_by_always(processes: &[Process]) -> BTreeMap<SignalId, bool> {
    let mut kinds = BTreeMap::new();
    for process in processes {
        let (writes, _) = signals_of(process.statements());
        for signal in writes {
            kinds.insert(signal, matches!(process, Process::Always(_)));
        }
    }
    kinds
}
