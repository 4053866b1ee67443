//! Makes the index of a trace, statement by statement.

use super::index::{DependencyEntry, Id, MAX_DEPENDENCIES, MAX_OPERATIONS, OperationEntry};
use super::labels::{Early, Labels};
use super::matching::Kinds;
use super::parse::{Action, Operation, Statement, Until};
use crate::format::fields::shown;
use crate::format::paged::PagedFile;
use anyhow::{Result, bail, ensure};

/// Where the operations of a rank are: one behind the other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    pub first: Id,
    pub operations: u32,
    /// Line in which the block begins; 0 if there is none.
    pub line: u64,
}

/// The index as it grows.
pub(super) struct Maker {
    operations: PagedFile,
    dependencies: PagedFile,
    pub ranks: u32,
    /// Rank by rank.
    pub spans: Vec<Span>,
    /// What the receives of the trace name.
    pub kinds: Kinds,
    /// Operations so far.
    pub count: u32,
    dependency_count: u32,
    rank: u32,
    labels: Labels,
    /// The line of an error that is not in the current one.
    pub blamed: Option<u64>,
}

impl Maker {
    pub fn new(operations: PagedFile, dependencies: PagedFile) -> Result<Maker> {
        Ok(Maker {
            operations,
            dependencies,
            ranks: 0,
            spans: Vec::new(),
            kinds: Kinds::default(),
            count: 0,
            dependency_count: 0,
            rank: 0,
            labels: Labels::new()?,
            blamed: None,
        })
    }

    /// Takes a statement of this line.
    pub fn add(&mut self, statement: Statement, line: u64) -> Result<()> {
        match statement {
            Statement::Ranks(ranks) => {
                self.ranks = ranks;
                self.spans = vec![Span::default(); ranks as usize];
                Ok(())
            }
            Statement::Rank(rank) => {
                let span = &mut self.spans[rank as usize];
                ensure!(span.line == 0, "field `rank` is `{rank}` as in line {}, expected each rank once", span.line);
                *span = Span { first: self.count, operations: 0, line };
                self.rank = rank;
                Ok(())
            }
            Statement::Operation { label, operation } => self.add_operation(label, operation, line),
            Statement::Dependency { dependent, until, required } => {
                self.add_dependency(dependent, until, required, line)
            }
            Statement::End => self.end_block(),
        }
    }

    /// Checks that all is there and writes all to the files.
    pub fn finish(&mut self) -> Result<()> {
        if let Some(missing) = self.spans.iter().position(|span| span.line == 0) {
            bail!("rank {missing} has no block, expected one for each of the {} ranks", self.ranks);
        }
        self.operations.flush()?;
        self.dependencies.flush()
    }

    fn add_operation(&mut self, label: Option<&str>, operation: Operation, line: u64) -> Result<()> {
        let id = self.count;
        ensure!(id < MAX_OPERATIONS, "one more operation, expected at most {MAX_OPERATIONS}");
        if let Some(label) = label
            && let Some(other) = self.labels.define(label, id, line)
        {
            let rank = self.rank;
            bail!("field `label` is {} as in line {other}, expected a new one in rank {rank}", shown(label));
        }
        if let Action::Receive { from, tag, .. } = operation.action {
            self.kinds.note(from, tag);
        }
        OperationEntry::new(line, self.rank, operation).write(&mut self.operations, id)?;
        self.count += 1;
        self.spans[self.rank as usize].operations += 1;
        Ok(())
    }

    fn add_dependency(&mut self, dependent: &str, until: Until, required: &str, line: u64) -> Result<()> {
        let (dependent, required) = (self.labels.place(dependent), self.labels.place(required));
        match (self.labels.operation(dependent), self.labels.operation(required)) {
            (Some(dependent), Some(required)) => self.link(dependent, until, required),
            _ => self.labels.keep(&Early { line, until, dependent, required }),
        }
    }

    /// Links the dependencies that could not be before.
    fn end_block(&mut self) -> Result<()> {
        for number in 0..self.labels.kept() {
            let Early { line, until, dependent, required } = self.labels.early(number)?;
            match (self.labels.operation(dependent), self.labels.operation(required)) {
                (Some(dependent), Some(required)) => self.link(dependent, until, required)?,
                (dependent_known, _) => {
                    let (field, place) = match (dependent_known, until) {
                        (None, _) => ("label", dependent),
                        (_, Until::Finished) => ("requires", required),
                        (_, Until::Started) => ("irequires", required),
                    };
                    self.blamed = Some(line);
                    let text = shown(self.labels.text(place));
                    bail!("field `{field}` is {text}, expected the label of an operation of rank {}", self.rank);
                }
            }
        }
        self.labels.clear();
        Ok(())
    }

    fn link(&mut self, dependent: Id, until: Until, required: Id) -> Result<()> {
        let number = self.dependency_count;
        ensure!(number < MAX_DEPENDENCIES, "one more dependency, expected at most {MAX_DEPENDENCIES}");
        self.dependency_count += 1;
        let mut waits = OperationEntry::read(&mut self.operations, dependent)?;
        let next_requirement = waits.first_requirement.replace(number);
        waits.requirements += 1;
        waits.write(&mut self.operations, dependent)?;
        let mut goes_first = OperationEntry::read(&mut self.operations, required)?;
        let chain = match until {
            Until::Finished => &mut goes_first.after_finishing,
            Until::Started => &mut goes_first.after_starting,
        };
        let next_dependent = chain.replace(number);
        goes_first.write(&mut self.operations, required)?;
        DependencyEntry { dependent, required, until, next_dependent, next_requirement }
            .write(&mut self.dependencies, number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_limits() {
        let mut maker = Maker::new(PagedFile::temporary().unwrap(), PagedFile::temporary().unwrap()).unwrap();
        let add = |maker: &mut Maker, label| {
            let operation = Operation { action: Action::Calculate { nanoseconds: 1 }, cpu: 0 };
            maker.add(Statement::Operation { label: Some(label), operation }, 3).map_err(|error| error.to_string())
        };
        maker.add(Statement::Ranks(1), 1).unwrap();
        maker.add(Statement::Rank(0), 2).unwrap();
        add(&mut maker, "a").unwrap();
        maker.count = MAX_OPERATIONS - 1;
        add(&mut maker, "b").unwrap();
        assert_eq!(add(&mut maker, "c"), Err("one more operation, expected at most 2147483648".into()));
        let link = Statement::Dependency { dependent: "b", until: Until::Started, required: "a" };
        maker.dependency_count = MAX_DEPENDENCIES - 1;
        maker.add(link, 4).unwrap();
        let error = maker.add(link, 5).unwrap_err().to_string();
        assert_eq!(error, "one more dependency, expected at most 4294967294");
    }
}
