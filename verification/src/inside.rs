//! Registers of the blocks within a block, which its properties may be joined to as well.

use anyhow::{Context, Result};
use powar_config::Config;
use powar_hdl::verilog::Design;

/// Stands for every port, in a path through blocks of which there is one a port.
const EACH_PORT: &str = "[i]";
/// Stands for every virtual channel (VC).
const EACH_VC: &str = "[v]";

/// What makes a signal of a block within the design's top module known in that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inside {
    /// Declarations; Yosys joins each with the signal of that path when it flattens the design.
    pub(crate) declared: String,
    /// The signal, or those of all ports or VCs, that of number 0 lowest.
    pub(crate) joined: String,
}

/// Looks a path up: instances with points between them, and the signal, as in `powar.g_fsm[i].fsm.elapsed_q`. Blocks of which there is one a VC
/// have one name by the path, `g_vc[v].vc`, also where there is one VC only, whose block is in no loop and called `vc_0`.
///
/// # Errors
/// An instance or a signal that there is not.
pub(crate) fn inside(path: &str, design: &Design, config: &Config) -> Result<Inside> {
    let alone = (config.switch.vcs == 1).then(|| out_of_loop(path)).flatten();
    let path = alone.as_deref().unwrap_or(path);
    let range = range(path, design)?;
    let counts = [(EACH_PORT, config.ports), (EACH_VC, config.switch.vcs)];
    let (each, count) = counts.into_iter().find(|(each, _)| path.contains(each)).unwrap_or((EACH_PORT, 1));
    let paths: Vec<String> = (0..count).map(|number| path.replace(each, &format!("[{number}]"))).collect();
    let declared = paths.iter().map(|path| format!("    (* hierconn *) wire {range} \\{path} ;\n")).collect();
    let joined: Vec<String> = paths.iter().rev().map(|path| format!("\\{path} ")).collect();
    Ok(Inside { declared, joined: format!("{{{}}}", joined.join(", ")) })
}

/// A path through the block of one VC: `a.g_vc[v].vc.b` is `a.vc_0.b`.
fn out_of_loop(path: &str) -> Option<String> {
    let (before, after) = path.split_once(EACH_VC)?;
    let outer = before.rfind('.').map_or("", |point| &before[..=point]);
    let (block, rest) = after.strip_prefix('.')?.split_once('.')?;
    Some(format!("{outer}{block}_0.{rest}"))
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

    fn two_ports(vcs: usize) -> Config {
        let mut config = Config { ports: 2, ..presets::by_name("star-16").expect("it is shipped") };
        config.switch.vcs = vcs;
        config
    }

    fn of_powar(path: &str) -> Result<Inside> {
        inside(path, &twins::design(&two_ports(2), "powar").expect("it has this block"), &two_ports(2))
    }

    #[test]
    fn a_signal_of_every_port_is_joined_with_port_0_lowest() {
        let path = |port: usize| format!("\\g_fsm[{port}].fsm.elapsed_q ");
        let found = of_powar("g_fsm[i].fsm.elapsed_q").expect("it is there");
        assert_eq!(found.joined, format!("{{{}, {}}}", path(1), path(0)));
        let declared = |port| format!("    (* hierconn *) wire [23:0] {};\n", path(port));
        assert_eq!(found.declared, declared(0) + &declared(1));
    }

    #[test]
    fn one_path_names_the_blocks_of_several_vcs_and_of_one() {
        for (vcs, names) in [(1, &["vc_0"][..]), (2, &["g_vc[1].vc", "g_vc[0].vc"])] {
            let config = two_ports(vcs);
            let design = twins::design(&config, "input_port").expect("it has this block");
            let found = inside("g_vc[v].vc.flits_full", &design, &config).expect("it is there");
            let names: Vec<String> = names.iter().map(|name| format!("\\{name}.flits_full ")).collect();
            assert_eq!(found.joined, format!("{{{}}}", names.join(", ")));
        }
    }

    #[test]
    fn what_there_is_not_is_named() {
        let refusal = |path| format!("{:#}", of_powar(path).expect_err("it is not there"));
        assert_eq!(refusal("elapsed_q"), "inside: `elapsed_q` names no block within");
        assert_eq!(refusal("g_fsm[i].gsm.elapsed_q"), "inside: `g_fsm[i].gsm.elapsed_q`: no instance `gsm` in powar");
        let signal = refusal("g_fsm[i].fsm.elapses");
        assert!(signal.starts_with("inside: `g_fsm[i].fsm.elapses`: no signal `elapses` in "), "{signal}");
    }
}
