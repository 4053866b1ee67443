//! Sound and spoilt block side by side with the same inputs: are all outputs and all registers equal, in every cycle from reset on?
//!
//! Yosys joins the two, with the registers as outputs beside the ports, and ABC's pdr decides. All registers and words begin with 0, and the
//! first cycle is one of reset. Bits without a value, as of a position beyond the end of a vector, are 0.

use crate::abc::{DECIDE, Reachability, run_script};
use crate::binding::Bound;
use anyhow::{Context, Result, ensure};
use powar_hdl::verilog::{Design, Port};
use powar_tools::{Tools, write_atomic};
use std::collections::BTreeSet;
use std::fmt::Write;
use tempfile::TempDir;

/// Name of the module around both, and of what joins them.
const PROOF: &str = "powar_miter";
const SIDES: &str = "powar_miter_sides";
/// What the spoilt module's name ends in.
const SPOILT: &str = "_spoilt";

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

/// A block whose mutants are compared with it.
pub(super) struct Miter<'a> {
    pub sound: &'a Design,
    /// The input that resets it.
    pub reset: Option<&'a str>,
    /// Seconds after which a proof is given up.
    pub patience: u32,
    pub tools: &'a Tools,
}

impl Miter<'_> {
    /// Whether a design of the same block ever differs; of inputs that the assumptions of the properties allow, if the sound block is given
    /// with them. The step is the cycle of the first difference, the cycle of reset being 0.
    ///
    /// # Errors
    /// What Yosys does not take; a block with several clocks.
    pub(super) fn compare(&self, spoilt: &Design, assuming: Option<&Bound>) -> Result<Reachability> {
        self.ask(spoilt, assuming, "running && differ")
    }

    /// Whether there are inputs for so many cycles that the assumptions of the properties allow: of none at all everything would hold.
    ///
    /// # Errors
    /// As of [`Miter::compare`].
    pub(super) fn allows(&self, assuming: &Bound, cycles: u8) -> Result<bool> {
        let far = format!("age == 8'd{cycles}");
        Ok(matches!(self.ask(self.sound, Some(assuming), &far)?, Reachability::Fails(_)))
    }

    fn ask(&self, spoilt: &Design, assuming: Option<&Bound>, never: &str) -> Result<Reachability> {
        let folder = TempDir::with_prefix("powar-miter-").context("cannot create a folder for a proof")?;
        let write = |name: &str, text: &str| write_atomic(folder.path().join(name), text);
        let sources = match assuming {
            Some(bound) => bound.sources.clone(),
            None => vec![("sound.v".to_owned(), self.sound.to_single_file())],
        };
        sources.iter().try_for_each(|(name, text)| write(name, text))?;
        write("spoilt.v", &renamed(spoilt)?)?;
        write("proof.sv", &self.proof(never)?)?;
        let names: Vec<&str> = sources.iter().map(|(name, _)| name.as_str()).collect();
        let what = format!("miter of {}", self.sound.description.top);
        run_script(folder.path(), &self.script(&names), self.patience, self.tools, &what)
    }

    fn script(&self, sources: &[&str]) -> String {
        let top = &self.sound.description.top;
        let mut script = format!("read_verilog -sv -formal {}\nread_verilog spoilt.v\n", sources.join(" "));
        writeln!(script, "hierarchy\nproc\nflatten {top} {top}{SPOILT}").expect("text grows");
        script += "chformal -assert -cover -live -fair -remove\n";
        let paths: BTreeSet<&str> = self.sound.description.registers.iter().map(|known| known.path.as_str()).collect();
        for path in paths {
            // Brackets would be choices of letters.
            let path = path.replace(['[', ']'], "?");
            let both = format!("{top}/w:{path} {top}{SPOILT}/w:{path}");
            writeln!(script, "select -assert-min 2 {both}\nexpose {both}").expect("text grows");
        }
        writeln!(script, "miter -equiv -flatten {top} {top}{SPOILT} {SIDES}").expect("text grows");
        writeln!(script, "read_verilog -sv -formal proof.sv\nprep -flatten -top {PROOF}").expect("text grows");
        script + TO_ABC + DECIDE
    }

    /// The module around both sides, in which `never` must not be.
    fn proof(&self, never: &str) -> Result<String> {
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
