//! What hangs on what within a cycle: no output of a bus or stream follows an input (AMBA AXI, A3.1.1), so that no loop closes through
//! whatever a design is joined to. Yosys makes a netlist of every design that `powar emit` writes; the walk back from each output ends at
//! flip-flops.

use powar_config::mechanism::{self, e_rapid};
use powar_config::{Chosen, Config, presets};
use powar_hdl::verilog::Design;
use powar_testbenches::twins;
use powar_tools::{Tools, run, tools_or_skip};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Paths within a cycle, from an input to an output, by the names of the ports.
type Paths = BTreeSet<(String, String)>;

/// Those of a design.
fn paths(tools: &Tools, design: &Design) -> Paths {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("design.v"), design.to_single_file()).expect("written");
    let top = &design.description.top;
    let script =
        format!("read_verilog design.v; hierarchy -check -top {top}; proc; flatten; opt_clean; write_json design.json");
    run(tools.yosys().expect("found").current_dir(&folder).args(["-q", "-p", &script]), "yosys")
        .unwrap_or_else(|error| panic!("{error}"));
    let text = fs::read_to_string(folder.path().join("design.json")).expect("a netlist");
    let netlist: Value = serde_json::from_str(&text).expect("JSON");
    walk(&netlist["modules"][top])
}

/// The bits of a connection that are no constants.
fn bits(connection: &Value) -> impl Iterator<Item = u64> {
    connection.as_array().expect("bits").iter().filter_map(Value::as_u64)
}

/// Goes back from every output.
fn walk(module: &Value) -> Paths {
    let entries = |value: &Value| value.as_object().expect("an object").clone();
    // Of each bit the inputs of the gate that drives it; a flip-flop takes its own with the clock.
    let mut drivers: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for (_, cell) in entries(&module["cells"]) {
        if cell["type"].as_str().expect("a type").contains("dff") {
            continue;
        }
        let (directions, connections) = (&cell["port_directions"], entries(&cell["connections"]));
        let of = |direction: &str| {
            let ports = connections.iter().filter(|(port, _)| directions[port.as_str()] == direction);
            ports.flat_map(|(_, bits_of)| bits(bits_of)).collect::<Vec<u64>>()
        };
        let inputs = of("input");
        of("output").into_iter().for_each(|bit| drop(drivers.insert(bit, inputs.clone())));
    }
    let ports = entries(&module["ports"]);
    let of = |direction: &'static str| ports.iter().filter(move |(_, port)| port["direction"] == direction);
    let inputs: BTreeMap<u64, &str> =
        of("input").flat_map(|(name, port)| bits(&port["bits"]).map(move |bit| (bit, name.as_str()))).collect();
    let mut found = Paths::new();
    for (output, port) in of("output") {
        let mut open: Vec<u64> = bits(&port["bits"]).collect();
        let mut seen: BTreeSet<u64> = open.iter().copied().collect();
        while let Some(bit) = open.pop() {
            if let Some(input) = inputs.get(&bit) {
                found.insert((input.to_string(), output.clone()));
            }
            open.extend(drivers.get(&bit).into_iter().flatten().filter(|&&bit| seen.insert(bit)));
        }
    }
    found
}

/// Every design with a bus, a stream or a link, at a switch of 4 ports with each mechanism that is for it, and on boards.
fn designs() -> Vec<(String, Design)> {
    let tree = presets::by_name("fat-tree-2").expect("a preset");
    let boards = Config::of_network("boards-3x2").expect("a network");
    let with = |config: &Config, mechanism: &'static mechanism::Mechanism| Config {
        mechanism: Chosen(mechanism.defaults()),
        ..config.clone()
    };
    let mut switches: Vec<Config> = mechanism::ALL.iter().map(|mechanism| with(&tree, mechanism)).collect();
    switches.push(with(&boards, &e_rapid::MECHANISM));
    switches.retain(|config| config.check().is_ok() && config.check_switch().is_ok());
    assert!(switches.len() > 2, "there is more than one mechanism");
    let parts = [twins::NETWORK_INTERFACE, "link_stage", "link_crossing", twins::DEMONSTRATOR];
    let parts = parts.map(|block| (tree.clone(), block));
    let all = switches.into_iter().map(|config| (config, twins::SWITCH)).chain(parts);
    let design = |(config, block): (Config, &str)| {
        let name = format!("{block} of {} with {}", config.name, config.mechanism().name);
        (name, twins::design(&config, block).expect("a sound design"))
    };
    all.map(design).collect()
}

#[test]
fn no_output_follows_an_input_within_a_cycle() {
    let Some(tools) = tools_or_skip("no_output_follows_an_input_within_a_cycle") else { return };
    for (name, design) in designs() {
        assert_eq!(paths(&tools, &design), Paths::new(), "{name}");
    }
}

/// A walk that finds nothing proves nothing.
#[test]
fn a_path_that_there_is_is_found() {
    let Some(tools) = tools_or_skip("a_path_that_there_is_is_found") else { return };
    let config = presets::by_name("fat-tree-2").expect("a preset");
    let mut design = twins::design(&config, twins::SWITCH).expect("a sound design");
    let bus = design.modules.iter_mut().find(|module| module.name == "register_bus").expect("a bus");
    let sound = "assign s_axi_awready = ~aw_waits_q;";
    assert!(bus.text.contains(sound), "there is no `{sound}` to spoil");
    bus.text = bus.text.replacen(sound, "assign s_axi_awready = ~aw_waits_q | (write_now & s_axi_bvalid_q);", 1);
    let through = ["s_axi_awvalid", "s_axi_wvalid", "s_axi_bready"];
    let expected: Paths = through.map(|input| (input.into(), "s_axi_awready".into())).into();
    assert_eq!(paths(&tools, &design), expected);
}
