//! Many faults in one text: each expression that a fault changes becomes a choice made at run time, so that a block is
//! compiled once for all its faults.

use crate::verilog::VerilogFault;
use anyhow::{Context, Result, ensure};
use powar_hdl::verilog::Design;
use powar_testbenches::dut::lockstep_top;
use std::cmp::Reverse;
use std::ops::Range;

/// An expression of the text and what a fault makes of it.
struct Change {
    range: Range<usize>,
    number: u64,
    wrong: &'static str,
}

/// The design with all `faults` in it: fault i is on while `lockstep_top.fault` is i + 1, and with 0 the design is sound.
///
/// # Errors
/// The text is no longer one in which a fault can be made.
pub fn with_faults(design: &Design, faults: &[&VerilogFault]) -> Result<Design> {
    ensure!(faults.len() < 1 << lockstep_top::FAULT.1, "faults: {} are too many for one block", faults.len());
    let mut spoilt = design.clone();
    for module in &mut spoilt.modules {
        let mut changes = vec![];
        for (number, fault) in (1..).zip(faults).filter(|(_, fault)| fault.block == module.name) {
            changes.push(Change { range: place(&module.text, fault)?, number, wrong: fault.wrong });
        }
        // Outer expressions before those inside them.
        changes.sort_by_key(|change| (change.range.start, Reverse(change.range.end), change.number));
        module.text = splice(&module.text, 0..module.text.len(), &changes)?;
    }
    for fault in faults {
        let known = design.modules.iter().any(|module| module.name == fault.block);
        ensure!(known, "{}: the emitted Verilog has changed: it has no module of that name", fault.block);
    }
    Ok(spoilt)
}

/// Where a fault's expression lies in its module.
fn place(text: &str, fault: &VerilogFault) -> Result<Range<usize>> {
    let changed = |what: &str, times: usize| {
        format!(
            "{}, fault `{}`: the emitted Verilog has changed: `{what}` is found {times} times instead of once",
            fault.block, fault.name
        )
    };
    let once = |text: &str, what: &str| {
        let times = text.matches(what).count();
        text.find(what).filter(|_| times == 1).with_context(|| changed(what, times))
    };
    let start = once(text, fault.find)? + once(fault.find, fault.right)?;
    Ok(start..start + fault.right.len())
}

/// The text of `range` with its changes, which are those that lie in it.
fn splice(text: &str, range: Range<usize>, changes: &[Change]) -> Result<String> {
    let mut spliced = String::new();
    let mut done = range.start;
    let mut rest = changes;
    while let Some(first) = rest.first() {
        let outer = first.range.clone();
        ensure!(outer.end <= range.end, "faults: `{}` overlaps another fault's expression", &text[outer]);
        let same = rest.iter().take_while(|change| change.range == outer).count();
        let inside = rest[same..].iter().take_while(|change| change.range.start < outer.end).count();
        spliced += &text[done..outer.start];
        let (name, bits) = lockstep_top::FAULT;
        spliced.push('(');
        for Change { number, wrong, .. } in &rest[..same] {
            spliced += &format!("({}.{name} == {bits}'d{number}) ? ({wrong}) : ", lockstep_top::TOP);
        }
        spliced += &format!("({}))", splice(text, outer.clone(), &rest[same..same + inside])?);
        done = outer.end;
        rest = &rest[same + inside..];
    }
    Ok(spliced + &text[done..range.end])
}
