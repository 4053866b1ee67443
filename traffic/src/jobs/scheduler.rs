//! Which job runs next, and on which nodes: the oblivious scheduler of Andújar et al. (FGCS 2023, section 3.3).

use crate::synthetic::random::Random;
use std::collections::BTreeSet;

/// Jobs that wait, and nodes that are free.
///
/// It looks at nothing but the number of free cores. A node is one job's alone: cores that a job leaves over on its last node are not
/// free.
#[derive(Clone, Debug)]
pub(super) struct Scheduler {
    tasks_per_node: u32,
    free: BTreeSet<u32>,
    /// Number and tasks of the jobs that were not placed yet, in the order of the mix.
    waiting: Vec<(usize, u32)>,
    random: Random,
}

impl Scheduler {
    /// All nodes are free, and jobs of so many tasks each wait.
    pub fn new(nodes: u32, tasks_per_node: u32, tasks: &[u32], seed: u64) -> Scheduler {
        Scheduler {
            tasks_per_node,
            free: (0..nodes).collect(),
            waiting: tasks.iter().copied().enumerate().collect(),
            random: Random::new(seed, 0),
        }
    }

    /// Draws one of the waiting jobs whose tasks fit the free cores, each with the same probability, and gives it the first free nodes.
    /// None if no job fits.
    pub fn place(&mut self) -> Option<(usize, Vec<u32>)> {
        let cores = self.free.len() as u64 * u64::from(self.tasks_per_node);
        let fits = |&(_, (_, tasks)): &(usize, &(usize, u32))| u64::from(*tasks) <= cores;
        let eligible: Vec<usize> = self.waiting.iter().enumerate().filter(fits).map(|(place, _)| place).collect();
        if eligible.is_empty() {
            return None;
        }
        let place = eligible[self.random.below(eligible.len() as u32) as usize];
        let (job, tasks) = self.waiting.remove(place);
        let nodes = tasks.div_ceil(self.tasks_per_node);
        Some((job, (0..nodes).map_while(|_| self.free.pop_first()).collect()))
    }

    /// These nodes are free again.
    pub fn release(&mut self, nodes: &[u32]) {
        self.free.extend(nodes);
    }

    /// The jobs that wait.
    pub fn waiting(&self) -> impl Iterator<Item = usize> + '_ {
        self.waiting.iter().map(|(job, _)| *job)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that can be placed now.
    fn placed(scheduler: &mut Scheduler) -> Vec<(usize, Vec<u32>)> {
        std::iter::from_fn(|| scheduler.place()).collect()
    }

    #[test]
    fn a_job_fits_if_it_has_as_many_tasks_as_there_are_free_cores() {
        // Equal, one more; cores of a node begun are not free.
        assert_eq!(placed(&mut Scheduler::new(4, 8, &[32], 1)), [(0, vec![0, 1, 2, 3])]);
        assert!(placed(&mut Scheduler::new(4, 8, &[33], 1)).is_empty());
        let mut scheduler = Scheduler::new(2, 8, &[9, 1], 1);
        assert_eq!(placed(&mut scheduler).len(), 1);
        assert_eq!(scheduler.waiting().count(), 1);
    }

    #[test]
    fn a_job_gets_the_first_free_nodes() {
        let mut scheduler = Scheduler::new(8, 2, &[4, 4, 4, 4], 3);
        let first = placed(&mut scheduler);
        let nodes: Vec<_> = first.iter().map(|(_, nodes)| nodes.clone()).collect();
        assert_eq!(nodes, [[0, 1], [2, 3], [4, 5], [6, 7]]);
        scheduler.waiting.push((4, 8));
        scheduler.release(&first[3].1);
        assert!(scheduler.place().is_none(), "two nodes are free, four are needed");
        scheduler.release(&first[1].1);
        assert_eq!(scheduler.place(), Some((4, vec![2, 3, 6, 7])));
    }

    #[test]
    fn of_those_that_fit_each_is_drawn_as_often() {
        let mut drawn = [0; 4];
        for seed in 0..3000 {
            let (job, _) = Scheduler::new(2, 8, &[16, 17, 8, 1], seed).place().unwrap();
            drawn[job] += 1;
        }
        assert_eq!(drawn[1], 0, "17 tasks don't fit 16 cores");
        for job in [0, 2, 3] {
            // 1000 in the mean, with a standard deviation of 26.
            assert!((900..1100).contains(&drawn[job]), "{drawn:?}");
        }
    }

    #[test]
    fn a_seed_decides_the_order() {
        let order = |seed| {
            let mut scheduler = Scheduler::new(10, 1, &[1; 10], seed);
            placed(&mut scheduler).into_iter().map(|(job, _)| job).collect::<Vec<_>>()
        };
        assert_eq!(order(7), order(7));
        assert_ne!(order(7), order(8));
        let mut sorted = order(7);
        assert_ne!(sorted, (0..10).collect::<Vec<_>>(), "not the order of the mix");
        sorted.sort_unstable();
        assert_eq!(sorted, (0..10).collect::<Vec<_>>(), "each once");
    }
}
