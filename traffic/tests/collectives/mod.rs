//! The algorithms of collectives: they end, everyone hears from whom the operation promises, and just the bytes move that have to.
//!
//! Which algorithm runs when is in `tables.rs`.

mod cases;
mod effects;
mod interpreter;
mod laws;
mod literal;
mod tables;

use interpreter::{Outcome, Sends, run};
use powar_traffic::program::call::{Collective, Payload};
use powar_traffic::program::collective::{ALGORITHMS, Algorithms, Member, Step, by_name};

/// All operations that take one size.
const UNIFORM: [Collective; 11] = [
    Collective::Barrier,
    Collective::Broadcast,
    Collective::Reduce,
    Collective::AllReduce,
    Collective::Scan,
    Collective::ExclusiveScan,
    Collective::Gather,
    Collective::Scatter,
    Collective::AllGather,
    Collective::AllToAll,
    Collective::ReduceScatterBlock,
];

/// Those in which members may have sizes of their own, which all of them know here.
const UNEVEN: [Collective; 5] = [
    Collective::GatherV,
    Collective::ScatterV,
    Collective::AllGatherV,
    Collective::AllToAllV,
    Collective::ReduceScatter,
];

fn is_rooted(operation: Collective) -> bool {
    use Collective::*;
    matches!(operation, Broadcast | Reduce | Gather | Scatter | GatherV | ScatterV)
}

fn member(n: usize, me: usize, root: usize, payload: &Payload) -> Member {
    Member::new(n, me, root, payload, &|rank| Some(rank as usize)).unwrap()
}

fn steps(algorithms: &Algorithms, operation: Collective, n: usize, root: usize, payload: &Payload) -> Vec<Vec<Step>> {
    let steps = |me| algorithms.steps(operation, &member(n, me, root, payload)).unwrap().collect();
    (0..n).map(steps).collect()
}

/// Runs it with eager messages and with messages that wait for their receivers, which must not matter.
fn outcome(algorithms: &Algorithms, operation: Collective, n: usize, root: usize, payload: &Payload) -> Outcome {
    let what = || format!("{} {operation:?} of {n} from {root} with {payload:?}", algorithms.name);
    let steps = steps(algorithms, operation, n, root, payload);
    let outcome = run(&steps, Sends::Rendezvous).unwrap_or_else(|error| panic!("{}: {error}", what()));
    let eager = run(&steps, Sends::Eager).unwrap_or_else(|error| panic!("{}: eager: {error}", what()));
    assert_eq!(outcome, eager, "{}", what());
    assert_eq!(outcome.sent.iter().sum::<u64>(), outcome.received.iter().sum::<u64>(), "{}", what());
    outcome
}

/// Runs it and checks who hears from whom and what moves.
fn check(algorithms: &Algorithms, operation: Collective, n: usize, root: usize, bytes: u64) {
    let payload = Payload::Each(bytes);
    let outcome = outcome(algorithms, operation, n, root, &payload);
    let what = format!("{} {operation:?} of {n} from {root} with {bytes} B", algorithms.name);
    effects::check(operation, root, &outcome, &what);
    laws::check(algorithms, operation, n, root, bytes, &outcome);
}

/// The same, where members have sizes of their own.
fn check_uneven(algorithms: &Algorithms, operation: Collective, root: usize, sizes: &[u64]) {
    let outcome = outcome(algorithms, operation, sizes.len(), root, &Payload::Members(sizes.into()));
    // Nobody has to hear from, or for, those with nothing.
    if !sizes.contains(&0) {
        let what = format!("{} {operation:?} from {root} with {sizes:?}", algorithms.name);
        effects::check(operation, root, &outcome, &what);
    }
    laws::check_uneven(algorithms, operation, root, sizes, &outcome);
}
