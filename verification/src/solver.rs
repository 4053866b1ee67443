//! What the tools are given, and what they say.

use crate::abc::DECIDE;
use crate::binding::{Bound, INSTANCE};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Seconds after which a search is given up unless something else is said.
pub const LIMIT: u32 = 600;

/// The model for an SMT solver.
pub(crate) const SMT_MODEL: &str = "design.smt2";
/// From the design as read to a model for an SMT solver, with assertions and covers: the steps of SymbiYosys.
const TO_SMT: &str = "\
scc -select; simplemap; select -clear
memory_nordff
async2sync
chformal -assume -early
opt_clean
formalff -setundef -clk2ff -ff2anyinit -hierarchy
chformal -live -fair -remove
opt_clean
setundef -undriven -anyseq
opt -fast
opt_clean
formalff -assume
dffunmap
";

/// From the design as read to an and-inverter graph for ABC. Beyond the end of a vector is anything, in every cycle anew: where a place may be, only the
/// mapping to gates shows.
const TO_ABC: &str = "\
chformal -cover -remove
async2sync
chformal -assume -early
opt_clean
formalff -assume
setundef -undriven -anyseq
setattr -unset keep
delete -output
opt -full
techmap
setundef -anyseq
opt -fast
memory_map -formal
formalff -clk2ff -ff2anyinit
simplemap
dffunmap
aigmap
opt_clean
";

/// Yosys' script for a proof without the properties `without`.
pub(crate) fn script(bound: &Bound, without: &BTreeSet<String>, with_abc: bool) -> String {
    let files: Vec<&str> = bound.sources.iter().map(|(name, _)| name.as_str()).collect();
    let mut script = format!("read_verilog -sv -formal {}\nprep -flatten -top {}\n", files.join(" "), bound.top);
    for name in without {
        writeln!(script, "chformal -assert -remove */c:{INSTANCE}.{name} */c:{INSTANCE}.*.{name}").expect("text grows");
    }
    script += "memory_map\nopt -full\ncheck -assert\ndesign -save read\n";
    script += TO_SMT;
    writeln!(script, "write_smt2 -wires {SMT_MODEL}").expect("text grows");
    if with_abc {
        script += "design -load read\n";
        script += TO_ABC;
        script += DECIDE;
    }
    script
}

/// Whether a solver ended before it had answered, by the log of smtbmc: because its time was up, as it was asked or, which smtbmc is not prepared for, while
/// a run that it had found was read from it.
pub(crate) fn gave_up(log: &str) -> bool {
    log.contains("response from solver") || log.contains("IndexError: string index out of range")
}

/// The properties and covers of a model, by their names in the properties' module.
pub(crate) fn named(model: &str, kind: &str) -> BTreeSet<String> {
    let start = format!("; yosys-smt2-{kind} ");
    let names = model.lines().filter_map(|line| line.strip_prefix(&start)?.split_whitespace().nth(1));
    names.filter_map(own_name).collect()
}

/// The label of a cell of the properties' module, or of one that it uses.
fn own_name(cell: &str) -> Option<String> {
    let path = cell.strip_prefix(INSTANCE)?.strip_prefix('.')?;
    Some(path.rsplit('.').next().unwrap_or(path).to_owned())
}

/// A property or cover that the solver met, in which step, and the dump that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Met {
    pub(crate) name: String,
    pub(crate) step: u32,
    pub(crate) dump: String,
}

/// Reads smtbmc's log: assertions that failed, or covers that were reached.
pub(crate) fn met(log: &str) -> Vec<Met> {
    let mut found: Vec<Met> = vec![];
    let mut step = 0;
    let mut begun = 0;
    for line in log.lines() {
        let said = line.split_once("  ").map_or("", |(_, rest)| rest.trim_start());
        let said = said.split_once("  ").map_or(said, |(_, rest)| rest);
        let number = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok();
        if let Some((_, rest)) = said.split_once("in step ") {
            step = number(rest).unwrap_or(step);
        }
        let cell = said.rsplit_once(": ").map_or("", |(_, cell)| cell);
        let is_new = said.starts_with("Assert failed in") || said.starts_with("Reached cover statement");
        // `NAME [failed before]` is another dump's.
        if let Some(name) = own_name(cell).filter(|name| is_new && !name.contains(' ')) {
            found.push(Met { name, step, dump: String::new() });
        }
        if let Some(dump) = said.strip_prefix("Writing trace to VCD file: ") {
            found[begun..].iter_mut().for_each(|met| met.dump = dump.to_owned());
            begun = found.len();
        }
    }
    found
}

