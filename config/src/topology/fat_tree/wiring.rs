//! k-ary n-trees (Petrini and Vanneschi 1997): k^n nodes, n stages of k^(n-1) switches, k ports down and k up.
//!
//! A switch of stage s has a label of n - 1 digits in base k. A node with digits p is at the leaf switch with label p[1..], at
//! port p[0]. Up-port u of a switch of stage s leads to the switch of stage s + 1 whose label has u in place of digit s, to the
//! down-port that is that digit. The digits of a label from s on are those of the subtree, those below tell its parallel switches
//! apart.
//!
//! With a folded root (Andújar et al. 2023) there are half as many roots, and all of their 2k ports go down: the roots of up-ports
//! 2i and 2i + 1 of the stage below become one. Its ports d and k + d both lead to subtree d.

use crate::topology::pack_address;
use crate::topology::wiring::{Place, Wiring, switches};
use anyhow::{Result, ensure};

pub(super) fn cables(k: usize, n: usize, folded: bool) -> Result<Wiring> {
    ensure!(
        !folded || (k.is_multiple_of(2) && n >= 2),
        "topology.folded: true needs an even k and n of 2 or more, not {k} and {n}"
    );
    let a_stage = switches(k.checked_pow(n as u32 - 1))?;
    let roots = if folded { a_stage / 2 } else { a_stage };
    let mut wiring =
        Wiring::open(switches((n - 1).checked_mul(a_stage).map(|below| below + roots))?, 2 * k, a_stage * k);
    for node in 0..a_stage * k {
        wiring.attach(node, node / k, node % k);
    }
    let bases = vec![k; n];
    for stage in 0..n {
        for label in 0..if stage == n - 1 { roots } else { a_stage } {
            // Digit i of a label is digit i + 1 of the position: routing compares those of the subtree with addresses.
            wiring.places[stage * a_stage + label] =
                Place { position: pack_address(&bases, label * k), stage: stage as u8 };
        }
    }
    for stage in 0..n - 1 {
        for label in 0..a_stage {
            let here = weight(k, stage);
            let digit = label / here % k;
            for up in 0..k {
                let mut above = label - digit * here + up * here;
                let mut down = digit;
                if folded && stage == n - 2 {
                    // Digit s is the top one of a label: what is below stays, and two of its values become one.
                    above = above % here + up / 2 * here;
                    down += up % 2 * k;
                }
                wiring.connect((stage * a_stage + label, k + up), ((stage + 1) * a_stage + above, down));
            }
        }
    }
    Ok(wiring)
}

/// What digit i of a label counts.
fn weight(k: usize, i: usize) -> usize {
    k.pow(i as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::wiring::End;
    use std::collections::BTreeSet;

    /// Switches with digits 1..=stage of the position 0: the Minimal Tree of Alonso et al. 2015, section 3.1.
    fn by_position(k: usize, n: usize, wiring: &Wiring) -> BTreeSet<usize> {
        let bits = crate::topology::digit_bits(k);
        let is_in_tree =
            |place: &Place| (1..=place.stage.into()).all(|i| place.position >> (i * bits) & ((1 << bits) - 1) == 0);
        let places = wiring.places.iter().enumerate();
        assert_eq!(wiring.places.len(), n * k.pow(n as u32 - 1));
        places.filter(|(_, place)| is_in_tree(place)).map(|(switch, _)| switch).collect()
    }

    /// Switches that leaf switches reach over up-ports 0 alone.
    fn by_walking(k: usize, wiring: &Wiring) -> BTreeSet<usize> {
        let mut tree: BTreeSet<usize> = wiring.nodes.iter().map(|links| links[0].0 as usize).collect();
        let mut rest: Vec<usize> = tree.iter().copied().collect();
        while let Some(switch) = rest.pop() {
            if let End::Switch { switch: above, .. } = wiring.ends[switch][k]
                && tree.insert(above as usize)
            {
                rest.push(above as usize);
            }
        }
        tree
    }

    #[test]
    fn positions_tell_the_switches_of_the_minimal_tree() {
        for (k, n) in [(1, 3), (2, 1), (2, 2), (2, 4), (3, 3), (4, 2), (4, 4), (5, 3), (8, 2)] {
            let wiring = cables(k, n, false).unwrap();
            let tree = by_position(k, n, &wiring);
            assert_eq!(tree, by_walking(k, &wiring), "{k}-ary {n}-tree");
            // Each stage has a switch for each of its subtrees (Table 1).
            assert_eq!(tree.len(), (0..n as u32).map(|stage| k.pow(n as u32 - 1 - stage)).sum::<usize>());
        }
    }

    /// Alonso et al. 2015, Table 1: the least share of links that is on. Both directions of every link below a switch of the tree count, those
    /// of nodes among them: 2k channels a switch.
    #[test]
    fn table_1_of_alonso() {
        let printed: [(usize, [&str; 5]); 4] = [
            (2, ["0.75000", "0.58333", "0.46875", "0.38750", "0.32813"]),
            (4, ["0.62500", "0.43750", "0.33203", "0.26641", "0.22217"]),
            (8, ["0.56250", "0.38021", "0.28564", "0.22856", "0.19048"]),
            (16, ["0.53125", "0.35547", "0.26666", "0.21333", "0.17778"]),
        ];
        let mut counted = 0;
        for (k, row) in printed {
            for (n, text) in (2..).zip(row) {
                let switches = n * k.pow(n as u32 - 1);
                let mut in_tree = (0..n as u32).map(|stage| k.pow(stage)).sum::<usize>();
                // Larger networks have addresses that are too long for the switch.
                if switches <= 10_000 {
                    let wiring = cables(k, n, false).unwrap();
                    let tree = by_position(k, n, &wiring);
                    let below =
                        |switch: usize| 2 * wiring.ends[switch][..k].iter().filter(|end| **end != End::Open).count();
                    let kept: usize = tree.iter().map(|&switch| below(switch)).sum();
                    assert_eq!((tree.len(), kept), (in_tree, 2 * k * in_tree), "{k}-ary {n}-tree");
                    assert_eq!((0..switches).map(below).sum::<usize>(), 2 * k * switches);
                    (in_tree, counted) = (tree.len(), counted + 1);
                }
                // As printed, 0.328125 is 0.32813.
                let least = (1e5 * in_tree as f64 / switches as f64 + 1e-6).round() / 1e5;
                assert_eq!(format!("{least:.5}"), text, "{k}-ary {n}-tree");
            }
        }
        assert_eq!(counted, 15);
    }
}
