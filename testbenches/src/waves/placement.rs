//! Where each signal is shown: the scopes and names of a dump.

use super::power_placement::{self, PORT_BITS, PORT_ROWS};
use super::switch_placement::{self, SwitchSizes};
use powar_config::{Config, Mechanism, Role, SignalDecl};

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
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub arrangement: Arrangement,
    /// The power mechanism, which names counters and codes.
    pub mechanism: &'static Mechanism,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// Scopes `inputs`, `rtl` and `golden`.
    Plain,
    /// `power_controller`: by port, requester and group.
    Controller { ports: usize },
    /// `powar_switch`: by port, with its virtual channels, and group.
    Switch(SwitchSizes),
}

/// Vectors of the controller alone whose bit p belongs to port p.
const OWN_BITS: [&str; 3] = ["flit_valid", "flit_tail", "transmit"];

impl Style {
    /// The style of a block.
    pub fn of(block: &str, config: &Config) -> Style {
        let arrangement = match block {
            "power_controller" => Arrangement::Controller { ports: config.ports },
            "powar_switch" => Arrangement::Switch(SwitchSizes::of(config)),
            _ => Arrangement::Plain,
        };
        Style { arrangement, mechanism: config.mechanism() }
    }

    /// The scope of the golden twins, where they have one of their own.
    pub fn golden_scope(self) -> Option<&'static str> {
        (self.arrangement == Arrangement::Plain).then_some("golden")
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
        let ports = match self.arrangement {
            Arrangement::Plain => {
                let side = if signal.role == Role::Input { "inputs" } else { "rtl" };
                return whole(&path(&[side], &signal.name), &leaf(signal, row));
            }
            Arrangement::Switch(sizes) => return switch_placement::places(signal, row, sizes, self.mechanism),
            Arrangement::Controller { ports } => ports,
        };
        // What the power manager holds is shown beside the rest of the same port.
        if let Some(name) = signal.name.strip_prefix("power.") {
            return power_placement::places(signal, row, name, ports, self.mechanism);
        }
        let (child, rest) = signal.name.split_once('.').unwrap_or(("", &signal.name));
        let is_vector = signal.rows == 1 && signal.width == ports;
        match (child, rest) {
            ("", name) if is_vector && (PORT_BITS.contains(&name) || OWN_BITS.contains(&name)) => {
                power_placement::bits(signal, ports, "", name)
            }
            ("", name) if PORT_ROWS.contains(&name) && signal.rows == ports => {
                power_placement::of_port(signal, row, "", name)
            }
            ("", "adaptive" | "deterministic" | "grant") => whole(&[&format!("requester{row}")], rest),
            ("", "write_enable" | "write_address" | "write_data" | "read_address" | "read_data") => {
                whole(&["registers"], rest)
            }
            ("arbiter", name) => power_placement::of_port(signal, row, child, name),
            ("selector", name) => whole(&[&format!("requester{row}")], name),
            _ => whole(&path(&[], &signal.name), &leaf(signal, row)),
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
    const ORDER: [&str; 10] =
        ["registers", "bus", "timer", "mechanism", "group", "requester", "port", "inputs", "rtl", "golden"];
    let Some(scope) = scope else { return (0, 0) };
    let stem = scope.trim_end_matches(|c: char| c.is_ascii_digit());
    let rank = ORDER.iter().position(|&known| known == stem).unwrap_or(ORDER.len());
    (rank + 1, scope[stem.len()..].parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(arrangement: Arrangement, role: Role, name: &str, rows: usize, width: usize, row: usize) -> Vec<String> {
        let style = Style { arrangement, mechanism: &powar_config::mechanism::powar::MECHANISM };
        let places = style.places(&SignalDecl::new(role, name, rows, width), row);
        let show = |place: Place| {
            let bits = format!("{}+:{}", place.shift, place.width);
            format!("{} {bits}", [place.scope, vec![place.name]].concat().join("."))
        };
        places.into_iter().map(show).collect()
    }

    #[test]
    fn the_controllers_signals_belong_to_ports_requesters_and_groups() {
        let controller = Arrangement::Controller { ports: 2 };
        let shown = |role, name: &str, rows, width, row| shown(controller, role, name, rows, width, row);
        assert_eq!(shown(Role::Input, "rst", 1, 1, 0), ["rst 0+:1"]);
        assert_eq!(shown(Role::Output, "held", 1, 2, 0), ["port0.held 0+:1", "port1.held 1+:1"]);
        assert_eq!(shown(Role::Register, "power.held_ports.held", 1, 2, 0), ["port0.held 0+:1", "port1.held 1+:1"]);
        assert_eq!(shown(Role::Input, "flit_tail", 1, 2, 0), ["port0.flit_tail 0+:1", "port1.flit_tail 1+:1"]);
        assert_eq!(shown(Role::Output, "phase", 2, 3, 1), ["port1.phase 0+:3"]);
        // Seven counters a port: those of errors are not there.
        assert_eq!(shown(Role::Register, "power.counters.count", 14, 32, 13), ["port1.counters.flits 0+:32"]);
        assert_eq!(shown(Role::Register, "power.counters.count", 14, 32, 2), ["port0.counters.quiet_cycles 0+:32"]);
        assert_eq!(shown(Role::Register, "power.mechanism.fsm.count", 2, 24, 1), ["port1.fsm.count 0+:24"]);
        assert_eq!(shown(Role::Register, "power.mechanism.near", 1, 2, 0), ["port0.near 0+:1", "port1.near 1+:1"]);
        assert_eq!(shown(Role::Register, "power.mechanism.started", 1, 1, 0), ["mechanism.started 0+:1"]);
        assert_eq!(shown(Role::Register, "selector.rrp", 3, 2, 2), ["requester2.rrp 0+:2"]);
        assert_eq!(shown(Role::Register, "arbiter.pointer", 2, 3, 1), ["port1.arbiter.pointer 0+:3"]);
        let group = |name| format!("power.mechanism.group.{name}");
        assert_eq!(shown(Role::Register, &group("flit_counter.count"), 1, 24, 0), ["group0.flit_count 0+:24"]);
        assert_eq!(shown(Role::Register, &group("selectable_ports.selectable"), 1, 2, 0), ["group0.selectable 0+:2"]);
        assert_eq!(
            shown(Role::Register, "power.mechanism.registers.policy", 1, 2, 0),
            ["policy 0+:2", "registers.policy 0+:2"]
        );
        assert_eq!(shown(Role::Register, "power.mechanism.registers.pdt", 1, 24, 0), ["registers.pdt 0+:24"]);
        assert_eq!(shown(Role::Register, "power.mechanism.timer.count", 1, 16, 0), ["timer.count 0+:16"]);
        assert_eq!(shown(Role::Register, "power.clear", 1, 1, 0), ["registers.clear 0+:1"]);
        assert_eq!(shown(Role::Output, "read_data", 1, 32, 0), ["registers.read_data 0+:32"]);
        // A signal that a later page adds is shown, too.
        assert_eq!(shown(Role::Register, "new.thing", 2, 5, 1), ["new.thing_1 0+:5"]);
    }

    #[test]
    fn other_blocks_are_shown_side_by_side() {
        let shown = |role, name, rows, row| shown(Arrangement::Plain, role, name, rows, 4, row);
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
