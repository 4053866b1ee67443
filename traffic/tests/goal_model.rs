//! Random GOAL programs end when a model says so that goes from cycle to cycle and looks at every operation in each.
//!
//! The model is written from `docs/programs/goal.md`, without a look at the replay's queues, chains and files.

use crate::common;
use common::driver::{Network, drive};
use common::goal_file;
use powar_config::units::Nanoseconds;
use powar_traffic::format::goal::{After, GoalTrace, Writer};
use powar_traffic::{Placement, PlacementOptions, ReplayOptions, TrafficOptions};
use proptest::prelude::*;
use std::sync::Arc;

const RANKS: u32 = 3;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Action {
    Calc(u64),
    Send { to: u32, bytes: u64, tag: u32 },
    Receive { from: Option<u32>, tag: Option<u32> },
}

#[derive(Clone, Debug)]
struct Operation {
    rank: u32,
    action: Action,
    cpu: u32,
    /// Operations by their numbers, and whether their start is enough.
    after: Vec<(usize, bool)>,
}

/// What random choices make of a program: operations rank by rank, in the order of the file.
#[derive(Clone, Debug)]
struct Program {
    operations: Vec<Operation>,
    costs: [u64; 2],
    eager_limit: Option<u64>,
    latencies: [u64; 3],
}

/// One draw: two operations if it is a message, with what they wait for as distances back.
type Draw = (u32, u32, u32, u64, u32, u32, [u32; 2], [Option<(usize, bool)>; 4]);

fn draw() -> impl Strategy<Value = Draw> {
    let distance = || proptest::option::of((0..6usize, any::<bool>()));
    let length = prop_oneof![Just(0u64), 0..60u64, 0..300u64];
    let after = [distance(), distance(), distance(), distance()];
    (0..3u32, 0..RANKS, 0..RANKS, length, 0..2u32, 0..8u32, [0..2u32, 0..2u32], after)
}

fn program() -> impl Strategy<Value = Program> {
    let draws = proptest::collection::vec(draw(), 1..14);
    let limit = prop_oneof![Just(None), Just(Some(0)), Just(Some(150))];
    (draws, [0..20u64, 0..20u64], limit, [0..90u64, 0..90u64, 0..90u64]).prop_map(
        |(draws, costs, eager_limit, latencies)| {
            let mut ranks: [Vec<Operation>; RANKS as usize] = Default::default();
            let mut add = |rank: u32, action, cpu, after: [Option<(usize, bool)>; 2]| {
                let block = &mut ranks[rank as usize];
                let here = block.len();
                let back = |(distance, started): (usize, bool)| Some((here.checked_sub(distance + 1)?, started));
                let after = after.into_iter().flatten().filter_map(back).collect();
                block.push(Operation { rank, action, cpu, after });
            };
            for (kind, rank, other, amount, tag, wild, cpus, [a, b, c, d]) in draws {
                if kind == 0 {
                    add(rank, Action::Calc(amount), cpus[0], [a, b]);
                    continue;
                }
                let to = (rank + other) % RANKS;
                add(rank, Action::Send { to, bytes: amount, tag }, cpus[0], [a, b]);
                let (from, tag) =
                    ((wild & 1 == 0 || wild > 4).then_some(rank), (wild & 2 == 0 || wild > 4).then_some(tag));
                add(to, Action::Receive { from, tag }, cpus[1], [c, d]);
            }
            let mut operations: Vec<Operation> = Vec::new();
            for block in ranks {
                let first = operations.len();
                operations.extend(block.into_iter().map(|mut operation| {
                    operation.after.iter_mut().for_each(|(number, _)| *number += first);
                    operation
                }));
            }
            Program { operations, costs, eager_limit, latencies }
        },
    )
}

