//! Sound and spoilt block side by side with the same inputs: are all outputs and all registers equal, in every cycle from reset on?
//!
//! Yosys joins the two, with the registers as outputs beside the ports, and ABC's pdr decides. All registers and words begin with 0, and the
//! first cycle is one of reset. Bits without a value, as of a position beyond the end of a vector, are 0.
//!
//! A block with memories is first looked at without their words, of which there are too many for pdr: whether all that goes into a memory is
//! equal if all that came out of it was. If it is not, that says nothing, and the words are looked at too.

use crate::abc::{DECIDE, Reachability, ask_reduced, run_script};
use crate::binding::Bound;
use anyhow::{Context, Result, ensure};
use powar_hdl::verilog::{Design, Port};
use powar_tools::{Tools, WorkFolder, write_atomic};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Name of the module around both, and of what joins them.
const PROOF: &str = "powar_miter";
const SIDES: &str = "powar_miter_sides";
/// What the spoilt module's name ends in.
const SPOILT: &str = "_spoilt";

/// Takes the words out of both sides' memories: what goes into a memory is an output of the block, and what comes out an input.
const CUT_MEMORIES: &str = "\
memory_collect
techmap -autoproc -map memory_cut.v
expose */w:*.cut_read_address */w:*.cut_write */w:*.cut_write_data */w:*.cut_write_address
expose -input */w:*.cut_read_data
";
/// What comes out of memories may be anything.
const READ_DATA_IS_FREE: &str = "expose -input w:sides.in_*.cut_read_data\n";
const MEMORY_CUT: &str = include_str!("memory_cut.v");

/// From both sides as read to an and-inverter graph, in which nothing but inputs is free.
const TO_ABC: &str = "\
async2sync
chformal -assume -early
memory_map
opt -full
setundef -undriven -zero
setundef -zero -init
setattr -unset keep
delete -output
opt -full
techmap
opt -fast
formalff -clk2ff
simplemap
dffunmap
setundef -zero
aigmap
opt_clean
";

/// Seconds after which pdr is given less to look at: nearly all that it finds out it finds out in these.
const AT_ONCE: u32 = 8;

/// Whether the words of memories are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    In,
    Out,
}

/// What may be taken for granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assumed {
    Nothing,
    /// What the properties assume of inputs, and that numbers of ports and stages are such that there are.
    OfInputs,
    /// That, and the properties themselves of the sound side: for a block of which they are proved.
    Proved,
}

/// A block whose mutants are compared with it.
pub(super) struct Miter<'a> {
    pub sound: &'a Design,
    /// The input that resets it.
    pub reset: Option<&'a str>,
    /// The block with its properties, which assume something of inputs.
    pub bound: Option<Bound>,
    /// Inputs that are numbers, of ports or stages, and how many of these there are.
    pub numbers: Vec<(&'a str, usize)>,
    /// Seconds after which a proof is given up.
    pub patience: u32,
    pub tools: &'a Tools,
}

