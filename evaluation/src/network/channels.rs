//! The channels between switches over some cycles: what they drew, at what rate they sent, how packets waited for them.

use powar_config::Mechanism;
use powar_config::topology::wiring::{End, Wiring};
use powar_golden::network::{Network, NodeModel, SwitchModel};
use powar_golden::port_counts::PortCounts;

/// What ports had counted up to a cycle.
pub(super) struct Reading {
    pub counts: Vec<Vec<PortCounts>>,
    /// Cycles in which packets waited for each; empty if the mechanism does not measure it.
    waited: Vec<Vec<u64>>,
}

impl Reading {
    /// In the cycle under way.
    pub fn of<S: SwitchModel, N: NodeModel>(network: &mut Network<S, N>) -> Reading {
        let measures = network.parameters().config.mechanism().measures_queues;
        Reading { counts: network.port_counts(), waited: if measures { network.waited() } else { vec![] } }
    }

    /// What was counted since an earlier one.
    pub fn since(&self, earlier: &Reading) -> Reading {
        let counts = counted_since(&self.counts, &earlier.counts);
        Reading { counts, waited: pairs(&self.waited, &earlier.waited, |now, before| now - before) }
    }
}

/// What the counters of ports have counted between two looks at them.
pub(super) fn counted_since(after: &[Vec<PortCounts>], before: &[Vec<PortCounts>]) -> Vec<Vec<PortCounts>> {
    pairs(after, before, |after, before| after.since(before))
}

/// Something of each element of two tables of the same form.
fn pairs<T, U>(now: &[Vec<T>], before: &[Vec<T>], of: impl Fn(&T, &T) -> U) -> Vec<Vec<U>> {
    let row = |(now, before): (&Vec<T>, &Vec<T>)| now.iter().zip(before).map(|(now, before)| of(now, before)).collect();
    now.iter().zip(before).map(row).collect()
}

/// A mean that can be taken further: a sum, and what it is to be divided by.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Mean {
    sum: f64,
    weight: f64,
}

impl Mean {
    fn add(&mut self, value: f64, weight: f64) {
        self.sum += value * weight;
        self.weight += weight;
    }

    /// The mean of both.
    pub fn with(self, other: Mean) -> Mean {
        Mean { sum: self.sum + other.sum, weight: self.weight + other.weight }
    }

    /// None of nothing.
    pub fn value(self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.sum / self.weight)
    }
}

/// Switch and port of the sending ends.
fn channels(wiring: &Wiring) -> impl Iterator<Item = (usize, usize)> {
    let of_switch = |(switch, ends): (usize, &Vec<End>)| {
        let channels = ends.iter().enumerate().filter(|(_, end)| matches!(end, End::Switch { .. }));
        channels.map(move |(port, _)| (switch, port)).collect::<Vec<_>>()
    };
    wiring.ends.iter().enumerate().flat_map(of_switch)
}

/// Mean over the channels of what they draw, from that of the ports with a cable; none in a network of one switch.
pub(super) fn power(wiring: &Wiring, u_port: &[Vec<f64>]) -> Option<f64> {
    let of_switch = |(switch, u_port): (usize, &Vec<f64>)| {
        let ends = wiring.ends[switch].iter().filter(|end| !matches!(end, End::Open));
        let channels = ends.zip(u_port).filter(|(end, _)| matches!(end, End::Switch { .. }));
        channels.map(|(_, &power)| power).collect::<Vec<f64>>()
    };
    let channels: Vec<f64> = u_port.iter().enumerate().flat_map(of_switch).collect();
    (!channels.is_empty()).then(|| channels.iter().sum::<f64>() / channels.len() as f64)
}

/// Bit rate of the channels, Gb/s, over the time in which they could send. Nothing of a mechanism without levels of rate.
pub(super) fn bit_rate(wiring: &Wiring, mechanism: &Mechanism, counts: &[Vec<PortCounts>]) -> Mean {
    let mut mean = Mean::default();
    if mechanism.level_gbps.is_empty() {
        return mean;
    }
    for (switch, port) in channels(wiring) {
        let sending =
            mechanism.residency.iter().zip(&counts[switch][port].cycles).filter(|(pair, _)| pair.phase.sends());
        for (pair, &cycles) in sending {
            mean.add(mechanism.level_gbps[usize::from(pair.level)], cycles as f64);
        }
    }
    mean
}

/// Utilisation of the buffers in front of those channels on which flits set out in these cycles, as their mechanism measures it. Nothing if it
/// does not.
pub(super) fn buffer_utilisation(wiring: &Wiring, reading: &Reading, cycles: u64) -> Mean {
    let mut mean = Mean::default();
    if reading.waited.is_empty() {
        return mean;
    }
    for (switch, port) in channels(wiring).filter(|&(switch, port)| reading.counts[switch][port].flits > 0) {
        mean.add(reading.waited[switch][port] as f64 / cycles as f64, cycles as f64);
    }
    mean
}
