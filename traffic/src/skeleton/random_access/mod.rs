//! MPIRandomAccess of HPC Challenge 1.5: random updates of a distributed table, GUPS.
//!
//! Every rank draws its part of one stream of random addresses and sorts the updates of other ranks' words into buckets.
//! When so many wait, it sends the fullest and goes on; between two updates it polls for messages of others. Who is sent
//! what, in which order, is exactly as in the program: it depends on no timing. What a rank receives does, in its order
//! but not in its number: the skeleton counts before it starts what all ranks send to each, which takes as long as
//! drawing all updates once.
//!
//! Receives are posted for any source and tag, and their completions are polled, spread evenly between the rank's own
//! sends. Each takes whatever message is there.

mod buckets;
mod rank;
mod stream;

use super::script::{Ranks, world};
use super::{MOST_RANKS, Parameter, Range, Skeleton, Values};
use crate::program::call::CallSource;
use anyhow::Result;
use rank::Rank;
use std::sync::{Arc, OnceLock};
use stream::{Stream, Table};

pub const SKELETON: Skeleton = Skeleton {
    name: "random-access",
    about: "MPIRandomAccess of HPC Challenge: random updates of a distributed table",
    parameters: PARAMETERS,
    build,
};

/// Most updates of all ranks: all are drawn before the first call, some ten million a second and core.
const MOST_UPDATES: u64 = 1 << 36;

const PARAMETERS: &[Parameter] = &[
    Parameter { name: "ranks", default: "64", range: Range::Whole(1, MOST_RANKS), meaning: "number of ranks" },
    Parameter {
        name: "log-table",
        default: "20",
        range: Range::Whole(1, 34),
        meaning: "base-two logarithm of the words (8 bytes each) of the table of all ranks",
    },
    Parameter {
        name: "updates",
        default: "auto",
        range: Range::WholeOrAuto(0, MOST_UPDATES),
        meaning: "updates a rank; auto: four times its words of the table",
    },
    Parameter {
        name: "pending",
        default: "1024",
        range: Range::Whole(1, 8192),
        meaning: "updates that may wait to be sent",
    },
    Parameter {
        name: "sample",
        default: "0",
        range: Range::Whole(0, 1_000_000),
        meaning: "before the run, the estimate of its time with so many times fewer updates (HPC Challenge: 100); 0: none",
    },
    Parameter {
        name: "rate",
        default: "50m",
        range: Range::Number(1.0, 1e15),
        meaning: "updates/s of a rank, drawn or received",
    },
];

/// The messages of a rank in a pass.
#[derive(Clone, Copy, Default)]
struct Messages {
    sent: u64,
    received: u64,
    /// Updates in those received.
    updates: u64,
}

/// One pass of all ranks.
struct Pass {
    /// Of each rank.
    updates: Box<dyn Fn(u32) -> u64 + Send + Sync>,
    messages: OnceLock<Box<[Messages]>>,
}

struct RandomAccess {
    table: Table,
    rate: f64,
    world: Arc<[u32]>,
    /// The estimate, if there is one, then the run.
    passes: Vec<Pass>,
}

impl RandomAccess {
    fn stream(&self, pass: usize, rank: u32) -> Stream {
        Stream::new(self.table, rank, (self.passes[pass].updates)(rank))
    }

    /// What a rank sends and receives in a pass. The first to ask waits until the messages of all ranks are counted.
    fn messages(&self, pass: usize, rank: u32) -> Messages {
        self.passes[pass].messages.get_or_init(|| self.count(pass))[rank as usize]
    }

    fn count(&self, pass: usize) -> Box<[Messages]> {
        let ranks = self.table.ranks;
        let workers = std::thread::available_parallelism().map_or(1, usize::from).min(16) as u32;
        let count = |worker: u32| {
            let mut messages = vec![Messages::default(); ranks as usize];
            for source in (worker..ranks).step_by(workers as usize) {
                let mut stream = self.stream(pass, source);
                while let Ok(filled) = stream.next() {
                    messages[source as usize].sent += 1;
                    messages[filled.to as usize].received += 1;
                    messages[filled.to as usize].updates += u64::from(filled.updates);
                }
            }
            messages
        };
        std::thread::scope(|scope| {
            let counting: Vec<_> = (1..workers).map(|worker| scope.spawn(move || count(worker))).collect();
            let mut sum = count(0);
            for other in counting {
                let other = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                for (sum, other) in sum.iter_mut().zip(other) {
                    sum.sent += other.sent;
                    sum.received += other.received;
                    sum.updates += other.updates;
                }
            }
            sum.into()
        })
    }
}

fn build(values: &Values) -> Result<Box<dyn CallSource>> {
    let ranks = values.whole("ranks") as u32;
    let log_words = values.whole("log-table") as u32;
    let least = u64::from(ranks).next_power_of_two().ilog2();
    values.check(
        log_words >= least,
        "log-table",
        log_words,
        format!("at least {least}, a word for each of {ranks} ranks"),
    )?;
    let table = Table { log_words, ranks, pending: values.whole("pending") as u32 };
    let (given, sample) = (values.chosen("updates"), values.whole("sample"));
    let all = u64::from(ranks) * given.unwrap_or(0);
    values.check(all <= MOST_UPDATES, "updates times ranks", all, format!("at most {MOST_UPDATES}"))?;
    let mut passes = Vec::new();
    if sample > 0 {
        let updates = Box::new(move |rank| 4 * table.local(rank) / sample);
        passes.push(Pass { updates, messages: OnceLock::new() });
    }
    let updates = Box::new(move |rank| given.unwrap_or(4 * table.local(rank)));
    passes.push(Pass { updates, messages: OnceLock::new() });
    let shared = RandomAccess { table, rate: values.number("rate"), world: world(ranks), passes };
    Ok(Box::new(Ranks { skeleton: "random-access", ranks, shared: Arc::new(shared), program: Rank::new }))
}
