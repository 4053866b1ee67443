//! Edge lists: a cable or a node a line.
//!
//! ```text
//! # Four switches in a ring.
//! a b        # a cable between switches a and b
//! b c 4      # four cables
//! c d
//! d a
//! node n0 a  # a node n0 at switch a
//! node n1 c 2  # one with two links to switch c
//! ```
//!
//! Instead of lines `node`, `nodes 2` is two nodes at every switch; with neither there is one at every switch. Names are any words but `node` and
//! `nodes` in the first place of a line. Switches and nodes are numbered in the order in which they are met.

use super::Format;
use crate::topology::graph::Draft;
use anyhow::{Context, Result, bail};

pub(super) static FORMAT: Format = Format {
    name: "edge list",
    doc: "lines `A B` or `A B 4`: one cable or four between switches A and B; `node N S`, `nodes C`, `# comment`",
    is_this: |_| true,
    read,
};

fn read(text: &str, draft: &mut Draft) -> Result<()> {
    for (number, line) in text.lines().enumerate() {
        let said = line.split('#').next().unwrap_or_default();
        read_line(said, draft).with_context(|| format!("line {}", number + 1))?;
    }
    Ok(())
}

fn read_line(line: &str, draft: &mut Draft) -> Result<()> {
    let words: Vec<&str> = line.split_whitespace().take(5).collect();
    match *words.as_slice() {
        [] => {}
        ["nodes", count] => draft.nodes_at_every_switch(whole(count)?)?,
        ["node", node, switch] => attach(draft, node, switch, 1)?,
        ["node", node, switch, links] => {
            let links = whole(links)?;
            attach(draft, node, switch, u8::try_from(links).unwrap_or(u8::MAX))?;
        }
        ["node" | "nodes", ..] => {
            bail!("`{}` is none of `node NODE SWITCH`, `node NODE SWITCH LINKS`, `nodes NUMBER`", shown(&words))
        }
        [one, other] => connect(draft, one, other, 1)?,
        [one, other, count] => connect(draft, one, other, whole(count)?)?,
        _ => bail!(
            "`{}` is none of `SWITCH SWITCH`, `SWITCH SWITCH CABLES`, `node NODE SWITCH`, `nodes NUMBER`",
            shown(&words)
        ),
    }
    Ok(())
}

fn attach(draft: &mut Draft, node: &str, switch: &str, links: u8) -> Result<()> {
    let switch = draft.switch(switch)?;
    draft.node(node, switch, links)?;
    Ok(())
}

fn connect(draft: &mut Draft, one: &str, other: &str, count: usize) -> Result<()> {
    let (one, other) = (draft.switch(one)?, draft.switch(other)?);
    draft.cables(one, other, count)
}

fn whole(word: &str) -> Result<usize> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| word.parse().ok()).flatten();
    number.with_context(|| format!("`{}` is no whole number", shown(&[word])))
}

/// Words in an error: not more than there is room for.
fn shown(words: &[&str]) -> String {
    let text = words.join(" ");
    let short: String = text.chars().take(60).collect();
    let more = if short.len() < text.len() { ".." } else { "" };
    format!("{}{more}", short.escape_debug())
}
