//! What the ranks compute in all is the work of the program over the rate.

use super::calls::{entries, parse};
use powar_traffic::program::call::{Compute, Entry};

/// Time that all ranks compute, s.
fn computed(text: &str) -> f64 {
    let source = parse(text);
    let entries = (0..source.ranks()).flat_map(|rank| entries(&*source, rank));
    let times = entries.map(|entry| match entry {
        Entry::Call { compute: Compute::Modelled(ps), .. } => ps as f64 * 1e-12,
        Entry::Call { compute, .. } => panic!("{compute:?}"),
        Entry::Communicator { .. } => 0.0,
    });
    times.sum()
}

fn close(text: &str, work: f64, rate: f64, tolerance: f64) {
    let ratio = computed(text) * rate / work;
    assert!((ratio - 1.0).abs() < tolerance, "{text}: {ratio} of {work:e}");
}

#[test]
fn hpl_makes_the_flops_of_a_factorisation() {
    for (n, nb, p, q) in [(1024, 32, 1, 1), (1024, 32, 4, 4), (1000, 24, 3, 5), (2048, 16, 8, 2)] {
        let size = f64::from(n);
        // Every row of ranks solves for all rows of U, and within a panel for those of the panel.
        let again = f64::from(p - 1) * f64::from(nb) * size * size / 2.0;
        let flops = 2.0 / 3.0 * size.powi(3) + 1.5 * size * size + again;
        for depth in [0, 1] {
            let text = format!("hpl:n={n},nb={nb},p={p},q={q},depth={depth},rate=1g");
            close(&text, flops, 1e9, 0.02);
        }
    }
}

#[test]
fn random_access_makes_every_update_where_it_is_drawn_and_where_its_word_is() {
    // Of 64 words, one belongs to the rank that draws it.
    close("random-access:ranks=64,log-table=16,rate=1m", 4.0 * 65536.0 * (2.0 - 1.0 / 64.0), 1e6, 0.01);
    close("random-access:ranks=1,log-table=10,rate=1m", 4096.0, 1e6, 1e-6);
}

#[test]
fn the_others_make_the_flops_they_are_given() {
    let flops = 10.0 * 8.0 * 1e6;
    // Two transforms of real data: 2.5 n log2 n flops each.
    let transform = 10.0 * 2.0 * 2.5 * 64.0_f64.powi(3) * 18.0;
    close("halo-fft:x=2,y=2,z=2,steps=10,fx=64,fy=64,fz=64,flops=1m,rate=1g", flops + transform, 1e9, 1e-6);
    close("all-reduce:ranks=3,steps=2,flops=1g,parameters=1m,rate=1g", 6.0 * (1e9 + 4e6), 1e9, 1e-6);
    // Every end of an edge that can be reached is looked at, sent, and received.
    close("graph500:ranks=4,scale=16,searches=3,rate=1g", 2.0 * 3.0 * 32.0 * 65536.0, 1e9, 0.01);
}