/// Reads smtbmc's log: how many cycles from reset on were gone through before the one that the solver was last asked about.
pub(crate) fn gone_through(log: &str) -> u32 {
    let asked = |line: &str| {
        let (_, step) = line.split_once("Checking ")?.1.split_once(" in step ")?;
        step.trim_end_matches('.').parse().ok()
    };
    log.lines().rev().find_map(asked).unwrap_or(0)
}

/// A dump of smtbmc's without its own variables, which stand outside of every scope, where a dump may have none.
pub(crate) fn of_the_block(dump: &str) -> String {
    let mut depth = 0;
    let mut outside: Vec<&str> = vec![];
    let mut text = String::new();
    for line in dump.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first() {
            Some(&"$scope") => depth += 1,
            Some(&"$upscope") => depth -= 1,
            _ => (),
        }
        let code = match words[..] {
            ["$var", _, _, code, ..] if depth == 0 => {
                outside.push(code);
                Some(code)
            }
            [value, code] if value.starts_with('b') => Some(code),
            [change] if change.starts_with(['0', '1']) => Some(&change[1..]),
            _ => None,
        };
        if code.is_none_or(|code| !outside.contains(&code)) {
            text += line;
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solver_may_end_before_it_has_answered() {
        assert!(gave_up("##  0:00:15  Unexpected EOF response from solver: timeout"));
        assert!(gave_up("    return self.parse(self.read())[0][1]\nIndexError: string index out of range"));
        assert!(!gave_up("##  0:00:01  Status: PASSED"));
    }

    #[test]
    fn a_dump_is_of_the_block_alone() {
        let dump = "$var integer 32 t smt_step $end\n$var event 1 ! smt_clock $end\n$scope module b $end\n\
                    $var wire 1 n0 clk $end\n$upscope $end\n$enddefinitions $end\n#0\n1!\nb01 t\nb1 n0\n";
        let kept = "$scope module b $end\n$var wire 1 n0 clk $end\n$upscope $end\n$enddefinitions $end\n#0\nb1 n0\n";
        assert_eq!(of_the_block(dump), kept);
    }

    #[test]
    fn failures_come_with_their_step_and_dump() {
        let log = "\
##   0:00:00  Solver: z3
##   0:00:00  Checking assertions in step 1..
##   0:00:00  Checking assertions in step 2..
##   0:00:00  BMC failed!
##   0:00:00  Assert failed in vc_arbiter: properties.first
##   0:00:00  Writing trace to VCD file: f0.vcd
##   0:00:00  Checking remaining assertions..
##   0:01:00  Checking assertions in step 3..
##   0:01:00  Assert failed in vc_arbiter: properties.second
##   0:01:00  Assert failed in vc_arbiter: properties.first [failed before]
##   0:01:00  Writing trace to VCD file: f1.vcd
##   0:01:00  Status: FAILED
";
        let met = met(log);
        let short: Vec<_> = met.iter().map(|met| (met.name.as_str(), met.step, met.dump.as_str())).collect();
        assert_eq!(short, [("first", 2, "f0.vcd"), ("second", 3, "f1.vcd")]);
    }

    #[test]
    fn a_search_that_is_given_up_has_gone_through_the_cycles_before() {
        let log = "##   0:00:00  Checking assumptions in step 4..\n##   0:00:00  Checking assertions in step 4..\n\
                   ##   0:01:00  waiting for solver (1 minute)\n##   0:01:00  Unexpected EOF response from solver.\n";
        assert_eq!(gone_through(log), 4);
        assert_eq!(gone_through("##   0:00:00  Checking cover reachability in step 7..\n"), 7);
        assert_eq!(gone_through("##   0:00:00  Solver: z3\n"), 0);
    }

    #[test]
    fn covers_come_with_their_step() {
        let log = "##   0:00:00  Reached cover statement in step 7 at vc_arbiter: properties.picks\n\
                   ##   0:00:00  Unreached cover statement at vc_arbiter: properties.never\n";
        let found: Vec<_> = met(log).into_iter().map(|met| (met.name, met.step)).collect();
        assert_eq!(found, [("picks".to_owned(), 7)]);
    }

    #[test]
    fn names_are_those_of_the_properties() {
        let model = "; yosys-smt2-assert 0 properties.rules.a\n; yosys-smt2-assert 1 other.b x.v:3\n; yosys-smt2-cover 0 properties.c m.sv:4\n";
        assert_eq!(named(model, "assert"), ["a".to_owned()].into());
        assert_eq!(named(model, "cover"), ["c".to_owned()].into());
    }
}
