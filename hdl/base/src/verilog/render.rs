//! A module as Verilog-2005 text.

use super::collect::ValueType;
use super::expr::{limit, replicate};
use super::index::Index;
use super::ir::{BitRange, Expr, ExprKind, SignalId};
use super::mentioned::Mentioned;
use super::module::{Connection, Instantiation, MemoryBank, Module, RegisterBank};
use super::render_expr::{ExprRenderer, constant};
use super::render_stmt::StatementRenderer;
use super::scope::{SignalInfo, SignalKind, label_name};
use super::split::written_by_always;
use super::text::{INDENT, Text};
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The text of `module` under the name `name`; `names` are the names of all modules of the design.
pub(crate) fn render(module: &Module, name: &str, names: &[String]) -> String {
    render_changed(module, name, names, &RegisterChanges::new())
}

/// What a register takes instead of its reset value and of its next value.
#[derive(Default)]
pub(crate) struct RegisterChange {
    pub reset: Option<Expr>,
    pub next: Option<Expr>,
}

/// By the signals that registers hold their values in.
pub(crate) type RegisterChanges = BTreeMap<SignalId, RegisterChange>;

/// The text of `module` as of [`render`], with registers that take other values.
pub(crate) fn render_changed(module: &Module, name: &str, names: &[String], changes: &RegisterChanges) -> String {
    let renderer = Renderer {
        module,
        changes,
        expr: ExprRenderer { signals: &module.signals, enums: &module.enums },
        by_always: written_by_always(&module.processes),
        text: Text::default(),
    };
    renderer.run(name, names)
}

struct Renderer<'a> {
    module: &'a Module,
    changes: &'a RegisterChanges,
    expr: ExprRenderer<'a>,
    /// The signals that processes write, and whether an `always` block does.
    by_always: BTreeMap<SignalId, bool>,
    text: Text,
}

/// One declaration, ready to be aligned with its neighbours.
struct Declaration {
    comment: Vec<String>,
    keyword: String,
    range: String,
    name: String,
}

