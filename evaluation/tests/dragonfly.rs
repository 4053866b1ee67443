//! What a dragonfly carries: shortest ways and UGAL-L, under uniform traffic and under the adversary of shortest ways.

use powar_evaluation::network::{Simulation, Traffic, simulate};
use powar_traffic::synthetic::SyntheticOptions;

/// Flits a node and cycle that come in, of `dragonfly-p2a4h2` whose nodes offer all that their links take.
fn accepted(routing: &str, pattern: &str) -> f64 {
    let traffic =
        SyntheticOptions { pattern: pattern.into(), load: 1.0, cycles: 40_000, seed: 3, ..Default::default() };
    let simulation = Simulation {
        topology: "dragonfly-p2a4h2".into(),
        routing: Some(routing.into()),
        policy: "reference".into(),
        traffic: Traffic::Synthetic(traffic),
        warm_up: 20_000,
        ..Simulation::default()
    };
    simulate(&simulation, &mut |_| {}).unwrap().accepted
}

/// A policy that lets few ports be selected when little is going on leaves every packet its way. `powar`, the default one,
/// kept back the only ports that packets may take from its first check on, after 6250 cycles: the network stood still.
#[test]
fn every_policy_carries_what_is_offered() {
    for policy in ["first-on", "powar", "powar-budget", "powar-hints"] {
        for routing in ["dragonfly-minimal", "dragonfly-ugal"] {
            let simulation = Simulation {
                topology: "dragonfly-p2a4h2".into(),
                routing: Some(routing.into()),
                policy: policy.into(),
                traffic: Traffic::Synthetic(SyntheticOptions { load: 0.1, cycles: 25_000, ..Default::default() }),
                warm_up: 8000,
                ..Simulation::default()
            };
            let outcome = simulate(&simulation, &mut |_| {}).unwrap();
            let (offered, accepted) = (outcome.offered, outcome.accepted);
            assert!((accepted / offered - 1.0).abs() < 0.02 && !outcome.saturated, "{policy} {routing}: {outcome:?}");
        }
    }
}

/// Kim et al. 2008, section 4.2: all of a group's a p nodes want the one link to the next group, so shortest ways carry 1 / (a p). Over another group
/// each flit takes two links between groups instead of one: half of what the network carries at most.
#[test]
fn the_next_group_is_the_adversary_of_shortest_ways() {
    let minimal = accepted("dragonfly-minimal", "next-group");
    let bound = 1.0 / 8.0;
    assert!((0.93 * bound..=bound).contains(&minimal), "{minimal}");
    let ugal = accepted("dragonfly-ugal", "next-group");
    assert!((0.42..=0.5).contains(&ugal), "{ugal}");
}

#[test]
fn uniform_traffic_loses_little_by_the_choice() {
    let [minimal, ugal] = ["dragonfly-minimal", "dragonfly-ugal"].map(|routing| accepted(routing, "uniform"));
    assert!(minimal > 0.7 && ugal > 0.95 * minimal, "{minimal}, {ugal}");
}
