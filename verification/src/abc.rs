//! ABC's property-directed reachability (pdr) within Yosys.

use anyhow::{Context, Result};
use powar_tools::{Tools, run_within, write_atomic};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// What Yosys runs, and what ABC does then.
const SCRIPT: &str = "prove.ys";
const ABC_SCRIPT: &str = "prove.abc";
/// Where ABC says what came of it, since Yosys keeps what it prints.
const STATUS: &str = "status.txt";
/// Seconds that Yosys has at least.
const LEAST_FOR_READING: u64 = 300;

/// The end of Yosys' script, which comes behind an and-inverter graph: ABC, on a design that is as small as one can be.
pub(crate) const DECIDE: &str = "\
write_aiger -I -B -zinit -no-startoffset design.aig
design -reset
read_verilog <<EOF
module runs_abc (input a, input b, output y); assign y = a & b; endmodule
EOF
prep -top runs_abc
simplemap
abc -script prove.abc
";

/// What runs ABC again on the graph that [`DECIDE`] wrote.
const AGAIN: &str = "\
read_verilog <<EOF
module runs_abc (input a, input b, output y); assign y = a & b; endmodule
EOF
prep -top runs_abc
simplemap
abc -script prove.abc
";
/// The graph without what is found to be equal in every cycle.
const REDUCED: &str = "reduced.aig";

/// What ABC found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reachability {
    Proved,
    /// A property fails in this cycle.
    Fails(u32),
    Unknown,
}

/// Reads ABC's status: `snl_UNSAT ..`, `snl_SAT .. CYCLE` or `snl_UNK ..`.
fn reachability(status: &str) -> Reachability {
    let words: Vec<&str> = status.lines().next().unwrap_or_default().split_whitespace().collect();
    match (words.first(), words.last().and_then(|word| word.parse().ok())) {
        (Some(&"snl_UNSAT"), _) => Reachability::Proved,
        (Some(&"snl_SAT"), Some(cycle)) => Reachability::Fails(cycle),
        _ => Reachability::Unknown,
    }
}

/// Runs a script of Yosys in a folder. One that ends in [`DECIDE`] is answered: all properties are one for ABC, which gives up after `limit`
/// seconds. What does not is [`Reachability::Unknown`].
///
/// # Errors
/// What Yosys does not take, or takes too long to read; a tool that is missing.
pub(crate) fn run_script(folder: &Path, script: &str, limit: u32, tools: &Tools, what: &str) -> Result<Reachability> {
    let write = |name: &str, text: &str| write_atomic(folder.join(name), text);
    write(SCRIPT, script)?;
    write(ABC_SCRIPT, &format!("read_aiger design.aig\nfold\nstrash\norpos\npdr -T {limit}\nwrite_status {STATUS}\n"))?;
    // ABC may end without a word; what it said before must not stand for that.
    write(STATUS, "")?;
    // Reading a large block can take longer than any proof of it; ABC's time comes on top.
    let time = Duration::from_secs((u64::from(limit) * 2).max(LEAST_FOR_READING));
    let done = run_within(tools.yosys()?.current_dir(folder).args(["-q", "-s", SCRIPT]), what, time);
    let status = fs::read_to_string(folder.join(STATUS)).with_context(|| format!("{what}: the status of ABC"))?;
    // What is left to map may be nothing, which Yosys takes for a failure; ABC is its last step, and has answered.
    if status.is_empty() {
        done?;
    }
    Ok(reachability(&status))
}

/// Asks again, of the graph that a script ending in [`DECIDE`] wrote to this folder, in another way: signals that are
/// equal in every cycle, or never change, are found by induction all at once and made one (`scorr`), which is most of two
/// blocks side by side. pdr gets what is left of it, or all of it if that took too long. As many seconds for either.
///
/// # Errors
/// A file that can't be written.
pub(crate) fn ask_reduced(folder: &Path, limit: u32, tools: &Tools, what: &str) -> Result<Reachability> {
    let ask = |how: &str| -> Result<Reachability> {
        let pdr = format!("pdr -T {limit}\nwrite_status {STATUS}\n");
        write_atomic(folder.join(SCRIPT), AGAIN)?;
        write_atomic(folder.join(ABC_SCRIPT), format!("read_aiger design.aig\nfold\nstrash\norpos\n{how}{pdr}"))?;
        write_atomic(folder.join(STATUS), "")?;
        let time = Duration::from_secs(u64::from(limit) * 2);
        // It may have been ended, and Yosys may find nothing left to map: what ABC has written by then counts.
        let _ = run_within(tools.yosys()?.current_dir(folder).args(["-q", "-s", SCRIPT]), what, time);
        Ok(reachability(&fs::read_to_string(folder.join(STATUS)).unwrap_or_default()))
    };
    let of_reduced = ask(&format!("scorr\nwrite_aiger {REDUCED}\n"))?;
    match fs::read(folder.join(REDUCED)) {
        Ok(graph) if is_never(&graph) => Ok(Reachability::Proved),
        Ok(_) => Ok(of_reduced),
        Err(_) => ask(""),
    }
}

/// Whether a graph in the binary form of AIGER has a single output, which is 0, and neither register nor gate.
fn is_never(graph: &[u8]) -> bool {
    let mut lines = graph.split(|byte| *byte == b'\n').map(|line| String::from_utf8_lossy(line).into_owned());
    let head = lines.next().unwrap_or_default();
    let words: Vec<&str> = head.split_whitespace().collect();
    let bare = words.first() == Some(&"aig") && words.get(3..) == Some(&["0", "1", "0"]);
    bare && lines.next().as_deref() == Some("0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abc_says_whether_and_when() {
        assert_eq!(reachability("snl_UNSAT 2 unknown\nNULL\nNULL"), Reachability::Proved);
        assert_eq!(reachability("snl_SAT 1 unknown 0 12\n0000\n0101"), Reachability::Fails(12));
        assert_eq!(reachability("snl_UNK -1 unknown\n"), Reachability::Unknown);
        assert_eq!(reachability(""), Reachability::Unknown);
    }

    #[test]
    fn a_graph_is_never_that_is_0_alone() {
        assert!(is_never(b"aig 83 83 0 1 0\n0\nc\n"));
        for other in
            ["aig 83 83 0 1 0\n1\n", "aig 84 83 1 1 0\n0\n", "aig 84 83 0 1 1\n0\n", "aig 83 83 0 1 0\n", "", "0\n0\n"]
        {
            assert!(!is_never(other.as_bytes()), "{other}");
        }
    }
}
