//! Event-driven power mechanisms: one folder each, their interface, and their list.

pub mod ahead;
pub mod alonso;
pub mod depths;
pub mod e_rapid;
pub mod hints_depths;
pub mod perf_bound;
pub mod powar;
pub mod soteriou_peh;
pub mod timetable;
pub mod wake_hints;

use super::frame::Frame;
use super::power::{Seen, Shown};
use crate::reference::power::mechanism::Write;
use anyhow::{Result, ensure};
use powar_config::mechanism::without;
use powar_config::{Config, Mechanism, Sees};
use std::fmt::Debug;

/// A power mechanism that is told of every cycle in which something happens, and of no others.
///
/// It shows the same as the mechanism of [`crate::reference::mechanisms`] in the same cycles: all of it in [`Shown`], which it
/// changes at clock edges only.
pub trait EventMechanism: Debug + Send + Sync {
    /// What it is as data: its name, what it sees, the pairs of phase and level of its ports.
    fn entry(&self) -> &'static Mechanism;

    /// What it sees in its switch: of one that looks rows of a table up, not what its entry says.
    fn sees(&self) -> Sees {
        self.entry().sees
    }

    /// The packed address whose row of the routing table it asks for in the cycle under way: it is there in the next one.
    fn lookup(&self) -> Option<u16> {
        None
    }

    /// The state after a reset, in cycle `now`. In `shown` all ports are in the first pair and all vectors are 0.
    fn reset(&mut self, now: u64, shown: &mut Shown);

    /// The clock edge that ends cycle `now`. Returned is the first cycle that has to be clocked again even if until then nothing is given,
    /// the ports that are held or see a flit depart are the same, and nothing is written; 0 if it looks at more than that.
    fn clock(&mut self, now: u64, seen: &Seen, shown: &mut Shown) -> u64;

    /// Until cycle `now` this is what has been seen since the last cycle that was clocked; from it on something of it may be another. Told by who
    /// changes between two cycles what the mechanism sees without a clock; a mechanism that counts what it sees counts then.
    fn pass(&mut self, _now: u64, _seen: &Seen) {}

    /// Cycles before `now` in which packets waited for a port, as it measures them: over the cycles of a window it is the utilisation of the buffer in front
    /// of the port. What was seen until then has been told ([`EventMechanism::pass`]). Of ports between switches, if its entry says that it measures queues.
    fn waited(&self, _port: usize, _now: u64) -> u64 {
        0
    }

    /// Events that it has counted in words of its own, by the words' names: what a run says of them.
    fn events(&self) -> Vec<(&'static str, u64)> {
        vec![]
    }

    /// The first cycle from `now` on, the one under way, at whose end something of it changes but for counts that it can tell
    /// without having been clocked, if until then nothing is given, comes in or is written, and all else that it sees, departing flits too,
    /// stays as it is: until then it is not clocked. `u64::MAX`: there is none.
    fn next_event(&self, now: u64, seen: &Seen) -> u64;

    /// A word is written, at the edge before cycle `next` and after what else happens at this edge.
    fn write(&mut self, next: u64, write: Write, shown: &mut Shown);

    /// The word at an address, its byte address / 4; 0 if it is none of the mechanism's.
    fn read(&self, address: u16) -> u32;

    /// The longest time for which a port that is held may not be ready, cycles: after a few times as many in which no flit of a
    /// network has moved, none will.
    fn longest_wait(&self) -> u64;

    /// A port that is ready and steady while it is held stays both until the tail of the packet that holds it has departed, whatever is
    /// written; and it is never the one without the other. Then a packet goes over it whole, as a train of flits without a gap; of any other
    /// mechanism every flit is read by what the mechanism shows in its cycle.
    fn keeps_ready(&self) -> bool;

    /// Ports and groups have nothing to do with each other, but that control registers are the same for all. One mechanism for the ports and groups of several
    /// equal switches is then as good as one for each, if it sees nothing beyond its ports ([`powar_config::Sees`]).
    fn regards_ports_alone(&self) -> bool {
        false
    }

    /// Its registers in cycle `now`, in the order of those of the reference mechanism. What is seen is that of the cycle, but for what
    /// happens in it.
    fn observe(&mut self, now: u64, seen: &Seen, frame: &mut Frame);

    /// The same mechanism in the same state.
    fn boxed(&self) -> Box<dyn EventMechanism>;
}

impl Clone for Box<dyn EventMechanism> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

/// A mechanism's name and how it is made.
type Entry = (&'static str, fn(&Config) -> Box<dyn EventMechanism>);

/// Every mechanism. A new one is a folder and a line here.
const ALL: [Entry; 10] = [
    powar::ENTRY,
    alonso::ENTRY,
    timetable::ENTRY,
    soteriou_peh::ENTRY,
    e_rapid::ENTRY,
    ahead::ENTRY,
    wake_hints::ENTRY,
    depths::ENTRY,
    perf_bound::ENTRY,
    hints_depths::ENTRY,
];

/// Whether there is a model of a configuration's mechanism.
///
/// # Errors
/// There is none.
pub fn check(config: &Config) -> Result<()> {
    let known = ALL.map(|entry| entry.0);
    ensure!(known.contains(&config.mechanism().name), without("event-driven model", config.mechanism(), &known));
    Ok(())
}

/// A configuration's mechanism. It is to be reset before it is used.
pub(crate) fn build(config: &Config) -> Box<dyn EventMechanism> {
    let name = config.mechanism().name;
    let entry = ALL.into_iter().find(|entry| entry.0 == name);
    let (_, build) = entry.unwrap_or_else(|| panic!("{name}: there is no event-driven model of this mechanism"));
    build(config)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mechanism_of_the_configuration_has_a_model() {
        assert_eq!(ALL.map(|entry| entry.0), powar_config::mechanism::ALL.map(|mechanism| mechanism.name));
        let config = powar_config::presets::by_name("fat-tree-2").unwrap();
        assert_eq!(build(&config).entry().name, config.mechanism().name);
    }
}
