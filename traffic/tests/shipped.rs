//! The excerpts that come with the project.

use powar_traffic::cut::{Excerpt, Phase, Steps, cut};
use powar_traffic::format::mpi_log::Logs;
use powar_traffic::format::mpi_log::record::Operation;
use powar_traffic::{Arrivals, PacketArrival, ReplayOptions, Summary, Trace, TrafficOptions, view};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testbenches/traces").join(name)
}

/// All packets at switch 0, checked to be in order and one at a time on every input.
fn packets(trace: &Trace, network: &str) -> (Vec<PacketArrival>, Summary) {
    let view = view::view(network, 0).unwrap();
    let mut free = vec![0; usize::from(view.ports())];
    let mut arrivals = Arrivals::new(trace, view, &TrafficOptions::default()).unwrap();
    let mut all: Vec<PacketArrival> = Vec::new();
    for packet in &mut arrivals {
        let packet = packet.unwrap();
        if let Some(last) = all.last() {
            assert!((last.cycle, last.input) < (packet.cycle, packet.input));
        }
        let free = &mut free[usize::from(packet.input)];
        assert!(packet.cycle >= *free, "two packets at once on {packet:?}");
        *free = packet.cycle + u64::from(packet.flits);
        all.push(packet);
    }
    (all, arrivals.summary().clone())
}

/// Messages, packets in the network, packets seen, adaptive ones, first cycle and span.
type Numbers = (u64, u64, u64, u64, u64, u64);

fn check(name: &str, topology: &str, expected: Numbers) -> Summary {
    let trace = Trace::open(&path(name)).unwrap();
    assert_eq!(trace.ranks(), 64);
    let (all, summary) = packets(&trace, topology);
    let found = (
        summary.messages,
        summary.packets,
        summary.seen_packets,
        summary.adaptive_packets(),
        summary.first_cycle,
        summary.span_cycles(),
    );
    assert_eq!(found, expected, "{name} on the {topology}");
    assert!(summary.span_cycles() >= 1_000_000);
    assert_eq!(all.len() as u64, summary.seen_packets);
    assert_eq!(summary.input_packets.iter().sum::<u64>(), summary.seen_packets);
    assert_eq!(summary.requests.values().sum::<u64>(), summary.seen_packets);
    assert!(summary.input_packets.iter().all(|&packets| packets > 0));
    // A second replay gives the same packets in the same cycles.
    assert!(packets(&trace, topology).0 == all, "{name} is not repeatable");
    summary
}

#[test]
fn hpl_at_a_leaf_switch() {
    let expected = (37_723, 746_694, 136_941, 49_708, 8_924, 8_954_188);
    let summary = check("hpl-64.tar.xz", "8-ary-2-tree", expected);
    assert_eq!(summary.bytes, 92_657_776);
    let down: u64 = (0..8).map(|port| summary.only_for(port)).sum();
    assert_eq!(down + summary.adaptive_packets(), summary.seen_packets);
}

#[test]
fn hpl_at_a_torus_switch() {
    let expected = (37_723, 746_694, 29_777, 20_093, 8_924, 8_958_166);
    check("hpl-64.tar.xz", "torus-4x4x4-trunk4", expected);
}

#[test]
fn random_access_at_a_leaf_switch() {
    let expected = (30_175, 64_891, 16_145, 6_172, 53_912, 1_760_479);
    let summary = check("random-access-64.tar.xz", "8-ary-2-tree", expected);
    assert_eq!(summary.bytes, 6_010_896);
}

#[test]
fn random_access_at_a_torus_switch() {
    let expected = (30_175, 64_891, 5_336, 2_883, 53_944, 1_765_012);
    check("random-access-64.tar.xz", "torus-4x4x4-trunk4", expected);
}

#[test]
fn gromacs_at_a_leaf_switch() {
    let expected = (108_912, 1_105_734, 196_509, 56_879, 16_184, 12_830_682);
    let summary = check("gromacs-64.tar.xz", "8-ary-2-tree", expected);
    assert_eq!(summary.bytes, 134_504_180);
}

