//! Where each signal is shown: the scopes and names of a dump.

use super::switch_placement::{self, SwitchSizes};
use powar_config::{Config, Role, SignalDecl};

/// Where a slot of a frame, or some of its bits, is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Scopes below the block, outermost first.
    pub scope: Vec<String>,
    pub name: String,
    /// Lowest bit of the slot that belongs here.
    pub shift: usize,
    /// Bits from there on.
    pub width: usize,
}

/// How a block is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Scopes `inputs`, `rtl` and `golden`.
    Plain,
    /// `power_controller`: by port, requester and group.
    Controller { ports: usize },
    /// `powar_switch`: by port, with its virtual channels, and group.
    Switch(SwitchSizes),
}

/// Vectors of the controller whose bit p belongs to port p.
const PORT_BITS: [&str; 8] =
    ["flit_valid", "flit_tail", "transmit", "busy", "awake", "refreshing", "full_power", "selectable"];
/// Outputs of the controller whose row p is a statistic of port p.
const STATISTICS: [&str; 7] =
    ["active_cycles", "entering_cycles", "quiet_cycles", "refresh_cycles", "waking_cycles", "wake_ups", "flits"];

impl Style {
    /// The style of a block.
    pub fn of(block: &str, config: &Config) -> Style {
        match block {
            "power_controller" => Style::Controller { ports: config.ports },
            "powar_switch" => Style::Switch(SwitchSizes::of(config)),
            _ => Style::Plain,
        }
    }

    /// The scope of the golden twins, where they have one of their own.
    pub fn golden_scope(self) -> Option<&'static str> {
        (self == Style::Plain).then_some("golden")
    }

    /// The places of a row of a signal; the RTL's, for a signal that both models have.
    pub fn places(self, signal: &SignalDecl, row: usize) -> Vec<Place> {
        let whole = |scope: &[&str], name: &str| {
            let scope = scope.iter().map(|&part| part.to_owned()).collect();
            vec![Place { scope, name: name.to_owned(), shift: 0, width: signal.width }]
        };
        if signal.role == Role::Input && signal.name == "rst" {
            return whole(&[], "rst");
        }
        let ports = match self {
            Style::Plain => {
                let side = if signal.role == Role::Input { "inputs" } else { "rtl" };
                return whole(&path(&[side], &signal.name), &leaf(signal, row));
            }
            Style::Switch(sizes) => return switch_placement::places(signal, row, sizes),
            Style::Controller { ports } => ports,
        };
        // What the power manager holds is shown beside the rest of the same port.
        let full_name = signal.name.strip_prefix("power.").unwrap_or(&signal.name);
        let (child, rest) = full_name.split_once('.').unwrap_or(("", full_name));
        match (child, rest) {
            ("", name) if PORT_BITS.contains(&name) && signal.rows == 1 && signal.width == ports => (0..ports)
                .map(|port| Place { scope: vec![format!("port{port}")], name: name.into(), shift: port, width: 1 })
                .collect(),
            ("", "power_state") => whole(&[&format!("port{row}")], rest),
            ("", name) if STATISTICS.contains(&name) => whole(&[&format!("port{row}"), "statistics"], name),
            ("", "adaptive" | "deterministic" | "grant") => whole(&[&format!("requester{row}")], rest),
            ("", "write_enable" | "write_address" | "write_data") => whole(&["registers"], rest),
            ("", "check") => whole(&[], rest),
            ("fsm" | "arbiter" | "statistics", name) => whole(&[&format!("port{row}"), child], name),
            ("selector", name) => whole(&[&format!("requester{row}")], name),
            ("group", name) => group_place(signal, row, name),
            // The policy explains everything else, so that it is shown at the top too.
            ("registers", "policy") => [whole(&[], rest), whole(&[child], rest)].concat(),
            _ => whole(&path(&[], full_name), &leaf(signal, row)),
        }
    }
}

/// The place of what a port group holds, by its path below the group.
pub fn group_place(signal: &SignalDecl, row: usize, path: &str) -> Vec<Place> {
    let name = if path == "flit_counter.count" { "flit_count" } else { path.rsplit('.').next().unwrap_or(path) };
    vec![Place { scope: vec![format!("group{row}")], name: name.to_owned(), shift: 0, width: signal.width }]
}

/// The scopes of a name: those given, then the name's own path without its last part.
pub fn path<'a>(scopes: &[&'a str], name: &'a str) -> Vec<&'a str> {
    let own = name.rsplit_once('.').map_or("", |(path, _)| path);
    scopes.iter().copied().chain(own.split('.').filter(|part| !part.is_empty())).collect()
}

