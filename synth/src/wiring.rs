//! How many wires of a chip's routing a signal takes between two registers, counted before anything is placed: four fifths of a path's time
//! are wires, so what takes fewer of them is faster.

use crate::mapped::{ChipCell, Graph};
use crate::ways::Ways;
use anyhow::{Result, bail};
use serde::Serialize;

/// What is known of a mapped netlist's wires before it is placed. The module's ports count as registers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Wiring {
    /// Hops of the path that has most of them, from register to register. A hop is a wire from a cell to another through the chip's routing;
    /// that to the register at the end is one too. None are the wires inside of a slice, such as from a look-up table to a wide multiplexer
    /// behind it, and those along a carry chain: a chain is one hop in and one out, however long it is.
    pub hops: u64,
    /// The wires of that path in order, from the output of the register where it begins to what goes into the one at its end; a carry chain is
    /// only there with what comes out of it.
    pub path: Vec<String>,
    /// Where it ends: the register, or the module's output.
    pub end: String,
    /// Carry chains.
    pub carry_chains: u64,
    /// The cells in them.
    pub carry_cells: u64,
    /// Pins at the wire that has most of them, of the wires that a cell drives. Clocks are not counted.
    pub fan_out: u64,
    /// That wire.
    pub widest: String,
}

impl Wiring {
    /// Of a module with all that is in it.
    ///
    /// # Errors
    /// It has a loop without a register.
    pub(crate) fn of(graph: &Graph, ways: &Ways) -> Result<Wiring> {
        let search = Search::new(graph, ways);
        let arrivals = search.arrivals()?;
        let (hops, wire, end) = search.longest(&arrivals).unwrap_or_default();
        let path = wire.map(|wire| search.path(&arrivals, wire)).unwrap_or_default();
        let (fan_out, widest) = search.fan_out();
        let (carry_chains, carry_cells) = search.carries();
        Ok(Wiring { hops, path, end, carry_chains, carry_cells, fan_out, widest })
    }

    /// The path's ends and hops in words.
    pub fn longest(&self) -> String {
        let begin = self.path.first().map_or("nothing", String::as_str);
        format!("{} hops, from {begin} to {}", self.hops, self.end)
    }
}

/// When a signal gets to a wire, in hops behind it, and from which wire.
#[derive(Clone, Copy, Default)]
struct Arrival {
    hops: u64,
    /// Cells on the way: of two ways with as many hops, that with more cells is the longer.
    cells: u64,
    from: Option<usize>,
}

