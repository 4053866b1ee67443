//! What a mechanism is told of the configuration that it is in.

use crate::routing::{Routing, RoutingSees};
use crate::shape::Shape;
use crate::topology::{self, ADDRESS_BITS, Topology, digit_bits};
use anyhow::{Context, Result, ensure};

/// A configuration without its mechanism.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// Name of the configuration.
    pub name: &'a str,
    /// Nanoseconds a switch cycle takes.
    pub cycle_ns: f64,
    /// U_max, if the configuration says it.
    pub u_max: Option<f64>,
    /// The switch.
    pub shape: Shape<'a>,
    /// How it routes packets; `None` without a topology.
    pub routing: Option<&'static Routing>,
}

impl<'a> Setting<'a> {
    /// What the routing unit sees; nothing without a topology.
    pub fn routing_sees(&self) -> RoutingSees {
        self.routing.map(|routing| routing.sees).unwrap_or_default()
    }

    /// The topology and what else the whole switch needs.
    ///
    /// # Errors
    /// No topology (the switch would not know how to route), addresses that do not fit into a header, VCs that the routing needs.
    pub fn check_switch(&self) -> Result<&'a dyn Topology> {
        let Shape { ports, switch, topology, .. } = self.shape;
        let topology =
            topology.with_context(|| format!("topology: missing; a switch routes by one of {}", topology::kinds()))?;
        let bits: usize = topology.bases(ports).into_iter().map(digit_bits).sum();
        ensure!(bits <= ADDRESS_BITS, "topology: node addresses take {bits} bits, out of range 1..={ADDRESS_BITS}");
        let routing = self.routing.context("topology: has no routing")?;
        (routing.check)(&self.shape, topology)?;
        let least = routing.least_vcs;
        ensure!(
            switch.vcs >= least,
            "switch.vcs: {} is out of range {least}..=8 for {} routing",
            switch.vcs,
            routing.name
        );
        Ok(topology)
    }
}
