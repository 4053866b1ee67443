//! Programs as logs of version 2.

use super::common::folder_of;
use super::{by_byte, converted, ideal, write};
use powar_traffic::format::mpi_log::Logs;
use powar_traffic::program::call::{Call, CallSource, Collective, Compute, Entry, Payload};
use powar_traffic::skeleton;
use powar_traffic::{ReplayOptions, Trace};

/// The same entry with a size for each of so many members where version 1 has one for all.
pub fn with_sizes(mut entry: Entry, members: usize) -> Entry {
    if let Entry::Call { call: Call::Collective { collective, .. }, .. } = &mut entry
        && matches!(collective.operation, Collective::GatherV | Collective::ScatterV)
        && let Payload::Each(bytes) = collective.payload
    {
        collective.payload = Payload::Members(vec![bytes; members].into());
    }
    entry
}

pub fn entries(source: &dyn CallSource, rank: u32) -> Vec<Entry> {
    let mut calls = source.calls(rank).unwrap();
    std::iter::from_fn(|| calls.next().unwrap()).collect()
}

#[test]
fn every_line_of_version_2_comes_back() {
    let lines = |rank: u32| {
        let other = (rank + 1) % 3;
        let mut text = String::from("C 0000000a 2 2 0\nC 0000000b 3 2 1 0\n");
        text += &format!(
            "Ssend 5 0 00000001 {other} 12 3 0\nIssend 6 0 00000001 {other} 13 4 1\nIsend 1 0 00000001 -2 0 0 2\n"
        );
        text += &format!(
            "Recv 7 0 00000001 {other} 0 3 0 st\nRecv 7 0 0000000b {other} 0 3 0 s\nRecv 7 0 00000001 {other} 0 3 0 t\n"
        );
        text +=
            &format!("Recv 7 0 00000001 {other} 0 3 0 -\nRecv 2 0 00000001 -2 0 0 0 -\nIrecv 1 0 0000000b -1 0 -1 3\n");
        text += &format!("Probe 3 0 00000001 {other} 0 3 0 st\nIprobe 4 0 00000001 {other} 0 3 0 -\n");
        text += &format!(
            "P 4 0 3 2 9 0 0\nT 4 0 1 -2 -1 0 3\nT 4 0 2 -2 -1 0 0\nIrecv 1 0 00000001 {other} 0 7 4\nT 1 0 4 -1 -1 0 0\n"
        );
        text += &format!("SendrecvS 9 0 00000001 {other} 77 3 0\nSendrecvR 0 0 00000001 {other} 0 3 0 t\n");
        text += "Barrier 1 0 00000001 -1 0 0 0\nBcast 1 0 00000001 1 5 0 0\nReduce 1 0 00000001 0 5 0 0\nAllreduce 1 0 0000000b -1 5 0 0\n";
        text += "Scan 1 0 00000001 -1 4 0 0\nExscan 1 0 00000001 -1 4 0 0\nGather 1 0 00000001 0 4 0 0\nScatter 1 0 00000001 2 4 0 0\n";
        let sizes = |root: bool, name: &str| {
            format!("{name} 1 0 00000001 0 {} 0 0{}\n", if root { 0 } else { 6 }, if root { " n 3 1 2x6" } else { "" })
        };
        text += &(sizes(rank == 0, "Gatherv") + &sizes(rank == 0, "Scatterv"));
        text += "Allgather 1 0 00000001 -1 4 0 0\nAllgatherv 1 0 00000001 -1 0 0 0 n 3 5 6 7\nAlltoall 1 0 00000001 -1 9 0 0\n";
        text += "Alltoallv 1 0 00000001 -1 0 0 0 n 3 3x5\nReduce_scatter 1 0 00000001 -1 0 0 0 n 3 1 2 3\nReduce_scatter_block 1 0 00000001 -1 8 0 0\n";
        text += "Neighbor_alltoall 1 0 00000001 -1 0 0 0 to 2 1:5 2:6 from 1 0\nNeighbor_allgather 1 0 00000001 -1 0 0 0 to 0 from 0\n";
        text += "Comm_split 1 0 00000001 -1 0 0 0\nComm_idup 1 0 00000001 -1 0 0 8\nIallreduce 1 0 00000001 -1 64 0 9\nT 1 0 9 -2 -1 0 0\nP 1 0 8 -2 -1 0 0\n";
        text
    };
    let texts = [0, 1, 2].map(lines);
    let folder = folder_of(2, &texts.each_ref().map(String::as_str));
    let (written, counts) = write(&Trace::open(folder.path()).unwrap(), "x.tar.xz", &ReplayOptions::default()).unwrap();
    let (before, after) = (Logs::open(folder.path()).unwrap(), Logs::open(&written.path().join("x.tar.xz")).unwrap());
    let mut lines = 0;
    for rank in 0..3 {
        assert_eq!(entries(&before, rank), entries(&after, rank));
        lines += texts[rank as usize].lines().count() as u64 + 3;
    }
    assert_eq!(counts, [("ranks", 3), ("lines", lines)]);
    assert_eq!((after.log(1).unwrap().version(), after.ranks()), (2, 3));
}

#[test]
fn a_skeleton_takes_the_same_cycles_as_logs() {
    let text = "hpl:n=512,nb=64,p=2,q=3";
    let trace = Trace::skeleton(text).unwrap();
    let replay = ReplayOptions::default();
    let logs = converted(&trace, "x.tar.xz", &replay);
    let options = by_byte(replay);
    assert_eq!(ideal(&trace, &options), ideal(&logs, &options));
    let source = skeleton::parse(text).unwrap();
    let modelled =
        |entry: &Entry| matches!(entry, Entry::Call { compute: Compute::Modelled(ps), .. } if ps % 1000 != 0);
    assert!(entries(source.as_ref(), 0).iter().any(modelled), "nothing is rounded");
}
