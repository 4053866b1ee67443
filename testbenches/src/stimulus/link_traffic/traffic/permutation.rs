//! Every input has one destination, and as far as the network allows no two share an output port.

use super::{Traffic, any, destinations};
use crate::expected_routing::ExpectedRouting;
use crate::random::Random;

pub(super) struct Permutation {
    destination: Vec<Option<u16>>,
}

impl Permutation {
    pub(super) fn new(routing: &ExpectedRouting, random: &mut Random) -> Self {
        let all = destinations(routing);
        // Destinations by output port, for each input; one of each will do.
        let ways: Vec<Vec<(usize, u16)>> = (all.iter().enumerate())
            .map(|(input, all)| {
                let mut ways: Vec<(usize, u16)> = vec![];
                for port in 0..routing.ports() {
                    let leads: Vec<u16> = all
                        .iter()
                        .copied()
                        .filter(|&one| routing.usual_route(one).is_some_and(|route| route.ports() >> port & 1 == 1))
                        .collect();
                    // No port sends to itself where it need not.
                    if let Some(destination) = any(&leads, random).filter(|_| port != input) {
                        ways.push((port, destination));
                    }
                }
                shuffle(&mut ways, random);
                ways
            })
            .collect();
        let mut inputs: Vec<usize> = (0..routing.ports()).collect();
        shuffle(&mut inputs, random);
        let mut taker = vec![None; routing.ports()];
        for &input in &inputs {
            claim(input, &ways, &mut taker, &mut vec![false; routing.ports()]);
        }
        let mut destination: Vec<Option<u16>> = all.iter().map(|all| any(all, random)).collect();
        for (port, input) in taker.into_iter().enumerate() {
            if let Some(input) = input {
                let way = ways[input].iter().find(|way| way.0 == port).expect("it took this way");
                destination[input] = Some(way.1);
            }
        }
        Permutation { destination }
    }
}

/// Finds a port for the input; another input moves to another port for it if need be (augmenting paths).
fn claim(input: usize, ways: &[Vec<(usize, u16)>], taker: &mut [Option<usize>], tried: &mut [bool]) -> bool {
    for &(port, _) in &ways[input] {
        if std::mem::replace(&mut tried[port], true) {
            continue;
        }
        if taker[port].is_none_or(|other| claim(other, ways, taker, tried)) {
            taker[port] = Some(input);
            return true;
        }
    }
    false
}

fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for last in (1..items.len()).rev() {
        items.swap(last, random.below(last as u64 + 1) as usize);
    }
}

impl Traffic for Permutation {
    fn destination(&mut self, input: usize, _random: &mut Random) -> Option<u16> {
        self.destination[input]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::presets;

    #[test]
    fn a_permutation_of_a_star_is_a_derangement() {
        let routing = ExpectedRouting::new(&presets::by_name("star-16").unwrap(), 0, 0).unwrap();
        for seed in 0..20 {
            let mut random = Random::new(seed);
            let mut traffic = Permutation::new(&routing, &mut random);
            let ports: Vec<u16> = (0..16).map(|input| traffic.destination(input, &mut random).unwrap()).collect();
            assert!(ports.iter().enumerate().all(|(input, &port)| input != usize::from(port)));
            assert_eq!(ports.iter().fold(0, |seen, port| seen | 1 << port), 0xffff);
        }
    }
}
