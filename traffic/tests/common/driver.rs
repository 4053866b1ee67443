//! A network that is as plain as the contract of [`Workload`] allows: every node's link carries a flit a cycle, and what
//! has left comes in some cycles later. Written flit by flit, without a look at the replay's own ideal network.

use powar_traffic::workload::{Message, Workload};
use std::collections::{BTreeMap, VecDeque};

/// What a drive was like.
#[derive(Debug, Default)]
pub struct Drive {
    /// Cycle of the first flit and the message, in the order of first flits, then nodes.
    pub starts: Vec<(u64, Message)>,
    /// Whether it ended; otherwise nothing can happen any more.
    pub over: bool,
    /// The cycle in which that was so.
    pub end: u64,
}

/// How the network behaves.
pub struct Network<'a> {
    pub nodes: usize,
    /// Cycles from the end of the last flit at its source to its arrival.
    pub latency: &'a dyn Fn(&Message) -> u64,
    /// Whether it reports what happens in one cycle in the other order.
    pub backwards: bool,
}

/// Runs a workload to its end.
pub fn drive(workload: &mut impl Workload, network: &Network) -> anyhow::Result<Drive> {
    let Network { nodes, latency, backwards } = *network;
    let mut queues: Vec<VecDeque<(Message, u64)>> = vec![VecDeque::new(); nodes];
    let mut arriving: BTreeMap<u64, Vec<Message>> = BTreeMap::new();
    let mut busy = 0;
    let mut drive = Drive::default();
    let mut now = 0;
    let mut given = Vec::new();
    loop {
        while let Some(entry) = arriving.first_entry()
            && *entry.key() == now
        {
            let mut messages = entry.remove();
            if backwards {
                messages.reverse();
            }
            messages.iter().for_each(|message| workload.delivered(now, message));
        }
        if workload.next_event() <= now {
            workload.act(now, &mut given)?;
        }
        for message in given.drain(..) {
            let queue = &mut queues[message.source as usize];
            assert!(
                message.source != message.destination && message.flits > 0 && (message.destination as usize) < nodes
            );
            busy += usize::from(queue.is_empty());
            queue.push_back((message, message.flits));
        }
        if workload.is_over() {
            (drive.over, drive.end) = (true, now);
            return Ok(drive);
        }
        if busy == 0 {
            let next = workload.next_event().min(arriving.first_key_value().map_or(u64::MAX, |(cycle, _)| *cycle));
            if next == u64::MAX {
                drive.end = now;
                return Ok(drive);
            }
            now = next.max(now + 1);
            continue;
        }
        let mut left = Vec::new();
        for queue in &mut queues {
            if let Some((message, flits)) = queue.front_mut() {
                if *flits == message.flits {
                    drive.starts.push((now, *message));
                }
                *flits -= 1;
                if *flits == 0 {
                    left.push(*message);
                    queue.pop_front();
                    busy -= usize::from(queue.is_empty());
                }
            }
        }
        if backwards {
            left.reverse();
        }
        for message in left {
            arriving.entry(now + 1 + latency(&message)).or_default().push(message);
            workload.sent(now, &message);
        }
        now += 1;
    }
}
