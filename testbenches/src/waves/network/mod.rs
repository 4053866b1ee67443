//! Waves of a whole network: what the ports of all switches show, and the packets on their links.
//!
//! Each port of a switch is a scope, `switch3.port9`, with what it shows of itself and sends, each node another, `node40`, with what comes
//! in of it at its switch:
//!
//! * `phase_name`: the phase of the port as its link shows it, which is some cycles behind the one that is counted;
//! * `link`: the node that the packet on the link is for, `to_40`, flit by flit; `-` if there is none;
//! * `hint`, if the power mechanism sees its neighbours: the bit beside the link; and `hint_name` if it carries words: the node that the
//!   word under way is about.
//!
//! There is no clock: only what changes is written. The viewers open on the ports that woke first, in that order.

mod hint_words;
mod record;
mod variables;
mod write;

use super::writer::ensure_is_vcd;
use anyhow::Result;
use powar_evaluation::network::{Interfaces, Outcome, Progress, Simulation, simulate_on};
use powar_golden::network::Network;
use powar_golden::reference::network_interface::NetworkInterface;
use powar_tools::AtomicFile;
use record::{Record, WatchedSwitch};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The files of a network's waves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkWaves {
    pub vcd: PathBuf,
    /// GTKWave save file.
    pub gtkw: PathBuf,
    /// Surfer command file.
    pub sucl: PathBuf,
    /// The cycles that they show.
    pub cycles: Range<u64>,
}

/// Runs a simulation on golden switches and nodes, on up to so many threads, and writes the waves of some of its cycles to `vcd`
/// (`*.vcd`), with the files for viewers beside it. The outcome is that of
/// [`simulate`](powar_evaluation::network::simulate); no waves if it ends before those cycles.
///
/// # Errors
/// As of `simulate`; a file that can't be written.
pub fn simulate_with_waves(
    simulation: &Simulation,
    threads: usize,
    cycles: Range<u64>,
    vcd: &Path,
    progress: &mut dyn FnMut(&Progress),
) -> Result<(Outcome, Option<NetworkWaves>)> {
    ensure_is_vcd(vcd)?;
    let parameters = simulation.network()?;
    // A place where nothing can be written should be found before everything is simulated.
    let file = AtomicFile::create(vcd)?;
    let wiring = parameters.wiring()?;
    let record = Record::new(&wiring, cycles.clone());
    let make = |number, golden| Ok(WatchedSwitch::new(golden, &record, number));
    let (outcome, now) = match simulation.interfaces {
        Interfaces::Messages => {
            let mut network = Network::with_switches(&parameters, make)?.on_threads(threads)?;
            (simulate_on(simulation, &mut network, progress)?, network.now())
        }
        Interfaces::AxiStream => {
            let config = &parameters.config;
            let interfaces = |_, _| Ok(NetworkInterface::new(config));
            let mut network = Network::with_streams(&parameters, make, interfaces)?.on_threads(threads)?;
            (simulate_on(simulation, &mut network, progress)?, network.now())
        }
    };
    let shown = cycles.start..cycles.end.min(now);
    let waves = (!shown.is_empty())
        .then(|| write::write((vcd, file), simulation, (&parameters.config, &wiring), &record, shown))
        .transpose()?;
    Ok((outcome, waves))
}
