//! A network as text for Graphviz: `neato -Tpdf network.dot`, or `dot`, `fdp`, `sfdp`.

use super::Network;
use powar_config::topology::wiring::End;
use std::fmt::Write;

/// Switches are boxes, nodes ellipses; at the ends of cables stand their ports.
pub(super) fn dot(network: &Network) -> String {
    let wiring = network.tables.wiring();
    let mut text = format!("graph {} {{\n    overlap = false\n    edge [fontsize = 8]\n", quoted(&network.config.name));
    // Writing into a string can't fail.
    for switch in 0..wiring.ends.len() {
        let _ = writeln!(text, "    s{switch} [shape = box, label = {}]", quoted(&network.switch(switch)));
    }
    for node in 0..wiring.nodes.len() {
        let _ = writeln!(text, "    n{node} [shape = ellipse, fontsize = 10, label = {}]", quoted(&network.node(node)));
    }
    for (switch, ends) in wiring.ends.iter().enumerate() {
        for (port, end) in ends.iter().enumerate() {
            let _ = match *end {
                End::Node { node, .. } => writeln!(text, "    s{switch} -- n{node} [taillabel = {port}]"),
                // Each cable once.
                End::Switch { switch: other, port: there } if (switch as u32, port as u8) < (other, there) => {
                    writeln!(text, "    s{switch} -- s{other} [taillabel = {port}, headlabel = {there}]")
                }
                _ => Ok(()),
            };
        }
    }
    text + "}\n"
}

/// A name as Graphviz reads it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}
