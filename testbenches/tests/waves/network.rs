//! Waves of whole networks, against what the simulation itself counts.

use super::{folder, names_of, variables_of};
use powar_config::Phase;
use powar_evaluation::network::{Interfaces, Outcome, Simulation, Traffic, simulate};
use powar_testbenches::waves::network::{NetworkWaves, simulate_with_waves};
use powar_traffic::synthetic::SyntheticOptions;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

/// Cycles with traffic.
const CYCLES: u64 = 40_000;
/// Cycles that a link's phase is behind the one that is counted.
const BEHIND: f64 = 4.0;
/// Of the papers' switch, in a dump.
const TICKS: u64 = 1600;

/// A tree of 16 nodes with so little traffic that ports sleep.
fn simulation(policy: &str) -> Simulation {
    let table: toml::Table = toml::from_str("pdt = \"1us\"").unwrap();
    let mechanisms = ["powar", "wake_hints", "ahead"].map(|name| (name.to_owned(), table.clone()));
    let options = SyntheticOptions { load: 0.004, packet_flits: 8, cycles: CYCLES, ..SyntheticOptions::default() };
    Simulation {
        topology: "4-ary-2-tree".into(),
        policy: policy.into(),
        mechanism: BTreeMap::from(mechanisms),
        traffic: Traffic::Synthetic(options),
        ..Simulation::default()
    }
}

fn run(simulation: &Simulation, cycles: Range<u64>, name: &str) -> (Outcome, NetworkWaves) {
    let path = folder(name).join("network.vcd");
    let (outcome, waves) = simulate_with_waves(simulation, 1, cycles, &path, &mut |_| {}).unwrap();
    (outcome, waves.expect("it runs for so long"))
}

/// Of each variable: from which cycle on it has which value.
type Values = BTreeMap<String, Vec<(u64, String)>>;

fn read(path: &Path) -> Values {
    let mut parser = vcd::Parser::new(std::io::BufReader::new(std::fs::File::open(path).unwrap()));
    let (header, mut found) = (parser.parse_header().unwrap(), vec![]);
    variables_of(&header.items, "", &mut found);
    let name = |(path, variable): (String, &vcd::Var)| (variable.code, path + &variable.reference);
    let names: BTreeMap<vcd::IdCode, String> = found.into_iter().map(name).collect();
    let (mut values, mut now) = (Values::new(), 0);
    for command in parser {
        let (code, value) = match command.unwrap() {
            vcd::Command::Timestamp(time) => {
                assert_eq!(time % TICKS, 0);
                now = time / TICKS;
                continue;
            }
            vcd::Command::ChangeScalar(code, value) => (code, value.to_string()),
            vcd::Command::ChangeString(code, value) => (code, value),
            _ => continue,
        };
        let changes = values.entry(names[&code].clone()).or_default();
        assert!(
            changes.last().is_none_or(|(cycle, before)| *cycle < now && *before != value),
            "{} {now}",
            names[&code]
        );
        changes.push((now, value));
    }
    assert_eq!(values.len(), names.len(), "every variable has a value");
    values
}

/// Cycles before `end` in which a variable has a value that `counts`.
fn cycles_of(changes: &[(u64, String)], end: u64, counts: impl Fn(&str) -> bool) -> u64 {
    let ends = changes.iter().skip(1).map(|(cycle, _)| *cycle).chain([end]);
    changes
        .iter()
        .zip(ends)
        .filter(|((_, value), _)| counts(value))
        .map(|((from, _), to)| to.min(end) - (*from).min(end))
        .sum()
}

/// All variables of that name, those of switches or of nodes.
fn named<'a>(values: &'a Values, scope: &'a str, name: &'a str) -> impl Iterator<Item = &'a Vec<(u64, String)>> {
    let of = move |path: &str| path.starts_with(&format!("network.{scope}")) && path.ends_with(&format!(".{name}"));
    values.iter().filter(move |(path, _)| of(path)).map(|(_, changes)| changes)
}

