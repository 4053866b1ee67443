//! What is changed: small errors that a person could make, found in the syntax of a file.

mod skipped;

use anyhow::{Context, Result};
use proc_macro2::Span;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, ExprBinary, ExprIf, ExprLit, ExprRange, ExprRepeat, ExprUnary, Lit, Stmt, UnOp};

/// A kind of error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// `<` for `<=`, `==` for `!=`, and so on.
    Comparison,
    /// `+` for `-`, and `+=` for `-=`.
    Sum,
    /// `&&` for `||`.
    Logic,
    /// `&` for `|`, `^` for `|`, and `&=` for `|=`.
    Bits,
    /// `!` left out.
    Not,
    /// A condition of `if`, or of an arm of `match`, that always or never holds.
    Condition,
    /// A whole number one larger or one smaller.
    Constant,
    /// What is assigned to a field, or called for what it does to `self`, left out.
    LeftOut,
    /// A range one longer.
    Range,
}

/// A place of a file and what could stand there by mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Bytes of the file.
    pub range: Range<usize>,
    /// From 1 on.
    pub line: usize,
    /// Whether it is a statement, otherwise an expression.
    pub is_statement: bool,
    pub alternatives: Vec<Alternative>,
}

/// What stands at a place instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    pub rule: Rule,
    pub text: String,
}

/// Every place of a file, outer before inner. Left out are tests, macros, patterns, types, constants that the compiler must know, and
/// functions that declare signals.
///
/// # Errors
/// It is not Rust.
pub fn sites(text: &str) -> Result<Vec<Site>> {
    let file = syn::parse_file(text).context("the text must be a file of Rust")?;
    let mut finder = Finder { text, sites: vec![] };
    finder.visit_file(&file);
    Ok(finder.sites)
}

struct Finder<'a> {
    text: &'a str,
    sites: Vec<Site>,
}

impl Finder<'_> {
    /// A change of a part of what stands at `whole`.
    fn add(&mut self, whole: Span, is_statement: bool, changes: impl IntoIterator<Item = (Rule, Span, String)>) {
        let range = whole.byte_range();
        let alternatives: Vec<Alternative> = changes
            .into_iter()
            .map(|(rule, part, wrong)| {
                let part = part.byte_range();
                let text = format!("{}{wrong}{}", &self.text[range.start..part.start], &self.text[part.end..range.end]);
                Alternative { rule, text }
            })
            .collect();
        if !alternatives.is_empty() {
            self.sites.push(Site { range, line: whole.start().line, is_statement, alternatives });
        }
    }

    fn condition(&mut self, condition: &Expr) {
        if !has_let(condition) {
            let stuck = ["true", "false"].map(|value| (Rule::Condition, condition.span(), value.to_owned()));
            self.add(condition.span(), false, stuck);
        }
    }
}

/// Operators that stand for another by mistake.
fn wrong_operator(operator: &BinOp) -> Option<(Rule, &'static str)> {
    Some(match operator {
        BinOp::Lt(_) => (Rule::Comparison, "<="),
        BinOp::Le(_) => (Rule::Comparison, "<"),
        BinOp::Gt(_) => (Rule::Comparison, ">="),
        BinOp::Ge(_) => (Rule::Comparison, ">"),
        BinOp::Eq(_) => (Rule::Comparison, "!="),
        BinOp::Ne(_) => (Rule::Comparison, "=="),
        BinOp::Add(_) => (Rule::Sum, "-"),
        BinOp::Sub(_) => (Rule::Sum, "+"),
        BinOp::AddAssign(_) => (Rule::Sum, "-="),
        BinOp::SubAssign(_) => (Rule::Sum, "+="),
        BinOp::And(_) => (Rule::Logic, "||"),
        BinOp::Or(_) => (Rule::Logic, "&&"),
        BinOp::BitAnd(_) => (Rule::Bits, "|"),
        BinOp::BitOr(_) => (Rule::Bits, "&"),
        BinOp::BitXor(_) => (Rule::Bits, "|"),
        BinOp::BitAndAssign(_) => (Rule::Bits, "|="),
        BinOp::BitOrAssign(_) => (Rule::Bits, "&="),
        BinOp::BitXorAssign(_) => (Rule::Bits, "|="),
        _ => return None,
    })
}

