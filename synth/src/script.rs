//! Yosys scripts that a reader can follow and run again.

use std::fmt::Write;

/// A script as it comes together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    text: String,
}

impl Script {
    /// A script that says in its first lines what it does and how it is run.
    pub(crate) fn new(name: &str, what: &str) -> Script {
        let mut script = Script::default();
        script.comment(what);
        script.comment(&format!("Run in this folder: yosys {name}"));
        script
    }

    pub(crate) fn comment(&mut self, line: &str) {
        writeln!(self.text, "# {line}").expect("writing to a string");
    }

    pub(crate) fn run(&mut self, command: impl AsRef<str>) {
        writeln!(self.text, "{}", command.as_ref()).expect("writing to a string");
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}
