//! A network of golden switches under two power policies: what POWAR saves of the energy, and what that costs in latency.
//!
//! `cargo run --release -p powar-evaluation --example two_policies`

use anyhow::Result;
use powar_evaluation::network::{Outcome, Simulation, Traffic, simulate};
use powar_traffic::synthetic::SyntheticOptions;

/// A 4-ary 2-tree, 16 nodes, under uniform traffic of a hundredth of a flit per node and cycle.
fn outcome_of(policy: &str) -> Result<Outcome> {
    let simulation = Simulation {
        topology: "4-ary-2-tree".into(),
        policy: policy.into(),
        traffic: Traffic::Synthetic(SyntheticOptions { load: 0.01, cycles: 200_000, ..Default::default() }),
        warm_up: 20_000,
        ..Default::default()
    };
    simulate(&simulation, &mut |_| {})
}

fn main() -> Result<()> {
    let (reference, powar) = (outcome_of("reference")?, outcome_of("powar")?);
    for outcome in [&reference, &powar] {
        let (latency, awake) = (outcome.packet_latency.mean.unwrap_or(f64::NAN), 100.0 * outcome.u_port);
        println!("{:10} {latency:6.1} cycles from node to node, ports awake {awake:5.1} % of the time", outcome.policy);
    }
    println!(
        "POWAR's network takes {:.1} % of the energy of one that never sleeps.",
        100.0 * share(&powar, &reference)
    );
    Ok(())
}

/// The energy of one network as a share of another's, by POWAR's model.
fn share(of: &Outcome, whole: &Outcome) -> f64 {
    of.power.e_net / whole.power.e_net
}

#[test]
fn powar_saves_energy() {
    let (reference, powar) = (outcome_of("reference").unwrap(), outcome_of("powar").unwrap());
    assert_eq!(reference.u_port, 1.0);
    assert!((0.5..0.9).contains(&share(&powar, &reference)), "{}", share(&powar, &reference));
    main().unwrap();
}
