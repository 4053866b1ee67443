//! The variables of a network's waves.

use super::super::variables::{Content, Names, Variable, Variables, WaveSource};
use powar_config::topology::wiring::{End, Wiring};
use powar_config::{Meaning, Owner};

/// The variables of a port's link, or of a node's, by their places in the list.
#[derive(Clone, Copy, Debug)]
pub(super) struct OfLink {
    /// Of a port.
    pub phase: Option<usize>,
    pub link: usize,
    pub hint: Option<usize>,
    pub hint_name: Option<usize>,
}

impl OfLink {
    /// Those that say most: words stand for their bits.
    pub fn told(&self) -> impl Iterator<Item = usize> {
        let OfLink { phase, link, hint, hint_name } = *self;
        [phase, Some(link), hint_name.or(hint)].into_iter().flatten()
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = usize> {
        let OfLink { phase, link, hint, hint_name } = *self;
        [phase, Some(link), hint_name, hint].into_iter().flatten()
    }
}

/// What there is beside links.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes {
    /// A bit that the mechanism at the other end sees.
    pub hints: bool,
    /// It carries words.
    pub words: bool,
}

/// The variables of all ports of switches and of all links of nodes.
pub(super) struct OfNetwork {
    pub all: Variables,
    /// By switch and port; none of a port without a cable.
    pub ports: Vec<Vec<Option<OfLink>>>,
    /// By node and link.
    pub nodes: Vec<Vec<OfLink>>,
}

impl OfNetwork {
    pub fn new(wiring: &Wiring, lanes: Lanes) -> OfNetwork {
        let mut all = Variables { list: vec![], mismatch_scopes: vec![], watches: vec![] };
        let port = |(number, end): (usize, &End), switch: usize, all: &mut Variables| {
            let scope = [format!("switch{switch}"), format!("port{number}")];
            (*end != End::Open).then(|| add(all, &scope, true, lanes))
        };
        let ports = wiring.ends.iter().enumerate();
        let ports = ports
            .map(|(switch, ends)| ends.iter().enumerate().map(|end| port(end, switch, &mut all)).collect())
            .collect();
        let link = |node: usize, number: usize, links: usize, all: &mut Variables| {
            let mut scope = vec![format!("node{node}")];
            scope.extend((links > 1).then(|| format!("link{number}")));
            add(all, &scope, false, lanes)
        };
        let nodes = wiring.nodes.iter().enumerate();
        let nodes = nodes
            .map(|(node, links)| (0..links.len()).map(|number| link(node, number, links.len(), &mut all)).collect())
            .collect();
        OfNetwork { all, ports, nodes }
    }
}

/// The variables of a link in a scope.
fn add(all: &mut Variables, scope: &[String], has_phase: bool, lanes: Lanes) -> OfLink {
    let mut variable = |name: &str, content, meaning| {
        let (scope, name) = (scope.to_vec(), name.to_owned());
        all.list.push(Variable { scope, name, width: 1, owner: Owner::Port, meaning, content, golden: None });
        all.list.len() - 1
    };
    // The values of the list's slots are written here, not from frames.
    let text = Content::Text { frame: WaveSource::Rtl, slot: 0, names: Names::Phase };
    let bit = Content::Bits { frame: WaveSource::Rtl, slot: 0, shift: 0 };
    OfLink {
        phase: has_phase.then(|| variable("phase_name", text, Meaning::Phase)),
        link: variable("link", text, Meaning::Destination),
        hint: lanes.hints.then(|| variable("hint", bit, Meaning::Flag)),
        hint_name: lanes.words.then(|| variable("hint_name", text, Meaning::Destination)),
    }
}
