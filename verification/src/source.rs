//! The little of Verilog that is read here: a module's parameters, ports and signals, and labels of properties. Yosys reads the rest.

use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeSet;

/// A word or a sign of a source, and its line from 1 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Token<'a> {
    text: &'a str,
    line: usize,
}

/// What a label stands before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Assertion,
    Cover,
}

/// A labelled property or cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Line in the file, from 1 on.
    pub(crate) line: usize,
}

/// What a module of properties is joined to, and what it says.
#[derive(Clone, Debug)]
pub(crate) struct Interface {
    pub(crate) parameters: Vec<String>,
    pub(crate) inputs: Vec<String>,
    pub(crate) labels: Vec<Label>,
}

impl Interface {
    /// Reads the module `name`, which has inputs alone.
    ///
    /// # Errors
    /// Another module or none, a port that is no input, a property without a label, a label that comes twice.
    pub(crate) fn of(name: &str, text: &str) -> Result<Interface> {
        let tokens = tokens(text);
        let at = tokens.iter().position(|token| token.text == "module").context("expected a module, found none")?;
        let found = tokens.get(at + 1).map_or("", |token| token.text);
        ensure!(found == name, "module `{found}`: expected `{name}`");
        let mut rest = &tokens[at + 2..];
        let mut parameters = vec![];
        if rest.first().is_some_and(|token| token.text == "#") {
            let (inside, after) = within_parentheses(&rest[1..])?;
            parameters = parts(inside).into_iter().map(parameter).collect::<Result<_>>()?;
            rest = after;
        }
        let (inside, body) = within_parentheses(rest)?;
        let inputs = parts(inside).into_iter().map(input).collect::<Result<_>>()?;
        Ok(Interface { parameters, inputs, labels: labels(body)? })
    }
}

/// Names of the ports, wires and registers of a module's text; memories, which can't be joined to a port, are left out.
pub(crate) fn signals(text: &str) -> BTreeSet<String> {
    let tokens = tokens(text);
    let mut found = BTreeSet::new();
    let mut place = 0;
    while place < tokens.len() {
        place += 1;
        if !matches!(tokens[place - 1].text, "wire" | "reg") {
            continue;
        }
        while let Some(token) = tokens.get(place) {
            match token.text {
                "signed" => place += 1,
                "[" => place = after_bracket(&tokens, place),
                _ => break,
            }
        }
        let is_memory = tokens.get(place + 1).is_some_and(|next| next.text == "[");
        match tokens.get(place) {
            Some(name) if is_word(name.text) && !is_memory => _ = found.insert(name.text.to_owned()),
            _ => (),
        }
    }
    found
}

fn after_bracket(tokens: &[Token], open: usize) -> usize {
    tokens[open..].iter().position(|token| token.text == "]").map_or(tokens.len(), |close| open + close + 1)
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Words, numbers and single signs, without comments and texts.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = vec![];
    let (mut rest, mut line) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "_$`'".contains(c);
        let skipped_or_taken = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first == '"' {
            rest[1..].find('"').map_or(rest.len(), |end| end + 2)
        } else {
            let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len()).max(first.len_utf8());
            if !first.is_whitespace() {
                found.push(Token { text: &rest[..length], line });
            }
            length
        };
        line += rest[..skipped_or_taken].matches('\n').count();
        rest = &rest[skipped_or_taken..];
    }
    found
}

/// What stands in the parentheses that begin here, and what follows them.
fn within_parentheses<'a, 't>(tokens: &'a [Token<'t>]) -> Result<(&'a [Token<'t>], &'a [Token<'t>])> {
    ensure!(tokens.first().is_some_and(|token| token.text == "("), "expected ( behind the module's name");
    let mut depth = 0;
    for (place, token) in tokens.iter().enumerate() {
        match token.text {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => (),
        }
        if depth == 0 {
            return Ok((&tokens[1..place], &tokens[place + 1..]));
        }
    }
    bail!("line {}: ( without )", tokens[0].line)
}

