//! Which job runs next, and on which nodes: the oblivious scheduler of Andújar et al. (FGCS 2023, section 3.3).

use crate::synthetic::random::Random;
use std::collections::BTreeSet;

/// Jobs that wait, and nodes that are free.
///
/// It looks at nothing but which nodes are free. A node is one job's alone: cores that a job leaves over on its last node are not free.
#[derive(Clone, Debug)]
pub(super) struct Scheduler {
    free: BTreeSet<u32>,
    /// Number and wish of the jobs that were not placed yet, in the order of the mix.
    waiting: Vec<(usize, Want)>,
    random: Random,
}

/// Nodes that a job wants.
#[derive(Clone, Debug)]
pub(super) enum Want {
    /// So many, whichever.
    Any(u32),
    /// These, in this order.
    These(Vec<u32>),
}

impl Scheduler {
    /// All nodes are free, and jobs that want these wait.
    pub fn new(nodes: u32, wants: impl IntoIterator<Item = Want>, seed: u64) -> Scheduler {
        Scheduler {
            free: (0..nodes).collect(),
            waiting: wants.into_iter().enumerate().collect(),
            random: Random::new(seed, 0),
        }
    }

    /// Draws one of the waiting jobs whose nodes are free, each with the same probability, and gives it the first free ones, or those that it wants.
    /// None if no job fits.
    pub fn place(&mut self) -> Option<(usize, Vec<u32>)> {
        let fits = |want: &Want| match want {
            Want::Any(nodes) => *nodes as usize <= self.free.len(),
            Want::These(nodes) => nodes.iter().all(|node| self.free.contains(node)),
        };
        let eligible: Vec<usize> =
            self.waiting.iter().enumerate().filter(|(_, (_, want))| fits(want)).map(|(place, _)| place).collect();
        if eligible.is_empty() {
            return None;
        }
        let place = eligible[self.random.below(eligible.len() as u32) as usize];
        let (job, want) = self.waiting.remove(place);
        let nodes = match want {
            Want::Any(nodes) => (0..nodes).map_while(|_| self.free.pop_first()).collect(),
            Want::These(nodes) => {
                self.free.retain(|node| !nodes.contains(node));
                nodes
            }
        };
        Some((job, nodes))
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

    /// Jobs of so many tasks each, of which a node takes `tasks_per_node`.
    fn of_tasks(nodes: u32, tasks_per_node: u32, tasks: &[u32], seed: u64) -> Scheduler {
        Scheduler::new(nodes, tasks.iter().map(|tasks| Want::Any(tasks.div_ceil(tasks_per_node))), seed)
    }

    /// Everything that can be placed now.
    fn placed(scheduler: &mut Scheduler) -> Vec<(usize, Vec<u32>)> {
        std::iter::from_fn(|| scheduler.place()).collect()
    }

    #[test]
    fn a_job_fits_if_it_has_as_many_tasks_as_there_are_free_cores() {
        // Equal, one more; cores of a node begun are not free.
        assert_eq!(placed(&mut of_tasks(4, 8, &[32], 1)), [(0, vec![0, 1, 2, 3])]);
        assert!(placed(&mut of_tasks(4, 8, &[33], 1)).is_empty());
        let mut scheduler = of_tasks(2, 8, &[9, 1], 1);
        assert_eq!(placed(&mut scheduler).len(), 1);
        assert_eq!(scheduler.waiting().count(), 1);
    }

    #[test]
    fn a_job_gets_the_first_free_nodes() {
        let mut scheduler = of_tasks(8, 2, &[4, 4, 4, 4], 3);
        let first = placed(&mut scheduler);
        let nodes: Vec<_> = first.iter().map(|(_, nodes)| nodes.clone()).collect();
        assert_eq!(nodes, [[0, 1], [2, 3], [4, 5], [6, 7]]);
        scheduler.waiting.push((4, Want::Any(4)));
        scheduler.release(&first[3].1);
        assert!(scheduler.place().is_none(), "two nodes are free, four are needed");
        scheduler.release(&first[1].1);
        assert_eq!(scheduler.place(), Some((4, vec![2, 3, 6, 7])));
    }

    #[test]
    fn a_job_that_wants_certain_nodes_waits_for_all_of_them() {
        let wants = [Want::These(vec![5, 2]), Want::These(vec![2, 3])];
        for seed in 0..20 {
            let mut scheduler = Scheduler::new(6, wants.clone(), seed);
            let first = placed(&mut scheduler);
            let (job, nodes) = &first[0];
            assert_eq!((first.len(), nodes), (1, &[vec![5, 2], vec![2, 3]][*job]));
            scheduler.release(&[5]);
            assert!(scheduler.place().is_none());
            scheduler.release(nodes);
            assert_eq!(placed(&mut scheduler).len(), 1, "the other");
        }
        let mut others = Scheduler::new(6, [Want::These(vec![0, 4]), Want::Any(4)], 1);
        let mut nodes: Vec<u32> = placed(&mut others).into_iter().flat_map(|(_, nodes)| nodes).collect();
        nodes.sort_unstable();
        assert!(nodes.len() >= 2 && nodes.windows(2).all(|pair| pair[0] < pair[1]), "{nodes:?}");
    }

    #[test]
    fn of_those_that_fit_each_is_drawn_as_often() {
        let mut drawn = [0; 4];
        for seed in 0..3000 {
            let (job, _) = of_tasks(2, 8, &[16, 17, 8, 1], seed).place().unwrap();
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
            let mut scheduler = of_tasks(10, 1, &[1; 10], seed);
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
