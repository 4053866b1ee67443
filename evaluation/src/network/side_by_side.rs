//! Our simulation of a network and another simulator's, in turn in one run on one machine.

use super::peers::{Against, Compared, PeerRun};
use super::rate::{Case, measure, reference};
use anyhow::{Context, Result};
use serde::Serialize;
use std::path::Path;

/// Times that each is measured.
pub const ROUNDS: usize = 3;
/// Cycles before both are measured: until queues are as long as they will be.
const WARM_UP: u64 = 5_000;
/// The least cycles that the other one is measured for, and the most that it is asked for.
const CYCLES: (u64, u64) = (1_000, 1 << 30);
/// Of what was asked for, that which comes in where a simulator does what it was asked to, if there were so many packets that luck is
/// no reason.
const ENOUGH: f64 = 0.9;
const MANY_PACKETS: f64 = 2_000.0;

/// How fast a network was simulated by both.
#[derive(Clone, Debug, Serialize)]
pub struct SideBySide {
    pub simulator: &'static str,
    pub topology: &'static str,
    pub packet_flits: u16,
    /// Flits a node and cycle.
    pub load: f64,
    /// Simulated cycles of the whole network a second of the processor, round by round: ours, and the other's.
    pub ours: Vec<f64>,
    pub other: Vec<f64>,
    /// How many times as fast ours is, of the rounds: the least, the one in the middle, the most.
    pub ratio: [f64; 3],
    /// Most memory that the other held, bytes.
    pub other_peak_bytes: u64,
    /// Flits a node and cycle that came in there, if it says so.
    pub other_accepted: Option<f64>,
    /// What came in there is less than was asked for: the two did not do the same.
    pub other_falls_short: bool,
}