/// The program as text, its dependencies in front of the operations or behind them.
fn text(program: &Program, dependencies_first: bool) -> String {
    let mut text = format!("num_ranks {RANKS}\n");
    for rank in 0..RANKS {
        let (mut lines, mut dependencies) = (String::new(), String::new());
        for (number, operation) in program.operations.iter().enumerate().filter(|(_, other)| other.rank == rank) {
            let any = |what: Option<u32>| what.map_or("-1".into(), |what| what.to_string());
            let what = match operation.action {
                Action::Calc(ns) => format!("calc {ns}"),
                Action::Send { to, bytes, tag } => format!("send {bytes}b to {to} tag {tag}"),
                Action::Receive { from, tag } => format!("recv 1b from {} tag {}", any(from), any(tag)),
            };
            lines += &format!("op{number}: {what} cpu {}\n", operation.cpu);
            for (required, started) in &operation.after {
                let word = if *started { "irequires" } else { "requires" };
                dependencies += &format!("op{number} {word} op{required}\n");
            }
        }
        let (a, b) = if dependencies_first { (dependencies, lines) } else { (lines, dependencies) };
        text += &format!("rank {rank} {{\n{a}{b}}}\n");
    }
    text
}

/// The program, all on cpu 0, through the writer, ranks interleaved.
fn written(program: &Program) -> Vec<u8> {
    let mut writer = Writer::begin(RANKS).unwrap();
    let mut handles = vec![None; program.operations.len()];
    let of_rank = |rank| (0..program.operations.len()).filter(move |&n| program.operations[n].rank == rank);
    let mut ranks = [0, 1, 2].map(|rank| of_rank(rank).peekable());
    while ranks.iter_mut().any(|rank| rank.peek().is_some()) {
        for numbers in &mut ranks {
            let Some(number) = numbers.next() else { continue };
            let Operation { rank, action, ref after, .. } = program.operations[number];
            let of = |wanted| {
                let those = after.iter().filter(move |(_, started)| *started == wanted);
                those.map(|(required, _)| handles[*required].unwrap()).collect::<Vec<_>>()
            };
            let (finished, started) = (of(false), of(true));
            let after = After { finished: &finished, started: &started };
            let handle = match action {
                Action::Calc(ns) => writer.calc(rank, ns, after),
                Action::Send { to, bytes, tag } => writer.send(rank, to, bytes, tag, after),
                Action::Receive { from, tag } => writer.receive(rank, from, 1, tag, after),
            };
            handles[number] = Some(handle.unwrap());
        }
    }
    let mut text = Vec::new();
    let written = writer.finish(&mut text).unwrap();
    assert_eq!(written.operations, program.operations.len() as u64);
    text
}

/// A message of the model.
struct Message {
    kind: Kind,
    send: usize,
    left: u64,
    here: u64,
    has_left: bool,
    has_come: bool,
    seen: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Eager,
    Request,
    Clearance(usize),
    Data(usize),
}

#[derive(Clone, Copy, Default)]
struct State {
    started: bool,
    finished: bool,
    /// When its dependencies were met.
    met: bool,
    /// When it began to wait for its cpu, and for how long it needs it.
    job: Option<(u64, u64)>,
    until: Option<u64>,
}

struct Model<'a> {
    program: &'a Program,
    now: u64,
    states: Vec<State>,
    messages: Vec<Message>,
    link_free: [u64; RANKS as usize],
    /// Receives without a message, messages without a receive.
    posted: Vec<usize>,
    unexpected: Vec<usize>,
}

