//! Names as rust-hdl's kernel parser hands them over (`child[i]$port[j]$next`), taken apart with a Rust parser.

use super::index::{Index, IndexOperator};
use anyhow::{Result, bail};
use syn::{BinOp, Expr, ExprLit, Lit, Member, UnOp};

/// A name taken apart: `child[i].port[j]` is `child` with index `i`, then `port` with index `j`.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub segments: Vec<Segment>,
}

#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub name: String,
    pub indices: Vec<Index>,
}

impl Path {
    /// The field names alone: `child.port`.
    pub(crate) fn key(&self) -> String {
        let names: Vec<&str> = self.segments.iter().map(|segment| segment.name.as_str()).collect();
        names.join(".")
    }

    /// Every index, outermost array first.
    pub(crate) fn indices(&self) -> Vec<Index> {
        self.segments.iter().flat_map(|segment| segment.indices.clone()).collect()
    }
}

/// The text as it stood in the kernel, for messages.
pub(crate) fn readable(text: &str) -> String {
    let text = text.replace('$', ".");
    text.strip_suffix(".next").unwrap_or(&text).to_string()
}

/// What a name in an index stands for.
pub(crate) trait Numbers {
    /// A loop variable or a `Size`.
    fn number(&self, name: &str) -> Option<Index>;
    /// A `Table`.
    fn table(&self, name: &str) -> Option<Vec<i128>>;
}

/// Takes `text` apart; `numbers` gives the values of names in indices.
pub(crate) fn parse(text: &str, numbers: &dyn Numbers) -> Result<Path> {
    let text = readable(text);
    let Ok(expression) = syn::parse_str::<Expr>(text.trim_start_matches('.')) else {
        bail!("cannot read the name `{text}`");
    };
    let mut segments = vec![];
    walk(&expression, &text, numbers, &mut segments)?;
    // The ports of a bundle stand in the module like any others.
    if segments.len() > 1 && segments[0].name == "ports" && segments[0].indices.is_empty() {
        segments.remove(0);
    }
    Ok(Path { segments })
}

/// The value of an expression that consists of loop variables, sizes and tables; `None` if it is anything else.
pub(crate) fn parse_number(text: &str, numbers: &dyn Numbers) -> Option<Index> {
    let expression = syn::parse_str::<Expr>(&readable(text)).ok()?;
    index_of(&expression, text, numbers).ok()
}

fn walk(expression: &Expr, text: &str, numbers: &dyn Numbers, segments: &mut Vec<Segment>) -> Result<()> {
    match expression {
        Expr::Path(path) if path.path.get_ident().is_some() => {
            let name = path.path.require_ident()?.to_string();
            segments.push(Segment { name, indices: vec![] });
        }
        Expr::Field(field) => {
            walk(&field.base, text, numbers, segments)?;
            let Member::Named(name) = &field.member else {
                bail!("`{text}` has an unnamed field");
            };
            segments.push(Segment { name: name.to_string(), indices: vec![] });
        }
        Expr::Index(element) => {
            walk(&element.expr, text, numbers, segments)?;
            let index = index_of(&element.index, text, numbers)?;
            if let Some(last) = segments.last_mut() {
                last.indices.push(index);
            }
        }
        _ => bail!("cannot read the name `{text}`"),
    }
    Ok(())
}

fn index_of(expression: &Expr, text: &str, numbers: &dyn Numbers) -> Result<Index> {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) => Ok(Index::number(literal.base10_parse::<i128>()?)),
        Expr::Paren(inner) => index_of(&inner.expr, text, numbers),
        Expr::Path(path) if path.path.get_ident().is_some() => {
            let name = path.path.require_ident()?.to_string();
            numbers.number(&name).ok_or_else(|| {
                anyhow::anyhow!("index `{name}` in `{text}` is neither a loop variable nor a `Size` of this block")
            })
        }
        Expr::MethodCall(call) if call.method == "get" || call.method == "val" => {
            if let Expr::Path(path) = call.receiver.as_ref()
                && let Some(name) = path.path.get_ident()
                && let Some(value) = numbers.number(&name.to_string())
            {
                return Ok(value);
            }
            bail!("`{text}` has an index computed by the hardware; use a loop and compare, or `get_bit`")
        }
        Expr::MethodCall(_) => {
            bail!("`{text}` has an index computed by the hardware; use a loop and compare, or `get_bit`")
        }
        Expr::Index(entry) => {
            let table = match entry.expr.as_ref() {
                Expr::Path(path) => path.path.get_ident().and_then(|name| numbers.table(&name.to_string())),
                _ => None,
            };
            let Some(table) = table else {
                bail!("`{text}` has an index that is an element of an array other than a `Table`");
            };
            Ok(Index::entry(&table, index_of(&entry.index, text, numbers)?))
        }
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            bail!("`{text}` has a negative index")
        }
        Expr::Binary(binary) => {
            let operator = match binary.op {
                BinOp::Add(_) => IndexOperator::Add,
                BinOp::Sub(_) => IndexOperator::Sub,
                BinOp::Mul(_) => IndexOperator::Mul,
                BinOp::Div(_) => IndexOperator::Div,
                BinOp::Rem(_) => IndexOperator::Rem,
                BinOp::Shl(_) => IndexOperator::Shl,
                BinOp::Shr(_) => IndexOperator::Shr,
                _ => bail!("`{text}` has an index with an operator other than + - * / % << >>"),
            };
            let left = index_of(&binary.left, text, numbers)?;
            let right = index_of(&binary.right, text, numbers)?;
            Ok(Index::operation(operator, left, right))
        }
        _ => bail!("cannot resolve the index in `{text}`"),
    }
}
