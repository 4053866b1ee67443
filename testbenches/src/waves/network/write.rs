//! What was seen of a network, as a dump and the files for viewers.

use super::super::timebase::TimeBase;
use super::super::view::{Group, Item, Marker, Radix, Tone, Trace, View};
use super::super::writer::{cannot_write, head, write_views};
use super::NetworkWaves;
use super::hint_words::words;
use super::record::{Event, Record, Seen, Side, What};
use super::variables::{Lanes, OfLink, OfNetwork};
use anyhow::Result;
use powar_config::mechanism::NodeHint;
use powar_config::topology::wiring::{End, Wiring};
use powar_config::{Config, Phase};
use powar_evaluation::network::Simulation;
use powar_tools::AtomicFile;
use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::Path;
use vcd::IdCode;

/// Name of the outermost scope.
const NETWORK: &str = "network";
/// Ports that stand at the top of the view.
const FIRST_PORTS: usize = 6;
/// What a link shows on which there is nothing.
const NOTHING: &str = "-";

/// A value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Bit(bool),
    Phase(u8),
    /// A node, by its packed address; none on which there is nothing or that is not known.
    Node(Option<u16>),
    Broken,
}

/// A variable has another value from a cycle on.
#[derive(Clone, Debug)]
struct Change {
    cycle: u64,
    variable: usize,
    value: Value,
}

/// All that viewers need to know of a network.
struct Writer<'a> {
    config: &'a Config,
    wiring: &'a Wiring,
    /// Of each packed address: the node.
    nodes: HashMap<u16, usize>,
    variables: OfNetwork,
    cycles: Range<u64>,
}

/// Writes the waves of these cycles into a file that has been begun, and the viewers' files beside it.
pub(super) fn write(
    (path, file): (&Path, AtomicFile),
    simulation: &Simulation,
    (config, wiring): (&Config, &Wiring),
    record: &Record,
    cycles: Range<u64>,
) -> Result<NetworkWaves> {
    let (sees, has_words) = (config.mechanism().sees, config.mechanism().node_hint == NodeHint::Addresses);
    let lanes = Lanes { hints: sees.neighbours, words: sees.neighbours && has_words };
    let nodes = (0..).zip(&wiring.addresses).map(|(node, &address)| (address, node)).collect();
    let variables = OfNetwork::new(wiring, lanes);
    let writer = Writer { config, wiring, nodes, variables, cycles };
    let seen: Vec<_> = record.switches.iter().map(|seen| seen.lock().expect("no thread has panicked")).collect();
    let (mut first, mut changes) = (vec![], vec![]);
    for (switch, seen) in seen.iter().enumerate() {
        first.extend(writer.first_values(switch, seen));
        changes.extend(writer.changes(switch, &seen.events));
    }
    // Of a variable and cycle the last one counts: a packet begins where another ends.
    changes.sort_by_key(|change| (change.cycle, change.variable));
    let woke = woken_ports(seen.iter().map(|seen| seen.events.as_slice()), &writer.cycles);
    let time = TimeBase::of_cycle_ns(config.cycle_ns);
    let view = writer.view(&woke);
    let mut file = BufWriter::with_capacity(1 << 18, file);
    let put = writer.put(&mut file, simulation, time, &first, &changes);
    put.map_err(|error| cannot_write(path, error))?;
    file.into_inner().map_err(|error| cannot_write(path, error.into_error()))?.commit()?;
    let (gtkw, sucl) = write_views(path, &view, &writer.variables.all, time)?;
    Ok(NetworkWaves { vcd: path.to_owned(), gtkw, sucl, cycles: writer.cycles })
}

/// A port that woke: when it began to, and when it was on.
struct Woken {
    switch: usize,
    port: usize,
    began: u64,
    on: u64,
}

/// The ports that woke, in the order of their first time.
fn woken_ports<'a>(seen: impl Iterator<Item = &'a [Event]>, cycles: &Range<u64>) -> Vec<Woken> {
    let mut woken: Vec<Woken> = vec![];
    for (switch, events) in seen.enumerate() {
        let first = woken.len();
        for event in events {
            let (port, What::Phase(code)) = (usize::from(event.port), event.what) else { continue };
            let known = woken[first..].iter_mut().find(|woken| woken.port == port);
            match (known, Phase::by_code(code)) {
                (None, Some(Phase::ComingOn)) => {
                    woken.push(Woken { switch, port, began: event.cycle, on: cycles.end });
                }
                (Some(woken), Some(Phase::On)) if woken.on == cycles.end => woken.on = event.cycle,
                _ => {}
            }
        }
    }
    woken.sort_by_key(|woken| (woken.began, woken.switch, woken.port));
    woken
}