/// The last part of a row's name. No brackets: viewers take them for bit ranges.
pub fn leaf(signal: &SignalDecl, row: usize) -> String {
    let name = signal.name.rsplit('.').next().unwrap_or(&signal.name);
    if signal.rows == 1 { name.to_owned() } else { format!("{name}_{row}") }
}

/// Order of the outermost scopes in a dump: the block's own signals, then from the whole to its parts.
pub fn scope_order(scope: Option<&str>) -> (usize, usize) {
    const ORDER: [&str; 9] = ["registers", "bus", "timer", "group", "requester", "port", "inputs", "rtl", "golden"];
    let Some(scope) = scope else { return (0, 0) };
    let stem = scope.trim_end_matches(|c: char| c.is_ascii_digit());
    let rank = ORDER.iter().position(|&known| known == stem).unwrap_or(ORDER.len());
    (rank + 1, scope[stem.len()..].parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(style: Style, role: Role, name: &str, rows: usize, width: usize, row: usize) -> Vec<String> {
        let places = style.places(&SignalDecl::new(role, name, rows, width), row);
        let show = |place: Place| {
            let bits = format!("{}+:{}", place.shift, place.width);
            format!("{} {bits}", [place.scope, vec![place.name]].concat().join("."))
        };
        places.into_iter().map(show).collect()
    }

    #[test]
    fn the_controllers_signals_belong_to_ports_requesters_and_groups() {
        let style = Style::Controller { ports: 2 };
        let shown = |role, name, rows, width, row| shown(style, role, name, rows, width, row);
        assert_eq!(shown(Role::Input, "rst", 1, 1, 0), ["rst 0+:1"]);
        assert_eq!(shown(Role::Output, "busy", 1, 2, 0), ["port0.busy 0+:1", "port1.busy 1+:1"]);
        assert_eq!(shown(Role::Register, "power.busy", 1, 2, 0), ["port0.busy 0+:1", "port1.busy 1+:1"]);
        assert_eq!(shown(Role::Output, "power_state", 2, 2, 1), ["port1.power_state 0+:2"]);
        assert_eq!(shown(Role::Output, "flits", 2, 32, 1), ["port1.statistics.flits 0+:32"]);
        assert_eq!(shown(Role::Register, "power.fsm.count", 2, 24, 1), ["port1.fsm.count 0+:24"]);
        assert_eq!(shown(Role::Register, "selector.rrp", 3, 2, 2), ["requester2.rrp 0+:2"]);
        assert_eq!(shown(Role::Register, "power.group.flit_counter.count", 1, 24, 0), ["group0.flit_count 0+:24"]);
        assert_eq!(
            shown(Role::Register, "power.group.selectable_ports.selectable", 1, 2, 0),
            ["group0.selectable 0+:2"]
        );
        assert_eq!(shown(Role::Register, "registers.policy", 1, 2, 0), ["policy 0+:2", "registers.policy 0+:2"]);
        assert_eq!(shown(Role::Register, "registers.pdt", 1, 24, 0), ["registers.pdt 0+:24"]);
        assert_eq!(shown(Role::Register, "power.timer.count", 1, 16, 0), ["timer.count 0+:16"]);
        // A signal that a later page adds is shown, too.
        assert_eq!(shown(Role::Register, "new.thing", 2, 5, 1), ["new.thing_1 0+:5"]);
    }

    #[test]
    fn other_blocks_are_shown_side_by_side() {
        let shown = |role, name, rows, row| shown(Style::Plain, role, name, rows, 4, row);
        assert_eq!(shown(Role::Input, "flit", 1, 0), ["inputs.flit 0+:4"]);
        assert_eq!(shown(Role::Output, "selectable", 1, 0), ["rtl.selectable 0+:4"]);
        assert_eq!(shown(Role::Register, "flit_counter.count", 2, 1), ["rtl.flit_counter.count_1 0+:4"]);
    }

    #[test]
    fn ports_are_ordered_by_number() {
        let mut scopes = [Some("port10"), Some("port2"), Some("registers"), None, Some("other"), Some("group0")];
        scopes.sort_by_key(|scope| scope_order(*scope));
        assert_eq!(scopes, [None, Some("registers"), Some("group0"), Some("port2"), Some("port10"), Some("other")]);
    }
}