impl Model<'_> {
    /// The cycle in which the program ends, if it does.
    fn end(program: &Program) -> Option<u64> {
        let mut model = Model {
            program,
            now: 0,
            states: vec![State::default(); program.operations.len()],
            messages: Vec::new(),
            link_free: [0; RANKS as usize],
            posted: Vec::new(),
            unexpected: Vec::new(),
        };
        loop {
            while model.happens() | model.goes_on() {}
            if model.states.iter().all(|state| state.finished) {
                return Some(model.now);
            }
            let under_way = model.messages.iter().any(|message| !message.has_left || !message.has_come);
            if !under_way && model.states.iter().all(|state| state.until.is_none()) {
                return None;
            }
            model.now += 1;
        }
    }

    fn give(&mut self, kind: Kind, send: usize) {
        let Operation { rank, action: Action::Send { to, bytes, .. }, .. } = self.program.operations[send] else {
            unreachable!()
        };
        let payload = if matches!(kind, Kind::Eager | Kind::Data(_)) { bytes } else { 0 };
        let node = if matches!(kind, Kind::Clearance(_)) { to } else { rank };
        if to == rank {
            // It has left at once, and takes the default of `local`.
            let (left, here) = (self.now, self.now + 500);
            self.messages.push(Message { kind, send, left, here, has_left: false, has_come: false, seen: false });
            return;
        }
        let free = &mut self.link_free[node as usize];
        let left = self.now.max(*free) + 8 * payload.div_ceil(128).max(1);
        *free = left;
        let here = left + self.program.latencies[self.messages.len() % 3];
        self.messages.push(Message { kind, send, left, here, has_left: false, has_come: false, seen: false });
    }

    /// All that happens now by itself; false if nothing does.
    fn happens(&mut self) -> bool {
        let mut any = false;
        for number in 0..self.messages.len() {
            let now = self.now;
            let Message { kind, send, left, here, ref mut has_left, .. } = self.messages[number];
            if left <= now && !*has_left {
                (*has_left, any) = (true, true);
                self.states[send].finished |= matches!(kind, Kind::Data(_));
            }
            let Message { ref mut has_come, .. } = self.messages[number];
            if here <= now && !*has_come {
                (*has_come, any) = (true, true);
                match kind {
                    Kind::Eager | Kind::Request => self.see(send),
                    Kind::Clearance(receive) => self.give(Kind::Data(receive), send),
                    Kind::Data(receive) => self.take(receive),
                }
            }
        }
        for number in 0..self.states.len() {
            if self.states[number].until == Some(self.now) {
                any = true;
                self.states[number].until = None;
                let limit = self.program.eager_limit.unwrap_or(u64::MAX);
                match self.program.operations[number].action {
                    Action::Send { bytes, .. } if bytes > limit => self.give(Kind::Request, number),
                    Action::Send { .. } => {
                        self.give(Kind::Eager, number);
                        self.states[number].finished = true;
                    }
                    _ => self.states[number].finished = true,
                }
            }
        }
        any
    }

    /// Looks at all messages of the pair of a send, from the first one on: those that have come, and all before them too.
    fn see(&mut self, send: usize) {
        let pair = |send: usize| match self.program.operations[send] {
            Operation { rank, action: Action::Send { to, .. }, .. } => (rank, to),
            _ => unreachable!(),
        };
        let wanted = pair(send);
        for number in 0..self.messages.len() {
            let Message { kind, send, has_come, seen, .. } = self.messages[number];
            if !matches!(kind, Kind::Eager | Kind::Request) || pair(send) != wanted || seen {
                continue;
            }
            if !has_come {
                return;
            }
            self.messages[number].seen = true;
            match self.posted.iter().position(|&receive| self.accepts(receive, number)) {
                Some(place) => {
                    let receive = self.posted.remove(place);
                    self.matched(number, receive);
                }
                None => self.unexpected.push(number),
            }
        }
    }

    fn accepts(&self, receive: usize, message: usize) -> bool {
        let operations = &self.program.operations;
        let send = &operations[self.messages[message].send];
        match (&operations[receive].action, send.action) {
            (Action::Receive { from, tag: wanted }, Action::Send { to, tag, .. }) => {
                to == operations[receive].rank
                    && from.is_none_or(|from| from == send.rank)
                    && wanted.is_none_or(|wanted| wanted == tag)
            }
            _ => false,
        }
    }

    fn matched(&mut self, message: usize, receive: usize) {
        match self.messages[message].kind {
            Kind::Request => self.give(Kind::Clearance(receive), self.messages[message].send),
            _ => self.take(receive),
        }
    }

    fn take(&mut self, receive: usize) {
        self.states[receive].job = Some((self.now, self.program.costs[1]));
    }

    /// All operations that can go on now; false if none can.
    fn goes_on(&mut self) -> bool {
        let mut any = false;
        loop {
            let met = |number: &usize| {
                !self.states[*number].met
                    && self.program.operations[*number].after.iter().all(|&(required, started)| {
                        let state = self.states[required];
                        if started { state.started } else { state.finished }
                    })
            };
            let ready: Vec<usize> = (0..self.states.len()).filter(met).collect();
            for &number in &ready {
                self.states[number].met = true;
                match self.program.operations[number].action {
                    Action::Calc(ns) => self.states[number].job = Some((self.now, ns)),
                    Action::Send { .. } => self.states[number].job = Some((self.now, self.program.costs[0])),
                    Action::Receive { .. } => {
                        self.states[number].started = true;
                        match self.unexpected.iter().position(|&message| self.accepts(number, message)) {
                            Some(place) => {
                                let message = self.unexpected.remove(place);
                                self.matched(message, number);
                            }
                            None => self.posted.push(number),
                        }
                    }
                }
            }
            any |= !ready.is_empty();
            if ready.is_empty() && !self.start() {
                return any;
            }
            any = true;
        }
    }

    /// Free processors take what has waited longest; false if there is nothing.
    fn start(&mut self) -> bool {
        let mut any = false;
        for rank in 0..RANKS {
            for cpu in 0..2 {
                let operations = self.program.operations.iter().enumerate();
                let here: Vec<usize> =
                    operations.filter(|(_, o)| (o.rank, o.cpu) == (rank, cpu)).map(|(number, _)| number).collect();
                if here.iter().any(|&number| self.states[number].until.is_some()) {
                    continue;
                }
                let waiting = here.iter().filter_map(|&number| Some((self.states[number].job?, number)));
                let Some(((_, cycles), number)) = waiting.min_by_key(|((ready, _), number)| (*ready, *number)) else {
                    continue;
                };
                let state = &mut self.states[number];
                (state.job, state.until, state.started, any) = (None, Some(self.now + cycles), true, true);
            }
        }
        any
    }
}

