//! Every message that is sent is received, all members of a communicator enter its collectives in the same order, and no
//! program stands still, whether sends wait for their receives or not.

use super::calls::{entries, parse};
use super::machine::run;
use proptest::prelude::*;

fn check(text: &str) -> u64 {
    let source = parse(text);
    let messages = run(text, &*source, false);
    assert_eq!(run(text, &*source, true), messages, "{text}: strictly, other messages");
    messages
}

#[test]
fn hpl_of_all_kinds() {
    let grids = [
        (1, 1),
        (1, 2),
        (2, 1),
        (1, 3),
        (3, 1),
        (2, 4),
        (4, 2),
        (1, 8),
        (8, 1),
        (3, 4),
        (5, 3),
        (6, 2),
        (7, 2),
        (8, 8),
    ];
    for (p, q) in grids {
        for (n, nb) in [(1, 1), (7, 3), (48, 8), (61, 5), (10, 16)] {
            for rest in [
                "depth=0",
                "depth=1,check=1",
                "swap=exchange,bcast=1rg",
                "swap=long,bcast=2rg,pmap=column",
                "swap=long,equil=0,bcast=2rm,probe=0",
                "threshold=6,bcast=2rm,depth=0,probe=1",
            ] {
                let messages = check(&format!("hpl:n={n},nb={nb},p={p},q={q},{rest}"));
                assert_eq!(messages == 0, p * q == 1, "{messages} messages of {p} x {q} ranks");
            }
        }
    }
}

#[test]
fn random_access_of_all_kinds() {
    for ranks in [1, 2, 3, 4, 5, 8, 12, 64] {
        for rest in
            ["log-table=10", "log-table=8,updates=0", "log-table=12,updates=300,pending=7", "log-table=13,sample=100"]
        {
            let messages = check(&format!("random-access:ranks={ranks},{rest}"));
            assert!(messages >= ranks * (ranks - 1), "{messages} messages of {ranks} ranks");
        }
    }
}

#[test]
fn halos_of_all_kinds() {
    for (x, y, z) in [(1, 1, 1), (2, 1, 1), (1, 3, 1), (2, 2, 2), (3, 2, 2), (4, 4, 4), (8, 8, 1), (1, 1, 5)] {
        for rest in ["neighbors=3,every=1", "neighbors=6,pulses=1,moved=0", "neighbors=26,overlap=0,fx=7", "steps=0"] {
            check(&format!("halo-fft:x={x},y={y},z={z},steps=3,{rest}").replace("steps=3,steps=0", "steps=0"));
        }
    }
}

#[test]
fn searches_and_training_of_all_kinds() {
    for ranks in [1, 2, 3, 8, 12, 64] {
        for rest in ["scale=10", "scale=1,searches=9", "scale=24,even=1", "scale=30,edge-factor=3,seed=7"] {
            check(&format!("graph500:ranks={ranks},{rest}"));
        }
        for rest in ["steps=2", "steps=0", "layers=1", "layers=7,parameters=5,bucket=1,first=1", "overlap=0"] {
            check(&format!("all-reduce:ranks={ranks},{rest}"));
        }
    }
}

#[test]
fn the_same_every_time() {
    for text in [
        "hpl:n=100,nb=7,p=3,q=4",
        "random-access:ranks=12,log-table=12",
        "halo-fft:x=3,y=2,z=2",
        "graph500:ranks=5",
        "all-reduce:ranks=3",
    ] {
        let (first, second) = (parse(text), parse(text));
        for rank in 0..first.ranks() {
            let calls = entries(&*first, rank);
            assert_eq!(calls, entries(&*second, rank), "{text}, rank {rank}");
            assert_eq!(calls, entries(&*first, rank), "{text}, rank {rank}, asked for twice");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn hpl_of_any_shape(
        n in 1..120_u64, nb in 1..20_u64, p in 1..10_u32, q in 1..8_u32, depth in 0..2, seed: u32,
        swap in prop::sample::select(vec!["exchange", "long", "mix"]), threshold in 0..40,
        bcast in prop::sample::select(vec!["1rg", "1rm", "2rg", "2rm"]),
    ) {
        check(&format!(
            "hpl:n={n},nb={nb},p={p},q={q},depth={depth},seed={seed},swap={swap},threshold={threshold},bcast={bcast}"
        ));
    }
}