impl Renderer<'_> {
    fn run(mut self, name: &str, names: &[String]) -> String {
        for line in &self.module.doc {
            self.text.line(format!("// {line}").trim_end());
        }
        if !self.module.sizes.is_empty() {
            let sizes: Vec<String> =
                self.module.sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            if !self.module.doc.is_empty() {
                self.text.line("//");
            }
            self.text.line(&format!("// Sizes: {}.", sizes.join(", ")));
        }
        self.ports(name);
        self.text.depth = 1;
        self.constants();
        self.declarations();
        let mut statements = StatementRenderer { expr: &self.expr, text: &mut self.text };
        self.module.processes.iter().for_each(|process| statements.process(process));
        self.registers();
        for memory in &self.module.memories {
            self.memory(memory);
        }
        for instance in &self.module.instances {
            self.instance(instance, &names[instance.module]);
        }
        self.unused();
        self.text.depth = 0;
        self.text.trim_end();
        self.text.line("endmodule");
        self.text.into_string()
    }

    fn ports(&mut self, name: &str) {
        let mut ports = vec![];
        for (id, info) in self.module.ports() {
            let keyword = match (&info.kind, self.by_always.get(&id)) {
                (SignalKind::Input, _) => "input  wire",
                (_, Some(true)) => "output reg ",
                _ => "output wire",
            };
            ports.push(self.declaration(id, info, keyword.to_string()));
        }
        if ports.is_empty() {
            self.text.line(&format!("module {name};"));
            return;
        }
        self.text.line(&format!("module {name} ("));
        self.text.depth = 1;
        self.aligned(&ports, ",", "");
        self.text.depth = 0;
        self.text.line(");");
    }

    fn declaration(&self, id: SignalId, info: &SignalInfo, keyword: String) -> Declaration {
        let total = info.total_width();
        let range = if total > 1 || !info.dims.is_empty() { format!("[{}:0]", total - 1) } else { String::new() };
        let mut comment = self.module.signal_docs.get(id).cloned().unwrap_or_default();
        if info.width > 1 && !info.dims.is_empty() && !comment.is_empty() {
            comment.push(format!("Element i at [i*{} +: {}].", info.width, info.width));
        }
        Declaration { comment, keyword, range, name: info.name.clone() }
    }

    /// Declarations with their names in one column; `separator` between them and `end` after the last.
    fn aligned(&mut self, declarations: &[Declaration], separator: &str, end: &str) {
        let range = declarations.iter().map(|d| d.range.len()).max().unwrap_or(0);
        let keyword = declarations.iter().map(|d| d.keyword.len()).max().unwrap_or(0);
        for (position, declaration) in declarations.iter().enumerate() {
            for line in &declaration.comment {
                self.text.line(format!("// {line}").trim_end());
            }
            let last = if position + 1 == declarations.len() { end } else { separator };
            let Declaration { keyword: word, range: bits, name, .. } = declaration;
            let gap = if range == 0 { "" } else { " " };
            self.text.line(&format!("{word:keyword$} {bits:range$}{gap}{name}{last}"));
        }
    }

    fn constants(&mut self) {
        let Mentioned { signals, labels } = self.mentioned();
        let mut lines = vec![];
        for (id, info) in self.module.signals.iter().enumerate() {
            if let SignalKind::Constant(value) = &info.kind
                && signals.contains(&id)
            {
                let total = info.total_width();
                let range = if total > 1 { format!(" [{}:0]", total - 1) } else { String::new() };
                for line in self.module.signal_docs.get(id).into_iter().flatten() {
                    lines.push(format!("// {line}").trim_end().to_string());
                }
                lines.push(format!("localparam{range} {} = {};", info.name, constant(value, total)));
            }
        }
        for of in &self.module.enums {
            let used = |variant: usize| labels.contains(&(of.name.clone(), variant));
            if !(0..of.variants.len()).any(used) {
                continue;
            }
            let names: Vec<String> = (0..of.variants.len()).map(|variant| label_name(of, variant)).collect();
            let longest = names.iter().map(String::len).max().unwrap_or(0);
            let range = if of.width() > 1 { format!(" [{}:0]", of.width() - 1) } else { String::new() };
            for (variant, name) in names.iter().enumerate() {
                let value = constant(&BigUint::from(variant), of.width());
                match used(variant) {
                    true => lines.push(format!("localparam{range} {name:longest$} = {value};")),
                    false => lines.push(format!("// {name:longest$} = {value} does not occur here.")),
                }
            }
        }
        if !lines.is_empty() {
            self.text.blank();
            lines.iter().for_each(|line| self.text.line(line));
        }
    }

    /// What the text outside the declarations names.
    fn mentioned(&self) -> Mentioned {
        let mut found = Mentioned::default();
        self.module.processes.iter().for_each(|process| found.block(process.statements()));
        for instance in &self.module.instances {
            instance.connections.iter().for_each(|connection| found.expr(&connection.expr));
        }
        for memory in &self.module.memories {
            memory.pins().into_iter().for_each(|pin| found.expr(pin));
        }
        for register in &self.module.registers {
            found.expr(&self.reset_value(register));
        }
        found
    }

    fn declarations(&mut self) {
        let connected: BTreeSet<SignalId> = (self.module.instances.iter())
            .flat_map(|instance| &instance.connections)
            .filter_map(|connection| match &connection.expr.kind {
                ExprKind::Read(place) => Some(place.signal),
                _ => None,
            })
            .collect();
        let mut groups: Vec<Vec<Declaration>> = vec![vec![], vec![]];
        for (id, info) in self.module.signals.iter().enumerate() {
            let driven = self.by_always.get(&id);
            let keyword = match (&info.kind, driven) {
                (SignalKind::State, _) => "reg",
                (SignalKind::Next | SignalKind::Local | SignalKind::Temporary | SignalKind::ChildInput, Some(true)) => {
                    "reg"
                }
                (
                    SignalKind::Next | SignalKind::Local | SignalKind::Temporary | SignalKind::ChildInput,
                    Some(false),
                ) => "wire",
                (SignalKind::ChildOutput, Some(_)) => "wire",
                (SignalKind::ChildOutput, None) if connected.contains(&id) => "wire",
                _ => continue,
            };
            let group = usize::from(!matches!(info.kind, SignalKind::State | SignalKind::Next));
            groups[group].push(self.declaration(id, info, keyword.to_string()));
        }
        // The state before its next value.
        let order = |declaration: &Declaration| declaration.name.clone();
        groups[0]
            .sort_by_key(|declaration| order(declaration).trim_end_matches("_d").trim_end_matches("_q").to_string());
        for group in groups.iter_mut().filter(|group| !group.is_empty()) {
            for pair in 0..group.len().saturating_sub(1) {
                if group[pair].name.ends_with("_d") && group[pair + 1].name.ends_with("_q") {
                    group.swap(pair, pair + 1);
                }
            }
        }
        for group in groups.into_iter().filter(|group| !group.is_empty()) {
            self.text.blank();
            self.aligned(&group, ";", ";");
        }
    }

    fn registers(&mut self) {
        let Some((clk, Some(rst))) = self.module.clock else { return };
        let name = |signal: SignalId| self.module.signals[signal].name.clone();
        let banks: Vec<(String, String, String)> = (self.module.registers.iter())
            .map(|bank| (name(bank.state), self.reset_text(bank), self.next_text(bank)))
            .collect();
        let (clk, rst) = (name(clk), name(rst));
        let longest = banks.iter().map(|(state, ..)| state.len()).max().unwrap_or(0);
        self.text.blank();
        self.text.line(&format!("always @(posedge {clk}) begin"));
        self.text.depth += 1;
        self.text.line(&format!("if ({rst}) begin"));
        self.text.depth += 1;
        banks.iter().for_each(|(state, reset, _)| self.text.line(&format!("{state:longest$} <= {reset};")));
        self.text.depth -= 1;
        self.text.line("end else begin");
        self.text.depth += 1;
        banks.iter().for_each(|(state, _, next)| self.text.line(&format!("{state:longest$} <= {next};")));
        self.text.depth -= 1;
        self.text.line("end");
        self.text.depth -= 1;
        self.text.line("end");
    }

    fn reset_text(&self, bank: &RegisterBank) -> String {
        let width = self.module.signals[bank.state].total_width();
        let place = BitRange { signal: bank.state, start: Index::number(0), width };
        self.expr.value_for(&place, &self.reset_value(bank))
    }

    fn next_text(&self, bank: &RegisterBank) -> String {
        match self.changes.get(&bank.state).and_then(|change| change.next.as_ref()) {
            Some(next) => self.expr.expr(next),
            None => self.module.signals[bank.next].name.clone(),
        }
    }

    /// The reset value in the terms of the register's type: names of variants, one element repeated, or element by element.
    fn reset_value(&self, bank: &RegisterBank) -> Expr {
        if let Some(reset) = self.changes.get(&bank.state).and_then(|change| change.reset.as_ref()) {
            return reset.clone();
        }
        let info = &self.module.signals[bank.state];
        let mask = limit(info.width) - 1u8;
        let element = |position: usize| {
            let value = (&bank.reset >> (position * info.width)) & &mask;
            match (&info.value_type, usize::try_from(&value)) {
                (ValueType::Enum(name), Ok(variant)) => Expr::new(ExprKind::Label(name.clone(), variant), info.width),
                _ => Expr::constant(value, info.width),
            }
        };
        let elements: Vec<Expr> = (0..info.count()).map(element).collect();
        if elements.iter().all(|other| *other == elements[0]) {
            return replicate(info.count(), elements[0].clone());
        }
        match info.width {
            1 => Expr::constant(bank.reset.clone(), info.total_width()),
            _ => Expr::new(ExprKind::Concat(elements.into_iter().rev().collect()), info.total_width()),
        }
    }

    fn instance(&mut self, instance: &Instantiation, module: &str) {
        self.text.blank();
        self.open_generate(&instance.generate);
        self.text.line(&format!("{module} {} (", instance.name));
        self.text.depth += 1;
        let longest = instance.connections.iter().map(|connection| connection.port.len()).max().unwrap_or(0);
        for (position, Connection { port, expr, .. }) in instance.connections.iter().enumerate() {
            let comma = if position + 1 < instance.connections.len() { "," } else { "" };
            self.text.line(&format!(".{port:longest$} ({}){comma}", self.expr.expr(expr)));
        }
        self.text.depth -= 1;
        self.text.line(");");
        self.close_generate(&instance.generate);
    }

    fn memory(&mut self, bank: &MemoryBank) {
        self.text.blank();
        self.open_generate(&bank.generate);
        self.memory_lines(bank).iter().for_each(|line| self.text.line(line));
        self.close_generate(&bank.generate);
    }

    /// The words, the output before the first read, and the two ports.
    fn memory_lines(&self, bank: &MemoryBank) -> Vec<String> {
        let clock = |signal: SignalId| &self.module.signals[signal].name;
        let (clk, expr) = (clock(bank.write_clock), &self.expr);
        let (name, q) = (&bank.name, expr.place(&bank.q));
        let range = if bank.q.width > 1 { format!("[{}:0] ", bank.q.width - 1) } else { String::new() };
        let zero = expr.value_for(&bank.q, &Expr::constant(BigUint::default(), bank.q.width));
        let (write_address, read_address) = (expr.expr(&bank.write_address), expr.expr(&bank.read_address));
        let when = |enable: &Expr| match &enable.kind {
            ExprKind::Constant(value) if value.bit(0) => String::new(),
            _ => format!("if ({}) ", expr.condition(enable)),
        };
        let (write, read) = (when(&bank.write), when(&bank.read));
        let word = bank.fetched.clone().unwrap_or_else(|| q.clone());
        let mut lines = vec![
            // Without the attribute Yosys would build the answer to a word that is read while it is written out of flip-flops.
            format!("(* no_rw_check *) reg {range}{name} [0:{}];", bank.words - 1),
            format!("initial {q} = {zero};"),
            format!("always @(posedge {clk}) begin"),
            format!("    {write}{name}[{write_address}] <= {};", expr.expr(&bank.write_data)),
            format!("    {read}{word} <= {name}[{read_address}];"),
            "end".to_string(),
        ];
        if bank.read_clock != bank.write_clock {
            lines.insert(4, "end".to_string());
            lines.insert(5, format!("always @(posedge {}) begin", clock(bank.read_clock)));
        }
        if let Some(fetched) = &bank.fetched {
            lines.insert(5, format!("    {q} <= {fetched};"));
            lines.insert(1, format!("reg {range}{fetched};"));
            lines.insert(2, format!("initial {fetched} = {zero};"));
        }
        lines
    }

    fn open_generate(&mut self, generate: &Option<(String, String, usize)>) {
        let Some((block, variable, count)) = generate else { return };
        if !self.text.lines().iter().any(|line| line.trim_start().starts_with("genvar ")) {
            self.text.line(&format!("genvar {variable};"));
        }
        self.text.line("generate");
        self.text.depth += 1;
        self.text
            .line(&format!("for ({variable} = 0; {variable} < {count}; {variable} = {variable} + 1) begin : {block}"));
        self.text.depth += 1;
    }

    fn close_generate(&mut self, generate: &Option<(String, String, usize)>) {
        if generate.is_some() {
            self.text.depth -= 1;
            self.text.line("end");
            self.text.depth -= 1;
            self.text.line("endgenerate");
        }
    }

    fn unused(&mut self) {
        if self.module.unused.is_empty() {
            return;
        }
        self.text.blank();
        let mut text = String::new();
        for place in &self.module.unused {
            let _ = write!(text, ", {}", self.expr.place(place));
        }
        self.text.line(&format!(
            "// Nothing reads these bits.\n{INDENT}wire {} = &{{1'b0{text}}};",
            self.module.unused_name
        ));
    }
}
