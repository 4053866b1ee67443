//! How long the tasks of a trace have computed, for formats whose traces are graphs.

/// The time each task computes.
///
/// A trace does not say so: it gives the time between an event and what follows from it, and a task computes while such a
/// time of one of its lines, or of several at once, runs. Before a line with a time of its own it computes from whatever
/// it has done last; that is known only when the line begins.
pub struct Tasks(Vec<Task>);

#[derive(Clone, Copy, Default)]
struct Task {
    /// Cycles it computes up to `until`, and possibly beyond: what is left of the current times is counted.
    cycles: u64,
    /// End of the latest of its times.
    until: u64,
    /// Cycle in which it has sent something or entered or gone on in a collective last.
    acted: u64,
}

impl Task {
    /// It computes from one cycle to another; calls come in the order of `from`.
    fn add(&mut self, from: u64, to: u64) {
        self.cycles += to.saturating_sub(from.max(self.until));
        self.until = self.until.max(to);
    }
}

impl Tasks {
    pub fn new(tasks: u32) -> Tasks {
        Tasks(vec![Task::default(); tasks as usize])
    }

    /// The time of a line runs.
    pub fn computes(&mut self, task: u32, from: u64, to: u64) {
        self.0[task as usize].add(from, to);
    }

    /// The time of its own of a line has come.
    pub fn has_computed_until(&mut self, task: u32, cycle: u64) {
        let task = &mut self.0[task as usize];
        task.add(task.acted, cycle);
    }

    /// A task does something.
    pub fn acts(&mut self, task: u32, now: u64) {
        self.0[task as usize].acted = now;
    }

    /// Cycles up to `now`, which is not before its last call, in which `task` has computed.
    pub fn computed(&self, task: u32, now: u64) -> u64 {
        let Task { cycles, until, .. } = self.0[task as usize];
        cycles.saturating_sub(until.saturating_sub(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_overlap_count_once() {
        let mut tasks = Tasks::new(2);
        tasks.has_computed_until(1, 10);
        tasks.acts(1, 10);
        // Two times side by side, then one behind a wait.
        tasks.computes(1, 20, 50);
        tasks.computes(1, 30, 40);
        assert_eq!([20, 25, 35, 50, 60].map(|now| tasks.computed(1, now)), [10, 15, 25, 40, 40]);
        tasks.acts(1, 50);
        tasks.computes(1, 70, 80);
        assert_eq!([75, 80, 100].map(|now| tasks.computed(1, now)), [45, 50, 50]);
        // What happens at a time of its own is computed for since the task has acted last.
        tasks.has_computed_until(1, 100);
        assert_eq!(tasks.computed(1, 100), 70);
        assert_eq!(tasks.computed(0, 100), 0);
    }
}
