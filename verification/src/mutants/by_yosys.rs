//! Mutants that Yosys makes of a block's own module (`mutate`): by its rules, not ours.
//!
//! The module is read, mutated and written as Verilog again, with names of its own for what is between registers. Inside of generate blocks
//! it names children otherwise than their path in the emitted text, so that no register of theirs would be found: a block with such children has none.
//! Mutants of clocks are left out: of half a cycle neither lock-step nor a model with steps knows.

use super::source::{Place, Source};
use anyhow::{Context, Result, ensure};
use powar_hdl::verilog::{Design, Selector};
use powar_tools::{Tools, WorkFolder, run, write_atomic};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;

/// The port that says which mutant is on, and its bits in Yosys' lines.
const SELECTOR: &str = "powar_mutant";
const WIDTH: usize = 16;
/// What makes mutants, and what is written.
const LIST: &str = "list.ys";
const WRITTEN: &str = "written.v";

/// A block's design and so many mutants of its own module.
pub(super) struct ByYosys {
    sound: Design,
    /// Yosys' commands, in the order of their numbers.
    commands: Vec<String>,
    places: Vec<Place>,
    tools: Tools,
}

impl ByYosys {
    /// Draws mutants of a design: fewer if there are no more. None of a block with children in generate blocks.
    ///
    /// # Errors
    /// Yosys fails.
    pub(super) fn new(sound: Design, count: usize, seed: u64, tools: &Tools) -> Result<Option<ByYosys>> {
        let is_in_array = |path: &str| path.rsplit_once('.').is_some_and(|(above, _)| above.contains('['));
        if sound.description.registers.iter().any(|register| is_in_array(&register.path)) {
            return Ok(None);
        }
        let mut mutants = ByYosys { sound, commands: vec![], places: vec![], tools: tools.clone() };
        let listed = mutants
            .yosys(&format!("mutate -list {count} -seed {seed} -ctrl {SELECTOR} {WIDTH} 1 -o {LIST}\n"), LIST)?;
        let text = mutants.own_text()?.to_owned();
        let lines = listed.lines().filter(|line| line.contains(" -mode ") && !line.contains(" -port CLK "));
        mutants.commands = lines.zip(1..).map(|(line, number)| renumbered(line, number)).collect();
        mutants.places = mutants.commands.iter().map(|command| place(command, &text)).collect();
        Ok(Some(mutants))
    }

    /// Reads the design, does `commands` to its own module and returns the text of a file.
    fn yosys(&self, commands: &str, file: &str) -> Result<String> {
        let folder = WorkFolder::new("powar-mutate-", &std::env::temp_dir())?;
        let top = &self.sound.description.top;
        for module in &self.sound.modules {
            write_atomic(folder.path().join(format!("{}.v", module.name)), &module.text)?;
        }
        let names: Vec<String> = self.sound.modules.iter().map(|module| format!("{}.v", module.name)).collect();
        let script =
            format!("read_verilog {}\nhierarchy -top {top}\nproc\nselect -module {top}\n{commands}", names.join(" "));
        write_atomic(folder.path().join("mutate.ys"), script)?;
        let mut yosys = self.tools.yosys()?;
        run(yosys.current_dir(folder.path()).args(["-q", "-s", "mutate.ys"]), &format!("mutants of {top}"))?;
        let path = folder.path().join(file);
        fs::read_to_string(&path).with_context(|| format!("mutants of {top}: can't read {}", path.display()))
    }

    fn own_text(&self) -> Result<&str> {
        let top = &self.sound.description.top;
        let own = self.sound.modules.iter().find(|module| module.name == *top);
        Ok(&own.context("a design without its top module")?.text)
    }

    fn written(&self, commands: &str) -> Result<String> {
        self.yosys(&format!("{commands}write_verilog -noattr -selected {WRITTEN}\n"), WRITTEN)
    }

    /// The design with this text of its own module.
    fn with(&self, text: String) -> Design {
        let mut design = self.sound.clone();
        let top = design.description.top.clone();
        design.modules.iter_mut().filter(|module| module.name == top).for_each(|module| module.text = text.clone());
        design
    }
}

impl Source for ByYosys {
    fn sound(&self) -> &Design {
        &self.sound
    }

    fn places(&self) -> &[Place] {
        &self.places
    }

