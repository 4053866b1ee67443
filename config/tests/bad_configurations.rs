//! Every bad value gets one line that names the field, the value and what is allowed.

use powar_config::Config;
use proptest::prelude::*;

const GOOD: &str = include_str!("../presets/fat-tree-8.toml");

fn error_of(text: &str) -> String {
    let error = Config::from_toml(text).expect_err("must be refused");
    let line = format!("{error:#}");
    assert!(!line.contains('\n'), "more than one line: {line}");
    line
}

/// The good configuration with one key set: at the top level, or of the mechanism as `mechanism.KEY`.
fn with(key: &str, value: &str) -> String {
    if let Some(key) = key.strip_prefix("mechanism.") {
        return format!("{GOOD}\n[mechanism]\n{key} = {value}\n");
    }
    let rest: String = GOOD.lines().filter(|line| !line.starts_with(&format!("{key} "))).collect::<Vec<_>>().join("\n");
    format!("{key} = {value}\n{rest}")
}

#[test]
fn each_field_is_checked_by_name() {
    for (key, value, wanted) in [
        ("name", "\"\"", "must not be empty"),
        ("ports", "1", "out of range 2..=64"),
        ("ports", "65", "65 is out of range 2..=64"),
        ("requesters", "0", "out of range 1..=64"),
        ("cycle_ns", "0.0", "out of range 0.1..=1000"),
        ("cycle_ns", "nan", "out of range"),
        ("mechanism.policy", "\"best\"", "must be one of reference, round-robin, first-on, powar"),
        ("groups", "[{ first = 8, size = 0 }]", "groups[0].size: 0"),
        ("groups", "[{ first = 8, size = 9 }]", "groups[0]: 9 ports from port 8 on do not fit"),
        ("groups", "[{ first = 99, size = 1 }]", "groups[0]"),
        ("groups", "[{ first = 0, size = 4 }, { first = 3, size = 2 }]", "port 3 is already in groups[0]"),
        ("mechanism.t_off", "0.0", "t_off > 0"),
        ("mechanism.t_off", "0.3", "t_on >= 2 x t_off = 0.6"),
        ("mechanism.t_on", "1.1", "t_on <= 1"),
        ("mechanism.t_on", "nan", "t_on"),
        ("u_max", "1.5", "0 < u_max <= 1"),
        ("mechanism.check_period", "\"1ns\"", "out of range 2..=65535"),
        ("mechanism.check_period", "\"1s\"", "out of range 2..=65535"),
        ("mechanism.pdt", "\"1s\"", "out of range 0..=16777215"),
        ("mechanism.pdt", "-3", "`-3` is out of range; a duration is 0 or more"),
        ("mechanism.pdt", "\"soon\"", "`soon` is not a duration"),
        ("mechanism.t_sleep", "0", "t_sleep: 0 is 0 cycles, out of range 1..="),
        ("mechanism.t_wake", "\"2 s\"", "t_wake"),
        ("mechanism.t_quiet", "\"20us\"", "both must be 0 (no refresh) or neither"),
        ("deterministic", "\"both\"", "unknown variant `both`"),
        ("switch", "{ crossing_entries = 4 }", "switch.crossing_entries: 4 must be a power of two in 8..=2048"),
        ("switch", "{ crossing_entries = 24 }", "switch.crossing_entries: 24 must be a power of two in 8..=2048"),
        ("switch", "{ crossing_entries = 4096 }", "4096 must be a power of two in 8..=2048"),
        ("powersave", "true", "unknown field `powersave`"),
        ("mechanism.kind", "\"snooze\"", "kind: `snooze` is unknown; it must be one of powar"),
        ("mechanism.kind", "3", "kind: `3` must be the name of a mechanism"),
        ("mechanism.powersave", "true", "unknown field `powersave`"),
        ("mechanism.pdt", "\"-3us\"", "`-3us` is out of range; a duration is 0 or more"),
    ] {
        let error = error_of(&with(key, value));
        assert!(error.contains(wanted), "{key} = {value}: {error}");
        assert!(
            error.contains(key.trim_start_matches("mechanism.")) || error.contains("t_on"),
            "{key} = {value}: {error}"
        );
    }
}

