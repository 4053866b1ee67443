//! Where each signal is shown: the scopes and names of a dump. They follow from to what a signal belongs.

use crate::twins::{CONTROLLER, SWITCH};
use powar_config::{Config, Meaning, Mechanism, Owner, Role, SignalDecl, registers};

/// Where a slot of a frame, or some of its bits, is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WavePlace {
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
    pub owners: OwnerCounts,
    /// The power mechanism, which names counters.
    pub mechanism: &'static Mechanism,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// Scopes `inputs`, `rtl` and `golden`.
    Plain,
    /// `power_controller` and the power mechanism alone: by port, requester and group.
    Controller,
    /// `powar_switch`: by port, with its virtual channels, and group.
    Switch,
}

/// How many of each owner there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnerCounts {
    pub ports: usize,
    /// Virtual channels of a port.
    pub vcs: usize,
    pub groups: usize,
    pub requesters: usize,
}

impl OwnerCounts {
    /// Owners of this kind; of the whole, and of its parts, `None`.
    fn of(self, owner: Owner) -> Option<usize> {
        match owner {
            Owner::Block | Owner::Part(_) => None,
            Owner::Group => Some(self.groups),
            Owner::Requester => Some(self.requesters),
            Owner::Port | Owner::InputPort | Owner::InputLink | Owner::OutputPort | Owner::OutputLink => {
                Some(self.ports)
            }
            Owner::InputVc | Owner::OutputVc => Some(self.ports * self.vcs),
        }
    }

    /// The scopes of an owner by its number, 0 where there is one.
    fn scope(self, owner: Owner, number: usize) -> Vec<String> {
        let port = |port: usize, parts: &[String]| [&[format!("port{port}")], parts].concat();
        let (of_port, vc) = (number / self.vcs, number % self.vcs);
        match owner {
            Owner::Block => vec![],
            Owner::Part(name) => vec![name.into()],
            Owner::Group => vec![format!("group{number}")],
            Owner::Requester => vec![format!("requester{number}")],
            Owner::Port => port(number, &[]),
            Owner::InputPort => port(number, &["input".into()]),
            Owner::InputLink => port(number, &["link_in".into()]),
            Owner::InputVc => port(of_port, &[format!("vc{vc}")]),
            Owner::OutputPort => port(number, &["output".into()]),
            Owner::OutputLink => port(number, &["link_out".into()]),
            Owner::OutputVc => port(of_port, &["output".into(), format!("credit{vc}")]),
        }
    }
}

impl Style {
    /// The style of a block.
    pub fn of(block: &str, config: &Config) -> Style {
        let arrangement = match block {
            CONTROLLER => Arrangement::Controller,
            block if block == config.mechanism().name => Arrangement::Controller,
            SWITCH => Arrangement::Switch,
            _ => Arrangement::Plain,
        };
        let owners = OwnerCounts {
            ports: config.ports,
            vcs: config.switch.vcs,
            groups: config.groups.len(),
            requesters: config.requesters(),
        };
        Style { arrangement, owners, mechanism: config.mechanism() }
    }

    /// The scope of the golden twins, where they have one of their own.
    pub fn golden_scope(self) -> Option<&'static str> {
        (self.arrangement == Arrangement::Plain).then_some("golden")
    }

    /// The places of a row of a signal; the RTL's, for a signal that both models have.
    pub fn places(self, signal: &SignalDecl, row: usize) -> Vec<WavePlace> {
        if signal.meaning == Meaning::Reset {
            return vec![whole(signal, vec![], signal.name.clone())];
        }
        if self.arrangement == Arrangement::Plain {
            let side = if signal.role == Role::Input { "inputs" } else { "rtl" };
            return vec![whole(signal, below(vec![side.into()], &signal.name), leaf(&signal.name, signal.rows, row))];
        }
        let SignalDecl { owner, rows, width, .. } = *signal;
        let (own_name, count) = (signal.own_name.as_str(), self.owners.of(owner));
        let scope = |number: usize| below(self.owners.scope(owner, number), own_name);
        match count {
            Some(count) if signal.meaning == Meaning::Flag && (rows, width) == (1, count) => {
                let bit =
                    |number| WavePlace { scope: scope(number), name: leaf(own_name, 1, 0), shift: number, width: 1 };
                (0..count).map(bit).collect()
            }
            // Each owner has as many rows.
            Some(count) if count > 0 && rows >= count && rows % count == 0 => {
                let of_each = rows / count;
                let (number, row) = (row / of_each, row % of_each);
                let name = match signal.meaning {
                    Meaning::PortCounter if of_each > 1 => self.counter(row),
                    _ => leaf(own_name, of_each, row),
                };
                vec![whole(signal, scope(number), name)]
            }
            None => {
                let place = whole(signal, scope(0), leaf(own_name, rows, row));
                // The policy explains everything else, so that it is shown at the top too.
                let is_below = matches!(signal.meaning, Meaning::Policy(_)) && !place.scope.is_empty();
                let top = is_below.then(|| WavePlace { scope: vec![], ..place.clone() });
                top.into_iter().chain([place]).collect()
            }
            // Not as many rows as owners: which of them has which can't be told.
            Some(_) => vec![whole(signal, below(vec![], &signal.name), leaf(&signal.name, rows, row))],
        }
    }

    /// The name of a counter of a port.
    fn counter(self, place: usize) -> String {
        registers::counters(self.mechanism).nth(place).expect("one name a counter").0.to_owned()
    }
}

/// The place of all bits of a row.
fn whole(signal: &SignalDecl, scope: Vec<String>, name: String) -> WavePlace {
    WavePlace { scope, name, shift: 0, width: signal.width }
}

/// The scopes of a name: those given, then the name's own path without its last part.
fn below(mut scope: Vec<String>, name: &str) -> Vec<String> {
    let own = name.rsplit_once('.').map_or("", |(path, _)| path);
    scope.extend(own.split('.').filter(|part| !part.is_empty()).map(str::to_owned));
    scope
}

/// The last part of the name of one of some rows. No brackets: viewers take them for bit ranges.
fn leaf(name: &str, rows: usize, row: usize) -> String {
    let name = name.rsplit('.').next().unwrap_or(name);
    if rows == 1 { name.to_owned() } else { format!("{name}_{row}") }
}

/// Order of the outermost scopes in a dump: the block's own signals, then from the whole to its parts.
pub fn scope_order(scope: Option<&str>) -> (usize, usize) {
    const ORDER: [&str; 11] =
        ["registers", "bus", "timer", "ring", "mechanism", "group", "requester", "port", "inputs", "rtl", "golden"];
    let Some(scope) = scope else { return (0, 0) };
    let stem = scope.trim_end_matches(|c: char| c.is_ascii_digit());
    let rank = ORDER.iter().position(|&known| known == stem).unwrap_or(ORDER.len());
    (rank + 1, scope[stem.len()..].parse().unwrap_or(0))
}

#[cfg(test)]
mod tests;