    fn one(&self, number: usize) -> Result<Design> {
        let command = number.checked_sub(1).and_then(|place| self.commands.get(place));
        let command = command.with_context(|| format!("mutant: {number} must be 1 to {}", self.commands.len()))?;
        Ok(self.with(self.written(&format!("{}\n", command.replace(&switched_by(number), " ")))?))
    }

    fn choices(&self, numbers: &BTreeSet<usize>, selector: &Selector) -> Result<Design> {
        ensure!(selector.width == WIDTH, "mutants of Yosys: a selector of {} bits", selector.width);
        let mut commands = String::new();
        for number in numbers {
            writeln!(commands, "{}", self.commands[number - 1]).expect("text grows");
        }
        let text = self.written(&commands)?;
        // The selector comes from above instead of through a port.
        let (port, input) = (format!(", {SELECTOR});"), format!("  input [{}:0] {SELECTOR};\n", WIDTH - 1));
        let wire = format!("  wire [{}:0] {SELECTOR};", WIDTH - 1);
        for part in [&port, &input, &wire] {
            ensure!(
                text.matches(part.as_str()).count() == 1,
                "mutants of Yosys: expected `{part}` once in what it wrote"
            );
        }
        let from_above = format!("{} = {};", wire.trim_end_matches(';'), selector.name);
        Ok(self.with(text.replacen(&port, ");", 1).replacen(&input, "", 1).replacen(&wire, &from_above, 1)))
    }
}

/// What says in a command when the mutant is on.
fn switched_by(number: usize) -> String {
    format!(" -ctrl {SELECTOR} {WIDTH} {number} ")
}

/// A command of [`LIST`] with another number; `mutate -ctrl NAME WIDTH NUMBER -mode ..`.
fn renumbered(command: &str, number: usize) -> String {
    let rest = command.find("-mode ").map_or("", |start| &command[start..]);
    format!("mutate{}{rest}", switched_by(number))
}

/// What a command says: `-mode inv -module M -cell C -port A -portbit 0 [-ctrlbit 1] [-wire w -wirebit 0] -src m.v:1.2-1.9 ..`.
fn place(command: &str, text: &str) -> Place {
    let words: Vec<&str> = command.split_whitespace().collect();
    let after = |option: &str| words.iter().position(|word| *word == option).and_then(|place| words.get(place + 1));
    let said = |option: &str| after(option).copied().unwrap_or_default();
    let signal = match after("-wire") {
        Some(wire) => format!("{wire}[{}]", said("-wirebit")),
        None => said("-cell").to_owned(),
    };
    let last = words.iter().rposition(|word| *word == "-src").and_then(|place| words.get(place + 1));
    let before = last.and_then(|range| excerpt(text, range)).unwrap_or_default().to_owned();
    let with = after("-ctrlbit").map(|bit| format!(" with bit {bit}")).unwrap_or_default();
    let done = format!("{} at {}[{}]{with}", said("-mode"), said("-port"), said("-portbit"));
    Place { rule: format!("yosys {}", said("-mode")), signal, before, after: done }
}

/// The text at `FILE:LINE.COLUMN-LINE.COLUMN`, if it is of one line.
fn excerpt<'a>(text: &'a str, range: &str) -> Option<&'a str> {
    let (_, range) = range.rsplit_once(':')?;
    let (from, to) = range.split_once('-')?;
    let number = |text: &str| text.parse::<usize>().ok();
    let position = |text: &str| text.split_once('.').and_then(|(line, column)| Some((number(line)?, number(column)?)));
    let ((line, start), (last, end)) = (position(from)?, position(to)?);
    let line = text.lines().nth(line.checked_sub(1)?).filter(|_| line == last)?;
    line.get(start.checked_sub(1)?..end.checked_sub(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_says_its_place() {
        let text = "module m;\n    assign y = a & b;\n";
        let command = "mutate -ctrl powar_mutant 16 2 -mode cnot0 -module m -cell $and$m.v:2$7 -port B -portbit 3 \
                       -ctrlbit 5 -wire y -wirebit 3 -src m.v:1.1-2.3 -src m.v:2.16-2.21";
        let expected = Place {
            rule: "yosys cnot0".into(),
            signal: "y[3]".into(),
            before: "a & b".into(),
            after: "cnot0 at B[3] with bit 5".into(),
        };
        assert_eq!(place(command, text), expected);
    }
}
