//! On a terminal of 80 columns and 24 lines: tables and lists fit, a bar goes away when somebody interrupts.

use crate::host::support;
use crate::{HPL, POWAR, Scratch, text};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A terminal: its end, and the one that a program has.
fn terminal() -> (OwnedFd, OwnedFd) {
    let outer = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&outer).unwrap();
    unlockpt(&outer).unwrap();
    let inner = open(ptsname(&outer, vec![]).unwrap(), OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    tcsetwinsize(&inner, Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    (outer, inner)
}

/// What a program leaves there.
fn read(outer: &OwnedFd) -> String {
    let mut all = vec![];
    let mut bytes = [0; 4096];
    loop {
        match rustix::io::read(outer, &mut bytes) {
            Ok(0) | Err(Errno::IO) => return text(&all),
            Ok(count) => all.extend_from_slice(&bytes[..count]),
            Err(error) => panic!("{error}"),
        }
    }
}

/// What a command prints to standard output there.
#[track_caller]
fn shown(scratch: &Scratch, arguments: &[&str]) -> String {
    let (outer, inner) = terminal();
    let mut command = scratch.command(arguments);
    command.env("NO_COLOR", "1").stdout(inner).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    // Its copy of the inner end, without which the outer one has an end.
    drop(command);
    let shown = read(&outer);
    assert!(child.wait().unwrap().success(), "{arguments:?}: {shown}");
    shown.replace('\r', "")
}

/// The first look at a device is there before the first interval is over, which is ten minutes here.
#[test]
fn a_device_that_is_watched_is_shown_at_once() {
    let simulated = support::Simulated::new(&powar_config::presets::by_name("fat-tree-2").unwrap());
    let scratch = Scratch::new();
    let watch =
        ["host", "--preset", "fat-tree-2", "--timeout", "5s", "--port", &simulated.path, "watch", "--every", "600s"];
    let (outer, inner) = terminal();
    let mut command = scratch.command(&watch);
    command.stdin(inner.try_clone().unwrap()).stdout(inner).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    drop(command);
    let (mut shown, mut bytes) = (vec![], [0; 4096]);
    while !String::from_utf8_lossy(&shown).contains("nodes") {
        let count = rustix::io::read(&outer, &mut bytes).expect("it is still there");
        shown.extend_from_slice(&bytes[..count]);
    }
    rustix::io::write(&outer, b"q").unwrap();
    read(&outer);
    assert!(child.wait().unwrap().success());
    // Where there is no terminal it says when it will come.
    let output = scratch.run(&[&watch[..watch.len() - 1], &["50ms", "--count", "1"]].concat());
    assert_eq!(text(&output.stderr), "Reading the counters of all ports; the first look comes 50ms behind that\n");
}

#[test]
fn tables_and_lists_fit() {
    let scratch = Scratch::new();
    let bare = "title = \"Bare\"\n[simulation]\ntopology = \"2-ary-2-tree\"\ntraffic = { kind = \"synthetic\", cycles = 2000 }\n\
                [[sweep]]\nname = \"load\"\nkey = \"traffic.load\"\nvalues = [0.01, 0.1]\n\
                [[sweep]]\nname = \"policy\"\nvalues = [\"reference\", \"powar\"]\n";
    scratch.write("bare.toml", bare);
    for (arguments, part) in [
        (&["presets"][..], "fat-tree-8"),
        (&["host", "list"], "latency_31"),
        (&["trace", "--input", HPL, "--cycles", "100000", "--pdt", "1us"], "Reference"),
        (&["sim", "--topology", "2-ary-2-tree", "--cycles", "2000"], "accepted"),
        (&["sim", "--topology", "2-ary-2-tree", "--cycles", "2000", "--policy", "reference,powar"], "wake_"),
        (&["experiment", "bare.toml"], "packet_"),
        (&["sim", "-h"], "--topology"),
    ] {
        let shown = shown(&scratch, arguments);
        assert!(shown.contains(part), "{arguments:?}: {shown}");
        let wide: Vec<&str> = shown.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(wide.is_empty(), "{arguments:?}: {wide:#?}");
    }
}

#[test]
fn who_interrupts_is_told_what_is_kept() {
    let scratch = Scratch::new();
    let long = "title = \"Long\"\n[simulation]\ntraffic = { kind = \"synthetic\", cycles = 1000000000, load = 0.3 }\n";
    scratch.write("long.toml", long);
    let signalled = |signal: &str, arguments: &[&str]| {
        let mut child = scratch.command(arguments).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        // It has begun long before, and would go on for an hour.
        std::thread::sleep(Duration::from_secs(2));
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        let code = child.wait().unwrap().code();
        let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
        (code, said.lines().last().unwrap().to_owned())
    };
    let (code, said) = signalled("-INT", &["experiment", "long.toml", "--out", "there"]);
    assert_eq!(code, Some(130));
    assert!(said.contains("powar: interrupted; finished simulations are kept in there/points"), "{said}");
    let (code, said) = signalled("-INT", &["sim", "--load", "0.3", "--cycles", "1000000000"]);
    assert_eq!((code, said.as_str()), (Some(130), "powar: interrupted"));
    let (code, said) = signalled("-TERM", &["sim", "--load", "0.3", "--cycles", "1000000000"]);
    assert_eq!((code, said.as_str()), (Some(143), "powar: told to end"));
    // The terminal goes away.
    let (code, said) = signalled("-HUP", &["sim", "--load", "0.3", "--cycles", "1000000000"]);
    assert_eq!((code, said.as_str()), (Some(129), "powar: told to end"));
}

/// `nohup` ignores the signal, and so does what it starts.
#[test]
fn what_nohup_has_started_stays_when_the_terminal_goes() {
    let scratch = Scratch::new();
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" sim --load 0.3 --cycles 1000000000", POWAR]);
    let mut child = shell.current_dir(scratch.path()).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    let signalled = |signal: &str| {
        std::thread::sleep(Duration::from_secs(2));
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    };
    signalled("-HUP");
    signalled("-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(143));
}
