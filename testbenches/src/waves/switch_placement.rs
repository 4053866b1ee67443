//! Where the signals of the whole switch are shown: everything of a port in its scope, from the link in to the link out.

use super::placement::{Place, leaf, path};
use super::power_placement::{self, PORT_BITS, PORT_ROWS};
use powar_config::{Config, Mechanism, SignalDecl};

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

/// The places of a row of a signal of `powar_switch`.
pub fn places(signal: &SignalDecl, row: usize, sizes: SwitchSizes, mechanism: &Mechanism) -> Vec<Place> {
    let SwitchSizes { ports, vcs, words } = sizes;
    let at =
        |scope: Vec<String>, name: &str| vec![Place { scope, name: name.to_owned(), shift: 0, width: signal.width }];
    let port = |port: usize, below: &str, name: &str| power_placement::of_port(signal, port, below, name);
    // Bit p of a vector is port p's.
    let bits = |below: &str, name: &str| power_placement::bits(signal, ports, below, name);
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
        "" if PORT_ROWS.contains(&name) && signal.rows == ports => port(row, "", name),
        "" => at(vec![], &leaf(signal, row)),
        "bus" => at(vec!["bus".into()], rest),
        "power" => power_placement::places(signal, row, rest, ports, mechanism),
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
            let signal = SignalDecl::new(Role::Register, name, rows, width);
            let places = places(&signal, row, sizes, &powar_config::mechanism::powar::MECHANISM);
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
        assert_eq!(shown("in_hint", 1, 3, 0), each_port("link_in.hint"));
        assert_eq!(shown("out_phase", 3, 3, 2), ["port2.link_out.phase 0+:3"]);
        assert_eq!(shown("output_port.out_hint", 3, 1, 1), ["port1.link_out.hint 0+:1"]);
        assert_eq!(shown("held", 1, 3, 0), each_port("held"));
        assert_eq!(shown("level", 3, 3, 1), ["port1.level 0+:3"]);
        assert_eq!(shown("power.held_ports.held", 1, 3, 0), each_port("held"));
        assert_eq!(shown("power.mechanism.fsm.state", 3, 2, 1), ["port1.fsm.state 0+:2"]);
        assert_eq!(shown("power.counters.count", 36, 32, 18), ["port1.counters.flits 0+:32"]);
        assert_eq!(shown("power.counters.count", 36, 32, 32), ["port2.counters.framing_errors 0+:32"]);
        assert_eq!(shown("power.mechanism.timer.count", 1, 16, 0), ["timer.count 0+:16"]);
        assert_eq!(shown("power.mechanism.group.flit_counter.count", 2, 24, 1), ["group1.flit_count 0+:24"]);
        assert_eq!(shown("input_port.reading", 3, 2, 2), ["port2.input.reading 0+:2"]);
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
        assert_eq!(shown("output_port.phase_early", 3, 3, 1), ["port1.output.phase_early 0+:3"]);
        assert_eq!(shown("power.mechanism.registers.policy", 1, 2, 0), ["policy 0+:2", "registers.policy 0+:2"]);
        assert_eq!(shown("power.read_data", 1, 32, 0), ["registers.read_data 0+:32"]);
        assert_eq!(shown("bus.s_axi_rdata", 1, 32, 0), ["bus.s_axi_rdata 0+:32"]);
        assert_eq!(shown("s_axi_awvalid", 1, 1, 0), ["bus.s_axi_awvalid 0+:1"]);
        // A signal that a later page adds is shown, too.
        assert_eq!(shown("new.thing", 2, 5, 1), ["new.thing_1 0+:5"]);
    }
}
