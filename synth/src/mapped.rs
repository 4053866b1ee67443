//! A netlist of a chip's cells, as Yosys writes it, and one graph made of a module with all that is in it.

use anyhow::{Context, Result, ensure};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer};
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// A netlist after mapping, in modules.
#[derive(Deserialize)]
pub(crate) struct Mapped {
    modules: BTreeMap<String, Module>,
}

#[derive(Deserialize)]
struct Module {
    #[serde(default)]
    attributes: BTreeMap<String, serde_json::Value>,
    ports: BTreeMap<String, ModulePort>,
    cells: BTreeMap<String, Cell>,
    netnames: BTreeMap<String, NetName>,
}

#[derive(Deserialize)]
struct ModulePort {
    direction: String,
    bits: Vec<Bit>,
}

#[derive(Deserialize)]
struct Cell {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    port_directions: BTreeMap<String, String>,
    connections: BTreeMap<String, Vec<Bit>>,
}

#[derive(Deserialize)]
struct NetName {
    #[serde(default)]
    hide_name: u8,
    bits: Vec<Bit>,
}

/// The number of a wire of its module, or a constant.
#[derive(Clone, Copy)]
enum Bit {
    Wire(u64),
    Constant,
}

impl<'de> Deserialize<'de> for Bit {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Bit, D::Error> {
        struct OfBit;
        impl Visitor<'_> for OfBit {
            type Value = Bit;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("the number of a wire or a constant")
            }

            fn visit_u64<E>(self, wire: u64) -> Result<Bit, E> {
                Ok(Bit::Wire(wire))
            }

            fn visit_str<E>(self, _: &str) -> Result<Bit, E> {
                Ok(Bit::Constant)
            }
        }
        source.deserialize_any(OfBit)
    }
}

/// A pin of a cell on a wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pin {
    pub(crate) name: String,
    pub(crate) wire: usize,
}

/// A cell of the chip with its pins; those at constants are left out.
#[derive(Clone, Debug)]
pub(crate) struct ChipCell {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) inputs: Vec<Pin>,
    pub(crate) outputs: Vec<Pin>,
}

/// A module with the modules in it, down to the chip's cells; wires are numbered from 0.
#[derive(Default)]
pub(crate) struct Graph {
    pub(crate) cells: Vec<ChipCell>,
    /// Of each wire, what it is called.
    pub(crate) names: Vec<String>,
    /// Wires at the module's outputs, by the name of the bit.
    pub(crate) outputs: Vec<Pin>,
}

impl Mapped {
    pub(crate) fn parse(text: &[u8]) -> Result<Mapped> {
        serde_json::from_slice(text).context("Yosys wrote a netlist that can't be read")
    }

    /// A module with all that is in it.
    pub(crate) fn graph(&self, top: &str) -> Result<Graph> {
        let module = self.modules.get(top).with_context(|| format!("Yosys's netlist has no module {top}"))?;
        let mut builder = Builder { mapped: self, cells: vec![], joined: vec![], names: vec![] };
        let wires = builder.place(module, "", &HashMap::new())?;
        let mut outputs = vec![];
        for (port, ModulePort { bits, .. }) in module.ports.iter().filter(|(_, port)| port.direction == "output") {
            for (index, bit) in bits.iter().enumerate() {
                if let Bit::Wire(wire) = bit {
                    outputs.push(Pin { name: bit_name(port, index, bits.len()), wire: wires[wire] });
                }
            }
        }
        Ok(builder.finish(outputs))
    }

    /// A module of the design, not one of the cells that Yosys writes beside it.
    fn inner(&self, kind: &str) -> Option<&Module> {
        let is_cell =
            |module: &Module| ["blackbox", "whitebox"].iter().any(|mark| module.attributes.contains_key(*mark));
        self.modules.get(kind).filter(|module| !is_cell(module))
    }
}

/// The graph as it comes together.
struct Builder<'a> {
    mapped: &'a Mapped,
    cells: Vec<ChipCell>,
    /// Of each wire a wire that it is one with, itself if there is none: a module may lead an input to an output.
    joined: Vec<usize>,
    /// Of each wire its best name so far: how good that is, the lower the better, and the name.
    names: Vec<((usize, usize), String)>,
}

