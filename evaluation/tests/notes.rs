//! A policy that could not act in a run says so.

use powar_config::mechanism;
use powar_evaluation::network::{Outcome, Simulation, Traffic, simulate};
use powar_traffic::synthetic::SyntheticOptions;

fn run(policy: &str, topology: &str, load: f64, pdt: &str) -> Outcome {
    let traffic = SyntheticOptions { load, cycles: 12_000, ..SyntheticOptions::default() };
    let simulation = Simulation {
        topology: topology.into(),
        policy: policy.into(),
        mechanism: [("powar".to_owned(), format!("pdt = '{pdt}'").parse().unwrap())].into(),
        traffic: Traffic::Synthetic(traffic),
        warm_up: 2_000,
        ..Simulation::default()
    };
    simulate(&simulation, &mut |_| ()).unwrap()
}

#[test]
fn a_policy_that_had_no_chance_says_what_it_waits_for() {
    let outcome = run("powar", "star-4", 0.1, "100us");
    assert_eq!(
        outcome.notes,
        [
            "powar saved nothing: no port drew less than full power in these 10000 cycles (16us); a port goes to sleep when it has been idle for pdt = 100us"
        ]
    );
    assert_eq!(outcome.u_port, 1.0);
    assert!(run("powar", "star-4", 0.001, "1us").notes.is_empty(), "it slept");
    for policy in ["reference", "ideal"] {
        assert!(run(policy, "star-4", 0.1, "100us").notes.is_empty(), "{policy} saves nothing by itself");
    }
}

/// The parameter that decides, by each policy; those that are to save nothing have none.
#[test]
fn every_policy_says_when_it_saves() {
    for mechanism in mechanism::ALL {
        for policy in mechanism.policies {
            let mut parameters = mechanism.defaults();
            parameters.set_policy(policy.name).unwrap();
            let when = parameters.saves_when();
            let saves_nothing = ["reference", "np-nb", "np-b"].contains(&policy.name);
            assert_eq!(when.is_none(), saves_nothing, "{}: {when:?}", policy.name);
            let named =
                |when: &String| mechanism.options.iter().any(|option| when.contains(&format!("{} = ", option.name)));
            assert!(when.as_ref().is_none_or(named), "{when:?}");
        }
    }
}
