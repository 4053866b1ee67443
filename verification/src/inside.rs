//! Registers of the blocks within a block, which its properties may be joined to as well.

use anyhow::{Context, Result};
use powar_hdl::verilog::Design;

/// Stands for every port, in a path through blocks of which there is one a port.
const EACH: &str = "[i]";

/// What makes a signal of a block within the design's top module known in that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inside {
    /// Declarations; Yosys joins each with the signal of that path when it flattens the design.
    pub(crate) declared: String,
    /// The signal, or those of all ports, that of port 0 lowest.
    pub(crate) joined: String,
}

/// Looks a path up: instances with points between them, and the signal, as in `powar.g_fsm[i].fsm.elapsed_q`.
///
/// # Errors
/// An instance or a signal that there is not.
pub(crate) fn inside(path: &str, design: &Design, ports: usize) -> Result<Inside> {
    let range = range(path, design)?;
    let count = if path.contains(EACH) { ports } else { 1 };
    let paths: Vec<String> = (0..count).map(|port| path.replace(EACH, &format!("[{port}]"))).collect();
    let declared = paths.iter().map(|path| format!("    (* hierconn *) wire {range} \\{path} ;\n")).collect();
    let joined: Vec<String> = paths.iter().rev().map(|path| format!("\\{path} ")).collect();
    Ok(Inside { declared, joined: format!("{{{}}}", joined.join(", ")) })
}

/// The range that a signal is declared with, empty if it is one bit.
fn range<'a>(path: &str, design: &'a Design) -> Result<&'a str> {
    let (blocks, signal) = path.rsplit_once('.').with_context(|| format!("inside: `{path}` names no block within"))?;
    let mut name = design.description.top.as_str();
    for instance in blocks.split('.').filter(|part| !part.ends_with(']')) {
        let is_it = |line: &'a str| line.trim().strip_suffix(" (")?.strip_suffix(instance)?.strip_suffix(' ');
        let found = text_of(name, design).lines().find_map(is_it);
        name = found.with_context(|| format!("inside: `{path}`: no instance `{instance}` in {name}"))?.trim();
    }
    let declared = |line: &'a str| {
        let (kind, rest) = line.trim().trim_end_matches([';', ',']).rsplit_once(' ').filter(|(_, n)| *n == signal)?;
        let is_signal = rest == signal && kind.split_whitespace().any(|word| matches!(word, "wire" | "reg"));
        is_signal.then(|| kind.find('[').map_or("", |at| kind[at..].trim()))
    };
    let found = text_of(name, design).lines().find_map(declared);
    found.with_context(|| format!("inside: `{path}`: no signal `{signal}` in {name}"))
}

fn text_of<'a>(name: &str, design: &'a Design) -> &'a str {
    design.modules.iter().find(|module| module.name == name).map_or("", |module| module.text.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::presets;
    use powar_testbenches::twins;

    fn powar() -> Design {
        twins::design(&presets::by_name("fat-tree-4").expect("it is shipped"), "powar").expect("it has this block")
    }

    #[test]
    fn a_signal_of_every_port_is_joined_with_port_0_lowest() {
        let path = |port: usize| format!("\\g_fsm[{port}].fsm.elapsed_q ");
        let found = inside("g_fsm[i].fsm.elapsed_q", &powar(), 2).expect("it is there");
        assert_eq!(found.joined, format!("{{{}, {}}}", path(1), path(0)));
        let declared = |port| format!("    (* hierconn *) wire [23:0] {};\n", path(port));
        assert_eq!(found.declared, declared(0) + &declared(1));
    }

    #[test]
    fn what_there_is_not_is_named() {
        let refusal = |path| format!("{:#}", inside(path, &powar(), 2).expect_err("it is not there"));
        assert_eq!(refusal("elapsed_q"), "inside: `elapsed_q` names no block within");
        assert_eq!(refusal("g_fsm[i].gsm.elapsed_q"), "inside: `g_fsm[i].gsm.elapsed_q`: no instance `gsm` in powar");
        let signal = refusal("g_fsm[i].fsm.elapses");
        assert!(signal.starts_with("inside: `g_fsm[i].fsm.elapses`: no signal `elapses` in "), "{signal}");
    }
}
