//! A design as an IP-XACT component (IEEE 1685-2014): its ports, the buses that they make up, its files.

use super::describe::{Description, Port};
use super::design::Design;
use super::fusesoc::{Core, VENDOR, VERSION};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::io::Result;

const NAMESPACE: &str = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014";
const SCHEMA: &str = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014/index.xsd";

/// A bus whose ports are called as its standard calls them, in lower case behind `<name of the interface>_`.
struct Bus {
    definition: Definition,
    /// All of its signals that a port may carry, the one first that each interface has; an input of a slave.
    signals: &'static [&'static str],
    /// Signals of the address and the data, where registers can be reached.
    registers: Option<[&'static str; 2]>,
}

/// Who has written the definition of a bus, and under which names.
struct Definition {
    vendor: &'static str,
    library: &'static str,
    name: &'static str,
    version: &'static str,
}

/// ARM's definitions of the buses of AMBA 4 (IHI 0022, IHI 0051).
static BUSES: [Bus; 2] = [
    Bus {
        definition: Definition { vendor: "amba.com", library: "AMBA4", name: "AXI4-Lite", version: "r0p0_0" },
        signals: &[
            "awvalid", "awready", "awaddr", "awprot", "wvalid", "wready", "wdata", "wstrb", "bvalid", "bready",
            "bresp", "arvalid", "arready", "araddr", "arprot", "rvalid", "rready", "rdata", "rresp",
        ],
        registers: Some(["awaddr", "wdata"]),
    },
    Bus {
        definition: Definition { vendor: "amba.com", library: "AMBA4", name: "AXI4Stream", version: "r0p0_1" },
        signals: &["tvalid", "tready", "tdata", "tstrb", "tkeep", "tlast", "tid", "tdest", "tuser"],
        registers: None,
    },
];

/// ARM has none of single wires; these are known to many tools.
static CLOCK: Definition = Definition { vendor: "xilinx.com", library: "signal", name: "clock", version: "1.0" };
static RESET: Definition = Definition { vendor: "xilinx.com", library: "signal", name: "reset", version: "1.0" };

/// A bus interface of a component.
struct Interface<'a> {
    name: &'a str,
    definition: &'static Definition,
    master: bool,
    /// Addresses that can be reached, bytes, and the width of a word, bits; in a memory map of the interface's name.
    memory: Option<(u64, usize)>,
    /// Signals of the bus and the ports that carry them.
    ports: Vec<(String, &'a Port)>,
    parameters: Vec<(&'static str, String)>,
}

impl Design {
    /// Name and text of the component `powar:<library>:<block>:<version>`, `<top module>.xml`, with the names of [`Design::core`]; before a
    /// library that begins with what can't begin a name of XML, an `n`. The same design gives the same bytes.
    pub fn ip_xact(&self, library: &str) -> (String, String) {
        let core = self.core(library);
        let component = Component { core: &core, design: &self.description };
        let mut writer = Writer::new_with_indent(vec![], b' ', 2);
        component.write(&mut writer).expect("writing to memory");
        let text = String::from_utf8(writer.into_inner()).expect("only text is written");
        (format!("{}.xml", self.description.top), text + "\n")
    }
}

/// A core's library, of letters, digits, `-` and `_`, as XML takes names: with neither digit nor `-` at the beginning.
fn library(name: &str) -> String {
    let can_begin = |c: char| c.is_ascii_alphabetic() || c == '_';
    if name.starts_with(can_begin) { name.to_string() } else { format!("n{name}") }
}

/// The interfaces that ports make up by their names, in the order of the ports: buses, clocks and resets.
fn interfaces(ports: &[Port]) -> Vec<Interface<'_>> {
    let buses: Vec<_> =
        ports.iter().flat_map(|port| BUSES.iter().filter_map(|bus| bus.interface(ports, port))).collect();
    let names: Vec<&str> = buses.iter().map(|bus| bus.name).collect();
    let one_clock = ports.iter().filter(|port| port.clock).count() == 1;
    let wires = ports.iter().filter_map(|port| {
        let (definition, signal, parameters) = if port.clock {
            let mut parameters = vec![];
            if one_clock && !names.is_empty() {
                parameters.push(("ASSOCIATED_BUSIF", names.join(":")));
            }
            let reset = ports.iter().find(|reset| is_reset(reset) && stem(&reset.name) == stem(&port.name));
            parameters.extend(reset.map(|reset| ("ASSOCIATED_RESET", reset.name.clone())));
            (&CLOCK, "CLK", parameters)
        } else if is_reset(port) {
            (&RESET, "RST", vec![("POLARITY", "ACTIVE_HIGH".to_string())])
        } else {
            return None;
        };
        let ports = vec![(signal.to_string(), port)];
        Some(Interface { name: &port.name, definition, master: !port.input, memory: None, ports, parameters })
    });
    let wires: Vec<_> = wires.collect();
    buses.into_iter().chain(wires).collect()
}

