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
            // Digits of an address above the stage are the label's from the stage on; the others don't matter.
            let subtree = if stage == n - 1 { 0 } else { label / weight(k, stage) * weight(k, stage + 1) };
            wiring.places[stage * a_stage + label] =
                Place { position: pack_address(&bases, subtree), stage: stage as u8 };
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
