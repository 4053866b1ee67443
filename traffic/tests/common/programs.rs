//! Random programs that can finish, as logs.

use proptest::prelude::*;

/// Ranks of a program.
pub const RANKS: usize = 3;

/// What happens next in the program, with the compute gaps of the ranks before it, ns.
#[derive(Clone, Debug)]
pub enum Event {
    /// `late`: which sides leave their call open until their next event: 1 the sender, 2 the receiver.
    Message {
        from: usize,
        to: usize,
        bytes: u64,
        tag: i32,
        late: u32,
        gaps: [u32; 2],
    },
    Collective {
        name: &'static str,
        root: usize,
        bytes: u64,
        gaps: [u32; RANKS],
    },
}

const ROOTED: [&str; 6] = ["Bcast", "Reduce", "Gather", "Gatherv", "Scatter", "Scatterv"];
const ROOTLESS: [&str; 5] = ["Allreduce", "Allgather", "Alltoall", "Comm_split", "Barrier"];

/// Any event.
pub fn event() -> impl Strategy<Value = Event> {
    let names: Vec<_> = ROOTED.into_iter().chain(ROOTLESS).collect();
    let gap = || prop_oneof![Just(0u32), 0..200u32, 0..20_000u32];
    prop_oneof![
        3 => (0..RANKS, 0..RANKS, 0..3000u64, 0..3i32, 0..4u32, [gap(), gap()])
            .prop_map(|(from, to, bytes, tag, late, gaps)| Event::Message { from, to, bytes, tag, late, gaps }),
        // A collective without payload would lose its root.
        1 => (proptest::sample::select(names), 0..RANKS, 1..3000u64, [gap(), gap(), gap()])
            .prop_map(|(name, root, bytes, gaps)| Event::Collective { name, root, bytes, gaps }),
    ]
}

/// The logs of a program; `wildcards`: whether non-blocking receives accept any source and tag.
pub fn logs(program: &[Event], wildcards: bool) -> [String; RANKS] {
    let mut logs = [const { String::new() }; RANKS];
    // The completions each rank still owes.
    let mut owed = [const { String::new() }; RANKS];
    let mut settle = |logs: &mut [String; RANKS], rank: usize, next: String| {
        let before = std::mem::replace(&mut owed[rank], next);
        logs[rank] += &before;
    };
    for (number, event) in program.iter().enumerate() {
        let request = number + 1;
        match *event {
            Event::Message { from, to, bytes, tag, late, gaps: [before, after] } => {
                settle(&mut logs, from, String::new());
                let call = |name: &str, gap, peer, request| {
                    format!("{name} {gap} 0 00000001 {peer} {bytes} {tag} {request}\n")
                };
                if late & 1 == 0 {
                    logs[from] += &call("Send", before, to, 0);
                } else {
                    logs[from] += &call("Isend", before, to, request);
                    settle(&mut logs, from, format!("T {after} 0 {request} -2 -1 0 0\n"));
                }
                settle(&mut logs, to, String::new());
                if late & 2 == 0 {
                    logs[to] += &call("Recv", after, from, 0);
                } else {
                    // Of requests and calls with the same tag the first is completed first, because
                    // what is owed is settled before the rank's next call.
                    let (source, wanted) = if wildcards { (-1, -1) } else { (from as i32, tag) };
                    logs[to] += &format!("Irecv {after} 0 00000001 {source} 9999 {wanted} {}\n", 1000 + request);
                    settle(&mut logs, to, format!("T {before} 0 {} {from} {tag} {bytes} 0\n", 1000 + request));
                }
            }
            Event::Collective { name, root, bytes, gaps } => {
                let root = if ROOTED.contains(&name) { root as i64 } else { -1 };
                for (rank, gap) in gaps.into_iter().enumerate() {
                    settle(&mut logs, rank, String::new());
                    logs[rank] += &format!("{name} {gap} 0 00000001 {root} {bytes} 0 0\n");
                }
            }
        }
    }
    for rank in 0..RANKS {
        settle(&mut logs, rank, String::new());
    }
    logs
}
