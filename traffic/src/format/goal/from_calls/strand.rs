//! What goes on step by step: a rank's own calls, or a collective beside them.

use super::super::write::{After, Cpu, Operation, Writer};
use anyhow::Result;

/// So many operations that one waits for are joined by a `calc 0` first, so that the next ones wait for that alone.
const MANY: usize = 16;
/// So many that nobody waits for yet are joined, so that they take no more memory.
const TOO_MANY: usize = 1024;

/// What the next operation of a strand needs finished.
#[derive(Clone)]
pub(super) struct Strand {
    pub cpu: Cpu,
    needed: Vec<Operation>,
    /// Changes with what is needed.
    version: u64,
}

/// An operation, and when its strand began it.
#[derive(Clone, Copy)]
pub(super) struct Begun {
    pub operation: Operation,
    version: u64,
}

impl Strand {
    pub fn new(cpu: impl Into<Cpu>) -> Strand {
        Strand { cpu: cpu.into(), needed: Vec::new(), version: 0 }
    }

    /// A strand that begins where this one is.
    pub fn fork(&self, cpu: Cpu) -> Strand {
        Strand { cpu, ..self.clone() }
    }

    /// Writes an operation behind all that is needed.
    pub fn begin(
        &mut self,
        writer: &mut Writer,
        write: impl FnOnce(&mut Writer, After) -> Result<Operation>,
    ) -> Result<Begun> {
        if self.needed.len() > MANY {
            join(writer, self.cpu, &mut self.needed)?;
        }
        let after = After { finished: &self.needed, started: &[] };
        Ok(Begun { operation: write(writer, after)?, version: self.version })
    }

    /// From now on an operation is needed, too. If nothing was added since it began, it stands for all that is.
    pub fn wait(&mut self, writer: &mut Writer, begun: Begun) -> Result<()> {
        if begun.version == self.version {
            self.needed.clear();
        }
        self.wait_for(writer, [begun.operation])
    }

    /// From now on these are needed, too.
    pub fn wait_for(&mut self, writer: &mut Writer, operations: impl IntoIterator<Item = Operation>) -> Result<()> {
        self.version += 1;
        for operation in operations {
            push(writer, self.cpu, &mut self.needed, operation)?;
        }
        Ok(())
    }

    /// The rank computes.
    pub fn compute(&mut self, writer: &mut Writer, nanoseconds: u64) -> Result<()> {
        if nanoseconds == 0 {
            return Ok(());
        }
        let cpu = self.cpu;
        let calc = self.begin(writer, |writer, after| writer.calc(cpu, nanoseconds, after))?;
        self.wait(writer, calc)
    }

    /// All that is needed.
    pub fn into_needed(self) -> Vec<Operation> {
        self.needed
    }
}

/// Adds an operation to a list that others will wait for.
pub(super) fn push(writer: &mut Writer, cpu: Cpu, list: &mut Vec<Operation>, operation: Operation) -> Result<()> {
    list.push(operation);
    if list.len() >= TOO_MANY { join(writer, cpu, list) } else { Ok(()) }
}

/// Puts one operation in the place of several: it finishes when they have.
fn join(writer: &mut Writer, cpu: Cpu, list: &mut Vec<Operation>) -> Result<()> {
    let joined = writer.calc(cpu, 0, After { finished: list, started: &[] })?;
    list.clear();
    list.push(joined);
    Ok(())
}
