//! What `ibnetdiscover` of infiniband-diags prints of an InfiniBand subnet (its man page; `infiniband-diags/ibnetdiscover.c` of rdma-core).
//!
//! ```text
//! Switch  36 "S-0002c90200423838"   # "leaf-1" base port 0 lid 3 lmc 0
//! [1]     "H-0002c903000a1b2c"[1](2c903000a1b2d)  # "node01 HCA-1" lid 5 4xQDR
//! [36]    "S-0002c90200423900"[1]   # "spine-1" lid 4 4xQDR
//!
//! Ca      1 "H-0002c903000a1b2c"    # "node01 HCA-1"
//! [1](2c903000a1b2d)  "S-0002c90200423838"[1]   # lid 5 lmc 0 "leaf-1" lid 3 4xQDR
//! ```
//!
//! Switches are switches; a channel adapter is a node, with as many links as it has ports in use. One with ports at several switches is a node at each of them.
//! A cable is said at both ends, or at one if the output is part of it, and is one. Switches, nodes and cables are in the order in which they are met first. They
//! are called by their descriptions, with their identity behind it if it is not the only one of that description.
//!
//! What this network has not is remarked: widths and speeds, adapters without a link, cables from a switch to itself, aggregation nodes (the engine for
//! reductions within a switch, which shows itself as an adapter).

mod line;

use super::Format;
use crate::topology::graph::Draft;
use anyhow::{Context, Result, bail, ensure};
use line::{Cable, Device, Kind, Line};
use std::collections::{BTreeMap, HashMap};

pub(super) static FORMAT: Format = Format {
    name: "ibnetdiscover",
    doc: "what `ibnetdiscover` prints of an InfiniBand subnet; widths and speeds are not read",
    is_this: |text| text.lines().any(|line| line::is_device(line.trim_start())),
    read,
};

/// Speeds of a lane.
const SPEEDS: [&str; 9] = ["SDR", "DDR", "QDR", "FDR10", "FDR", "EDR", "HDR", "NDR", "XDR"];
/// Lanes of a link.
const WIDTHS: [&str; 5] = ["1", "2", "4", "8", "12"];
/// In the description of what reduces within a switch.
const AGGREGATION: &str = "Aggregation Node";

/// A port: the place of its device, and its number there.
type Port = (usize, u32);

/// A cable, as it was said first.
struct Said<'a> {
    ends: [Port; 2],
    /// As each end says it; what the other end says only if it says something else.
    rate: Option<&'a str>,
    back: Option<&'a str>,
    line: usize,
}

/// What a text says.
#[derive(Default)]
struct Subnet<'a> {
    devices: Vec<Device<'a>>,
    /// Places of devices, by identity.
    known: HashMap<&'a str, usize>,
    cables: Vec<Said<'a>>,
    /// The place of the cable in each port.
    ports: HashMap<Port, usize>,
    lids: HashMap<Port, u16>,
    /// How many lines were not understood, and the first of them.
    unknown: (usize, usize),
}

fn read(text: &str, draft: &mut Draft) -> Result<()> {
    let mut subnet = Subnet::default();
    let mut here = None;
    for (place, line) in text.lines().enumerate() {
        let said = Line::read(line).and_then(|line| subnet.line(line, &mut here, place + 1));
        said.with_context(|| format!("line {}", place + 1))?;
    }
    subnet.finish(draft)
}

impl<'a> Subnet<'a> {
    fn line(&mut self, line: Line<'a>, here: &mut Option<usize>, place: usize) -> Result<()> {
        match line {
            Line::Device(device) => *here = Some(self.device(device)),
            Line::Cable(cable) => {
                let here = here.context("a port of no device: expected a line `Switch`, `Ca` or `Rt` before it")?;
                self.cable(here, &cable, place)?;
            }
            Line::PassedOver => {}
            Line::Unknown => {
                self.unknown = (self.unknown.0 + 1, if self.unknown.0 == 0 { place } else { self.unknown.1 })
            }
        }
        Ok(())
    }

    /// The place of a device, which is new or was met before.
    fn device(&mut self, device: Device<'a>) -> usize {
        let place = *self.known.entry(device.identity).or_insert(self.devices.len());
        match self.devices.get_mut(place) {
            None => self.devices.push(device),
            Some(known) => {
                if known.description.is_empty() {
                    known.description = device.description;
                }
                known.lid = known.lid.or(device.lid);
            }
        }
        place
    }

    fn cable(&mut self, here: usize, cable: &Cable<'a>, line: usize) -> Result<()> {
        let other = self.device(cable.other);
        let ends = [(here, cable.port), (other, cable.other_port)];
        for (end, lid) in ends.into_iter().zip([cable.lid, cable.other.lid]) {
            lid.into_iter().for_each(|lid| _ = self.lids.entry(end).or_insert(lid));
        }
        if let Some(&place) = ends.iter().find_map(|end| self.ports.get(end)) {
            let known = &mut self.cables[place];
            known.back = cable.rate.filter(|_| cable.rate != known.rate);
            let is_same = known.ends == ends || known.ends == [ends[1], ends[0]];
            let [one, other] = ends.map(|(device, port)| format!("port {port} of `{}`", self.devices[device].identity));
            ensure!(is_same, "a cable from {one} to {other}, but one of them is elsewhere in line {}", known.line);
            return Ok(());
        }
        ends.iter().for_each(|&end| _ = self.ports.insert(end, self.cables.len()));
        self.cables.push(Said { ends, rate: cable.rate, back: None, line });
        Ok(())
    }

    fn is_switch(&self, device: usize) -> bool {
        self.devices[device].kind == Kind::Switch
    }

