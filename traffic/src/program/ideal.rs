//! What a workload does over a network that is never in its way: the reference that run times are compared with.

use crate::replay::ideal::IdealNetwork;
use crate::replay::message::Carried;
use anyhow::{Context, Result, bail};
use powar_config::workload::{Message, Workload};
use std::collections::HashMap;

/// A workload that ended over an ideal network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IdealRun {
    /// The cycle in which it was over.
    pub cycles: u64,
    pub messages: u64,
    pub flits: u64,
    /// Cycles in which each node computed; empty if the workload has no notion of it.
    pub computing: Vec<f64>,
}

/// Drives `workload` to its end over a network of so many nodes without contention: each node sends its messages one
/// after the other, a flit a cycle, and a message has come in `latency` cycles after its last flit has left.
///
/// # Errors
/// The workload's own, and one with [`Workload::waits`] if it can't end.
pub fn run_ideal(workload: &mut dyn Workload, nodes: u32, latency: impl Fn(&Message) -> u64) -> Result<IdealRun> {
    let mut network = IdealNetwork::new(nodes);
    let mut under_way: HashMap<u64, Message> = HashMap::new();
    let mut given = Vec::new();
    let mut run = IdealRun::default();
    while !workload.is_over() {
        let now = workload.next_event().max(run.cycles).min(network.next_event());
        if now == u64::MAX {
            bail!("the workload cannot end: {}", workload.waits().join("; "));
        }
        run.cycles = now;
        while let Some((_, number, what)) = network.happened(now) {
            match what {
                // The event is the cycle behind the last flit.
                Carried::Sent => workload.sent(now - 1, &under_way[&number]),
                Carried::Delivered => {
                    if let Some(message) = under_way.remove(&number) {
                        workload.delivered(now, &message);
                    }
                }
            }
        }
        if workload.next_event() <= now {
            workload.act(now, &mut given)?;
        }
        for message in given.drain(..) {
            let Message { number, source, flits, .. } = message;
            run.messages += 1;
            run.flits += flits;
            network
                .inject(now, number, source, flits, latency(&message))
                .context("the clock has run over, expected fewer flits")?;
            under_way.insert(number, message);
        }
    }
    run.computing = workload.computing(run.cycles);
    Ok(run)
}
