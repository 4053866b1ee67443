//! The watchdog: a deadlock is told from saturation, and shown.
//!
//! A packet that holds an output port is on its way: in virtual cut-through there is room for all of it, and a sleeping port wakes. A
//! packet at the head of a VC that has no port waits for one of several (port, VC) pairs. It will get one unless each of them has no room
//! *and* the VC at its other end has at its head a packet that will get none either. The largest set of packets of which that holds for all
//! is deadlocked; if there is no such packet, whatever is slow is only saturated.

use super::Network;
use super::model::SwitchModel;
use super::node::NodeModel;
use powar_config::topology::unpack_address;
use powar_config::topology::wiring::End;
use std::collections::HashMap;

/// A VC of an input port.
type Channel = (u32, u8, u8);

/// A packet that waits for one of several things.
#[derive(Clone, Debug)]
struct Waiter<K> {
    at: K,
    /// What each of its alternatives waits for in turn; `None`: for nothing, or for something that is sure to come.
    alternatives: Vec<Option<K>>,
}

/// The members of the largest set of which each waits for others of the set only, as places in the list.
fn deadlocked<K: std::hash::Hash + Eq + Copy>(waiters: &[Waiter<K>]) -> Vec<usize> {
    let place: HashMap<K, usize> = waiters.iter().enumerate().map(|(i, waiter)| (waiter.at, i)).collect();
    let mut stuck = vec![true; waiters.len()];
    loop {
        let moves = |waiter: &Waiter<K>| {
            let for_sure = |what: &Option<K>| what.and_then(|at| place.get(&at)).is_none_or(|&i| !stuck[i]);
            waiter.alternatives.iter().any(for_sure)
        };
        let freed: Vec<usize> = (0..waiters.len()).filter(|&i| stuck[i] && moves(&waiters[i])).collect();
        if freed.is_empty() {
            return (0..waiters.len()).filter(|&i| stuck[i]).collect();
        }
        freed.into_iter().for_each(|i| stuck[i] = false);
    }
}

/// A cycle among the deadlocked: each waits for the next, the last for the first.
fn cycle<K: std::hash::Hash + Eq + Copy>(waiters: &[Waiter<K>], stuck: &[usize]) -> Vec<usize> {
    let place: HashMap<K, usize> = stuck.iter().map(|&i| (waiters[i].at, i)).collect();
    let mut path: Vec<usize> = Vec::new();
    let mut next = stuck.first().copied();
    while let Some(i) = next {
        if let Some(begin) = path.iter().position(|&before| before == i) {
            return path.split_off(begin);
        }
        path.push(i);
        next = waiters[i].alternatives.iter().flatten().find_map(|at| place.get(at).copied());
    }
    path
}

/// Most packets of a cycle that are named.
const MOST_NAMED: usize = 12;

impl<S: SwitchModel, N: NodeModel> Network<S, N> {
    /// What is at the other end of a bundle's port.
    fn end(&self, (bundle, port): (u32, u8)) -> End {
        self.ends[bundle as usize * self.bundles.ports() + usize::from(port)]
    }

    /// The packets that wait for each other in a circle, if there are any: how many are deadlocked, and a cycle of them.
    ///
    /// This looks at all waiting packets, whether others move or not.
    pub fn deadlock(&self) -> Option<String> {
        let mut waiters: Vec<Waiter<Channel>> = Vec::new();
        let mut wanted = Vec::new();
        let mut destinations = Vec::new();
        for (number, switch) in self.switches.iter().enumerate() {
            for packet in switch.golden().waiting() {
                let of_want = |want: &crate::fast::switch::Want| match self.end((number as u32, want.port)) {
                    End::Switch { switch, port } => {
                        let golden = self.switches[switch as usize].golden();
                        let coming = self.regions.of(number as u32).has_credits((number as u32, want.port), want.vc)
                            || self.regions.of(switch).has_train((switch, port), want.vc)
                            || self.switches[number].golden().gets_credits(want.port, want.vc, self.now)
                            || golden.gets_flits(port, want.vc, self.now);
                        (!want.room && !coming).then_some((switch, port, want.vc))
                    }
                    _ => None,
                };
                waiters.push(Waiter {
                    at: (number as u32, packet.port, packet.vc),
                    alternatives: packet.wants.iter().map(of_want).collect(),
                });
                wanted.push(packet.wants);
                destinations.push(packet.destination);
            }
        }
        let stuck = deadlocked(&waiters);
        if stuck.is_empty() {
            return None;
        }
        let config = &self.parameters.config;
        let bases = config.topology.as_ref().map(|topology| topology.bases(config.ports)).unwrap_or_default();
        let circle = cycle(&waiters, &stuck);
        let mut text = format!("{} packets are deadlocked", stuck.len());
        for (i, &one) in circle.iter().take(MOST_NAMED).enumerate() {
            let (bundle, port, vc) = waiters[one].at;
            let (switch, port) = self.bundles.outside((bundle, port));
            let (next, next_port, _) = waiters[circle[(i + 1) % circle.len()]].at;
            let (next, _) = self.bundles.outside((next, next_port));
            let leads_there = |want: &&crate::fast::switch::Want| match self.end((bundle, want.port)) {
                End::Switch { switch, port } => self.bundles.outside((switch, port)).0 == next,
                _ => false,
            };
            let by = wanted[one].iter().find(leads_there);
            let by = by.map_or(String::new(), |want| {
                let (_, port) = self.bundles.outside((bundle, want.port));
                format!(" by port {port}, VC {}", want.vc)
            });
            let node = unpack_address(&bases, destinations[one]).unwrap_or_default();
            text += &format!(
                "; the one to node {node} in switch {switch}, port {port}, VC {vc} waits for room in switch {next}{by}"
            );
        }
        if circle.len() > MOST_NAMED {
            text += &format!("; and so on, {} in a circle", circle.len());
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiter(at: u32, alternatives: &[Option<u32>]) -> Waiter<u32> {
        Waiter { at, alternatives: alternatives.to_vec() }
    }

    #[test]
    fn a_ring_of_packets_is_a_deadlock() {
        let ring: Vec<Waiter<u32>> = (0..4).map(|i| waiter(i, &[Some((i + 1) % 4)])).collect();
        assert_eq!(deadlocked(&ring), [0, 1, 2, 3]);
        assert_eq!(cycle(&ring, &[0, 1, 2, 3]), [0, 1, 2, 3]);
    }

    #[test]
    fn one_way_out_resolves_a_ring() {
        let mut ring: Vec<Waiter<u32>> = (0..4).map(|i| waiter(i, &[Some((i + 1) % 4)])).collect();
        ring[2].alternatives.push(None);
        assert!(deadlocked(&ring).is_empty());
        // A way out that leads to the head of another queue is one if that queue moves.
        ring[2].alternatives = vec![Some(3), Some(9)];
        assert!(deadlocked(&ring).is_empty());
        ring.push(waiter(9, &[None]));
        assert!(deadlocked(&ring).is_empty());
    }

    #[test]
    fn alternatives_that_are_all_stuck_are_none() {
        // 0 and 1 wait for each other; 2 may wait for either; 3 for 2 or for something that moves.
        let waiters = [
            waiter(0, &[Some(1)]),
            waiter(1, &[Some(0), Some(2)]),
            waiter(2, &[Some(0), Some(1)]),
            waiter(3, &[Some(2), None]),
        ];
        assert_eq!(deadlocked(&waiters), [0, 1, 2]);
        let circle = cycle(&waiters, &[0, 1, 2]);
        assert_eq!(circle, [0, 1]);
    }
}
