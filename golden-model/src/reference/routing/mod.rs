//! Routing units: what every routing unit has in common, and the list of all units.

pub mod fat_tree_routing;
pub mod star_routing;
pub mod torus_routing;

use crate::lock_step::{Block, Observed, input, output};
use powar_config::signal::{destination, flag, position, set, stage};
use powar_config::topology::digit_bits;
use powar_config::{Config, SignalDecl};
use std::fmt::Debug;
use std::sync::Arc;

/// Where a packet may go; all zeros if it may go nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Route {
    /// The destination exists.
    pub routable: bool,
    /// Candidate set P.
    pub adaptive: u64,
    /// Deterministic set D.
    pub deterministic: u64,
    /// Output VCs allowed with P; 0 if P is empty.
    pub adaptive_vcs: u64,
    /// Output VCs allowed with D; 0 if D is empty.
    pub deterministic_vcs: u64,
}

/// A routing unit: where a packet may go from a switch.
pub trait RoutingUnit: Debug + Send + Sync {
    /// The block's name.
    fn name(&self) -> &'static str;

    /// `position` is the packed address of the switch, `stage` its stage in a tree, `destination` the packed address of a node.
    fn route(&self, position: u16, stage: u8, destination: u16) -> Route;
}

/// Makes the routing unit of a configuration if it is for this unit's topology.
type Register = fn(&Config) -> Option<Arc<dyn RoutingUnit>>;

/// Every routing unit. A new one is a file and a line here.
const UNITS: &[Register] =
    &[star_routing::StarRouting::of, fat_tree_routing::FatTreeRouting::of, torus_routing::TorusRouting::of];

/// The routing unit of a configuration's topology; `None` if it has no topology.
pub fn routing_unit(config: &Config) -> Option<Arc<dyn RoutingUnit>> {
    UNITS.iter().find_map(|of| of(config))
}

/// The digits of a packed address; `None` if there is no node (or switch) of this address.
pub(crate) fn digits(bases: &[usize], address: u16) -> Option<Vec<usize>> {
    let (mut rest, mut digits) = (usize::from(address), Vec::new());
    for &base in bases {
        digits.push(rest & ((1 << digit_bits(base)) - 1));
        rest >>= digit_bits(base);
    }
    let exists = rest == 0 && digits.iter().zip(bases).all(|(&digit, &base)| digit < base);
    exists.then_some(digits)
}

/// The digits of a switch's packed address, whether or not each is below its base.
pub(crate) fn raw_digits(bases: &[usize], address: u16) -> Vec<usize> {
    let mut rest = usize::from(address);
    let digit = |&base: &usize| {
        let digit = rest & ((1 << digit_bits(base)) - 1);
        rest >>= digit_bits(base);
        digit
    };
    bases.iter().map(digit).collect()
}

/// A routing unit under the harness.
#[derive(Clone, Debug)]
pub struct RoutingBlock {
    ports: usize,
    vcs: usize,
    pub unit: Arc<dyn RoutingUnit>,
}

impl RoutingBlock {
    /// The unit of this configuration; `None` if it has no topology.
    pub fn new(config: &Config) -> Option<Self> {
        Some(RoutingBlock { ports: config.ports, vcs: config.switch.vcs, unit: routing_unit(config)? })
    }
}

impl Block for RoutingBlock {
    fn signals(&self) -> Vec<SignalDecl> {
        vec![
            input(position("position")),
            input(stage("stage")),
            input(destination("destination")),
            output(flag("routable")),
            output(set("adaptive", self.ports)),
            output(set("deterministic", self.ports)),
            output(set("adaptive_vcs", self.vcs)),
            output(set("deterministic_vcs", self.vcs)),
        ]
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let route = self.unit.route(inputs[0] as u16, inputs[1] as u8, inputs[2] as u16);
        observed.put(route.routable);
        observed.rows([route.adaptive, route.deterministic, route.adaptive_vcs, route.deterministic_vcs]);
    }
}