/// The one in the middle of some numbers.
///
/// # Panics
/// There is none.
pub fn middle(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// Measures both in turn, each for about so many seconds a round; `observe` is called behind each round.
///
/// # Errors
/// As of [`measure`] and [`Against::run`]; the other's files can't be written.
pub fn compare(
    network: &Compared,
    load: f64,
    against: &Against,
    seconds: f64,
    observe: &mut dyn FnMut(),
) -> Result<SideBySide> {
    let Compared { topology, packet_flits, .. } = *network;
    let folder = tempfile::tempdir().context("can't make a folder for the other's files")?;
    let case = Case { topology, policy: reference(), packet_flits, load, warm_up: WARM_UP, threads: 1 };
    let mut cycles = CYCLES.0;
    let (mut ours, mut other) = (vec![], vec![]);
    let mut last = None;
    for _ in 0..ROUNDS {
        ours.push(measure(&case, seconds)?.cycles_per_second);
        let (rate, run) = measure_other(network, load, against, seconds, &mut cycles, folder.path())?;
        other.push(rate);
        last = Some(run);
        observe();
    }
    let last = last.expect("there was a round");
    let packets = load * f64::from(network.nodes()) * last.cycles as f64 / f64::from(packet_flits);
    let too_little = |accepted| accepted < ENOUGH * load && packets > MANY_PACKETS;
    let ratios: Vec<f64> = ours.iter().zip(&other).map(|(ours, other)| ours / other).collect();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ratios.iter().copied().fold(0.0, f64::max);
    Ok(SideBySide {
        simulator: against.peer.title,
        topology,
        packet_flits,
        load,
        ours,
        other,
        ratio: [least, middle(&ratios), most],
        other_peak_bytes: last.peak_bytes,
        other_accepted: last.accepted,
        other_falls_short: last.accepted.is_some_and(too_little),
    })
}

/// Cycles a second of the other simulator: what a long run takes more than one that ends with the warm-up. The first call finds out
/// how long it must be.
fn measure_other(
    network: &Compared,
    load: f64,
    against: &Against,
    seconds: f64,
    cycles: &mut u64,
    folder: &Path,
) -> Result<(f64, PeerRun)> {
    let short = against.run(network, load, WARM_UP, folder)?;
    loop {
        let long = against.run(network, load, WARM_UP + *cycles, folder)?;
        let took = long.user.saturating_sub(short.user).as_secs_f64();
        // A run that is a fifth too short is long enough.
        if took >= 0.8 * seconds || *cycles >= CYCLES.1 {
            let simulated = long.cycles.saturating_sub(short.cycles);
            return Ok((simulated as f64 / took.max(f64::MIN_POSITIVE), long));
        }
        let times = (1.1 * seconds / took.max(1e-3)).clamp(1.5, 50.0);
        *cycles = ((*cycles as f64 * times) as u64).min(CYCLES.1);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::network::peers::{ALL, NETWORKS};
    use std::process::Command;

    /// A simulator that is a shell script: it takes time for each thousand cycles that its file asks for, and says that so much came in.
    fn script(folder: &Path, says: &str) -> Against {
        let path = folder.join("simulator");
        let text = format!(
            "#!/bin/sh\nsamples=$(sed -n 's/max_samples = \\(.*\\);/\\1/p' \"$1\")\ni=0\n\
             while [ $i -lt $((samples * 20000)) ]; do i=$((i + 1)); done\n{says}\n"
        );
        // Another process writes it: one that this process has open for writing while a thread starts a program can't be run.
        let write = ["-c", "printf %s \"$2\" > \"$1\" && chmod 755 \"$1\"", "sh", path.to_str().unwrap(), &text];
        assert!(Command::new("sh").args(write).status().unwrap().success());
        Against { peer: ALL[0], program: path }
    }

    #[test]
    fn both_are_measured_in_turn_and_what_came_in_is_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        let says = "echo \"Accepted flit rate average = 0.1\"; echo \"Time taken is $((samples * 1000)) cycles\"";
        let against = script(folder.path(), says);
        let mut rounds = 0;
        let compared = compare(&NETWORKS[0], 0.4, &against, 0.1, &mut || rounds += 1).unwrap();
        assert_eq!((rounds, compared.ours.len(), compared.other.len()), (ROUNDS, ROUNDS, ROUNDS));
        let [least, middle, most] = compared.ratio;
        assert!(0.0 < least && least <= middle && middle <= most && most.is_finite(), "{compared:?}");
        assert!(compared.other_falls_short && compared.other_peak_bytes > 0, "{compared:?}");
        // 0.4 of 64 nodes: some hundred thousand cycles a second or more, which no shell does.
        assert!(middle > 1.0, "{compared:?}");
    }

    #[test]
    fn a_simulator_that_fails_is_named_with_what_it_said_last() {
        let folder = tempfile::tempdir().unwrap();
        for (says, expected) in [
            ("echo 'Unknown field: hop' >&2; exit 3", "Unknown field: hop"),
            ("echo 'Simulation unstable, ending ...'", "Simulation unstable, ending ..."),
            ("", "nothing"),
        ] {
            let against = script(folder.path(), says);
            let error = compare(&NETWORKS[0], 0.4, &against, 0.1, &mut || ()).unwrap_err().to_string();
            assert!(error.starts_with("BookSim2 did not come to its end") && error.contains(expected), "{error}");
        }
        let gone = Against { peer: ALL[1], program: folder.path().join("gone") };
        let error = format!("{:#}", compare(&NETWORKS[0], 0.4, &gone, 0.1, &mut || ()).unwrap_err());
        assert!(error.starts_with("CAMINOS: can't start"), "{error}");
    }

    #[test]
    fn what_is_no_simulator_is_refused() {
        let refused = |text: &str| format!("{:#}", Against::parse(text).unwrap_err());
        assert!(refused("booksim2").contains("expected NAME=FILE, NAME one of booksim2, caminos"));
        assert!(refused("simics=/bin/sh").contains("unknown simulator `simics`; known: booksim2, caminos"));
        assert!(refused("caminos=/no/where").contains("can't find the program /no/where"));
        assert!(refused("caminos=/").contains("/ is no program"));
        assert_eq!(Against::parse("caminos=/bin/sh").unwrap().peer.title, "CAMINOS");
    }
}
