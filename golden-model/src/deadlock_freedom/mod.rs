//! Whether packets can block each other for ever: a check of a network and its routing before anything runs.
//!
//! A *channel* is a virtual channel of an input port: its buffer is a queue. A packet at the head of one may take any of the output ports
//! and VCs that the routing unit offers, each of which leads into another channel or to the packet's node. Under virtual cut-through a packet
//! stands in one channel at a time, so this is all that it can wait for.
//!
//! A channel **drains** if whatever packet may stand at its head can move on into a channel that drains, or to its node. The check finds
//! all channels that drain, from those whose packets all go to nodes on. If none is left the network is free of deadlock: the order in
//! which channels were found is one in which every packet has a way out, an escape network as Duato, 1996 (*A necessary and sufficient condition
//! for deadlock-free routing in cut-through and store-and-forward networks*), asks for. It need not be named: if the
//! routing has one, it is found, since a channel on it comes before those that lead to it. What is left otherwise holds a circle of channels in which
//! each packet waits for room in the next.
//!
//! Which packets may stand in a channel is found by following all that nodes may send, over every port that is offered. A routing that
//! sees what changes while a packet waits (ports that serve, occupancy) is asked under many conditions: a packet may go wherever any of them
//! lets it, but can only rely on what all of them leave it. Nobody but its node waits for a packet that has not come in yet: a routing that sees occupancy
//! may keep it out until the others have drained, so that it can rely on what an empty network leaves it. A routing that counts on the ever-on ports of a connectivity graph is asked under every
//! on/off state of each switch, and can only rely on ports that are on in it. A unit sees the state of its own switch alone, so that the states of the
//! network offer a packet nothing that is not among these, whatever they are and however they change.

mod channels;
mod conditions;
mod finding;
mod reached;

pub use finding::{Finding, Flaw, Step};

use crate::reference::routing::{self, RoutingUnit};
use anyhow::{Context, Result, bail};
use channels::Channels;
use conditions::Conditions;
use powar_config::routing::tables::RoutingTables;
use powar_config::topology::Wiring;
use powar_config::{Config, RoutingSees};
use std::collections::HashSet;
use std::sync::Mutex;

/// How often a routing unit is asked where people wait for the answer, about: some seconds.
pub const THOROUGH: u64 = 1 << 22;

/// How often [`assure`] asks a routing unit, about: some tenths of a second.
const ASSURED: u64 = 1 << 17;

/// Checks the network of a configuration with its routing.
///
/// The routing unit is asked `budget` times at most, about; if that is not enough for all destinations the check looks at some only, evenly
/// spread, and [`Finding::destinations`] says at how many. `progress` is told how many destinations have been followed, and of how many.
///
/// # Errors
/// A configuration that no network can be built of. What is wrong with the routing is no error but a [`Finding::flaw`].
///
/// Of a routing that only keeps packets of nodes waiting for longer the one without that limit is asked ([`powar_config::Routing::limits`]).
pub fn check(config: &Config, budget: u64, progress: &mut dyn FnMut(usize, usize)) -> Result<Finding> {
    routing::check(config)?;
    if let Some(unlimited) = config.routing().and_then(|routing| routing.limits) {
        return check(&Config { routing: Some(unlimited), ..config.clone() }, budget, progress);
    }
    let wiring = Wiring::new(config)?;
    let unit = routing::routing_unit(config).context("topology: missing; a network has one")?;
    let tables = config.routing_sees().table.then(|| RoutingTables::of(config)).transpose()?;
    Ok(check_unit(config, &wiring, &*unit, config.routing_sees(), tables.as_deref(), budget, progress))
}

/// The same of any routing unit, of which is known what its answers depend on, in any network of a configuration's switches, which have been
/// loaded with these tables if it sees any.
pub fn check_unit(
    config: &Config,
    wiring: &Wiring,
    unit: &dyn RoutingUnit,
    sees: RoutingSees,
    tables: Option<&RoutingTables>,
    budget: u64,
    progress: &mut dyn FnMut(usize, usize),
) -> Finding {
    let graph = config.routing().and_then(|routing| routing.counts_on).zip(config.topology.as_deref());
    let candidates = graph.and_then(|(graph, topology)| graph.candidates_of(topology).ok());
    let conditions = match candidates.filter(|_| sees.serves) {
        Some(candidates) => Conditions::of_states(sees, config.ports, wiring, &candidates),
        None => Conditions::of(sees, config.ports),
    };
    let channels = Channels::new(config, wiring, unit, &conditions, tables, budget);
    channels.check(progress)
}

/// Makes sure that packets can't block each other in the network of a configuration, before it is built or simulated: all of a small one, a part
/// of the destinations of a large one. What has been found good is not looked at again.
///
/// # Errors
/// What is wrong, with the packets that block each other; a configuration that no network can be built of.
pub fn assure(config: &Config) -> Result<()> {
    static GOOD: Mutex<Option<HashSet<String>>> = Mutex::new(None);
    let good = || GOOD.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let key = format!("{:?} {:?} {} {}", config.topology, config.routing(), config.ports, config.switch.vcs);
    if good().get_or_insert_default().contains(&key) {
        return Ok(());
    }
    if let Some(flaw) = check(config, ASSURED, &mut |_, _| ())?.flaw {
        bail!("topology: {flaw}");
    }
    good().get_or_insert_default().insert(key);
    Ok(())
}