    fn is_aggregation(&self, device: usize) -> bool {
        !self.is_switch(device) && self.devices[device].description.contains(AGGREGATION)
    }

    /// What each device is called: by its description if that is its alone.
    fn names(&self) -> Vec<String> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        self.devices.iter().for_each(|device| *counts.entry(device.description).or_default() += 1);
        let name = |&Device { description, identity, .. }: &Device| match counts[description] {
            _ if description.is_empty() => identity.to_owned(),
            1 => description.to_owned(),
            _ => format!("{description} ({identity})"),
        };
        self.devices.iter().map(name).collect()
    }

    fn finish(&self, draft: &mut Draft) -> Result<()> {
        let names = self.names();
        let mut switches = vec![None; self.devices.len()];
        for (place, device) in self.devices.iter().enumerate().filter(|(place, _)| self.is_switch(*place)) {
            let switch = draft.switch(&names[place]).with_context(|| format!("device `{}`", device.identity))?;
            device.lid.into_iter().for_each(|lid| draft.switch_lid(switch, lid));
            switches[place] = Some(switch);
        }
        let mut loops = 0;
        // Of each other device: its ports at each switch, in the order of the ports.
        let mut links: BTreeMap<usize, Vec<(u32, usize)>> = BTreeMap::new();
        for said in &self.cables {
            let [one, other] = said.ends;
            match (switches[one.0], switches[other.0]) {
                (Some(one), Some(other)) if one == other => loops += 1,
                (Some(one), Some(other)) => {
                    draft.cables(one, other, 1).with_context(|| format!("line {}", said.line))?;
                }
                (Some(_), None) => links.entry(other.0).or_default().push((other.1, one.0)),
                (None, Some(_)) => links.entry(one.0).or_default().push((one.1, other.0)),
                (None, None) => bail!("line {}: the cable joins two adapters, expected a switch", said.line),
            }
        }
        let mut several = 0;
        for (&place, ports) in links.iter_mut().filter(|(place, _)| !self.is_aggregation(**place)) {
            ports.sort_unstable();
            several += usize::from(self.nodes(place, ports, &names[place], &switches, draft)? > 1);
        }
        self.remark(draft, &links, loops, several);
        Ok(())
    }

    /// Adds the nodes that an adapter is: one for each switch at which it has ports. How many these are.
    fn nodes(
        &self,
        place: usize,
        ports: &[(u32, usize)],
        name: &str,
        switches: &[Option<u32>],
        draft: &mut Draft,
    ) -> Result<usize> {
        let mut at: Vec<(usize, u32, u8)> = vec![];
        for &(port, switch) in ports {
            match at.iter_mut().find(|(known, ..)| *known == switch) {
                Some((.., links)) => *links = links.saturating_add(1),
                None => at.push((switch, port, 1)),
            }
        }
        for &(switch, port, links) in &at {
            let name = if at.len() > 1 { format!("{name} port {port}") } else { name.to_owned() };
            let switch = switches[switch].context("a switch")?;
            let added = draft.node(&name, switch, links);
            let node = added.with_context(|| format!("device `{}`", self.devices[place].identity))?;
            self.lids.get(&(place, port)).into_iter().for_each(|&lid| draft.node_lid(node, lid));
        }
        Ok(at.len())
    }

    /// Says what the network has not.
    fn remark(&self, draft: &mut Draft, links: &BTreeMap<usize, Vec<(u32, usize)>>, loops: usize, several: usize) {
        draft.remark(self.rates());
        let count = |is: &dyn Fn(usize) -> bool| (0..self.devices.len()).filter(|&place| is(place)).count();
        let is_unlinked = |place: usize| !self.is_switch(place) && !links.contains_key(&place);
        let routers = count(&|place| self.devices[place].kind == Kind::Router && links.contains_key(&place));
        for (number, what) in [
            (several, "adapters with ports at several switches are a node at each of these"),
            (count(&is_unlinked), "adapters without a link are left out"),
            (count(&|place| self.is_aggregation(place)), "aggregation nodes of switches are left out"),
            (routers, "routers to other subnets are nodes"),
            (loops, "cables from a switch to itself are left out"),
        ] {
            if number > 0 {
                draft.remark(format!("ibnetdiscover: {number} {what}"));
            }
        }
        if let (lines @ 1.., first) = self.unknown {
            draft.remark(format!(
                "ibnetdiscover: {lines} lines are of no known kind and passed over, the first is line {first}"
            ));
        }
    }

    /// How many links there are of each width and speed.
    fn rates(&self) -> String {
        let mut counts: BTreeMap<(Option<&str>, Option<&str>), usize> = BTreeMap::new();
        self.cables.iter().for_each(|said| *counts.entry((said.rate, said.back)).or_default() += 1);
        let words = counts.iter().map(|((rate, back), count)| match back {
            None => format!("{count} of {}", rate_in_words(*rate)),
            Some(_) => {
                format!("{count} of {} at one end and {} at the other", rate_in_words(*rate), rate_in_words(*back))
            }
        });
        let (most, all) = (6, words.clone().count());
        let mut all_words = words.take(most).collect::<Vec<_>>();
        all_words.extend((all > most).then(|| "others".to_owned()));
        let all = all_words.join(", ");
        format!("ibnetdiscover: widths and speeds of links are not read ({all}); all links carry a flit a cycle")
    }
}

/// A width and a speed, and whether there are such.
fn rate_in_words(rate: Option<&str>) -> String {
    let Some(rate) = rate else { return "unknown width and speed".into() };
    let is_known = |(width, speed): (&str, &str)| WIDTHS.contains(&width) && SPEEDS.contains(&speed);
    let short: String = rate.chars().take(20).collect();
    if rate.split_once('x').is_some_and(is_known) { short } else { format!("{short} (not known)") }
}