impl Miter<'_> {
    /// Whether there is anything to assume of inputs.
    pub(super) fn can_assume(&self) -> bool {
        self.bound.is_some() || !self.numbers.is_empty()
    }

    /// Whether a design of the same block ever differs. The step is the cycle of the first difference, the cycle of
    /// reset being 0.
    ///
    /// # Errors
    /// What Yosys does not take; a block with several clocks.
    pub(super) fn compare(&self, spoilt: &Design, assumed: Assumed) -> Result<Reachability> {
        let differ = "running && differ";
        let without = || self.ask(spoilt, assumed, differ, Words::Out);
        match self.sound.description.memories.is_empty() {
            false if without()? == Reachability::Proved => Ok(Reachability::Proved),
            _ => self.ask(spoilt, assumed, differ, Words::In),
        }
    }

    /// Whether there are inputs for so many cycles that the assumptions allow: of none at all everything would hold.
    ///
    /// # Errors
    /// As of [`Miter::compare`].
    pub(super) fn allows(&self, cycles: u8) -> Result<bool> {
        let far = format!("age == 8'd{cycles}");
        Ok(matches!(self.ask(self.sound, Assumed::OfInputs, &far, Words::In)?, Reachability::Fails(_)))
    }

    fn ask(&self, spoilt: &Design, assumed: Assumed, never: &str, words: Words) -> Result<Reachability> {
        let assuming = assumed != Assumed::Nothing;
        let folder = WorkFolder::new("powar-miter-", &std::env::temp_dir())?;
        let write = |name: &str, text: &str| write_atomic(folder.path().join(name), text);
        let sources = match self.bound.as_ref().filter(|_| assuming) {
            Some(bound) => bound.sources.clone(),
            None => vec![("sound.v".to_owned(), self.sound.to_single_file())],
        };
        sources.iter().try_for_each(|(name, text)| write(name, text))?;
        write("spoilt.v", &renamed(spoilt)?)?;
        write("proof.sv", &self.proof(assuming, never)?)?;
        write("memory_cut.v", MEMORY_CUT)?;
        let names: Vec<&str> = sources.iter().map(|(name, _)| name.as_str()).collect();
        let what = format!("miter of {}", self.sound.description.top);
        let script = self.script(&names, assumed, words);
        let at_once = run_script(folder.path(), &script, self.patience.min(AT_ONCE), self.tools, &what)?;
        if at_once != Reachability::Unknown {
            return Ok(at_once);
        }
        ask_reduced(folder.path(), self.patience, self.tools, &what)
    }

    fn script(&self, sources: &[&str], assumed: Assumed, words: Words) -> String {
        let top = &self.sound.description.top;
        let mut script = format!("read_verilog -sv -formal {}\nread_verilog spoilt.v\n", sources.join(" "));
        writeln!(script, "hierarchy\nproc\nflatten {top} {top}{SPOILT}").expect("text grows");
        if assumed == Assumed::Proved {
            script += "chformal -assert2assume\n";
        }
        script += "chformal -assert -cover -live -fair -remove\n";
        if words == Words::Out {
            script += CUT_MEMORIES;
        }
        let paths: BTreeSet<&str> = self.sound.description.registers.iter().map(|known| known.path.as_str()).collect();
        for path in paths {
            // Brackets would be choices of letters.
            let path = path.replace(['[', ']'], "?");
            let both = format!("{top}/w:{path} {top}{SPOILT}/w:{path}");
            writeln!(script, "select -assert-min 2 {both}\nexpose {both}").expect("text grows");
        }
        writeln!(script, "miter -equiv -flatten {top} {top}{SPOILT} {SIDES}").expect("text grows");
        writeln!(script, "read_verilog -sv -formal proof.sv\nprep -flatten -top {PROOF}").expect("text grows");
        if words == Words::Out {
            script += READ_DATA_IS_FREE;
        }
        script + TO_ABC + DECIDE
    }

    /// The module around both sides, in which `never` must not be.
    fn proof(&self, assuming: bool, never: &str) -> Result<String> {
        let ports = &self.sound.description.ports;
        let top = &self.sound.description.top;
        ensure!(ports.iter().filter(|port| port.clock).count() <= 1, "{top} has more than one clock");
        let inputs = || ports.iter().filter(|port| port.input && !port.clock);
        let declared: String = inputs().map(|port| format!(", input [{}:0] {}", port.width - 1, port.name)).collect();
        let connected = |port: &Port| {
            let value = match Some(port.name.as_str()) == self.reset {
                true => format!("{} | ~running", port.name),
                false => port.name.clone(),
            };
            format!(".in_{}({value}), ", port.name)
        };
        let clocks = ports.iter().filter(|port| port.clock).map(|port| format!(".in_{}(miter_clock), ", port.name));
        let numbers = self.numbers.iter().filter(|_| assuming);
        let assumed: String = numbers.map(|(name, count)| format!("always @* assume ({name} < {count});\n")).collect();
        let connections: String = clocks.chain(inputs().map(connected)).collect();
        // What Yosys already knows to be equal would leave a property without a register, of which ABC says nothing.
        Ok(format!(
            "module {PROOF} (input miter_clock, input miter_free{declared});\n\
             reg [7:0] age = 8'd0;\n\
             always @(posedge miter_clock) age <= (&age) ? age : age + 8'd1;\n\
             wire running = |age;\n\
             reg stays_0 = 1'b0;\n\
             always @(posedge miter_clock) stays_0 <= stays_0 & miter_free;\n\
             wire differ;\n\
             {assumed}\
             {SIDES} sides ({connections}.trigger(differ));\n\
             always @* assert (!(stays_0 || ({never})));\n\
             endmodule\n"
        ))
    }
}

/// The top module of a design under the spoilt one's name.
fn renamed(design: &Design) -> Result<String> {
    let top = &design.description.top;
    let module = design.modules.iter().find(|module| module.name == *top).context("a design without its top module")?;
    // Yosys writes no blank behind the name.
    let heads = [format!("module {top} ("), format!("module {top}(")];
    let once = heads.iter().find(|head| module.text.matches(head.as_str()).count() == 1);
    let head = once.with_context(|| format!("{top}: expected `{}` once in its text", heads[0]))?;
    Ok(module.text.replacen(head.as_str(), &format!("module {top}{SPOILT} ("), 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::presets;
    use powar_testbenches::twins;
    use powar_tools::tools_or_skip;

    /// A block with a memory of eight words is told apart from itself with another text in place of one, without the words.
    fn without_words(right: &str, wrong: &str, tools: &Tools) -> Reachability {
        let sound = twins::design(&presets::by_name("fat-tree-4").unwrap(), "port_counters").unwrap();
        let mut spoilt = sound.clone();
        let text = &mut spoilt.modules.last_mut().unwrap().text;
        assert_eq!(text.matches(right).count(), 1, "{right}");
        *text = text.replace(right, wrong);
        let miter = Miter { sound: &sound, reset: Some("rst"), bound: None, numbers: vec![], patience: 30, tools };
        miter.ask(&spoilt, Assumed::Nothing, "running && differ", Words::Out).unwrap()
    }

    #[test]
    fn memories_are_equal_if_what_goes_into_them_is() {
        let Some(tools) = tools_or_skip("memories_are_equal_if_what_goes_into_them_is") else { return };
        let same = without_words("stored + {24'd0, gone_on}", "{24'd0, gone_on} + stored", &tools);
        assert_eq!(same, Reachability::Proved);
        let differ = |right: &str, wrong: &str| {
            let found = without_words(right, wrong, &tools);
            assert!(matches!(found, Reachability::Fails(_)), "{wrong}: {found:?}");
        };
        differ("words_mem[write_slot] <= word;", "words_mem[write_slot] <= word & 32'h7fffffff;");
        differ("words_mem[write_slot] <= word;", "words_mem[write_slot ^ 3'd1] <= word;");
        differ("words_q <= words_mem[fetch_slot];", "words_q <= words_mem[fetch_slot ^ 3'd1];");
        // What is read is free, the highest bit too.
        differ("!replace ? words_q :", "!replace ? words_q & 32'h7fffffff :");
    }
}
