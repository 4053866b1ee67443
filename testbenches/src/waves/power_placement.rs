//! Where the registers of the power manager are shown: by port, by group, and what software sets.

use super::placement::{Place, group_place, leaf, path};
use powar_config::{Mechanism, SignalDecl, registers};

/// Vectors of outputs and inputs of the power manager whose bit p belongs to port p.
pub const PORT_BITS: [&str; 9] =
    ["held", "grantable", "preferred", "ready", "hint", "serves", "hint_in", "arriving", "leaving"];
/// Its outputs and inputs whose row p belongs to port p.
pub const PORT_ROWS: [&str; 5] = ["phase", "level", "fill", "occupancy", "neighbour_phase"];

/// The place of something of a port, in a scope below the port's if `below` is not empty.
pub fn of_port(signal: &SignalDecl, port: usize, below: &str, name: &str) -> Vec<Place> {
    let below = below.split('.').filter(|part| !part.is_empty()).map(str::to_owned);
    let scope = std::iter::once(format!("port{port}")).chain(below).collect();
    vec![Place { scope, name: name.to_owned(), shift: 0, width: signal.width }]
}

/// The places of a vector whose bit p belongs to port p.
pub fn bits(signal: &SignalDecl, ports: usize, below: &str, name: &str) -> Vec<Place> {
    let of = |p| of_port(signal, p, below, name).into_iter().map(move |place| Place { shift: p, width: 1, ..place });
    (0..ports).flat_map(of).collect()
}

/// The places of a row of a register that has this `name` below the power manager.
pub fn places(signal: &SignalDecl, row: usize, name: &str, ports: usize, mechanism: &Mechanism) -> Vec<Place> {
    let at = |scope: &[&str], name: &str| {
        let scope = scope.iter().map(|&part| part.to_owned()).collect();
        vec![Place { scope, name: name.to_owned(), shift: 0, width: signal.width }]
    };
    match name.split_once('.') {
        None => at(&["registers"], name),
        Some(("held_ports", name)) => bits(signal, ports, "", name),
        Some(("counters", _)) => {
            let counters = signal.rows / ports;
            let (name, _) = registers::counters(mechanism).nth(row % counters).expect("one name a counter");
            of_port(signal, row / counters, "counters", name)
        }
        Some(("mechanism", rest)) => match rest.split_once('.') {
            // The policy explains everything else, so that it is shown at the top too.
            Some(("registers", "policy")) => [at(&[], "policy"), at(&["registers"], "policy")].concat(),
            Some(("registers", name)) => at(&["registers"], name),
            Some(("group", name)) => group_place(signal, row, name),
            Some((child, name)) if signal.rows == ports => of_port(signal, row, child, name),
            None if rest == "policy" => [at(&[], rest), at(&["mechanism"], rest)].concat(),
            None if signal.rows == 1 && signal.width == ports => bits(signal, ports, "", rest),
            None => at(&["mechanism"], &leaf(signal, row)),
            _ => at(&path(&[], rest), &leaf(signal, row)),
        },
        Some(_) => at(&path(&[], name), &leaf(signal, row)),
    }
}