/// The cycle in which the replay of a text ends, if it does.
fn replay(program: &Program, text: impl AsRef<[u8]>, backwards: bool) -> Option<u64> {
    let file = goal_file(text);
    let trace = Arc::new(GoalTrace::open(file.path()).unwrap());
    let placement = Placement::new(RANKS, RANKS, &PlacementOptions::default()).unwrap();
    let [o_send, o_recv] = program.costs.map(|cycles| Nanoseconds(cycles as f64));
    let replay = ReplayOptions { o_send, o_recv, eager_limit: program.eager_limit, ..ReplayOptions::default() };
    let options = TrafficOptions { replay, cycle_ps: 1_000, ..TrafficOptions::default() };
    let mut workload = trace.workload(&options, placement).unwrap();
    let latency = |message: &powar_traffic::workload::Message| program.latencies[message.number as usize % 3];
    let drive = drive(&mut workload, &Network { nodes: RANKS as usize, latency: &latency, backwards }).unwrap();
    assert!(drive.over == (workload.run_time() == Some(drive.end)));
    drive.over.then_some(drive.end)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if std::env::var_os("POWAR_LONG").is_some() { 10_000 } else { 256 }))]

    #[test]
    fn a_program_ends_when_the_model_says(mut program in program()) {
        let expected = Model::end(&program);
        for backwards in [false, true] {
            prop_assert_eq!(replay(&program, text(&program, backwards), backwards), expected);
        }
        // The writer knows one cpu only.
        program.operations.iter_mut().for_each(|operation| operation.cpu = 0);
        prop_assert_eq!(replay(&program, written(&program), false), Model::end(&program));
    }
}
