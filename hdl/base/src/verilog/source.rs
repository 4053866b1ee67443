//! What only the Rust source of a block knows: its doc comments, and constructs that rust-hdl's kernel parser drops without a word.

use crate::primitives::{BlockSource, CommentedFields, Declared};
use anyhow::{Context, Result, bail};
use quote::ToTokens;
use rust_hdl::core::ast::{VerilogBlock, VerilogBlockOrConditional, VerilogStatement};
use std::collections::BTreeMap;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Attribute, BinOp, Block, Expr, ImplItem, Item, ItemImpl, Meta, Pat, Stmt, Type};

/// The documentation of one block, from source whose kernel has been found to be safe.
#[derive(Default)]
pub(crate) struct Source {
    /// The lines of the file comment, or of the struct's comment if the file has none.
    pub doc: Vec<String>,
    fields: BTreeMap<String, Vec<String>>,
}

impl Source {
    /// Finds in the source the block with these `fields`, of which those `bundled` stand elsewhere with their comments, checks its kernel
    /// and compares it with what rust-hdl made of it.
    pub(crate) fn parse(
        told: &BlockSource,
        fields: &[String],
        bundled: &CommentedFields,
        kernel: &VerilogBlock,
    ) -> Result<Self> {
        let file = syn::parse_file(&told.text).context("the source given to `BlockInfo` is not Rust")?;
        let (mut structs, mut kernels) = (vec![], vec![]);
        find_items(&file.items, &mut structs, &mut kernels);
        if let Some(declared) = &told.declared {
            structs.push(declared.clone());
        }
        let mut candidates = vec![];
        for item in &structs {
            let visited: Vec<&String> = (item.fields.iter().map(|(name, _)| name))
                .filter(|name| !name.starts_with('_') && *name != "info")
                .collect();
            let update = kernels.iter().find(|(name, _)| item.block.0 == *name).map(|(_, block)| *block);
            if let Some(update) = update
                && fields.iter().all(|field| visited.contains(&field) || bundled.iter().any(|(port, _)| port == field))
                && same_shape(&update.stmts, kernel)
            {
                candidates.push((item, update));
            }
        }
        let [(item, update)] = candidates.as_slice() else {
            bail!(
                "the source given to `BlockInfo` has {} blocks with the fields and the kernel of this one",
                candidates.len()
            );
        };
        check_kernel(update)?;
        let own = |port: &&(String, Vec<String>)| item.fields.iter().any(|(field, _)| *field == port.0);
        if let Some((port, _)) = bundled.iter().find(own) {
            bail!("the field `{port}` has the name of a port of the bundle; rename it");
        }
        let mut doc = doc_lines(&file.attrs);
        if doc.is_empty() {
            doc = trimmed(item.block.1.iter().map(String::as_str));
        }
        let lines = |(field, lines): &(String, Vec<String>)| (field.clone(), trimmed(lines.iter().map(String::as_str)));
        Ok(Source { doc, fields: item.fields.iter().chain(bundled).map(lines).collect() })
    }

    /// The comment of the field a signal belongs to: of the signal itself, or of its register.
    pub(crate) fn field_doc(&self, rust_path: &str) -> Vec<String> {
        let (field, rest) = rust_path.split_once('.').unwrap_or((rust_path, "q"));
        match rest {
            "q" => self.fields.get(field).cloned().unwrap_or_default(),
            _ => vec![],
        }
    }
}

/// The lines of a doc comment, links and code marks as they stand.
fn doc_lines(attributes: &[Attribute]) -> Vec<String> {
    trimmed(raw_lines(attributes).iter().map(String::as_str))
}

/// The same as they stand in the file.
fn raw_lines(attributes: &[Attribute]) -> Vec<String> {
    let mut lines = vec![];
    for attribute in attributes {
        if let Meta::NameValue(pair) = &attribute.meta
            && pair.path.is_ident("doc")
            && let Expr::Lit(literal) = &pair.value
            && let syn::Lit::Str(text) = &literal.lit
        {
            lines.extend(text.value().split('\n').map(str::to_owned));
        }
    }
    lines
}

/// One space follows the comment marks; any more is the author's alignment.
fn trimmed<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut lines: Vec<String> =
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end().to_string()).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// The structs, and the kernels with the types they are of.
fn find_items<'a>(items: &'a [Item], structs: &mut Vec<Declared>, kernels: &mut Vec<(String, &'a Block)>) {
    for item in items {
        match item {
            Item::Struct(item) => {
                let field = |field: &syn::Field| Some((field.ident.as_ref()?.to_string(), raw_lines(&field.attrs)));
                let fields = item.fields.iter().filter_map(field).collect();
                structs.push(Declared { block: (item.ident.to_string(), raw_lines(&item.attrs)), fields });
            }
            Item::Impl(item) => {
                if let Some(found) = kernel_of(item) {
                    kernels.push(found);
                }
            }
            Item::Mod(module) => {
                if let Some((_, items)) = &module.content {
                    find_items(items, structs, kernels);
                }
            }
            _ => {}
        }
    }
}

/// The type and the `update` body of an `impl Logic for ..`.
fn kernel_of(item: &ItemImpl) -> Option<(String, &Block)> {
    let (_, path, _) = item.trait_.as_ref()?;
    if path.segments.last()?.ident != "Logic" {
        return None;
    }
    let Type::Path(path) = item.self_ty.as_ref() else { return None };
    let name = path.path.segments.last()?.ident.to_string();
    item.items.iter().find_map(|member| match member {
        ImplItem::Fn(function) if function.sig.ident == "update" => Some((name.clone(), &function.block)),
        _ => None,
    })
}