impl Builder<'_> {
    fn wire(&mut self) -> usize {
        self.joined.push(self.joined.len());
        self.names.push(((usize::MAX, usize::MAX), String::new()));
        self.joined.len() - 1
    }

    fn root(&mut self, wire: usize) -> usize {
        let mut root = wire;
        while self.joined[root] != root {
            self.joined[root] = self.joined[self.joined[root]];
            root = self.joined[root];
        }
        root
    }

    /// Adds a module's cells. `outside` has the wires at its ports. Returns the wire of each of its numbers.
    fn place(
        &mut self,
        module: &Module,
        path: &str,
        outside: &HashMap<&str, Vec<Option<usize>>>,
    ) -> Result<HashMap<u64, usize>> {
        let mut wires = HashMap::new();
        for (port, ModulePort { bits, .. }) in &module.ports {
            for (bit, outer) in bits.iter().zip(outside.get(port.as_str()).into_iter().flatten()) {
                if let (Bit::Wire(bit), Some(outer)) = (*bit, *outer) {
                    let known = *wires.entry(bit).or_insert(outer);
                    let (a, b) = (self.root(known), self.root(outer));
                    self.joined[a.max(b)] = a.min(b);
                }
            }
        }
        for (name, NetName { hide_name, bits }) in &module.netnames {
            for (index, bit) in bits.iter().enumerate() {
                let Bit::Wire(bit) = *bit else { continue };
                let wire = *wires.entry(bit).or_insert_with(|| self.wire());
                let plain = crate::timing::signal(name);
                let quality = (usize::from(*hide_name) * 2 + usize::from(plain != *name), path.len() + plain.len());
                if quality < self.names[wire].0 {
                    // Yosys names a wire without a name after one that it leads to or comes from.
                    let near = if plain == *name { "" } else { "near " };
                    self.names[wire] = (quality, format!("{near}{path}{}", bit_name(&plain, index, bits.len())));
                }
            }
        }
        for (name, cell) in &module.cells {
            self.place_cell(name, cell, path, &mut wires)?;
        }
        Ok(wires)
    }

    /// The wire of a bit of a module, whose numbers so far have these wires.
    fn at(&mut self, bit: Bit, wires: &mut HashMap<u64, usize>) -> Option<usize> {
        match bit {
            Bit::Wire(bit) => Some(*wires.entry(bit).or_insert_with(|| self.wire())),
            Bit::Constant => None,
        }
    }

    fn place_cell(&mut self, name: &str, cell: &Cell, path: &str, wires: &mut HashMap<u64, usize>) -> Result<()> {
        let mapped = self.mapped;
        if let Some(module) = mapped.inner(&cell.kind) {
            let mut outside = HashMap::new();
            for (pin, bits) in &cell.connections {
                outside.insert(pin.as_str(), bits.iter().map(|&bit| self.at(bit, wires)).collect());
            }
            self.place(module, &format!("{path}{name}."), &outside)?;
            return Ok(());
        }
        let (mut inputs, mut outputs) = (vec![], vec![]);
        for (pin, bits) in &cell.connections {
            let direction = cell.port_directions.get(pin);
            ensure!(direction.is_some(), "Yosys's netlist does not say which way pin {pin} of a {} leads", cell.kind);
            let pins =
                if direction.is_some_and(|direction| direction == "output") { &mut outputs } else { &mut inputs };
            for &bit in bits {
                if let Some(wire) = self.at(bit, wires) {
                    pins.push(Pin { name: pin.clone(), wire });
                }
            }
        }
        let name = format!("{path}{}", crate::timing::signal(name));
        self.cells.push(ChipCell { name, kind: cell.kind.clone(), inputs, outputs });
        Ok(())
    }

    /// Gives wires that are one the same number.
    fn finish(mut self, mut outputs: Vec<Pin>) -> Graph {
        let roots: Vec<usize> = (0..self.joined.len()).map(|wire| self.root(wire)).collect();
        for (wire, &root) in roots.iter().enumerate() {
            if self.names[wire].0 < self.names[root].0 {
                self.names[root] = self.names[wire].clone();
            }
        }
        let pins = self.cells.iter_mut().flat_map(|cell| cell.inputs.iter_mut().chain(&mut cell.outputs));
        pins.chain(&mut outputs).for_each(|pin| pin.wire = roots[pin.wire]);
        Graph { cells: self.cells, names: self.names.into_iter().map(|(_, name)| name).collect(), outputs }
    }
}

/// A bit of a signal of some width.
fn bit_name(signal: &str, bit: usize, width: usize) -> String {
    if width == 1 { signal.to_string() } else { format!("{signal}[{bit}]") }
}
