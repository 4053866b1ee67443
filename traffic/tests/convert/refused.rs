//! What can't be said is refused in one line.

use super::common::{folder_of, goal_file, vef_file};
use super::write;
use powar_traffic::format::convert::Destination;
use powar_traffic::{ReplayOptions, Trace};
use std::path::Path;

#[track_caller]
fn refused(trace: &Trace, name: &str, named: &[&str]) {
    let error = write(trace, name, &ReplayOptions::default()).map(|_| ()).unwrap_err();
    let error = format!("{error:#}");
    assert!(!error.contains('\n'), "{error}");
    for part in named {
        assert!(error.contains(part), "`{part}` is not in: {error}");
    }
}

#[test]
fn traces_without_calls() {
    let vef = vef_file("VEF 2 1 1 0 0 0\nC0 0 1\n0 0 1 8 0 0 -1\n");
    let goal = goal_file("num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n");
    for file in [vef, goal] {
        let trace = Trace::open(file.path()).unwrap();
        for name in ["x.goal", "x.goal.xz", "x.vef", "x.tar.xz"] {
            let here = file.path().to_str().unwrap();
            refused(&trace, name, &[here, "MPI logs, DUMPI text and skeletons", "vef, goal, mpi-log"]);
        }
    }
}

#[test]
fn names_that_tell_no_format() {
    let error = |name, format| Destination::of(name, format).map(|_| ()).unwrap_err().to_string();
    assert_eq!(
        [error("x.txt", None), error("x.tar", None), error("x", Some("dumpi")), error("x", Some("otf2"))],
        [
            "`x.txt` does not tell its format, expected a name that ends in .vef, .vef.xz, .goal, .goal.xz, .tar.xz",
            "`x.tar` does not tell its format, expected a name that ends in .vef, .vef.xz, .goal, .goal.xz, .tar.xz",
            "dumpi is read, not written, expected one of vef, goal, mpi-log",
            "otf2 is no format, expected one of vef, goal, mpi-log",
        ]
    );
    let name_of = |name, format| {
        let destination = Destination::of(name, format).unwrap();
        (destination.format.name, destination.bare_name(name).to_owned())
    };
    assert_eq!(name_of("a.goal.xz", None), ("goal", "a".into()));
    assert_eq!(name_of("a.b.tar.xz", None), ("mpi-log", "a.b".into()));
    assert_eq!(name_of("a.out", Some("vef")), ("vef", "a.out".into()));
}

#[test]
fn receives_that_goal_cannot_say() {
    let folder = folder_of(2, &["Send 0 0 00000001 1 8 5 0", "Recv 0 0 00000001 0 8 6 0 -"]);
    let trace = Trace::open(folder.path()).unwrap();
    refused(
        &trace,
        "x.goal",
        &["r00001.txt, line 3", "rank 1 receives a message with tag 6 from rank 0 that nobody sends"],
    );
    let folder = folder_of(2, &["Barrier 0 0 00000001 -1 0 0 0", ""]);
    let trace = Trace::open(folder.path()).unwrap();
    refused(&trace, "x.goal", &["r00000.txt, line 3", "its part of a collective from rank 1 that nobody sends"]);
    let folder = folder_of(2, &["Recv 0 0 00000001 0 8 6 0 -\nSend 0 0 00000001 0 8 6 0", ""]);
    let trace = Trace::open(folder.path()).unwrap();
    refused(&trace, "x.goal", &["r00000.txt, line 3", "rank 0 waits for a message from itself"]);
}

#[test]
fn receives_nobody_knows_the_sender_of() {
    let trace = Trace::skeleton("random-access").unwrap();
    refused(&trace, "x.tar.xz", &["skeleton random-access, rank 0", "nobody knows", "recorded"]);
}

#[test]
fn damaged_logs() {
    let folder = folder_of(2, &["Send 0 0 00000001 1 8 5 0", "Recv 0 0 00000001 0 8 5 0 -\nT 0 0 7 0 5 8 0"]);
    let trace = Trace::open(folder.path()).unwrap();
    refused(&trace, "x.goal", &["r00001.txt, line 4", "`req` is `7`"]);
    assert!(!Path::new("x.goal").exists());
}