/// Whether the statements of the source are, one by one, of the kinds in rust-hdl's tree.
fn same_shape(source: &[Stmt], kernel: &VerilogBlock) -> bool {
    source.len() == kernel.len() && source.iter().zip(kernel).all(|(left, right)| same_statement(left, right))
}

fn same_statement(source: &Stmt, kernel: &VerilogStatement) -> bool {
    let source = match source {
        Stmt::Expr(source, _) => source,
        Stmt::Macro(_) => return matches!(kernel, VerilogStatement::Macro(_) | VerilogStatement::Comment(_)),
        _ => return false,
    };
    same_expression(source, kernel)
}

fn same_expression(source: &Expr, kernel: &VerilogStatement) -> bool {
    match (source, kernel) {
        (Expr::Assign(_), VerilogStatement::Assignment(..) | VerilogStatement::SliceAssignment { .. }) => true,
        (Expr::MethodCall(_), VerilogStatement::SliceAssignment { .. }) => true,
        (Expr::Call(_), VerilogStatement::Link(_)) => true,
        (Expr::Macro(_), VerilogStatement::Macro(_) | VerilogStatement::Comment(_)) => true,
        (Expr::ForLoop(source), VerilogStatement::Loop(kernel)) => same_shape(&source.body.stmts, &kernel.block),
        (Expr::If(source), VerilogStatement::If(kernel)) => {
            let otherwise = match (&source.else_branch, &kernel.otherwise) {
                (None, VerilogBlockOrConditional::None) => true,
                (Some((_, source)), VerilogBlockOrConditional::Block(kernel)) => {
                    matches!(source.as_ref(), Expr::Block(block) if same_shape(&block.block.stmts, kernel))
                }
                (Some((_, source)), VerilogBlockOrConditional::Conditional(kernel)) => same_expression(source, kernel),
                _ => false,
            };
            otherwise && same_shape(&source.then_branch.stmts, &kernel.then)
        }
        (Expr::Match(source), VerilogStatement::Match(kernel)) => {
            source.arms.len() == kernel.cases.len()
                && source.arms.iter().zip(&kernel.cases).all(|(arm, case)| match arm.body.as_ref() {
                    Expr::Block(block) => same_shape(&block.block.stmts, &case.block),
                    single => case.block.len() == 1 && same_expression(single, &case.block[0]),
                })
        }
        _ => false,
    }
}

/// Fails on what rust-hdl's kernel parser would read differently from Rust.
fn check_kernel(update: &Block) -> Result<()> {
    let mut checker = KernelChecker::default();
    checker.visit_block(update);
    match checker.complaint {
        Some(complaint) => bail!("{complaint}"),
        None => Ok(()),
    }
}

#[derive(Default)]
struct KernelChecker {
    complaint: Option<String>,
}

impl KernelChecker {
    fn refuse(&mut self, at: &(impl ToTokens + Spanned), why: &str) {
        let code: String = at.to_token_stream().to_string().chars().take(60).collect();
        self.complaint.get_or_insert(format!("`{code}`: {why}"));
    }
}

impl<'ast> Visit<'ast> for KernelChecker {
    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if let Some((_, guard)) = &arm.guard {
            self.refuse(guard, "the guard of a `match` arm would be lost; use `if` inside the arm");
        }
        if let Pat::Ident(name) = &arm.pat {
            self.refuse(name, "a bare name in a pattern matches anything; write the variant with its enum");
        }
        syn::visit::visit_arm(self, arm);
    }

    fn visit_expr_range(&mut self, range: &'ast syn::ExprRange) {
        if let syn::RangeLimits::Closed(_) = range.limits {
            self.refuse(range, "an inclusive range would lose its last step; write `0..n`");
        }
        syn::visit::visit_expr_range(self, range);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if !attribute.path().is_ident("doc") {
            self.refuse(attribute, "attributes inside a kernel are not seen by the translation");
        }
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let Expr::Path(path) = call.func.as_ref() {
            let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            match names.as_slice() {
                ["bit_cast" | "bits" | "signed_cast" | "unsigned_cast"] | ["Bits", "from"] | [.., "join" | "link"] => {}
                _ => self
                    .refuse(call, "a function call is not translated; only `bit_cast`, `bits`, `join` and `link` are"),
            }
        }
        syn::visit::visit_expr_call(self, call);
    }

    /// `index()` and `to_bits()` leave no trace in rust-hdl's tree, so arithmetic on their results would be done at another width.
    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        let compares = matches!(
            binary.op,
            BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
        );
        let (left, right) = (without_parentheses(&binary.left), without_parentheses(&binary.right));
        if !compares && (is_call(left, "index") || is_call(right, "index")) {
            self.refuse(binary, "arithmetic after `index()` is not translated exactly; calculate first");
        }
        let number = |side: &Expr| is_call(side, "to_bits") || matches!(side, Expr::Lit(_));
        if number(left) && number(right) && (is_call(left, "to_bits") || is_call(right, "to_bits")) {
            self.refuse(binary, "arithmetic after `to_bits()` is not translated exactly; calculate first");
        }
        syn::visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if call.method == "to_signed_bits" {
            self.refuse(call, "signed arithmetic is not supported");
        }
        syn::visit::visit_expr_method_call(self, call);
    }
}

fn without_parentheses(expression: &Expr) -> &Expr {
    match expression {
        Expr::Paren(inner) => without_parentheses(&inner.expr),
        other => other,
    }
}

fn is_call(expression: &Expr, method: &str) -> bool {
    matches!(expression, Expr::MethodCall(call) if call.method == method)
}