struct Search<'a> {
    graph: &'a Graph,
    ways: &'a Ways,
    /// Of each wire the cell that drives it, and its pin there.
    drivers: Vec<Option<(&'a ChipCell, &'a str)>>,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph, ways: &'a Ways) -> Self {
        let mut drivers = vec![None; graph.names.len()];
        for cell in &graph.cells {
            for pin in &cell.outputs {
                drivers[pin.wire] = Some((cell, pin.name.as_str()));
            }
        }
        Search { graph, ways, drivers }
    }

    /// The wires on which an output of a cell depends in the same cycle, and whether one is a hop.
    fn before(&self, wire: usize) -> impl Iterator<Item = (usize, bool)> + '_ {
        self.drivers[wire].into_iter().flat_map(move |(cell, output)| {
            let followed = cell.inputs.iter().filter(move |pin| (self.ways.follows)(&cell.kind, &pin.name, output));
            followed.map(move |pin| (pin.wire, self.is_hop(pin.wire, &cell.kind, &pin.name)))
        })
    }

    fn is_hop(&self, wire: usize, kind: &str, input: &str) -> bool {
        let inside = |(cell, output): (&ChipCell, &str)| (self.ways.is_inside)((&cell.kind, output), (kind, input));
        !self.drivers[wire].is_some_and(inside)
    }

    /// The most hops to every wire's beginning: depth first, without recursion, for paths are long.
    fn arrivals(&self) -> Result<Vec<Arrival>> {
        let mut known: Vec<Option<Arrival>> = vec![None; self.graph.names.len()];
        let mut under_way = vec![false; known.len()];
        for wire in 0..known.len() {
            let mut stack = vec![wire];
            while let Some(&wire) = stack.last() {
                if known[wire].is_some() {
                    stack.pop();
                    continue;
                }
                let missing: Vec<usize> =
                    self.before(wire).map(|(before, _)| before).filter(|&before| known[before].is_none()).collect();
                if missing.is_empty() {
                    stack.pop();
                    known[wire] = Some(self.arrival(wire, &known));
                } else if under_way[wire] {
                    bail!("{} is part of a loop without a register", self.graph.names[wire]);
                } else {
                    under_way[wire] = true;
                    stack.extend(missing);
                }
            }
        }
        Ok(known.into_iter().flatten().collect())
    }

    fn arrival(&self, wire: usize, known: &[Option<Arrival>]) -> Arrival {
        let through = |(before, hop): (usize, bool)| {
            let Arrival { hops, cells, .. } = known[before]?;
            Some(Arrival { hops: hops + u64::from(hop), cells: cells + 1, from: Some(before) })
        };
        let longer = |most: Arrival, way: Arrival| (way.hops, way.cells) > (most.hops, most.cells);
        // Of equals the first, so that the same netlist gives the same path.
        let most = self.before(wire).filter_map(through).reduce(|most, way| if longer(most, way) { way } else { most });
        most.unwrap_or_default()
    }

    /// The end with most hops: they, its wire and its name.
    fn longest(&self, arrivals: &[Arrival]) -> Option<(u64, Option<usize>, String)> {
        let mut ends: Vec<(u64, usize, &str)> = vec![];
        for cell in &self.graph.cells {
            for pin in cell.inputs.iter().filter(|pin| !(self.ways.is_clock)(&pin.name)) {
                if !cell.outputs.iter().any(|output| (self.ways.follows)(&cell.kind, &pin.name, &output.name)) {
                    ends.push((arrivals[pin.wire].hops + 1, pin.wire, &cell.name));
                }
            }
        }
        for pin in &self.graph.outputs {
            ends.push((arrivals[pin.wire].hops + 1, pin.wire, &pin.name));
        }
        let longest = ends.into_iter().reduce(|most, end| if end.0 > most.0 { end } else { most });
        longest.map(|(hops, wire, name)| (hops, Some(wire), name.to_string()))
    }

    fn path(&self, arrivals: &[Arrival], end: usize) -> Vec<String> {
        let mut wires = vec![end];
        let (mut wire, mut hops) = (end, arrivals[end].hops);
        while let Some(before) = arrivals[wire].from {
            // Within a slice and a chain only the last wire is of interest.
            if arrivals[before].hops < hops || arrivals[before].from.is_none() {
                wires.push(before);
                hops = arrivals[before].hops;
            }
            wire = before;
        }
        wires.into_iter().rev().map(|wire| self.graph.names[wire].clone()).collect()
    }

    /// The most pins at a wire that a cell drives, and that wire.
    fn fan_out(&self) -> (u64, String) {
        let mut pins = vec![0; self.graph.names.len()];
        for cell in &self.graph.cells {
            for pin in cell.inputs.iter().filter(|pin| !(self.ways.is_clock)(&pin.name)) {
                pins[pin.wire] += 1;
            }
        }
        let driven = pins.into_iter().enumerate().filter(|&(wire, _)| self.drivers[wire].is_some());
        let widest = driven.reduce(|most, wire| if wire.1 > most.1 { wire } else { most });
        widest.map(|(wire, count)| (count, self.graph.names[wire].clone())).unwrap_or_default()
    }

    /// Carry chains, and the cells in them.
    fn carries(&self) -> (u64, u64) {
        let carry = &self.ways.carry;
        let goes_on = |cell: &ChipCell| {
            let links = cell.inputs.iter().filter(|pin| pin.name == carry.from);
            let drivers = links.filter_map(|pin| self.drivers[pin.wire]);
            drivers.into_iter().any(|(before, output)| before.kind == carry.kind && output == carry.out)
        };
        let cells = self.graph.cells.iter().filter(|cell| cell.kind == carry.kind);
        cells.fold((0, 0), |(chains, all), cell| (chains + u64::from(!goes_on(cell)), all + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::Wiring;
    use crate::Target;
    use crate::mapped::Mapped;
    use serde_json::{Value, json};

    /// A cell: its kind, and the wires at its pins.
    fn cell(kind: &str, inputs: Value, outputs: Value) -> Value {
        let (mut directions, mut connections) = (json!({}), json!({}));
        for (pins, direction) in [(inputs, "input"), (outputs, "output")] {
            for (pin, wire) in pins.as_object().unwrap() {
                directions[pin] = json!(direction);
                connections[pin] = if wire.is_array() { wire.clone() } else { json!([wire]) };
            }
        }
        json!({"type": kind, "port_directions": directions, "connections": connections})
    }

    /// A module with inputs a, b (wires 2, 3) and output y (wire 4), the cells given, and every wire from 2 to 20 called w and its number.
    fn module(cells: Value) -> Value {
        let port = |direction, wire| json!({"direction": direction, "bits": [wire]});
        let name = |wire: u64| (format!("w{wire}"), json!({"hide_name": 0, "bits": [wire]}));
        let names: serde_json::Map<String, Value> = (2..=20).map(name).collect();
        let ports = json!({"a": port("input", 2), "b": port("input", 3), "y": port("output", 4)});
        json!({"ports": ports, "cells": cells, "netnames": names})
    }

    fn wiring_of(modules: Value) -> anyhow::Result<Wiring> {
        let text = json!({ "modules": modules }).to_string();
        let ways = Target::named("ecp5-85f").unwrap().chip.ways().unwrap();
        Wiring::of(&Mapped::parse(text.as_bytes())?.graph("top")?, ways)
    }

    fn wiring(cells: Value) -> Wiring {
        wiring_of(json!({ "top": module(cells) })).unwrap()
    }

    fn ff(from: u64, to: u64) -> Value {
        cell("TRELLIS_FF", json!({"CLK": 3, "DI": from}), json!({ "Q": to }))
    }

    #[test]
    fn every_wire_between_two_registers_is_a_hop() {
        let lut = |from: u64, to: u64| cell("LUT4", json!({"A": from, "B": "0"}), json!({ "Z": to }));
        let two = wiring(json!({"f": ff(2, 5), "l": lut(5, 6), "m": lut(6, 7), "g": ff(7, 4)}));
        let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        assert_eq!((two.hops, two.path, two.end), (3, names(&["w5", "w6", "w7"]), "g".to_string()));
        // From a port to a port, and none at all.
        assert_eq!(wiring(json!({"l": lut(2, 4)})).hops, 2);
        assert_eq!((wiring(json!({})).hops, wiring(json!({})).fan_out), (1, 0));
        // A register on the way begins anew.
        let cut = wiring(json!({"l": lut(2, 5), "m": lut(5, 6), "f": ff(6, 7), "n": lut(7, 4)}));
        assert_eq!((cut.hops, cut.end.as_str()), (3, "f"));
    }

    #[test]
    fn a_carry_chain_is_one_hop_in_and_one_out() {
        let carry = |a: u64, from: Value, to: u64, sums: [u64; 2]| {
            cell("CCU2C", json!({"A0": a, "CIN": from, "A1": "0"}), json!({"COUT": to, "S0": sums[0], "S1": sums[1]}))
        };
        let links = [json!("0"), json!(10), json!(11)];
        let cells = |[first, second, third]: [Value; 3]| {
            json!({"f": ff(3, 5), "c": carry(5, first, 10, [13, 14]), "d": carry(2, second, 11, [15, 16]),
                "e": carry(2, third, 12, [17, 18]), "g": ff(18, 4)})
        };
        let chain = wiring(cells(links));
        assert_eq!((chain.hops, chain.carry_chains, chain.carry_cells), (2, 1, 3));
        assert_eq!(chain.path, ["w5", "w18"]);
        // Cut in the middle: from a sum into the next chain.
        let cut = wiring(cells([json!("0"), json!(13), json!(11)]));
        assert_eq!((cut.hops, cut.carry_chains, cut.carry_cells), (3, 2, 3));
    }

    #[test]
    fn the_lower_sum_of_a_carry_cell_does_not_follow_the_upper_inputs() {
        let both = |from_upper: bool| {
            let (first, second) = if from_upper { (2, 5) } else { (5, 2) };
            wiring(json!({
                "l": cell("LUT4", json!({"A": 2}), json!({"Z": 5})),
                "c": cell("CCU2C", json!({"A0": first, "A1": second}), json!({"S0": 6})),
                "g": ff(6, 4),
            }))
        };
        assert_eq!((both(false).hops, both(true).hops), (3, 2));
    }

    #[test]
    fn wires_inside_of_a_slice_are_no_hops() {
        let wide = |pin: &str| {
            let mut inputs = json!({"C0": 2, "ALUT": 3, "BLUT": 3});
            inputs[pin] = json!(5);
            let six = json!({"D0": 6, "D1": "0", "SD": 2});
            wiring(json!({
                "l": cell("LUT4", json!({"A": 2}), json!({"Z": 5})),
                "m": cell("PFUMX", inputs, json!({"Z": 6})),
                "n": cell("L6MUX21", six, json!({"Z": 4})),
            }))
        };
        assert_eq!((wide("ALUT").hops, wide("BLUT").hops, wide("C0").hops), (2, 2, 3));
    }

    #[test]
    fn memories_are_registers_but_for_what_is_read_of_distributed_ones() {
        let lut = cell("LUT4", json!({"A": 2}), json!({"Z": 5}));
        let small = |pin: &str| {
            let mut inputs = json!({"RAD": "0", "DI": 3, "WCK": 3});
            inputs[pin] = json!(5);
            wiring(json!({"l": lut, "r": cell("TRELLIS_DPR16X4", inputs, json!({"DO": 6})), "g": ff(6, 4)}))
        };
        assert_eq!((small("RAD").hops, small("DI").hops), (3, 2));
        let block = cell("DP16KD", json!({"ADA0": 5, "CLKA": 3}), json!({"DOA0": 6}));
        assert_eq!(wiring(json!({"l": lut, "r": block, "g": ff(6, 4)})).hops, 2);
    }

    #[test]
    fn modules_in_the_module_are_counted_with_it() {
        let lut = |from: u64, to: u64| cell("LUT4", json!({"A": from, "B": from}), json!({ "Z": to }));
        // Also one that leads its input to its output, under one number.
        let mut straight = module(json!({}));
        straight["ports"]["y"]["bits"] = json!([2]);
        let inner = |kind: &str, from: u64, to: u64| cell(kind, json!({"a": from}), json!({ "y": to }));
        let top = module(
            json!({"i": inner("inner", 2, 5), "s": inner("straight", 5, 6), "j": inner("inner", 6, 7), "l": lut(7, 4)}),
        );
        let found =
            wiring_of(json!({"top": top, "inner": module(json!({"l": lut(2, 4)})), "straight": straight})).unwrap();
        assert_eq!((found.hops, found.end.as_str(), found.fan_out), (4, "y", 2));
        assert_eq!(found.path, ["w2", "w5", "w7", "w4"]);
    }

    #[test]
    fn a_loop_without_a_register_is_refused() {
        let lut = |from: u64, to: u64| cell("LUT4", json!({ "A": from }), json!({ "Z": to }));
        let error = wiring_of(json!({"top": module(json!({"l": lut(5, 6), "m": lut(6, 5)}))})).unwrap_err().to_string();
        assert!(error.ends_with("is part of a loop without a register"), "{error}");
        assert!(Mapped::parse(b"{}").is_err());
    }
}
