//! IP-XACT through the pinned reader: what it understands of a good component, and how it refuses bad ones.

use powar_tools::{IpXactInterface, IpXactMemoryMap, IpXactPort, ToolError, pinned_tools_or_skip, read_ip_xact};
use std::fs;
use std::path::{Path, PathBuf};

/// Registers behind one port of a bus, of which all signals but the address are left out, and a port of no bus.
const TINY: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<ipxact:component xmlns:ipxact="http://www.accellera.org/XMLSchema/IPXACT/1685-2014">
  <ipxact:vendor>maker</ipxact:vendor>
  <ipxact:library>parts</ipxact:library>
  <ipxact:name>tiny</ipxact:name>
  <ipxact:version>1.0</ipxact:version>
  <ipxact:busInterfaces>
    <ipxact:busInterface>
      <ipxact:name>bus</ipxact:name>
      <ipxact:busType vendor="v" library="l" name="b" version="1"/>
      <ipxact:abstractionTypes><ipxact:abstractionType>
        <ipxact:abstractionRef vendor="v" library="l" name="b_rtl" version="1"/>
        <ipxact:portMaps><ipxact:portMap>
          <ipxact:logicalPort><ipxact:name>ADDR</ipxact:name></ipxact:logicalPort>
          <ipxact:physicalPort><ipxact:name>bus_addr</ipxact:name></ipxact:physicalPort>
        </ipxact:portMap></ipxact:portMaps>
      </ipxact:abstractionType></ipxact:abstractionTypes>
      <ipxact:slave><ipxact:memoryMapRef memoryMapRef="map"/></ipxact:slave>
      <ipxact:parameters><ipxact:parameter>
        <ipxact:name>RATE</ipxact:name><ipxact:value>9</ipxact:value>
      </ipxact:parameter></ipxact:parameters>
    </ipxact:busInterface>
  </ipxact:busInterfaces>
  <ipxact:memoryMaps>
    <ipxact:memoryMap>
      <ipxact:name>map</ipxact:name>
      <ipxact:addressBlock>
        <ipxact:name>block</ipxact:name>
        <ipxact:baseAddress>0</ipxact:baseAddress>
        <ipxact:range>256</ipxact:range>
        <ipxact:width>32</ipxact:width>
      </ipxact:addressBlock>
    </ipxact:memoryMap>
  </ipxact:memoryMaps>
  <ipxact:model>
    <ipxact:instantiations><ipxact:componentInstantiation>
      <ipxact:name>rtl</ipxact:name>
      <ipxact:moduleName>tiny_module</ipxact:moduleName>
    </ipxact:componentInstantiation></ipxact:instantiations>
    <ipxact:ports>
      <ipxact:port>
        <ipxact:name>bus_addr</ipxact:name>
        <ipxact:wire>
          <ipxact:direction>in</ipxact:direction>
          <ipxact:vectors><ipxact:vector><ipxact:left>7</ipxact:left><ipxact:right>0</ipxact:right></ipxact:vector></ipxact:vectors>
        </ipxact:wire>
      </ipxact:port>
      <ipxact:port>
        <ipxact:name>done</ipxact:name>
        <ipxact:wire><ipxact:direction>out</ipxact:direction></ipxact:wire>
      </ipxact:port>
    </ipxact:ports>
  </ipxact:model>
  <ipxact:fileSets>
    <ipxact:fileSet>
      <ipxact:name>rtl</ipxact:name>
      <ipxact:file><ipxact:name>tiny.v</ipxact:name><ipxact:fileType>verilogSource</ipxact:fileType></ipxact:file>
    </ipxact:fileSet>
  </ipxact:fileSets>
</ipxact:component>
"#;

fn written(folder: &Path, text: &str) -> PathBuf {
    let file = folder.join("tiny.xml");
    fs::write(&file, text).unwrap();
    file
}

#[test]
fn a_component_is_understood() {
    let Some(tools) = pinned_tools_or_skip("a_component_is_understood") else { return };
    let folder = tempfile::tempdir().unwrap();
    let component = read_ip_xact(&tools, &written(folder.path(), TINY)).unwrap();
    assert_eq!((component.vlnv.as_str(), component.module.as_str()), ("maker:parts:tiny:1.0", "tiny_module"));
    let port =
        |name: &str, direction: &str, width| IpXactPort { name: name.into(), direction: direction.into(), width };
    assert_eq!(component.ports, [port("bus_addr", "in", 8), port("done", "out", 1)]);
    let interface = IpXactInterface {
        name: "bus".into(),
        bus: "v:l:b:1".into(),
        abstraction: "v:l:b_rtl:1".into(),
        mode: "slave".into(),
        memory_map: Some("map".into()),
        ports: vec![("ADDR".into(), "bus_addr".into())],
        parameters: vec![("RATE".into(), "9".into())],
    };
    assert_eq!(component.interfaces, [interface]);
    assert_eq!(component.memory_maps, [IpXactMemoryMap { name: "map".into(), bytes: 256, word_bits: 32 }]);
    assert_eq!(component.files, ["tiny.v"]);

    let without = |name: &str| {
        let (before, rest) = TINY.split_once(&format!("  <ipxact:{name}>\n")).unwrap();
        format!("{before}{}", rest.split_once(&format!("  </ipxact:{name}>\n")).unwrap().1)
    };
    let component = read_ip_xact(&tools, &written(folder.path(), &without("busInterfaces"))).unwrap();
    assert_eq!((component.interfaces.len(), component.memory_maps.len(), component.ports.len()), (0, 1, 2));
}

#[test]
fn what_is_broken_is_refused_with_its_line() {
    let Some(tools) = pinned_tools_or_skip("what_is_broken_is_refused_with_its_line") else { return };
    let folder = tempfile::tempdir().unwrap();
    let broken = [
        // The parser, the order of elements, a value, a reference.
        ("</ipxact:vendor>", "</vendor>", "tiny.xml:3: error: Opening and ending tag mismatch"),
        (">maker</ipxact:vendor>", "/>", "tiny.xml:3: error: Element 'vendor'"),
        ("direction>in<", "direction>to<", "tiny.xml:44: error: Element 'direction'"),
        ("memoryMapRef=\"map\"", "memoryMapRef=\"mop\"", "tiny.xml:18: error: Element 'memoryMapRef': No match found"),
    ];
    for (sound, instead, expected) in broken {
        assert!(TINY.contains(sound));
        let error = read_ip_xact(&tools, &written(folder.path(), &TINY.replacen(sound, instead, 1))).unwrap_err();
        assert!(matches!(error, ToolError::Failed { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains(expected) && text.lines().count() == 1, "{text}");
    }
    let absent = read_ip_xact(&tools, &folder.path().join("absent.xml")).unwrap_err().to_string();
    assert!(absent.contains("absent.xml") && absent.contains("No such file"), "{absent}");
}
