//! `powar verify --campaign` and `--coverage`: what they refuse, and coverage of a block.

use crate::{Scratch, error_of};
use powar_tools::tools_or_skip;
use serde_json::Value;

#[test]
fn what_no_campaign_can_be_is_said_in_a_line() {
    let scratch = Scratch::new();
    let fail = |arguments: &[&str], named: &[&str]| scratch.fail(&[&["verify"], arguments].concat(), named);
    fail(&["--campaign"], &["--hours", "--trials", "--trial"]);
    fail(&["--campaign", "--hours", "0"], &["--hours", "'0'", "8760"]);
    fail(&["--campaign", "--hours", "long"], &["--hours", "'long'", "8760"]);
    fail(&["--campaign", "--trials", "0"], &["--trials", "'0'"]);
    fail(&["--campaign", "--hours", "1", "--trial", "3"], &["--hours", "--trial"]);
    fail(&["--campaign", "--trials", "1", "--preset", "star-16"], &["--campaign", "--preset"]);
    fail(&["--campaign", "--trials", "1", "--coverage"], &["--campaign", "--coverage"]);
    fail(&["--hours", "1"], &["--campaign"]);
    fail(&["--seed", "1"], &["--campaign"]);
    fail(&["--coverage", "--block", "vc_queu"], &["block", "vc_queu", "vc_queue"]);
    fail(&["--coverage", "--broken"], &["--coverage", "--broken"]);
    if tools_or_skip("campaign").is_some() {
        scratch.write("o/campaign.json", "{}");
        // The lock that keeps other campaigns out stays.
        let error = error_of(&scratch.run(&["verify", "--campaign", "--trials", "1", "--out", "o"]));
        assert!(error.contains("o/campaign.json") && error.contains("no campaign"), "{error}");
    }
}

#[test]
fn coverage_is_in_every_form_of_the_report() {
    if tools_or_skip("coverage").is_none() {
        return;
    }
    let scratch = Scratch::new();
    let said = scratch.succeed(&["verify", "--coverage", "--block", "round_robin_arbiter", "--out", "o"]);
    assert!(said.contains("Coverage: 1 blocks: ") && said.contains("  o/verify.md\n"), "{said}");
    let read = |name: &str| std::fs::read_to_string(scratch.path().join("o").join(name)).unwrap();
    let report: Value = serde_json::from_str(&read("verify.json")).unwrap();
    let block = &report["sections"]["coverage"][0];
    assert_eq!((&block["block"], &report["holds"]), (&"round_robin_arbiter".into(), &true.into()));
    assert!(block["shares"]["toggles"]["covered"].as_u64().unwrap() > 0, "{block}");
    for name in ["verify.md", "verify.html"] {
        assert!(read(name).contains("round_robin_arbiter"), "{name}");
    }
}