/// What commas divide, but for those within brackets.
fn parts<'a, 't>(tokens: &'a [Token<'t>]) -> Vec<&'a [Token<'t>]> {
    let mut depth = 0;
    let divided = tokens.split(|token| {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => (),
        }
        depth == 0 && token.text == ","
    });
    divided.filter(|part| !part.is_empty()).collect()
}

fn parameter(part: &[Token]) -> Result<String> {
    let end = part.iter().position(|token| token.text == "=");
    let end = end.with_context(|| format!("line {}: a parameter without a value", part[0].line))?;
    let name = part[..end].iter().rev().find(|token| is_word(token.text));
    Ok(name.with_context(|| format!("line {}: a parameter without a name", part[0].line))?.text.to_owned())
}

fn input(part: &[Token]) -> Result<String> {
    let name = part.last().expect("parts are not empty");
    ensure!(is_word(name.text), "line {}: `{}` is no name of a port", name.line, name.text);
    let is_output = part.iter().any(|token| matches!(token.text, "output" | "inout"));
    ensure!(!is_output, "line {}: port `{}` is an output; properties have inputs alone", name.line, name.text);
    Ok(name.text.to_owned())
}

fn labels(tokens: &[Token]) -> Result<Vec<Label>> {
    let mut found: Vec<Label> = vec![];
    for (place, token) in tokens.iter().enumerate() {
        let kind = match token.text {
            "assert" => Kind::Assertion,
            "cover" => Kind::Cover,
            _ => continue,
        };
        let label = place.checked_sub(2).filter(|_| tokens[place - 1].text == ":").map(|at| tokens[at].text);
        let Some(name) = label.filter(|label| is_word(label)) else {
            bail!("line {}: {} without a label", token.line, token.text)
        };
        let name = name.to_owned();
        ensure!(found.iter().all(|other| other.name != name), "line {}: label `{name}` comes twice", token.line);
        found.push(Label { name, kind, line: token.line });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
// A comment with assert (x) in it.
module b_properties #(
    parameter BITS_a = 4, parameter [3:0] N = (2 + 2) // and one here
) (
    input wire clk,
    input wire [BITS_a-1:0] a, /* not:
    assert */ input wire signed [N:0] q
);
    always @* begin
        first: assert (a == 0);
        if (a[0]) \"text: cover\" both : cover(q);
    end
endmodule
";

    #[test]
    fn ports_parameters_and_labels_are_found() {
        let interface = Interface::of("b_properties", TEXT).unwrap();
        assert_eq!(interface.parameters, ["BITS_a", "N"]);
        assert_eq!(interface.inputs, ["clk", "a", "q"]);
        let labels: Vec<_> = interface.labels.iter().map(|l| (l.name.as_str(), l.kind, l.line)).collect();
        assert_eq!(labels, [("first", Kind::Assertion, 10), ("both", Kind::Cover, 11)]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let refused = |from: &str, to: &str| {
            assert_eq!(TEXT.matches(from).count(), 1, "{from}");
            Interface::of("b_properties", &TEXT.replace(from, to)).unwrap_err().to_string()
        };
        assert_eq!(refused("module b_", "module c_"), "module `c_properties`: expected `b_properties`");
        assert_eq!(refused("first: ", ""), "line 10: assert without a label");
        assert_eq!(refused("both :", "first:"), "line 11: label `first` comes twice");
        assert_eq!(
            refused("input wire clk", "output wire clk"),
            "line 5: port `clk` is an output; properties have inputs alone"
        );
        assert_eq!(refused(", parameter [3:0] N = (2 + 2)", ", parameter N"), "line 3: a parameter without a value");
        assert_eq!(Interface::of("b_properties", "").unwrap_err().to_string(), "expected a module, found none");
        assert_eq!(refused("\n);", "\n"), "line 4: ( without )");
    }

    #[test]
    fn signals_are_ports_wires_and_registers() {
        let text = "module m (input  wire [3:0] a, output wire b);\n// wire c;\nwire signed [1:0] d;\nreg  e; reg [7:0] memory [0:3];\nassign b = a[0];\nendmodule";
        assert_eq!(signals(text), ["a", "b", "d", "e"].map(String::from).into());
    }
}
