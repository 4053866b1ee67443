//! A power mechanism that there is only the configuration of: whatever needs a model of it says so in a line.

use anyhow::Result;
use powar_config::mechanism::Rules;
use powar_config::{Chosen, Config, Mechanism, Parameters, Setting, presets};
use powar_evaluation::compare;
use powar_golden::network::NetworkParameters;
use powar_testbenches::twins;
use powar_traffic::PacketArrival;

static MECHANISM: Mechanism = Mechanism {
    name: "unheard_of",
    source: "none",
    sees: powar_config::mechanism::powar::MECHANISM.sees,
    residency: powar_config::mechanism::powar::MECHANISM.residency,
    node_hint: powar_config::mechanism::NodeHint::Waiting,
    level_gbps: &[],
    measures_queues: false,
    words: &[],
    policies: powar_config::mechanism::powar::MECHANISM.policies,
    options: &[],
    parse: |_| Ok(Box::new(Unheard)),
};

#[derive(Clone, Debug)]
struct Unheard;

impl Parameters for Unheard {
    fn mechanism(&self) -> &'static Mechanism {
        &MECHANISM
    }

    fn policy(&self) -> &str {
        MECHANISM.policies[0].name
    }

    fn set_policy(&mut self, name: &str) -> Result<()> {
        MECHANISM.policy(name).map(|_| ())
    }

    fn check(&self, _: &Setting) -> Result<()> {
        Ok(())
    }

    fn resets(&self, _: f64) -> Vec<u32> {
        vec![]
    }

    fn table(&self) -> toml::Table {
        toml::Table::new()
    }
}

impl Rules for Unheard {
    fn saves_when(&self) -> Option<String> {
        None
    }
}

#[track_caller]
fn said<T>(result: Result<T>, what: &str) {
    let error = format!("{:#}", result.err().expect("there is no model"));
    let known = error.strip_prefix(&format!("mechanism.kind: there is no {what} of unheard_of; it must be one of "));
    assert!(known.is_some_and(|known| known.split(", ").any(|name| name == "powar")), "{error}");
    assert!(!error.contains('\n'), "{error}");
}

#[test]
fn what_needs_a_model_says_that_there_is_none() {
    let config = Config { mechanism: Chosen(Box::new(Unheard)), ..presets::by_name("fat-tree-2").expect("a preset") };
    config.check().expect("a good configuration");
    for block in [twins::CONTROLLER, twins::SWITCH, "selector"] {
        said(twins::golden(&config, block), "reference model");
        said(twins::design(&config, block), "RTL");
    }
    said(NetworkParameters::new(config.clone()).wiring(), "reference model");
    let packet = PacketArrival {
        cycle: 0,
        input: 0,
        adaptive: 1,
        deterministic: 0,
        flits: 1,
        source: 0,
        destination: 1,
        message: 0,
    };
    said(compare(&config, &[], &[], &[packet], &|_, _| ()), "reference model");
}