/// A reset is called `rst`, as its clock is called `clk`, or both so behind what is before it: `send_rst`, `send_clk`.
fn is_reset(port: &Port) -> bool {
    port.input && port.width == 1 && (port.name == "rst" || port.name.ends_with("_rst"))
}

/// A name up to its last word.
fn stem(name: &str) -> &str {
    name.rsplit_once('_').map_or("", |(stem, _)| stem)
}

impl Bus {
    /// The interface that `first` is the first signal of.
    fn interface<'a>(&'static self, ports: &'a [Port], first: &'a Port) -> Option<Interface<'a>> {
        let name = first.name.strip_suffix(self.signals[0])?.strip_suffix('_')?;
        let carries = |signal: &str| ports.iter().find(|port| port.name == format!("{name}_{signal}"));
        let width = |signal| carries(signal).map(|port| port.width);
        let memory = self.registers.and_then(|[address, data]| Some((1 << width(address)?, width(data)?)));
        let ports = self.signals.iter().filter_map(|signal| Some((signal.to_uppercase(), carries(signal)?)));
        Some(Interface {
            name,
            definition: &self.definition,
            master: !first.input,
            memory: memory.filter(|_| first.input),
            ports: ports.collect(),
            parameters: vec![],
        })
    }
}

type Xml = Writer<Vec<u8>>;

/// An element that holds a text.
fn leaf(xml: &mut Xml, name: &str, text: &str) -> Result<()> {
    xml.create_element(format!("ipxact:{name}")).write_text_content(BytesText::new(text)).map(drop)
}

/// An element that holds others.
fn group(xml: &mut Xml, name: &str, inner: impl FnOnce(&mut Xml) -> Result<()>) -> Result<()> {
    xml.create_element(format!("ipxact:{name}")).write_inner_content(inner).map(drop)
}

struct Component<'a> {
    core: &'a Core,
    design: &'a Description,
}

impl Component<'_> {
    fn write(&self, xml: &mut Xml) -> Result<()> {
        xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let schema = format!("{NAMESPACE} {SCHEMA}");
        let attributes = [
            ("xmlns:ipxact", NAMESPACE),
            ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
            ("xsi:schemaLocation", &schema),
        ];
        xml.create_element("ipxact:component")
            .with_attributes(attributes)
            .write_inner_content(|xml| self.inside(xml))?;
        Ok(())
    }

    /// In the order that the standard demands.
    fn inside(&self, xml: &mut Xml) -> Result<()> {
        let Component { core, design } = self;
        let interfaces = interfaces(&design.ports);
        leaf(xml, "vendor", VENDOR)?;
        leaf(xml, "library", &library(&core.library))?;
        leaf(xml, "name", &core.name)?;
        leaf(xml, "version", VERSION)?;
        if !interfaces.is_empty() {
            group(xml, "busInterfaces", |xml| interfaces.iter().try_for_each(|interface| interface.write(xml)))?;
        }
        if interfaces.iter().any(|interface| interface.memory.is_some()) {
            group(xml, "memoryMaps", |xml| interfaces.iter().try_for_each(|interface| interface.write_memory(xml)))?;
        }
        group(xml, "model", |xml| {
            group(xml, "views", |xml| group(xml, "view", |xml| self.view(xml)))?;
            group(xml, "instantiations", |xml| group(xml, "componentInstantiation", |xml| self.instantiation(xml)))?;
            group(xml, "ports", |xml| design.ports.iter().try_for_each(|port| write_port(xml, port)))
        })?;
        group(xml, "fileSets", |xml| group(xml, "fileSet", |xml| self.sources(xml)))?;
        leaf(xml, "description", &core.description)
    }

    fn view(&self, xml: &mut Xml) -> Result<()> {
        leaf(xml, "name", "rtl")?;
        // For any tool that simulates or synthesises.
        leaf(xml, "envIdentifier", "::")?;
        leaf(xml, "componentInstantiationRef", "rtl")
    }

    fn instantiation(&self, xml: &mut Xml) -> Result<()> {
        leaf(xml, "name", "rtl")?;
        leaf(xml, "language", "verilog")?;
        leaf(xml, "moduleName", &self.design.top)?;
        group(xml, "fileSetRef", |xml| leaf(xml, "localName", "rtl"))
    }

    fn sources(&self, xml: &mut Xml) -> Result<()> {
        leaf(xml, "name", "rtl")?;
        self.core.sources.iter().try_for_each(|source| {
            group(xml, "file", |xml| {
                leaf(xml, "name", source)?;
                leaf(xml, "fileType", "verilogSource")
            })
        })
    }
}

