//! Where the signals of the whole switch are shown: everything of a port in its scope, from the link in to the link out.

use super::placement::{Place, group_place, leaf, path};
use powar_config::{Config, SignalDecl};

/// Sizes of a switch, which tell what a row of a signal belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchSizes {
    pub ports: usize,
    /// Virtual channels of a port.
    pub vcs: usize,
    /// Words of 32 bits in a flit.
    pub words: usize,
}

impl SwitchSizes {
    pub fn of(config: &Config) -> SwitchSizes {
        SwitchSizes { ports: config.ports, vcs: config.switch.vcs, words: config.switch.flit_words() }
    }
}

/// Vectors whose bit p belongs to port p, whatever block shows them.
const PORT_BITS: [&str; 4] = ["busy", "awake", "selectable", "full_power"];
/// Error counters of an input or an output port.
const ERRORS: [&str; 5] =
    ["dropped_packets", "framing_errors", "overflow_errors", "sleeping_link_flits", "credit_errors"];

/// The places of a row of a signal of `powar_switch`.
pub fn places(signal: &SignalDecl, row: usize, sizes: SwitchSizes) -> Vec<Place> {
    let SwitchSizes { ports, vcs, words } = sizes;
    let at =
        |scope: Vec<String>, name: &str| vec![Place { scope, name: name.to_owned(), shift: 0, width: signal.width }];
    let port = |port: usize, below: &str, name: &str| {
        let below = below.split('.').filter(|part| !part.is_empty()).map(str::to_owned);
        at(std::iter::once(format!("port{port}")).chain(below).collect(), name)
    };
    // Bit p of a vector is port p's.
    let bits = |below: &str, name: &str| -> Vec<Place> {
        let of = |p| port(p, below, name).into_iter().map(move |place| Place { shift: p, width: 1, ..place });
        (0..ports).flat_map(of).collect()
    };
    let is_vector = signal.rows == 1 && signal.width == ports;
    let name = signal.name.as_str();
    // A signal of a link, of the switch itself or of the port that drives it: a vector, or rows of ports or of their words.
    let link = |scope: &str, name: &str| match signal.rows {
        _ if is_vector && signal.rows != ports => bits(scope, name),
        rows if rows == ports => port(row, scope, name),
        _ => port(row / words, scope, &format!("{name}_{}", row % words)),
    };
    let last = name.rsplit('.').next().unwrap_or(name);
    let on_link = |name: &str| {
        let (scope, name) = name
            .strip_prefix("in_")
            .map(|rest| ("link_in", rest))
            .or(name.strip_prefix("out_").map(|rest| ("link_out", rest)))?;
        Some(link(scope, name))
    };
    let own = ["", "input_port.", "output_port."]
        .iter()
        .find_map(|owner| name.strip_prefix(owner).filter(|rest| !rest.contains('.')));
    if let Some(places) = own.and_then(on_link) {
        return places;
    }
    let (block, rest) = name.split_once('.').unwrap_or(("", name));
    // The child that a register is in, with a dot at its end where it is a path.
    let within = |path: &str| path.rsplit_once('.').map_or(String::new(), |(path, _)| path.to_owned());
    match block {
        "" if PORT_BITS.contains(&name) && is_vector => bits("", name),
        "" if name.starts_with("s_axi_") => at(vec!["bus".into()], name),
        "" => at(vec![], &leaf(signal, row)),
        "bus" => match rest.split_once('.') {
            // The policy explains everything else, so that it is shown at the top too.
            Some(("registers", "policy")) => [at(vec![], "policy"), at(vec!["registers".into()], "policy")].concat(),
            Some((scope, name)) => at(vec![scope.to_owned()], name),
            None => at(vec!["bus".into()], rest),
        },
        "power" => match rest.split_once('.') {
            None if PORT_BITS.contains(&rest) && is_vector => bits("", rest),
            Some((child @ ("fsm" | "statistics"), name)) => port(row, child, name),
            Some(("group", name)) => group_place(signal, row, name),
            _ => at(path(&[], rest).into_iter().map(str::to_owned).collect(), &leaf(signal, row)),
        },
        "input_port" if ERRORS.contains(&rest) => port(row, "errors", rest),
        "input_port" => match rest.strip_prefix("vc.") {
            Some(rest) => port(row / vcs, &format!("vc{}.{}", row % vcs, within(rest)), last),
            None => port(row, &format!("input.{}", within(rest)), last),
        },
        "allocator" => match rest.split_once('.') {
            Some(("selector", name)) => port(row / vcs, &format!("vc{}.selector", row % vcs), name),
            Some(("vc_arbiter", name)) => port(row, "input.vc_arbiter", name),
            Some(("port_arbiter", name)) => port(row, "output.port_arbiter", name),
            None if signal.rows == ports * vcs => port(row / vcs, &format!("vc{}.selector", row % vcs), rest),
            _ => at(path(&[], name).into_iter().map(str::to_owned).collect(), &leaf(signal, row)),
        },
        // Row or bit i: what comes from input port i.
        "crossbar" if signal.rows == ports => port(row, "input.crossbar", rest),
        "crossbar" if is_vector => bits("input.crossbar", rest),
        "output_port" if ERRORS.contains(&rest) => port(row, "errors", rest),
        "output_port" => match rest.strip_prefix("credit.") {
            Some(name) => port(row / vcs, &format!("output.credit{}", row % vcs), name),
            None => port(row, &format!("output.{}", within(rest)), last),
        },
        _ => at(path(&[], name).into_iter().map(str::to_owned).collect(), &leaf(signal, row)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::Role;

    #[test]
    fn everything_of_a_port_is_in_its_scope() {
        let sizes = SwitchSizes { ports: 3, vcs: 2, words: 4 };
        let shown = |name: &str, rows: usize, width: usize, row: usize| -> Vec<String> {
            let places = places(&SignalDecl::new(Role::Register, name, rows, width), row, sizes);
            let show = |place: Place| {
                let bits = format!("{}+:{}", place.shift, place.width);
                format!("{} {bits}", [place.scope, vec![place.name]].concat().join("."))
            };
            places.into_iter().map(show).collect()
        };
        let each_port = |name: &str| -> Vec<String> { (0..3).map(|p| format!("port{p}.{name} {p}+:1")).collect() };
        assert_eq!(shown("position", 1, 16, 0), ["position 0+:16"]);
        assert_eq!(shown("in_valid", 1, 3, 0), each_port("link_in.valid"));
        assert_eq!(shown("in_vc", 3, 3, 2), ["port2.link_in.vc 0+:3"]);
        assert_eq!(shown("in_flit", 12, 32, 6), ["port1.link_in.flit_2 0+:32"]);
        assert_eq!(shown("out_flit", 12, 32, 11), ["port2.link_out.flit_3 0+:32"]);
        assert_eq!(shown("output_port.out_flit", 12, 32, 11), ["port2.link_out.flit_3 0+:32"]);
        assert_eq!(shown("output_port.out_valid", 3, 1, 1), ["port1.link_out.valid 0+:1"]);
        assert_eq!(shown("input_port.in_credit_vc", 3, 3, 1), ["port1.link_in.credit_vc 0+:3"]);
        assert_eq!(shown("busy", 1, 3, 0), each_port("busy"));
        assert_eq!(shown("power.busy", 1, 3, 0), each_port("busy"));
        assert_eq!(shown("power.fsm.state", 3, 2, 1), ["port1.fsm.state 0+:2"]);
        assert_eq!(shown("power.statistics.flits", 3, 32, 1), ["port1.statistics.flits 0+:32"]);
        assert_eq!(shown("power.timer.count", 1, 16, 0), ["timer.count 0+:16"]);
        assert_eq!(shown("power.group.flit_counter.count", 2, 24, 1), ["group1.flit_count 0+:24"]);
        assert_eq!(shown("input_port.reading", 3, 2, 2), ["port2.input.reading 0+:2"]);
        assert_eq!(shown("input_port.framing_errors", 3, 32, 2), ["port2.errors.framing_errors 0+:32"]);
        assert_eq!(shown("input_port.vc.head_valid", 6, 1, 5), ["port2.vc1.head_valid 0+:1"]);
        assert_eq!(shown("input_port.vc.flits.count", 6, 13, 3), ["port1.vc1.flits.count 0+:13"]);
        assert_eq!(shown("allocator.selector.choice", 6, 3, 4), ["port2.vc0.selector.choice 0+:3"]);
        assert_eq!(shown("allocator.missed", 6, 6, 4), ["port2.vc0.selector.missed 0+:6"]);
        assert_eq!(shown("allocator.vc_arbiter.pointer", 3, 2, 1), ["port1.input.vc_arbiter.pointer 0+:2"]);
        assert_eq!(shown("allocator.port_arbiter.pointer", 3, 3, 1), ["port1.output.port_arbiter.pointer 0+:3"]);
        assert_eq!(shown("crossbar.select", 3, 3, 1), ["port1.input.crossbar.select 0+:3"]);
        assert_eq!(shown("crossbar.select_head", 1, 3, 0), each_port("input.crossbar.select_head"));
        assert_eq!(shown("output_port.credit.credits", 6, 13, 1), ["port0.output.credit1.credits 0+:13"]);
        assert_eq!(shown("output_port.vc_allocator.pointer", 3, 2, 1), ["port1.output.vc_allocator.pointer 0+:2"]);
        assert_eq!(shown("output_port.power_state_early", 3, 2, 1), ["port1.output.power_state_early 0+:2"]);
        assert_eq!(shown("output_port.credit_errors", 3, 32, 0), ["port0.errors.credit_errors 0+:32"]);
        assert_eq!(shown("bus.registers.policy", 1, 2, 0), ["policy 0+:2", "registers.policy 0+:2"]);
        assert_eq!(shown("bus.s_axi_rdata", 1, 32, 0), ["bus.s_axi_rdata 0+:32"]);
        assert_eq!(shown("s_axi_awvalid", 1, 1, 0), ["bus.s_axi_awvalid 0+:1"]);
        // A signal that a later page adds is shown, too.
        assert_eq!(shown("new.thing", 2, 5, 1), ["new.thing_1 0+:5"]);
    }
}