#[test]
fn every_leaf_and_gap_scale_can_be_replayed() {
    let trace = Trace::open(&path("random-access-64.tar.xz")).unwrap();
    let mut seen = 0;
    for switch in 0..8 {
        let leaf = view::view("8-ary-2-tree", switch).unwrap();
        let arrivals = Arrivals::new(&trace, leaf, &TrafficOptions::default()).unwrap();
        let summary = arrivals.into_summary().unwrap();
        // A packet between two leaves is seen at both.
        seen += summary.seen_packets
            + summary
                .requests
                .iter()
                .filter(|((adaptive, _), _)| *adaptive == 0)
                .map(|(_, packets)| packets)
                .sum::<u64>()
            - summary.input_packets[8..].iter().sum::<u64>();
    }
    // Counted twice: local packets by the line above, the others at their two leaves.
    assert_eq!(seen, 2 * 64_891);
    let options = TrafficOptions {
        replay: ReplayOptions { gap_scale: 10.0, ..ReplayOptions::default() },
        ..TrafficOptions::default()
    };
    let leaf = view::view("8-ary-2-tree", 0).unwrap();
    let slower = Arrivals::new(&trace, leaf, &options).unwrap().into_summary().unwrap();
    assert_eq!(slower.seen_packets, 16_145);
    assert!(slower.span_cycles() > 9 * 1_760_479, "{}", slower.span_cycles());
}

#[test]
fn the_excerpts_are_small() {
    let sizes = ["hpl-64.tar.xz", "random-access-64.tar.xz", "gromacs-64.tar.xz"]
        .map(|name| std::fs::metadata(path(name)).unwrap().len());
    assert!(sizes.iter().sum::<u64>() < 2_000_000, "{sizes:?}");
}

#[test]
fn a_folder_and_an_archive_give_the_same_packets() {
    let archive = path("random-access-64.tar.xz");
    let folder = TempDir::new().unwrap();
    unpack(&archive, folder.path());
    let unpacked = Trace::open(folder.path()).unwrap();
    let packed = Trace::open(&archive).unwrap();
    assert!(packets(&unpacked, "8-ary-2-tree").0 == packets(&packed, "8-ary-2-tree").0);
}

/// The logs in an archive, whatever folder they are in there.
fn unpack(archive: &Path, folder: &Path) {
    let xz = lzma_rust2::XzReader::new(std::fs::File::open(archive).unwrap(), true);
    for member in tar::Archive::new(xz).entries().unwrap() {
        let mut member = member.unwrap();
        let name = member.path().unwrap().file_name().unwrap().to_owned();
        member.unpack(folder.join(name)).unwrap();
    }
}

/// The text of all logs in an archive.
fn texts(archive: &Path) -> Vec<String> {
    let folder = TempDir::new().unwrap();
    unpack(archive, folder.path());
    (0..64).map(|rank| std::fs::read_to_string(folder.path().join(format!("r{rank:05}.txt"))).unwrap()).collect()
}

/// A log whose first call comes at once: what is in front of a phase is no part of it.
fn without_first_gaps(log: &str) -> String {
    let mut first = true;
    let lines = log.lines().map(|line| {
        let fields: Vec<_> = line.split(' ').collect();
        if matches!(fields[0], "H" | "C") || !std::mem::take(&mut first) {
            return line.to_owned() + "\n";
        }
        format!("{} 0 0 {}\n", fields[0], fields[3..].join(" "))
    });
    lines.collect()
}

#[test]
fn cutting_a_whole_phase_again_changes_nothing_but_the_first_gaps() {
    let folder = TempDir::new().unwrap();
    let target = folder.path().join("hpl-64.tar.xz");
    let trace = Logs::open(&path("hpl-64.tar.xz")).unwrap();
    let excerpt = cut(&trace, Phase::Hpl, None, &target).unwrap();
    let expected = Excerpt { ranks: 64, lines: 110_790, cut_at_cycle: None };
    assert_eq!(excerpt, expected);
    let whole: Vec<_> = texts(&path("hpl-64.tar.xz")).iter().map(|log| without_first_gaps(log)).collect();
    assert!(texts(&target) == whole);
}

