//! A module as Verilog-2005 text.

use super::collect::ValueType;
use super::compile::written_by_always;
use super::effects::loop_variables;
use super::expr::replicate;
use super::index::Index;
use super::ir::{Expr, ExprKind, Place, SignalId, Stmt};
use super::memory;
use super::module::{Connection, Instantiation, MemoryBank, Module, RegisterBank};
use super::render_expr::{ExprRenderer, constant};
use super::scope::{SignalInfo, SignalKind, label_name};
use super::split::Process;
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const INDENT: &str = "    ";

/// The text of `module` under the name `name`; `names` are the names of all modules of the design.
pub(crate) fn render(module: &Module, name: &str, names: &[String]) -> String {
    let renderer = Renderer {
        module,
        expr: ExprRenderer { signals: &module.signals, enums: &module.enums },
        by_always: written_by_always(&module.processes),
        lines: vec![],
        depth: 0,
    };
    renderer.run(name, names)
}

struct Renderer<'a> {
    module: &'a Module,
    expr: ExprRenderer<'a>,
    /// The signals that processes write, and whether an `always` block does.
    by_always: BTreeMap<SignalId, bool>,
    lines: Vec<String>,
    depth: usize,
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
            self.line(format!("// {line}").trim_end());
        }
        if !self.module.sizes.is_empty() {
            let sizes: Vec<String> =
                self.module.sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            if !self.module.doc.is_empty() {
                self.line("//");
            }
            self.line(&format!("// Sizes: {}.", sizes.join(", ")));
        }
        self.ports(name);
        self.depth = 1;
        self.constants();
        self.declarations();
        for process in &self.module.processes {
            self.process(process);
        }
        self.registers();
        for memory in &self.module.memories {
            self.memory(memory);
        }
        for instance in &self.module.instances {
            self.instance(instance, &names[instance.module]);
        }
        self.unused();
        self.depth = 0;
        while self.lines.last().is_some_and(String::is_empty) {
            self.lines.pop();
        }
        self.line("endmodule");
        self.lines.join("\n") + "\n"
    }

    fn line(&mut self, text: &str) {
        match text.is_empty() {
            true => self.lines.push(String::new()),
            false => self.lines.push(format!("{}{text}", INDENT.repeat(self.depth))),
        }
    }

    fn blank(&mut self) {
        if self.lines.last().is_some_and(|line| !line.is_empty()) {
            self.line("");
        }
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
            self.line(&format!("module {name};"));
            return;
        }
        self.line(&format!("module {name} ("));
        self.depth = 1;
        self.aligned(&ports, ",", "");
        self.depth = 0;
        self.line(");");
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
                self.line(format!("// {line}").trim_end());
            }
            let last = if position + 1 == declarations.len() { end } else { separator };
            let Declaration { keyword: word, range: bits, name, .. } = declaration;
            let gap = if range == 0 { "" } else { " " };
            self.line(&format!("{word:keyword$} {bits:range$}{gap}{name}{last}"));
        }
    }

    fn constants(&mut self) {
        let (signals, labels) = self.mentioned();
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
            self.blank();
            lines.iter().for_each(|line| self.line(line));
        }
    }

    /// Constants and enum variants that occur in the text.
    fn mentioned(&self) -> (BTreeSet<SignalId>, BTreeSet<(String, usize)>) {
        let mut found = (BTreeSet::new(), BTreeSet::new());
        for process in &self.module.processes {
            mention_block(process.statements(), &mut found);
        }
        for instance in &self.module.instances {
            instance.connections.iter().for_each(|connection| mention(&connection.expr, &mut found));
        }
        for memory in &self.module.memories {
            memory.pins().into_iter().for_each(|pin| mention(pin, &mut found));
        }
        for register in &self.module.registers {
            mention(&self.reset_value(register), &mut found);
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
            self.blank();
            self.aligned(&group, ";", ";");
        }
    }

    fn process(&mut self, process: &Process) {
        match process {
            Process::Assigns(statements) => {
                let simple =
                    |lines: &[String]| lines.last().is_some_and(|line| line.trim_start().starts_with("assign"));
                if !simple(&self.lines) {
                    self.blank();
                }
                for statement in statements {
                    if let Stmt::Assign(place, value) = statement {
                        let text =
                            format!("assign {} = {};", self.expr.place(place), self.expr.value_for(place, value));
                        self.line(&text);
                    }
                }
            }
            Process::Always(statements) => {
                self.blank();
                let variables = loop_variables(statements);
                if variables.is_empty() {
                    self.line("always @* begin");
                } else {
                    let label = self.block_name(statements);
                    self.line(&format!("always @* begin : {label}"));
                }
                self.depth += 1;
                for variable in variables.keys() {
                    self.line(&format!("integer {variable};"));
                }
                // A variable that some case leaves alone would be a latch to Yosys.
                for (variable, _) in variables.iter().filter(|(_, conditional)| **conditional) {
                    self.line(&format!("{variable} = 0;"));
                }
                self.block(statements);
                self.depth -= 1;
                self.line("end");
                self.blank();
            }
        }
    }

    /// `set_` and the first signal the block writes, which no other block does.
    fn block_name(&self, statements: &[Stmt]) -> String {
        let (writes, _) = super::effects::signals_of(statements);
        let first = writes.first().map_or("nothing", |signal| self.module.signals[*signal].name.as_str());
        format!("set_{first}")
    }

    fn block(&mut self, statements: &[Stmt]) {
        for statement in statements {
            match statement {
                Stmt::Assign(place, value) => {
                    let text = format!("{} = {};", self.expr.place(place), self.expr.value_for(place, value));
                    self.line(&text);
                }
                Stmt::If { .. } => self.conditional(statement, "if"),
                Stmt::Case { value, arms } => {
                    self.line(&format!("case ({})", self.expr.expr(value)));
                    self.depth += 1;
                    for arm in arms {
                        let label = arm.label.as_ref().map(|label| self.expr.expr(label));
                        let head = match (label, arm.default) {
                            (Some(label), false) => format!("{label}: begin"),
                            (Some(label), true) => format!("default: begin // {label}"),
                            (None, _) => "default: begin".to_string(),
                        };
                        self.line(&head);
                        self.depth += 1;
                        self.block(&arm.body);
                        self.depth -= 1;
                        self.line("end");
                    }
                    self.depth -= 1;
                    self.line("endcase");
                }
                Stmt::For { variable, from, to, body } => {
                    self.line(&format!(
                        "for ({variable} = {from}; {variable} < {to}; {variable} = {variable} + 1) begin"
                    ));
                    self.depth += 1;
                    self.block(body);
                    self.depth -= 1;
                    self.line("end");
                }
                Stmt::Require { .. } => {}
            }
        }
    }

    fn conditional(&mut self, statement: &Stmt, keyword: &str) {
        let Stmt::If { test, then, otherwise } = statement else { return };
        self.line(&format!("{keyword} ({}) begin", self.expr.condition(test)));
        self.depth += 1;
        self.block(then);
        self.depth -= 1;
        match otherwise.as_slice() {
            [] => self.line("end"),
            [next @ Stmt::If { .. }] => self.conditional(next, "end else if"),
            _ => {
                self.line("end else begin");
                self.depth += 1;
                self.block(otherwise);
                self.depth -= 1;
                self.line("end");
            }
        }
    }

    fn registers(&mut self) {
        let Some((clk, Some(rst))) = self.module.clock else { return };
        let name = |signal: SignalId| self.module.signals[signal].name.clone();
        let banks: Vec<(String, String, String)> = (self.module.registers.iter())
            .map(|bank| (name(bank.state), self.reset_text(bank), name(bank.next)))
            .collect();
        let (clk, rst) = (name(clk), name(rst));
        let longest = banks.iter().map(|(state, ..)| state.len()).max().unwrap_or(0);
        self.blank();
        self.line(&format!("always @(posedge {clk}) begin"));
        self.depth += 1;
        self.line(&format!("if ({rst}) begin"));
        self.depth += 1;
        banks.iter().for_each(|(state, reset, _)| self.line(&format!("{state:longest$} <= {reset};")));
        self.depth -= 1;
        self.line("end else begin");
        self.depth += 1;
        banks.iter().for_each(|(state, _, next)| self.line(&format!("{state:longest$} <= {next};")));
        self.depth -= 1;
        self.line("end");
        self.depth -= 1;
        self.line("end");
    }

    fn reset_text(&self, bank: &RegisterBank) -> String {
        let width = self.module.signals[bank.state].total_width();
        let place = Place { signal: bank.state, start: Index::number(0), width };
        self.expr.value_for(&place, &self.reset_value(bank))
    }

    /// The reset value in the terms of the register's type: names of variants, one element repeated, or element by element.
    fn reset_value(&self, bank: &RegisterBank) -> Expr {
        let info = &self.module.signals[bank.state];
        let mask = super::expr::limit(info.width) - 1u8;
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
        self.blank();
        self.open_generate(&instance.generate);
        self.line(&format!("{module} {} (", instance.name));
        self.depth += 1;
        let longest = instance.connections.iter().map(|connection| connection.port.len()).max().unwrap_or(0);
        for (position, Connection { port, expr, .. }) in instance.connections.iter().enumerate() {
            let comma = if position + 1 < instance.connections.len() { "," } else { "" };
            self.line(&format!(".{port:longest$} ({}){comma}", self.expr.expr(expr)));
        }
        self.depth -= 1;
        self.line(");");
        self.close_generate(&instance.generate);
    }

    fn memory(&mut self, bank: &MemoryBank) {
        self.blank();
        self.open_generate(&bank.generate);
        memory::lines(bank, self.module, &self.expr).iter().for_each(|line| self.line(line));
        self.close_generate(&bank.generate);
    }

    fn open_generate(&mut self, generate: &Option<(String, String, usize)>) {
        let Some((block, variable, count)) = generate else { return };
        if !self.lines.iter().any(|line| line.trim_start().starts_with("genvar ")) {
            self.line(&format!("genvar {variable};"));
        }
        self.line("generate");
        self.depth += 1;
        self.line(&format!("for ({variable} = 0; {variable} < {count}; {variable} = {variable} + 1) begin : {block}"));
        self.depth += 1;
    }

    fn close_generate(&mut self, generate: &Option<(String, String, usize)>) {
        if generate.is_some() {
            self.depth -= 1;
            self.line("end");
            self.depth -= 1;
            self.line("endgenerate");
        }
    }

    fn unused(&mut self) {
        if self.module.unused.is_empty() {
            return;
        }
        self.blank();
        let mut text = String::new();
        for place in &self.module.unused {
            let _ = write!(text, ", {}", self.expr.place(place));
        }
        self.line(&format!(
            "// Nothing reads these bits.\n{INDENT}wire {} = &{{1'b0{text}}};",
            self.module.unused_name
        ));
    }
}

type Mentioned = (BTreeSet<SignalId>, BTreeSet<(String, usize)>);

fn mention(expr: &Expr, found: &mut Mentioned) {
    match &expr.kind {
        ExprKind::Read(place) => {
            found.0.insert(place.signal);
        }
        ExprKind::Label(name, variant) => {
            found.1.insert((name.clone(), *variant));
        }
        _ => {}
    }
    expr.operands().into_iter().for_each(|operand| mention(operand, found));
}

fn mention_block(block: &[Stmt], found: &mut Mentioned) {
    for statement in block {
        match statement {
            Stmt::Assign(_, value) => mention(value, found),
            Stmt::If { test, then, otherwise } => {
                mention(test, found);
                mention_block(then, found);
                mention_block(otherwise, found);
            }
            Stmt::Case { value, arms } => {
                mention(value, found);
                for arm in arms {
                    if let (Some(label), false) = (&arm.label, arm.default) {
                        mention(label, found);
                    }
                    mention_block(&arm.body, found);
                }
            }
            Stmt::For { body, .. } => mention_block(body, found),
            Stmt::Require { .. } => {}
        }
    }
}
