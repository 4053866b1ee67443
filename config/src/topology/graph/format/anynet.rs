//! BookSim2's `anynet` (Jiang et al., *A detailed and flexible cycle-accurate network-on-chip simulator*, ISPASS 2013; `src/networks/anynet.cpp`).
//!
//! ```text
//! router 0 node 0 node 1 router 1 15
//! router 1 node 2 node 3
//! ```
//!
//! A line is a router, or a node, and what has a link to it: `router NUMBER` or `node NUMBER`, and behind any of them the cycles that its channel takes. A link
//! that is said at one end is there at the other, and one that is said again, in the same line or another, is still one: there are no parallel links. Routers
//! and nodes are numbered in the order of their numbers, so that node 5 of a file with nodes 0 to 9 is node 5; they are called `router 0` and `node 0`.
//! Latencies are not read, which is remarked: links of a network take the same time here.

use super::Format;
use crate::topology::graph::Draft;
use anyhow::{Context, Result, bail, ensure};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

pub(super) static FORMAT: Format = Format {
    name: "anynet",
    doc: "BookSim2's: lines `router N node N .. router N [LATENCY] ..`; latencies are not read",
    is_this,
    read,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Router,
    Node,
}

fn kind(word: &str) -> Option<Kind> {
    let is = |name| word.eq_ignore_ascii_case(name);
    if is("router") { Some(Kind::Router) } else { is("node").then_some(Kind::Node) }
}

fn number(word: &str) -> Option<u32> {
    word.parse().ok().filter(|_| word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A line without its comment.
fn said(line: &str) -> &str {
    line.split('#').next().unwrap_or_default()
}

/// The first line is of a router or a node with a number, and some line has another behind it: in an edge list that would be a node at a switch of the name
/// `router` or `node`.
fn is_this(text: &str) -> bool {
    let pair = |line: &str, skip: usize| {
        let mut words = said(line).split_whitespace().skip(skip);
        words.next().and_then(kind).is_some() && words.next().and_then(number).is_some()
    };
    let first = text.lines().find(|line| !said(line).trim().is_empty());
    first.is_some_and(|line| pair(line, 0)) && text.lines().any(|line| pair(line, 0) && pair(line, 2))
}

/// What a file says.
#[derive(Default)]
struct Network {
    /// The line in which each was met first.
    routers: BTreeMap<u32, usize>,
    /// The router of each node, and the line.
    nodes: BTreeMap<u32, (u32, usize)>,
    /// Links between routers in the order in which they were met, and the line.
    links: Vec<(u32, u32, usize)>,
    known: HashSet<(u32, u32)>,
    latencies: BTreeSet<u32>,
}

fn read(text: &str, draft: &mut Draft) -> Result<()> {
    let mut network = Network::default();
    for (place, line) in text.lines().enumerate() {
        network.line(line, place + 1).with_context(|| format!("line {}", place + 1))?;
    }
    network.finish(draft)
}

impl Network {
    fn line(&mut self, line: &str, place: usize) -> Result<()> {
        let mut words = said(line).split_whitespace().peekable();
        let Some(word) = words.next() else { return Ok(()) };
        let head = element(word, words.next())?;
        if let (Kind::Router, router) = head {
            self.routers.entry(router).or_insert(place);
        }
        while let Some(word) = words.next() {
            let other = element(word, words.next())?;
            match (head, other) {
                ((Kind::Node, one), (Kind::Node, other)) => {
                    bail!("joins the nodes {one} and {other}, expected a router")
                }
                ((Kind::Router, router), (Kind::Node, node)) | ((Kind::Node, node), (Kind::Router, router)) => {
                    self.attach(node, router, place)?;
                }
                ((Kind::Router, one), (Kind::Router, other)) => {
                    ensure!(one != other, "a link leads from router {one} to itself");
                    self.routers.entry(other).or_insert(place);
                    if self.known.insert((one.min(other), one.max(other))) {
                        self.links.push((one, other, place));
                    }
                }
            }
            if let Some(word) = words.next_if(|word| kind(word).is_none()) {
                let latency = number(word);
                self.latencies.insert(latency.with_context(|| format!("`{}` is no latency in cycles", short(word)))?);
            }
        }
        Ok(())
    }

    fn attach(&mut self, node: u32, router: u32, place: usize) -> Result<()> {
        self.routers.entry(router).or_insert(place);
        let (at, _) = *self.nodes.entry(node).or_insert((router, place));
        ensure!(at == router, "node {node} is at the routers {at} and {router}, expected one");
        Ok(())
    }

    fn finish(self, draft: &mut Draft) -> Result<()> {
        let mut switches = HashMap::new();
        for (&router, &place) in &self.routers {
            let switch = draft.switch(&format!("router {router}")).with_context(|| format!("line {place}"))?;
            switches.insert(router, switch);
        }
        for (node, (router, place)) in self.nodes {
            draft.node(&format!("node {node}"), switches[&router], 1).with_context(|| format!("line {place}"))?;
        }
        for (one, other, place) in self.links {
            draft.cables(switches[&one], switches[&other], 1).with_context(|| format!("line {place}"))?;
        }
        if let (Some(least), Some(most)) = (self.latencies.first(), self.latencies.last()) {
            draft.remark(format!(
                "latency: those of the file, {least} to {most} cycles, are not read; every link takes the configuration's `link_delay`"
            ));
        }
        Ok(())
    }
}

/// A router or a node.
fn element(word: &str, behind: Option<&str>) -> Result<(Kind, u32)> {
    let kind = kind(word).with_context(|| format!("`{}` is neither `router` nor `node`", short(word)))?;
    let behind = behind.with_context(|| format!("behind the last `{word}` a number is missing"))?;
    Ok((kind, number(behind).with_context(|| format!("`{}` is no number of a {word}", short(behind)))?))
}

/// As much of a word as an error has room for.
fn short(word: &str) -> String {
    word.chars().take(40).collect::<String>().escape_debug().to_string()
}