#[test]
fn a_networks_waves_show_what_is_counted() {
    for (policy, interfaces) in [
        ("powar", Interfaces::Messages),
        ("reference", Interfaces::Messages),
        ("powar-hints", Interfaces::Messages),
        ("powar", Interfaces::AxiStream),
    ] {
        let simulation = Simulation { interfaces, ..simulation(policy) };
        let (outcome, waves) = run(&simulation, 0..10 * CYCLES, &format!("network-{policy}-{interfaces:?}"));
        let without = simulate(&simulation, &mut |_| {}).unwrap();
        assert_eq!(serde_json::to_value(&outcome).unwrap(), serde_json::to_value(&without).unwrap());
        let (values, end) = (read(&waves.vcd), waves.cycles.end);
        let is_busy = |value: &str| value != "-";
        let sum = |scope, name, end, counts: &dyn Fn(&str) -> bool| -> u64 {
            named(&values, scope, name).map(|changes| cycles_of(changes, end, counts)).sum()
        };
        assert_eq!(sum("switch", "link", end, &is_busy), outcome.flit_hops, "{policy}");
        assert_eq!(sum("node", "link", end, &is_busy), outcome.flits, "{policy}");
        let off = sum("switch", "phase_name", CYCLES, &|value| value == Phase::Off.name());
        let awake = 1.0 - off as f64 / (outcome.ports as u64 * CYCLES) as f64;
        let differs = (awake - outcome.u_port).abs() * CYCLES as f64;
        assert!(differs <= BEHIND, "{policy}: {awake}, {}", outcome.u_port);
        assert_eq!(off == 0, policy == "reference");
        let text = std::fs::read_to_string(&waves.gtkw).unwrap();
        assert_eq!(text.contains("-ports that woke first\n"), policy != "reference");
        let names = names_of(&waves.vcd);
        let traces: Vec<&str> =
            text.lines().filter_map(|line| Some(line.strip_prefix('+')?.split_once("} ")?.1)).collect();
        assert!(traces.len() >= names.len() && traces.iter().all(|name| names.contains(*name)), "{policy}");
    }
}

#[test]
fn hints_are_told_in_words() {
    let (outcome, waves) = run(&simulation("powar-hints"), 0..10 * CYCLES, "network-hints");
    let values = read(&waves.vcd);
    let words = |scope| named(&values, scope, "hint_name").flatten().filter(|(_, value)| value != "-").count() as u64;
    let dropped = outcome.events.iter().find(|(name, _)| *name == "hints_dropped").expect("they are counted").1;
    // Two words for the same node that follow each other without a gap are told as one.
    let of_nodes = words("node");
    assert!(of_nodes <= outcome.messages && of_nodes + dropped >= outcome.messages * 9 / 10, "{of_nodes} {outcome:?}");
    assert!(words("switch") > of_nodes);
    assert!(values.values().flatten().all(|(_, value)| value != "broken"));
    assert_eq!(named(&read(&run(&simulation("powar"), 0..100, "no-hints").1.vcd), "switch", "hint").count(), 0);
}

#[test]
fn a_window_shows_what_the_whole_run_does_in_it() {
    let simulation = simulation("powar-hints");
    let whole = read(&run(&simulation, 0..10 * CYCLES, "network-whole").1.vcd);
    // Traffic is so low that words before the window have ended.
    let window = 20_000..23_000;
    let part = read(&run(&simulation, window.clone(), "network-part").1.vcd);
    let at =
        |changes: &[(u64, String)], cycle| changes[changes.partition_point(|(from, _)| *from <= cycle) - 1].1.clone();
    assert_eq!(whole.len(), part.len());
    for (name, changes) in &part {
        assert!(changes.iter().all(|(cycle, _)| window.contains(cycle)), "{name}");
        let all = &whole[name];
        assert!(window.clone().all(|cycle| at(changes, cycle) == at(all, cycle)), "{name}");
    }
    assert!(part.values().any(|changes| changes.len() > 1));
}

#[test]
fn nothing_is_written_of_cycles_that_do_not_come_or_where_nothing_can_be() {
    let folder = folder("network-none");
    let path = folder.join("late.vcd");
    let late = 100 * CYCLES..200 * CYCLES;
    let (_, waves) = simulate_with_waves(&simulation("powar"), 1, late.clone(), &path, &mut |_| {}).unwrap();
    assert_eq!((waves, std::fs::read_dir(&folder).unwrap().count()), (None, 0));
    let mut begun = false;
    let path = folder.join("gone").join("run.vcd");
    let error = simulate_with_waves(&simulation("powar"), 1, late, &path, &mut |_| begun = true).unwrap_err();
    assert!(!begun && error.to_string().contains("run.vcd"), "{error}");
}
