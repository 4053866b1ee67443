//! The IP-XACT component beside an emitted design, checked against the standard's schema, read by ipyxact and compared with the Verilog as
//! Yosys reads it.

use crate::{Scratch, text};
use powar_tools::{IpXactComponent, IpXactInterface, IpXactPort, Tools, pinned_tools_or_skip, read_ip_xact, run};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

const AXI_LITE: &str = "amba.com:AMBA4:AXI4-Lite:r0p0_0";
const STREAM: &str = "amba.com:AMBA4:AXI4Stream:r0p0_1";
const CLOCK: &str = "xilinx.com:signal:clock:1.0";
const RESET: &str = "xilinx.com:signal:reset:1.0";

/// Name, bus and mode of an interface.
type Expected = (&'static str, &'static str, &'static str);

const ONE_CLOCK: [Expected; 2] = [("clk", CLOCK, "slave"), ("rst", RESET, "slave")];

/// Every `--top`, and its interfaces.
fn tops() -> [(&'static str, Vec<Expected>); 7] {
    let with_clock = |buses: &[Expected]| [buses, &ONE_CLOCK].concat();
    let two_clocks = [
        ("send_clk", CLOCK, "slave"),
        ("send_rst", RESET, "slave"),
        ("receive_clk", CLOCK, "slave"),
        ("receive_rst", RESET, "slave"),
    ];
    [
        ("switch", with_clock(&[("s_axi", AXI_LITE, "slave")])),
        ("demonstrator", with_clock(&[])),
        ("controller", with_clock(&[])),
        ("selector", with_clock(&[])),
        ("network-interface", with_clock(&[("s_axis", STREAM, "slave"), ("m_axis", STREAM, "master")])),
        ("link-stage", with_clock(&[])),
        ("link-crossing", two_clocks.to_vec()),
    ]
}

/// A design that `powar emit` has written.
struct Emitted {
    top: &'static str,
    folder: PathBuf,
    /// Of the list of files, in the order of reading; the last is the top module's.
    sources: Vec<String>,
}

impl Emitted {
    fn new(scratch: &Scratch, top: &'static str, arguments: &[&str]) -> Emitted {
        scratch.succeed(&[&["emit", "--top", top, "--out", top], arguments].concat());
        let folder = scratch.path().join(top);
        let mut emitted = Emitted { top, folder, sources: vec![] };
        emitted.sources = emitted.read(".f").lines().map(str::to_string).collect();
        emitted
    }

    /// The only file whose name ends so.
    fn file(&self, ending: &str) -> PathBuf {
        let files = self.folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
        let files: Vec<PathBuf> = files.filter(|path| path.to_str().unwrap().ends_with(ending)).collect();
        let [file] = &files[..] else { panic!("{}: {files:?}", self.top) };
        file.clone()
    }

    fn read(&self, ending: &str) -> String {
        std::fs::read_to_string(self.file(ending)).unwrap()
    }

    /// The name of the top module.
    fn module(&self) -> &str {
        self.sources.last().unwrap().strip_suffix(".v").unwrap()
    }
}

/// The ports of the top modules, sorted, as Yosys reads them.
fn verilog_ports(tools: &Tools, scratch: &Scratch, designs: &[Emitted]) -> BTreeMap<String, Vec<IpXactPort>> {
    let files: Vec<String> = designs.iter().map(|design| format!("{}/{}.v", design.top, design.module())).collect();
    let script = format!("read_verilog {}; proc; write_json ports.json", files.join(" "));
    let mut yosys = tools.yosys().expect("Yosys is pinned");
    run(yosys.current_dir(scratch.path()).args(["-q", "-p", &script]), "yosys")
        .unwrap_or_else(|error| panic!("{error}"));
    let netlist: Value = serde_json::from_slice(&std::fs::read(scratch.path().join("ports.json")).unwrap()).unwrap();
    let ports = |name: &str| {
        let ports = netlist["modules"][name]["ports"].as_object().unwrap_or_else(|| panic!("no module {name}"));
        let port = |(name, port): (&String, &Value)| IpXactPort {
            name: name.clone(),
            direction: port["direction"].as_str().unwrap().trim_end_matches("put").to_string(),
            width: port["bits"].as_array().unwrap().len(),
        };
        let mut ports: Vec<IpXactPort> = ports.iter().map(port).collect();
        ports.sort();
        ports
    };
    designs.iter().map(|design| (design.module().to_string(), ports(design.module()))).collect()
}

/// In what a component differs from the Verilog and from what is known of its interfaces.
fn differences(component: &IpXactComponent, verilog: &[IpXactPort], expected: &[Expected]) -> Vec<String> {
    let mut found = vec![];
    let mut same = |what: &str, is: String, expected: String| {
        if is != expected {
            found.push(format!("{what}: {is}, expected {expected}"));
        }
    };
    let only_in = |these: &[IpXactPort], others: &[IpXactPort]| {
        let lines = these.iter().filter(|port| !others.contains(port));
        lines.map(|port| format!("{} {} {}", port.direction, port.name, port.width)).collect::<Vec<_>>().join("; ")
    };
    same("ports", only_in(&component.ports, verilog), only_in(verilog, &component.ports));
    same("number of ports", component.ports.len().to_string(), verilog.len().to_string());
    let interfaces: Vec<_> = component
        .interfaces
        .iter()
        .map(|interface| (interface.name.as_str(), interface.bus.as_str(), interface.mode.as_str()))
        .collect();
    same("interfaces", format!("{interfaces:?}"), format!("{expected:?}"));
    for interface in &component.interfaces {
        let name = &interface.name;
        // The signals are defined under the bus's name with `_rtl` behind it.
        let (bus, version) = interface.bus.rsplit_once(':').unwrap_or_default();
        same(&format!("signals of {name}"), interface.abstraction.clone(), format!("{bus}_rtl:{version}"));
        same(
            &format!("ports of {name}"),
            format!("{:?}", interface.ports),
            format!("{:?}", signals(interface, verilog)),
        );
        for fault in faults(interface, component, verilog) {
            same(name, fault, String::new());
        }
    }
    let maps: Vec<_> = component.memory_maps.iter().map(|map| (map.name.as_str(), map.bytes, map.word_bits)).collect();
    // 16 bits of address and words of 32 bits, as the page on the registers has them.
    let expected_maps: Vec<_> = expected.iter().filter(|of| of.1 == AXI_LITE).map(|of| (of.0, 65_536, 32)).collect();
    same("memory maps", format!("{maps:?}"), format!("{expected_maps:?}"));
    found
}

/// Signals and ports of an interface as the names in the Verilog say, in the order that the component has.
fn signals(interface: &IpXactInterface, verilog: &[IpXactPort]) -> Vec<(String, String)> {
    let mut signals: Vec<(String, String)> = match interface.bus.as_str() {
        CLOCK => vec![("CLK".into(), interface.name.clone())],
        RESET => vec![("RST".into(), interface.name.clone())],
        _ => {
            let signal =
                |port: &IpXactPort| port.name.strip_prefix(&interface.name)?.strip_prefix('_').map(str::to_uppercase);
            verilog.iter().filter_map(|port| Some((signal(port)?, port.name.clone()))).collect()
        }
    };
    signals.sort_by_key(|pair| interface.ports.iter().position(|of| of == pair));
    signals
}

/// What an interface's bus does not allow.
fn faults(interface: &IpXactInterface, component: &IpXactComponent, verilog: &[IpXactPort]) -> Vec<String> {
    let port = |signal: &str| {
        let (_, name) = interface.ports.iter().find(|(of, _)| of == signal)?;
        verilog.iter().find(|port| port.name == *name)
    };
    let width = |signal: &str| port(signal).map_or(0, |port| port.width);
    let parameter = |name: &str| interface.parameters.iter().find(|of| of.0 == name).map(|of| of.1.as_str());
    let mut faults = vec![];
    // A slave drives these of its bus, a master all others.
    let of_slave = ["AWREADY", "WREADY", "BVALID", "BRESP", "ARREADY", "RVALID", "RRESP", "RDATA", "TREADY"];
    for (signal, _) in &interface.ports {
        let direction = if of_slave.contains(&signal.as_str()) == (interface.mode == "slave") { "out" } else { "in" };
        if port(signal).is_none_or(|port| port.direction != direction) {
            faults.push(format!("{signal} is no {direction}put"));
        }
    }
    let needed: &[(&str, usize)] = match interface.bus.as_str() {
        AXI_LITE => &[
            ("AWVALID", 1),
            ("AWREADY", 1),
            ("AWADDR", 16),
            ("WVALID", 1),
            ("WREADY", 1),
            ("WDATA", 32),
            ("WSTRB", 4),
            ("BVALID", 1),
            ("BREADY", 1),
            ("BRESP", 2),
            ("ARVALID", 1),
            ("ARREADY", 1),
            ("ARADDR", 16),
            ("RVALID", 1),
            ("RREADY", 1),
            ("RDATA", 32),
            ("RRESP", 2),
        ],
        STREAM => &[("TVALID", 1), ("TREADY", 1), ("TLAST", 1), ("TDATA", 128), ("TKEEP", 16)],
        _ => &[],
    };
    faults.extend(needed.iter().filter(|of| width(of.0) != of.1).map(|of| format!("{} is not {} wide", of.0, of.1)));
    if interface.memory_map.as_deref() != (interface.bus == AXI_LITE).then_some(interface.name.as_str()) {
        faults.push(format!("memory map {:?}", interface.memory_map));
    }
    let of_bus =
        |bus: &'static str| component.interfaces.iter().filter(move |of| of.bus == bus).map(|of| of.name.clone());
    if interface.bus == CLOCK {
        let reset = interface.name.replace("clk", "rst");
        if parameter("ASSOCIATED_RESET") != Some(reset.as_str()) || !of_bus(RESET).any(|name| name == reset) {
            faults.push(format!("its reset is not {reset}"));
        }
        let buses: Vec<String> = [AXI_LITE, STREAM].into_iter().flat_map(of_bus).collect();
        if parameter("ASSOCIATED_BUSIF").unwrap_or_default() != buses.join(":") {
            faults.push("not all buses are in step with it".into());
        }
    }
    if interface.bus == RESET && parameter("POLARITY") != Some("ACTIVE_HIGH") {
        faults.push("not active high".into());
    }
    faults
}

/// What `emit` takes as `--top`, as its complaint about another lists them.
fn known_tops(scratch: &Scratch) -> Vec<String> {
    let refused = text(&scratch.run(&["emit", "--top", "none", "--out", "x"]).stderr);
    let (_, names) = refused.split_once("possible values: ").or_else(|| refused.split_once("one of ")).expect(&refused);
    let names = names.split([']', '\n']).next().unwrap();
    names.split(',').map(|name| name.trim().to_string()).collect()
}

#[test]
fn every_design_is_a_component_as_its_verilog_is() {
    const TEST: &str = "every_design_is_a_component_as_its_verilog_is";
    let Some(tools) = pinned_tools_or_skip(TEST) else { return };
    assert_eq!(known_tops(&Scratch::new()), tops().map(|(top, _)| top.to_string()));
    // A star has each top, with the name of the configuration, one of the user's and none before its names; then a torus.
    let cases: [&[&str]; 4] = [
        &["--preset", "demonstrator-4"],
        &["--preset", "demonstrator-8", "--prefix", "left"],
        &["--preset", "demonstrator-8", "--prefix", ""],
        &["--preset", "torus-28"],
    ];
    for arguments in cases {
        let scratch = Scratch::new();
        let tops = tops().into_iter().filter(|(top, _)| *top != "demonstrator" || arguments[1] != "torus-28");
        let (designs, expected): (Vec<Emitted>, Vec<_>) =
            tops.map(|(top, expected)| (Emitted::new(&scratch, top, arguments), expected)).unzip();
        let verilog = verilog_ports(&tools, &scratch, &designs);
        for (design, expected) in designs.iter().zip(expected) {
            let file = design.file(".xml");
            let name = file.file_name().unwrap().to_str().unwrap();
            assert_eq!(name, format!("{}.xml", design.module()));
            assert!(design.read("files.sha256").contains(&format!("  {name}\n")), "{name} is not in files.sha256");
            let component = read_ip_xact(&tools, &file).unwrap_or_else(|error| panic!("{error}"));
            let found = differences(&component, &verilog[design.module()], &expected);
            assert!(found.is_empty(), "{arguments:?} --top {}:\n{}", design.top, found.join("\n"));
            assert_eq!((component.module.as_str(), &component.files), (design.module(), &design.sources));
            let core = design.read(".core");
            assert!(core.contains(&format!("\nname: {}\n", component.vlnv)), "{}: {core}", component.vlnv);
        }
    }
}

/// Parts of a component that a test spoils: what is there, what is put in its place, and what must be said then.
const SPOILT: [(&str, &str, &str); 12] = [
    ("<ipxact:direction>out<", "<ipxact:direction>in<", "ports: "),
    ("<ipxact:left>127<", "<ipxact:left>126<", "ports: "),
    ("<ipxact:name>in_head<", "<ipxact:name>in_tail<", "ports: "),
    ("<ipxact:name>TVALID<", "<ipxact:name>TREADY<", "ports of s_axis: "),
    ("name=\"AXI4Stream\"", "name=\"AXI4-Lite\"", "interfaces: "),
    ("name=\"AXI4Stream_rtl\"", "name=\"AXI4Stream\"", "signals of s_axis: "),
    ("<ipxact:slave/>", "<ipxact:master/>", "s_axis: "),
    ("<ipxact:value>rst<", "<ipxact:value>clk<", "clk: "),
    ("<ipxact:value>s_axis:m_axis<", "<ipxact:value>s_axis<", "clk: not all buses"),
    ("ACTIVE_HIGH", "ACTIVE_LOW", "rst: "),
    // The schema's own complaints.
    ("<ipxact:version>", "<ipxact:revision>", "xml:"),
    ("<ipxact:direction>out<", "<ipxact:direction>outwards<", "error: Element 'direction'"),
];

#[test]
fn what_is_wrong_with_a_component_is_found() {
    let Some(tools) = pinned_tools_or_skip("what_is_wrong_with_a_component_is_found") else { return };
    let scratch = Scratch::new();
    let (top, expected) = tops().into_iter().find(|(top, _)| *top == "network-interface").unwrap();
    let design = Emitted::new(&scratch, top, &["--preset", "demonstrator-4"]);
    let verilog = verilog_ports(&tools, &scratch, std::slice::from_ref(&design));
    let sound = design.read(".xml");
    let spoilt = scratch.path().join("spoilt.xml");
    let said = |text: &str, verilog: &[IpXactPort]| {
        std::fs::write(&spoilt, text).unwrap();
        match read_ip_xact(&tools, &spoilt) {
            Ok(component) => differences(&component, verilog, &expected).join("\n"),
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(said(&sound, &verilog[design.module()]), "");
    for (from, to, must_be_said) in SPOILT {
        assert!(sound.contains(from), "there is no `{from}` to spoil");
        let said = said(&sound.replacen(from, to, 1), &verilog[design.module()]);
        assert!(said.contains(must_be_said), "{from} -> {to}: {said}");
    }
    // The Verilog changes, and the component does not.
    let file = design.file(&format!("{}.v", design.module()));
    let wide = std::fs::read_to_string(&file).unwrap().replacen("wire [2:0]   in_vc", "wire [3:0]   in_vc", 1);
    std::fs::write(&file, wide).unwrap();
    let verilog = verilog_ports(&tools, &scratch, std::slice::from_ref(&design));
    assert_eq!(said(&sound, &verilog[design.module()]), "ports: in in_vc 3, expected in in_vc 4");
}

#[test]
fn any_name_of_a_configuration_makes_a_component() {
    let Some(tools) = pinned_tools_or_skip("any_name_of_a_configuration_makes_a_component") else { return };
    let scratch = Scratch::new();
    let preset = scratch.succeed(&["presets", "--show", "fat-tree-2"]);
    let cases =
        [("8-ary <&>", "n8-ary____"), ("-a", "n-a"), ("_a", "_a"), ("my: \"switch\", größer", "my___switch___gr__er")];
    for (name, library) in cases {
        scratch.write("mine.toml", preset.replace("\"fat-tree-2\"", &format!("'{name}'")));
        scratch.succeed(&["emit", "--config", "mine.toml", "--top", "selector", "--out", "selector", "--force"]);
        let file = scratch.path().join("selector").read_dir().unwrap().map(|entry| entry.unwrap().path());
        let file = file.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "xml")).unwrap();
        let component = read_ip_xact(&tools, &file).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(component.vlnv, format!("powar:{library}:selector:{}", env!("CARGO_PKG_VERSION")));
    }
}