#[test]
fn cutting_steps_takes_them_from_mark_to_mark() {
    let folder = TempDir::new().unwrap();
    let target = folder.path().join("steps.tar.xz");
    let source = path("gromacs-64.tar.xz");
    let trace = Logs::open(&source).unwrap();
    // The third mark of the excerpt is its last; behind it are ten more steps.
    cut(&trace, Phase::named("Allreduce:1088:2-3").unwrap(), None, &target).unwrap();
    for (short, long) in texts(&target).iter().zip(texts(&source)) {
        let (_, kept) = short.split_once("Allreduce").unwrap();
        let kept = kept.strip_suffix("FIN 0 0 polls 0\n").unwrap();
        let from = long.find(kept).unwrap();
        let marks = |text: &str| text.matches(" 1088 0 0\n").count();
        assert_eq!((marks(&long[..from]), marks(kept), marks(&long[from + kept.len()..])), (1, 1, 1));
        assert!(long[from + kept.len()..].starts_with("Allreduce "));
    }
    let error = cut(&trace, Phase::named("Allreduce:1088:2-4").unwrap(), None, &target).unwrap_err();
    let expected = "r00000.txt has 3 calls of Allreduce with 1088 bytes, expected at least 4";
    assert!(error.to_string().ends_with(expected), "{error}");
}

#[test]
fn a_shorter_cut_is_a_prefix_that_replays_to_its_end() {
    let folder = TempDir::new().unwrap();
    let target = folder.path().join("short.tar.xz");
    let source = path("random-access-large-64.tar.xz");
    let trace = Logs::open(&source).unwrap();
    let excerpt = cut(&trace, Phase::RandomAccess, Some(4_000_000), &target).unwrap();
    // The first moment behind it at which no rank is inside a collective.
    let cut_at = excerpt.cut_at_cycle.unwrap();
    assert!((4_000_000..4_010_000).contains(&cut_at), "cut at {cut_at}");
    for (short, long) in texts(&target).iter().zip(texts(&source)) {
        let kept = short.strip_suffix("FIN 0 0 polls 0\n").unwrap();
        assert!(long.starts_with(kept));
    }
    let short = Trace::open(&target).unwrap();
    let (all, _) = packets(&short, "8-ary-2-tree");
    let (longer, _) = packets(&Trace::open(&source).unwrap(), "8-ary-2-tree");
    let common = all.iter().zip(&longer).take_while(|(a, b)| a == b).count();
    assert!(common > 1_000, "only {common} packets are the same");
}

#[test]
fn a_trace_without_the_phase_is_refused_and_nothing_is_written() {
    let folder = TempDir::new().unwrap();
    let target = folder.path().join("none.tar.xz");
    let trace = Logs::open(&path("hpl-64.tar.xz")).unwrap();
    let error = cut(&trace, Phase::RandomAccess, None, &target).unwrap_err();
    let expected = "r00000.txt has no RandomAccess phase, expected its calls";
    assert!(error.to_string().ends_with(expected), "{error}");
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

#[test]
fn names_of_phases_and_steps_are_checked() {
    assert_eq!(Phase::named("hpl").unwrap(), Phase::Hpl);
    let steps = Steps { operation: Operation::Allreduce, bytes: 1088, first: 2, last: 5 };
    assert_eq!(Phase::named("Allreduce:1088:2-5").unwrap(), Phase::Steps(steps));
    let expected = "expected hpl, random-access or OPERATION:BYTES:FIRST-LAST";
    for bad in ["fft", "Allreduce:8", "Allreduce:8:2", "Allreduce:8:2-5:1", "Allreduce:x:2-5", "allreduce:8:2-5"] {
        assert_eq!(Phase::named(bad).unwrap_err().to_string(), format!("phase is `{bad}`, {expected}"));
    }
    assert_eq!(
        Phase::named("Bcast:8:2-5").unwrap_err().to_string(),
        "phase is `Bcast:8:2-5`, expected Barrier, Allreduce or Alltoall, in which all ranks wait for each other"
    );
    for bad in ["Barrier:0:0-5", "Barrier:0:5-5"] {
        let expected = format!("phase is `{bad}`, expected FIRST from 1 on and LAST behind it");
        assert_eq!(Phase::named(bad).unwrap_err().to_string(), expected);
    }
}
