//! Timing constraints of a clock crossing, for Vivado and Quartus: what no tool can know of two clocks.

use std::collections::BTreeSet;
use std::fmt::Write;

/// A crossing between the clocks `send_clk` and `receive_clk` of a module. Registers are named by their Verilog paths below the module, such as
/// `sender.g_returned[0].returned.first_q`.
pub struct Crossing {
    top: String,
    codes: Vec<Code>,
    /// Registers of `receive_clk` that take words of a memory which is written with `send_clk`.
    words: BTreeSet<String>,
}

/// A value of which one bit changes at a time, and the flip-flops of the other clock that it passes through.
struct Code {
    /// Comes from `send_clk`; else from `receive_clk`.
    of_sender: bool,
    from: String,
    first: String,
    second: String,
}

impl Code {
    /// The variable of the scripts with the period of the clock that it comes from, by less than which its bits may come apart.
    fn period(&self) -> &'static str {
        if self.of_sender { "$send_period" } else { "$receive_period" }
    }
}

impl Crossing {
    /// Of module `top`, with the paths of its registers and the names of its memories. Each half, `sender` and `receiver`, has a synchroniser
    /// for each Gray code of the other, under the name of its counter there.
    pub fn new<'a>(
        top: &str,
        registers: impl IntoIterator<Item = &'a str>,
        memories: impl IntoIterator<Item = &'a str>,
    ) -> Crossing {
        let code = |first: &str| {
            let stem = first.strip_suffix("first_q")?;
            let (half, counter) = stem.split_once('.')?;
            let (of_sender, other) = if half == "receiver" { (true, "sender") } else { (false, "receiver") };
            let from = format!("{other}.{counter}gray_q");
            Some(Code { of_sender, from, first: first.to_string(), second: format!("{stem}second_q") })
        };
        let words = memories.into_iter().map(|name| format!("{}_q", name.split('[').next().unwrap_or(name)));
        // Each bit of a vector is listed.
        let paths: BTreeSet<&str> = registers.into_iter().collect();
        Crossing { top: top.into(), codes: paths.into_iter().filter_map(code).collect(), words: words.collect() }
    }
}

/// The constraints `<top>.xdc` for Vivado, which hold for every instance of the module, and `<top>.sdc` for Quartus, a procedure for one
/// instance: names and texts.
pub fn crossing_constraints(crossing: &Crossing) -> [(String, String); 2] {
    let top = &crossing.top;
    [(format!("{top}.xdc"), vivado(crossing)), (format!("{top}.sdc"), quartus(crossing))]
}

/// A register's cells in Vivado: levels of the hierarchy have a `/` between them, a generate block is part of a name.
fn cells(path: &str) -> String {
    format!("{}_reg[*]", path.replace('.', "/").replace("]/", "]."))
}

fn vivado(Crossing { top, codes, words }: &Crossing) -> String {
    let mut text = format!(
        "# Clock crossing {top} in Vivado, for each of its instances, behind the constraints that make the clocks:\n\
         #   read_xdc -ref {top} {top}.xdc\n\n\
         set send_clk [get_clocks -of_objects [get_ports send_clk]]\n\
         set receive_clk [get_clocks -of_objects [get_ports receive_clk]]\n\
         set send_period [get_property -min PERIOD $send_clk]\n\
         set receive_period [get_property -min PERIOD $receive_clk]\n\n\
         # The bits of a Gray code come apart by less than a cycle of the clock that they come from.\n"
    );
    for code in codes {
        let (from, to, period) = (cells(&code.from), cells(&code.first), code.period());
        for command in ["set_max_delay -datapath_only", "set_bus_skew"] {
            writeln!(text, "{command} -from [get_cells {{{from}}}] -to [get_cells {{{to}}}] {period}").expect(STRING);
        }
    }
    text += "\n# Words of a memory rest when they are read; a block RAM has no such path.\n";
    for word in words {
        let to = cells(word);
        writeln!(
            text,
            "set_max_delay -quiet -datapath_only -from $send_clk -to [get_cells -quiet {{{to}}}] $receive_period"
        )
        .expect(STRING);
    }
    text += "\n# The two flip-flops that each of these passes through stay side by side.\n";
    for path in codes.iter().flat_map(|code| [&code.first, &code.second]) {
        writeln!(text, "set_property ASYNC_REG TRUE [get_cells {{{}}}]", cells(path)).expect(STRING);
    }
    text
}

fn quartus(Crossing { top, codes, words }: &Crossing) -> String {
    let registers = |path: &str| {
        // A bracket would begin a command.
        let path = path.replace('.', "|").replace("]|", "].").replace('[', "\\[").replace(']', "\\]");
        format!("[get_registers \"$instance|{path}\\[*\\]\"]")
    };
    let mut text = format!(
        "# Clock crossing {top} in Quartus. Source it, then, behind the constraints that make the clocks, for each instance:\n\
         #   constrain_{top} {{path|of|the|instance}} name_of_the_clock_at_send_clk name_of_that_at_receive_clk\n\
         # and in the .qsf, so that the two flip-flops of each synchroniser stay side by side:\n\
         #   set_instance_assignment -name SYNCHRONIZER_IDENTIFICATION \"FORCED IF ASYNCHRONOUS\" -to \"*|first_q\"\n\n\
         proc constrain_{top} {{instance send_clk receive_clk}} {{\n\
         \x20   set send_period [get_clock_info -period [get_clocks $send_clk]]\n\
         \x20   set receive_period [get_clock_info -period [get_clocks $receive_clk]]\n\
         \x20   # The bits of a Gray code come apart by less than a cycle of the clock that they come from.\n"
    );
    for code in codes {
        let (period, way) = (code.period(), format!("-from {} -to {}", registers(&code.from), registers(&code.first)));
        writeln!(text, "    set_false_path {way}\n    set_max_skew {way} {period}").expect(STRING);
        writeln!(text, "    set_net_delay -max {way} {period}").expect(STRING);
    }
    text += "    # Words of a memory rest when they are read.\n";
    for word in words {
        let to = registers(word);
        writeln!(text, "    set_false_path -from [get_clocks $send_clk] -to {to}").expect(STRING);
    }
    text + "}\n"
}

const STRING: &str = "strings take everything";