impl Writer<'_> {
    /// What is shown of a port's link from one side.
    fn link(&self, switch: usize, port: u8, side: Side) -> Option<OfLink> {
        match (side, self.wiring.ends[switch][usize::from(port)]) {
            (Side::Port, _) => self.variables.ports[switch][usize::from(port)],
            (Side::Node, End::Node { node, link }) => Some(self.variables.nodes[node as usize][usize::from(link)]),
            (Side::Node, _) => None,
        }
    }

    /// The values in the first cycle of what a switch's ports show, where they are not those of a port that is on.
    fn first_values(&self, switch: usize, seen: &Seen) -> Vec<(usize, Value)> {
        let ports = self.variables.ports[switch].iter().enumerate();
        let shown = |(port, of_link): (usize, &Option<OfLink>)| {
            let (of_link, signal) = ((*of_link)?, seen.at_first.of(port));
            let hint = of_link.hint.map(|variable| (variable, Value::Bit(signal.hint)));
            Some(of_link.phase.map(|variable| (variable, Value::Phase(signal.phase))).into_iter().chain(hint))
        };
        ports.filter_map(shown).flatten().collect()
    }

    /// What changes at a switch, in no order but that of a variable's in a cycle.
    fn changes(&self, switch: usize, events: &[Event]) -> Vec<Change> {
        let mut changes = vec![];
        let mut lanes: HashMap<usize, Vec<(u64, bool)>> = HashMap::new();
        let (mut begun, mut ended) = (vec![], vec![]);
        for &Event { cycle, port, side, what } in events {
            let Some(of_link) = self.link(switch, port, side) else { continue };
            match what {
                What::Phase(code) => {
                    let variable = of_link.phase.expect("a port has a phase");
                    changes.push(Change { cycle, variable, value: Value::Phase(code) });
                }
                What::Hint(bit) => {
                    changes.extend(of_link.hint.map(|variable| Change { cycle, variable, value: Value::Bit(bit) }));
                    of_link.hint_name.into_iter().for_each(|name| lanes.entry(name).or_default().push((cycle, bit)));
                }
                What::Flits { address, flits } => {
                    let (variable, end) = (of_link.link, cycle + u64::from(flits));
                    begun.push(Change { cycle, variable, value: Value::Node(Some(address)) });
                    ended.push(Change { cycle: end, variable, value: Value::Node(None) });
                }
            }
        }
        for (&variable, lane) in &lanes {
            for word in words(lane) {
                let value = word.address.map_or(Value::Broken, |address| Value::Node(Some(address)));
                begun.push(Change { cycle: word.start, variable, value });
                ended.push(Change { cycle: word.end, variable, value: Value::Node(None) });
            }
        }
        changes.extend(ended.into_iter().chain(begun));
        changes.retain(|change| change.cycle < self.cycles.end);
        changes
    }

    fn put(
        &self,
        file: impl Write,
        simulation: &Simulation,
        time: TimeBase,
        first: &[(usize, Value)],
        changes: &[Change],
    ) -> io::Result<()> {
        let list = &self.variables.all.list;
        let mut vcd = vcd::Writer::new(file);
        let (topology, policy) = (&simulation.topology, &simulation.policy);
        let comment = format!("{topology}, {policy}, {} ns a cycle", self.config.cycle_ns);
        let codes = head(&mut vcd, NETWORK, &comment, time, &self.variables.all)?;
        vcd.timestamp(time.start_of(self.cycles.start))?;
        let mut values: Vec<Value> = list
            .iter()
            .map(|variable| if variable.is_text() { Value::Node(None) } else { Value::Bit(false) })
            .collect();
        first.iter().for_each(|(variable, value)| values[*variable] = value.clone());
        // Packets and words that are under way in the first cycle have begun before it.
        let (before, changes) = changes.split_at(changes.partition_point(|change| change.cycle <= self.cycles.start));
        before.iter().for_each(|change| values[change.variable] = change.value.clone());
        for (value, &code) in values.iter().zip(&codes) {
            self.put_value(&mut vcd, code, value)?;
        }
        for of_cycle in changes.chunk_by(|one, next| one.cycle == next.cycle) {
            let last = of_cycle.chunk_by(|one, next| one.variable == next.variable).filter_map(<[Change]>::last);
            let mut told = false;
            for Change { cycle, variable, value } in last {
                if values[*variable] == *value {
                    continue;
                }
                if !std::mem::replace(&mut told, true) {
                    vcd.timestamp(time.start_of(*cycle))?;
                }
                self.put_value(&mut vcd, codes[*variable], value)?;
                values[*variable] = value.clone();
            }
        }
        vcd.timestamp(time.start_of(self.cycles.end))
    }

    fn put_value<W: Write>(&self, vcd: &mut vcd::Writer<W>, code: IdCode, value: &Value) -> io::Result<()> {
        match value {
            Value::Bit(bit) => vcd.change_scalar(code, *bit),
            Value::Phase(phase) => vcd.change_string(code, Phase::by_code(*phase).map_or("unknown", Phase::name)),
            Value::Node(None) => vcd.change_string(code, NOTHING),
            Value::Node(Some(address)) => match self.nodes.get(address) {
                Some(node) => vcd.change_string(code, &format!("to_{node}")),
                None => vcd.change_string(code, &format!("to_address_{address:#x}")),
            },
            Value::Broken => vcd.change_string(code, "broken"),
        }
    }

    /// The ports that woke first, from shortly before until they are on; everything else is folded.
    fn view(&self, woke: &[Woken]) -> View {
        let (start, end) = (self.cycles.start, self.cycles.end);
        let first = &woke[..woke.len().min(FIRST_PORTS)];
        let cycles = first.first().map_or((start, end), |woken| {
            let on = first.iter().map(|woken| woken.on).max().unwrap_or(end);
            let margin = (on - woken.began) / 6 + 40;
            (woken.began.saturating_sub(margin).max(start), (on + margin).min(end))
        });
        let ports = first.iter().filter_map(|woken| self.variables.ports[woken.switch][woken.port]);
        let woke_first =
            group("ports that woke first", true, self.traces(ports.flat_map(|port| port.told().collect::<Vec<_>>())));
        let of_links = |links: &mut dyn Iterator<Item = OfLink>| {
            self.traces(links.flat_map(|of_link| of_link.all().collect::<Vec<_>>()))
        };
        let nodes = of_links(&mut self.variables.nodes.iter().flatten().copied());
        let of_switch = |(number, ports): (usize, &Vec<Option<OfLink>>)| {
            let items = of_links(&mut ports.iter().flatten().copied());
            group(&format!("switch{number}"), number == 0 && first.is_empty(), items)
        };
        let switches = self.variables.ports.iter().enumerate().map(of_switch);
        let mut groups = vec![woke_first, group("nodes", false, nodes)];
        groups.extend(switches);
        groups.retain(|group| !group.items.is_empty());
        let wake_up = first.first().map(|woken| woken.began);
        let markers = wake_up.map(|cycle| Marker { name: "first wake-up".into(), cycle }).into_iter().collect();
        View { block: NETWORK.into(), groups, markers, cycles, cursor: wake_up }
    }

    fn traces(&self, places: impl Iterator<Item = usize>) -> Vec<Item> {
        places.map(|place| self.trace(place)).collect()
    }

    /// GTKWave shows no more of a path than what follows its last dot.
    fn trace(&self, place: usize) -> Item {
        let variable = &self.variables.all.list[place];
        let path = variable.path();
        let label = path
            .strip_suffix("_name")
            .map_or_else(|| path.replace("hint", "hint bit"), str::to_owned)
            .replace('.', " ");
        let (radix, tone) = if variable.is_text() { (Radix::Text, Tone::State) } else { (Radix::Binary, Tone::Normal) };
        Item::Trace(Trace { variable: place, label, radix, tone })
    }
}

fn group(name: &str, open: bool, items: Vec<Item>) -> Group {
    Group { name: name.into(), open, items }
}