impl Interface<'_> {
    fn write(&self, xml: &mut Xml) -> Result<()> {
        group(xml, "busInterface", |xml| {
            leaf(xml, "name", self.name)?;
            self.definition.write(xml, "busType", "")?;
            group(xml, "abstractionTypes", |xml| {
                group(xml, "abstractionType", |xml| {
                    self.definition.write(xml, "abstractionRef", "_rtl")?;
                    group(xml, "portMaps", |xml| {
                        self.ports.iter().try_for_each(|(signal, port)| {
                            group(xml, "portMap", |xml| {
                                group(xml, "logicalPort", |xml| leaf(xml, "name", signal))?;
                                group(xml, "physicalPort", |xml| leaf(xml, "name", &port.name))
                            })
                        })
                    })
                })
            })?;
            let mode = xml.create_element(if self.master { "ipxact:master" } else { "ipxact:slave" });
            match self.memory {
                None => mode.write_empty()?,
                Some(_) => mode.write_inner_content(|xml| {
                    let reference = xml.create_element("ipxact:memoryMapRef");
                    reference.with_attribute(("memoryMapRef", self.name)).write_empty().map(drop)
                })?,
            };
            if self.parameters.is_empty() {
                return Ok(());
            }
            group(xml, "parameters", |xml| {
                self.parameters.iter().try_for_each(|(name, value)| {
                    group(xml, "parameter", |xml| {
                        leaf(xml, "name", name)?;
                        leaf(xml, "value", value)
                    })
                })
            })
        })
    }

    /// The memory map of registers whose description is elsewhere.
    fn write_memory(&self, xml: &mut Xml) -> Result<()> {
        let Some((bytes, width)) = self.memory else { return Ok(()) };
        group(xml, "memoryMap", |xml| {
            leaf(xml, "name", self.name)?;
            group(xml, "addressBlock", |xml| {
                leaf(xml, "name", "registers")?;
                leaf(xml, "baseAddress", "0")?;
                leaf(xml, "range", &bytes.to_string())?;
                leaf(xml, "width", &width.to_string())?;
                leaf(xml, "usage", "register")?;
                leaf(xml, "access", "read-write")
            })?;
            leaf(xml, "addressUnitBits", "8")
        })
    }
}

impl Definition {
    /// A reference to it, or to what it is called with `suffix`.
    fn write(&self, xml: &mut Xml, element: &str, suffix: &str) -> Result<()> {
        let name = format!("{}{suffix}", self.name);
        let attributes =
            [("vendor", self.vendor), ("library", self.library), ("name", &name), ("version", self.version)];
        xml.create_element(format!("ipxact:{element}")).with_attributes(attributes).write_empty().map(drop)
    }
}

fn write_port(xml: &mut Xml, port: &Port) -> Result<()> {
    group(xml, "port", |xml| {
        leaf(xml, "name", &port.name)?;
        group(xml, "wire", |xml| {
            leaf(xml, "direction", if port.input { "in" } else { "out" })?;
            if port.width == 1 {
                return Ok(());
            }
            group(xml, "vectors", |xml| {
                group(xml, "vector", |xml| {
                    leaf(xml, "left", &(port.width - 1).to_string())?;
                    leaf(xml, "right", "0")
                })
            })
        })
    })
}
