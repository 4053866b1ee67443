//! A design as a FuseSoC core: its files, its top module, and what can be done with them, in a CAPI2 description.

use super::design::Design;
use std::fmt::Write;

/// By which tools know whose the designs are, and which.
pub(super) const VENDOR: &str = "powar";
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A core description; [`Core::file`] writes it. The same design gives the same bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core {
    pub(super) library: String,
    pub(super) name: String,
    /// The top module, whose name has the prefix before it.
    top: String,
    pub(super) description: String,
    /// In the order of reading.
    pub(super) sources: Vec<String>,
    bench: Option<Bench>,
}

/// What target `sim` adds to the design.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bench {
    top: String,
    source: String,
    data: String,
}

impl Design {
    /// The FuseSoC core `powar:<library>:<block>:<version>`, without a test bench: the block is the top module without its prefix, since the
    /// library tells cores of one block apart. Of the library's name, characters that FuseSoC gives a meaning to become `_`.
    pub fn core(&self, library: &str) -> Core {
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let top = &self.description.top;
        let doc = self.modules.last().map_or("", |module| module.doc.as_str());
        // The contract begins with what the module does.
        let does = doc.split(['.', ':', '\n']).next().unwrap_or_default().trim();
        Core {
            library: library.trim().chars().map(|c| if allowed(c) { c } else { '_' }).collect(),
            name: self.block.clone(),
            top: top.clone(),
            description: if does.is_empty() { top.clone() } else { does.to_string() },
            sources: self.modules.iter().map(|module| format!("{}.v", module.name)).collect(),
            bench: None,
        }
    }
}

impl Core {
    /// With a target `sim`, which runs a bench: its top module, its file, and the data file that it reads from the folder it runs in.
    pub fn with_bench(self, top: &str, source: &str, data: &str) -> Core {
        let bench = Bench { top: top.to_string(), source: source.to_string(), data: data.to_string() };
        Core { bench: Some(bench), ..self }
    }

    /// The vendor, library, name and version by which FuseSoC knows the core.
    pub fn vlnv(&self) -> String {
        format!("{VENDOR}:{}:{}:{VERSION}", self.library, self.name)
    }

    /// Name and text of the file, `<top module>.core`. It has the targets `default` (the design, for cores that depend on this one), `lint`, and `sim` if there
    /// is a bench. FuseSoC finds it by the end of its name.
    pub fn file(&self) -> (String, String) {
        (format!("{}.core", self.top), self.text())
    }

    fn text(&self) -> String {
        let (vlnv, name, description) = (self.vlnv(), &self.top, quoted(&self.description));
        let mut text = "CAPI=2:\n# Generated for FuseSoC. In this folder:\n".to_string();
        for target in std::iter::once("lint").chain(self.bench.as_ref().map(|_| "sim")) {
            let _ = writeln!(text, "#   fusesoc --cores-root . run --target={target} {vlnv}");
        }
        let _ = write!(
            text,
            r#"name: {vlnv}
description: {description}

filesets:
  rtl:
    files:
"#
        );
        for source in &self.sources {
            let _ = writeln!(text, "      - {source}");
        }
        text.push_str("    file_type: verilogSource-2005\n");
        if let Some(Bench { source, data, .. }) = &self.bench {
            // The bench looks for its data in the folder it runs in, which is not this one.
            let _ = write!(
                text,
                r#"  bench:
    files:
      - {source}: {{file_type: verilogSource-2005}}
      - {data}: {{file_type: user, copyto: {data}}}
"#
            );
        }
        let _ = write!(
            text,
            r#"
targets:
  default: &default
    description: The design
    filesets: [rtl]
    toplevel: {name}
  lint:
    <<: *default
    description: All warnings of Verilator
    flow: lint
    flow_options:
      tool: verilator
      verilator_options: [-Wall, --language, 1364-2005]
"#
        );
        if let Some(Bench { top, .. }) = &self.bench {
            let _ = write!(
                text,
                r#"  sim:
    description: The self-checking test bench in Icarus Verilog
    filesets: [rtl, bench]
    toplevel: {top}
    flow: sim
    flow_options:
      tool: icarus
      iverilog_options: [-g2005]
"#
            );
        }
        text
    }
}

/// A YAML string.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
