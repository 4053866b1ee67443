//! What is to be measured.

use crate::identifier::is_simple;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::Path;

/// Verilog sources and the module among them that is measured.
#[derive(Clone, Debug)]
pub struct Design {
    pub(crate) top: String,
    pub(crate) sources: Vec<(String, String)>,
    pub(crate) parameters: Vec<(String, String)>,
}

/// Endings of Verilog's file names; a source that ends otherwise gets a number before its name.
const ENDINGS: [&str; 4] = [".v", ".sv", ".vh", ".svh"];
/// Verilog files that the flows put beside the sources.
const OWN_FILES: [&str; 4] = ["harness.v", "wide_multiplexers.v", "constant_comparisons.v", "constant_sums.v"];

impl Design {
    /// A design whose top module is `top`.
    pub fn new(top: impl Into<String>) -> Design {
        Design { top: top.into(), sources: Vec::new(), parameters: Vec::new() }
    }

    /// Its top module.
    pub fn top(&self) -> &str {
        &self.top
    }

    /// Adds Verilog text under a file name, which the report's critical path quotes; folders in it are dropped, and a number goes before
    /// a name that is taken.
    pub fn source(mut self, name: impl AsRef<Path>, text: impl Into<String>) -> Design {
        let file_name = name.as_ref().file_name().map(|name| name.to_string_lossy().into_owned());
        let mut name = file_name.unwrap_or_default();
        // It becomes a word of scripts and a file beside our own.
        name.retain(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
        let is_verilog = ENDINGS.iter().any(|ending| name.ends_with(ending)) && !name.starts_with(['.', '-']);
        let is_taken = OWN_FILES.contains(&name.as_str()) || self.sources.iter().any(|(other, _)| *other == name);
        if !is_verilog || is_taken {
            name = format!("{}_{name}", self.sources.len());
        }
        self.sources.push((name, text.into()));
        self
    }

    /// Adds a Verilog file.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn source_file(self, path: &Path) -> Result<Design> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(self.source(path, text))
    }

    /// Sets a parameter of the top module to a Verilog number such as `28` or `8'h1c`.
    pub fn parameter(mut self, name: impl Into<String>, value: impl ToString) -> Design {
        self.parameters.push((name.into(), value.to_string()));
        self
    }

    /// Refuses what would not survive being put into a script.
    ///
    /// # Errors
    /// A name or a value that is none of Verilog's, or no source.
    pub fn check(&self) -> Result<()> {
        ensure!(is_simple(&self.top), "top module: \"{}\" is not a plain Verilog identifier", self.top);
        ensure!(!self.sources.is_empty(), "sources: none given; at least the file with module {} is needed", self.top);
        for (name, value) in &self.parameters {
            ensure!(is_simple(name), "parameter: \"{name}\" is not a plain Verilog identifier");
            let number = value.starts_with(|c: char| c.is_ascii_digit())
                && value.chars().all(|c| c.is_ascii_alphanumeric() || c == '\'' || c == '_');
            ensure!(number, "parameter {name}: \"{value}\" is not a Verilog number such as 28 or 8'h1c");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Design;

    #[test]
    fn names_that_would_break_the_script_are_refused() {
        let good = Design::new("core").source("a b;.v", "").source("x/y.v", "").parameter("N", 28);
        good.check().unwrap();
        assert_eq!(good.sources[0].0, "ab.v");
        assert_eq!(good.sources[1].0, "y.v");
        let names = ["y.v", "z/y.v", "harness.v", "y.json", "-s.v", "..v"];
        let all = names.into_iter().fold(Design::new("core"), |design, name| design.source(name, ""));
        let found: Vec<_> = all.sources.iter().map(|source| source.0.as_str()).collect();
        assert_eq!(found, ["y.v", "1_y.v", "2_harness.v", "3_y.json", "4_-s.v", "5_..v"]);
        let error = |design: Design| design.check().unwrap_err().to_string();
        assert_eq!(error(Design::new("a; shell")), "top module: \"a; shell\" is not a plain Verilog identifier");
        assert!(error(Design::new("a")).starts_with("sources: none given"));
        let with = |name: &str, value: &str| Design::new("a").source("a.v", "").parameter(name, value);
        assert!(error(with("N", "2; shell")).starts_with("parameter N: \"2; shell\" is not a Verilog number"));
        assert!(error(with("N M", "2")).starts_with("parameter: \"N M\""));
    }

    #[test]
    fn an_absent_file_is_named() {
        let error = Design::new("a").source_file("/nowhere/a.v".as_ref()).unwrap_err();
        assert_eq!(error.to_string(), "cannot read /nowhere/a.v");
    }
}