/// Of mechanisms that are made of others too.
#[test]
fn what_a_mechanism_does_not_have_is_said_with_all_that_it_has() {
    for mechanism in powar_config::mechanism::ALL {
        let fields = mechanism.defaults().table();
        let mut table = fields.clone();
        table.insert("bounds".into(), 1.into());
        let error = format!("{:#}", (mechanism.parse)(table).map(drop).unwrap_err());
        assert!(error.starts_with("bounds: unknown field `bounds`, expected one of "), "{}: {error}", mechanism.name);
        for field in fields.keys() {
            assert!(error.contains(&format!("`{field}`")), "{}: {field} in {error}", mechanism.name);
        }
    }
}

/// Parameters of the mechanism once stood at the top level.
#[test]
fn the_line_to_write_instead_of_parameters_at_the_top_level_is_said_and_is_right() {
    for (old, new) in [
        ("pdt = \"10us\"", "mechanism = { kind = \"powar\", pdt = \"10us\" }"),
        ("policy = \"first-on\"", "mechanism = { kind = \"powar\", policy = \"first-on\" }"),
        (
            "t_off = 0.2\npolicy = \"powar\"\nt_on = 0.4\nabort_sleep = true",
            "mechanism = { kind = \"powar\", policy = \"powar\", t_on = 0.4, t_off = 0.2, abort_sleep = true }",
        ),
    ] {
        let error = error_of(&format!("{old}\n{GOOD}"));
        assert!(error.ends_with(&format!("in the table of the power mechanism; write {new}")), "{error}");
        let config = Config::from_toml(&format!("{new}\n{GOOD}")).unwrap();
        assert_ne!(config, Config::from_toml(GOOD).unwrap());
    }
}

#[test]
fn a_topology_that_does_not_fit_the_ports_is_refused() {
    assert!(error_of(&GOOD.replace("k = 8", "k = 7")).contains("its switches have 14 ports, but ports = 16"));
    assert!(error_of(&GOOD.replace("n = 2", "n = 0")).contains("topology.n: 0"));
}

#[test]
fn what_is_not_toml_is_named_by_its_line() {
    assert!(error_of("name = \"x\"\nports = = 3\n").starts_with("line 2: "));
    assert!(error_of("ports = 16\n").contains("missing field `name`"));
}

proptest! {
    /// Whatever the numbers, reading either succeeds or gives an error: never a panic, and register values then fit.
    #[test]
    fn any_numbers_are_read_or_refused(
        ports in 0usize..200, first in any::<u32>(), size in any::<u32>(),
        t_on in any::<f64>(), t_off in any::<f64>(), cycle in any::<f64>(), pdt in any::<f64>(), period in any::<f64>(),
    ) {
        let text = format!(
            "name = \"p\"\nports = {ports}\ndeterministic = \"set\"\ngroups = [{{ first = {first}, size = {size} }}]\n\
             cycle_ns = {cycle:?}\n[mechanism]\nt_on = {t_on:?}\nt_off = {t_off:?}\npdt = {pdt:?}\ncheck_period = {period:?}\n"
        );
        if let Ok(config) = Config::from_toml(&text) {
            let values = config.powar().unwrap().values(config.cycle_ns);
            prop_assert!(values.on_flits >= 2 * values.off_flits - 1 && values.off_flits >= 1);
            prop_assert!(u64::from(values.pdt) <= powar_config::config::MAX_COUNT);
        }
    }
}

#[test]
fn a_torus_of_trunks_needs_sets() {
    let mut config = powar_config::presets::by_name("torus-28").unwrap();
    config.deterministic = powar_config::Deterministic::Single;
    let error = config.check_switch().unwrap_err().to_string();
    assert_eq!(error, "deterministic: single must be set in a torus with trunks of 4 links");
}