fn is_assignment(operator: &BinOp) -> bool {
    matches!(
        operator,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// Whether a condition binds names, in which case it can't be put into a block of its own.
fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(inner) => has_let(&inner.expr),
        Expr::Group(inner) => has_let(&inner.expr),
        _ => false,
    }
}

/// Whether a place is more than a local name: a field, an element, what a reference leads to.
fn is_state(place: &Expr) -> bool {
    matches!(place, Expr::Field(_) | Expr::Index(_) | Expr::Unary(ExprUnary { op: UnOp::Deref(_), .. }))
}

/// Whether what a method is called on is `self` or lies in it.
fn is_of_self(place: &Expr) -> bool {
    match place {
        Expr::Path(path) => path.path.is_ident("self"),
        Expr::Field(field) => is_of_self(&field.base),
        Expr::Index(index) => is_of_self(&index.expr),
        Expr::MethodCall(call) => is_of_self(&call.receiver),
        _ => false,
    }
}

/// The same number one larger and one smaller, with its suffix; a signed one comes without its sign.
fn neighbours(literal: &syn::LitInt) -> Vec<String> {
    let Ok(value) = literal.base10_parse::<u128>() else { return vec![] };
    let near = [value.checked_add(1), value.checked_sub(1)];
    near.into_iter().flatten().map(|near| format!("{near}{}", literal.suffix())).collect()
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        if let Some((rule, wrong)) = wrong_operator(&binary.op)
            && !is_assignment(&binary.op)
            && !has_let(&binary.left)
            && !has_let(&binary.right)
        {
            self.add(binary.span(), false, [(rule, binary.op.span(), wrong.to_owned())]);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast ExprUnary) {
        if let UnOp::Not(not) = unary.op {
            self.add(unary.span(), false, [(Rule::Not, not.span(), String::new())]);
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_if(&mut self, choice: &'ast ExprIf) {
        self.condition(&choice.cond);
        visit::visit_expr_if(self, choice);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if let Some((_, guard)) = &arm.guard {
            self.condition(guard);
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_lit(&mut self, literal: &'ast ExprLit) {
        if let Lit::Int(number) = &literal.lit {
            let near = neighbours(number).into_iter().map(|near| (Rule::Constant, literal.span(), near));
            self.add(literal.span(), false, near);
        }
    }

    fn visit_expr_range(&mut self, range: &'ast ExprRange) {
        if let (Some(end), syn::RangeLimits::HalfOpen(_)) = (&range.end, range.limits)
            && !matches!(**end, Expr::Lit(_))
        {
            let longer = format!("({}) + 1", &self.text[end.span().byte_range()]);
            self.add(end.span(), false, [(Rule::Range, end.span(), longer)]);
        }
        visit::visit_expr_range(self, range);
    }

    fn visit_block(&mut self, block: &'ast Block) {
        for statement in &block.stmts {
            if let Stmt::Expr(expression, Some(_)) = statement {
                self.statement(statement.span(), expression);
            }
            self.visit_stmt(statement);
        }
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !skipped::is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        if !skipped::is_test(&function.attrs) && !skipped::is_skipped(&function.sig) {
            visit::visit_item_fn(self, function);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !skipped::is_test(&function.attrs) && !skipped::is_skipped(&function.sig) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if !skipped::is_skipped(&function.sig) {
            visit::visit_trait_item_fn(self, function);
        }
    }
}

impl Finder<'_> {
    /// A statement with a semicolon, which gives nothing.
    fn statement(&mut self, whole: Span, expression: &Expr) {
        let left_out = (Rule::LeftOut, whole, String::new());
        match expression {
            Expr::Assign(assign) if is_state(&assign.left) => self.add(whole, true, [left_out]),
            Expr::Binary(binary) if is_assignment(&binary.op) => {
                let swapped =
                    wrong_operator(&binary.op).map(|(rule, wrong)| (rule, binary.op.span(), wrong.to_owned()));
                let left_out = is_state(&binary.left).then_some(left_out);
                self.add(whole, true, swapped.into_iter().chain(left_out));
            }
            Expr::MethodCall(call) if is_of_self(&call.receiver) => self.add(whole, true, [left_out]),
            _ => (),
        }
    }
}

#[cfg(test)]
mod tests;
