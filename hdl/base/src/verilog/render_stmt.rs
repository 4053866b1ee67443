//! Statements as text: `assign`, and `always @*` with what stands in it.

use super::effects::{loop_variables, signals_of};
use super::ir::Stmt;
use super::render_expr::ExprRenderer;
use super::split::Process;
use super::text::Text;

/// Appends statements to a text.
pub(crate) struct StatementRenderer<'a> {
    pub expr: &'a ExprRenderer<'a>,
    pub text: &'a mut Text,
}

impl StatementRenderer<'_> {
    pub(crate) fn process(&mut self, process: &Process) {
        match process {
            Process::Assigns(statements) => {
                let is_assign = |line: &String| line.trim_start().starts_with("assign");
                if !self.text.lines().last().is_some_and(is_assign) {
                    self.text.blank();
                }
                for statement in statements {
                    if let Stmt::Assign(place, value) = statement {
                        let text =
                            format!("assign {} = {};", self.expr.place(place), self.expr.value_for(place, value));
                        self.text.line(&text);
                    }
                }
            }
            Process::Always(statements) => {
                self.text.blank();
                let variables = loop_variables(statements);
                if variables.is_empty() {
                    self.text.line("always @* begin");
                } else {
                    let label = self.block_name(statements);
                    self.text.line(&format!("always @* begin : {label}"));
                }
                self.text.depth += 1;
                for variable in variables.keys() {
                    self.text.line(&format!("integer {variable};"));
                }
                // A variable that some case leaves alone would be a latch to Yosys.
                for (variable, _) in variables.iter().filter(|(_, conditional)| **conditional) {
                    self.text.line(&format!("{variable} = 0;"));
                }
                self.block(statements);
                self.text.depth -= 1;
                self.text.line("end");
                self.text.blank();
            }
        }
    }

    /// `set_` and the first signal the block writes, which no other block does.
    fn block_name(&self, statements: &[Stmt]) -> String {
        let (writes, _) = signals_of(statements);
        let first = writes.first().map_or("nothing", |signal| self.expr.signals[*signal].name.as_str());
        format!("set_{first}")
    }

    fn block(&mut self, statements: &[Stmt]) {
        for statement in statements {
            match statement {
                Stmt::Assign(place, value) => {
                    let text = format!("{} = {};", self.expr.place(place), self.expr.value_for(place, value));
                    self.text.line(&text);
                }
                Stmt::If { .. } => self.conditional(statement, "if"),
                Stmt::Case { value, arms } => {
                    self.text.line(&format!("case ({})", self.expr.expr(value)));
                    self.text.depth += 1;
                    for arm in arms {
                        let label = arm.label.as_ref().map(|label| self.expr.expr(label));
                        let head = match (label, arm.default) {
                            (Some(label), false) => format!("{label}: begin"),
                            (Some(label), true) => format!("default: begin // {label}"),
                            (None, _) => "default: begin".to_string(),
                        };
                        match (arm.body.as_slice(), head.strip_suffix(" begin")) {
                            ([], Some(head)) => self.text.line(&format!("{head} ;")),
                            ([Stmt::Assign(place, value)], Some(head)) => {
                                let (place, value) = (self.expr.place(place), self.expr.value_for(place, value));
                                self.text.line(&format!("{head} {place} = {value};"));
                            }
                            (body, _) => {
                                self.text.line(&head);
                                self.text.depth += 1;
                                self.block(body);
                                self.text.depth -= 1;
                                self.text.line("end");
                            }
                        }
                    }
                    self.text.depth -= 1;
                    self.text.line("endcase");
                }
                Stmt::For { variable, from, to, body } => {
                    self.text.line(&format!(
                        "for ({variable} = {from}; {variable} < {to}; {variable} = {variable} + 1) begin"
                    ));
                    self.text.depth += 1;
                    self.block(body);
                    self.text.depth -= 1;
                    self.text.line("end");
                }
                Stmt::Require { .. } => {}
            }
        }
    }

    fn conditional(&mut self, statement: &Stmt, keyword: &str) {
        let Stmt::If { test, then, otherwise } = statement else { return };
        self.text.line(&format!("{keyword} ({}) begin", self.expr.condition(test)));
        self.text.depth += 1;
        self.block(then);
        self.text.depth -= 1;
        match otherwise.as_slice() {
            [] => self.text.line("end"),
            [next @ Stmt::If { .. }] => self.conditional(next, "end else if"),
            _ => {
                self.text.line("end else begin");
                self.text.depth += 1;
                self.block(otherwise);
                self.text.depth -= 1;
                self.text.line("end");
            }
        }
    }
}
