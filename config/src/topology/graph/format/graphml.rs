//! GraphML (Brandes et al., *GraphML progress report*, Graph Drawing 2001), as networkx, igraph, Gephi, yEd and the Topology Zoo write it.
//!
//! A vertex is a switch, or a node if its data `type` says so ([`Types`]). Data `nodes` of a switch is how many nodes are at it, data
//! `nodes` of the graph how many are at every switch. An edge between switches is a cable, or as many as its data `cables` says; edges from a node are its
//! links to its switch. Parallel edges are parallel cables. A vertex with a graph in it is a group, as yEd draws them: what is in it counts, it itself does
//! not. All other data is passed over, and so are ports. Names are the vertices' ids; switches and nodes are numbered in the order of the file's vertices.
//!
//! A cable has two directions. If every directed edge has one back, the two are one cable; if none has, each is a cable, which is remarked.
//!
//! A DOCTYPE is passed over and nothing is ever fetched; one that declares entities is refused before anything is made of them.

use super::Format;
use super::directions::{Directions, directions, first_way};
use crate::topology::graph::Draft;
use anyhow::{Context, Result, bail, ensure};
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::HashMap;

pub(super) static FORMAT: Format = Format {
    name: "GraphML",
    doc: "vertices are switches, or nodes if their data `type` is node, host, endpoint or nic; data `nodes`: how many at a switch",
    is_this: |text| text.trim_start().starts_with('<'),
    read,
};

fn read(text: &str, draft: &mut Draft) -> Result<()> {
    let entity = text.find("<!ENTITY");
    let options = ParsingOptions { allow_dtd: entity.is_none(), ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| match (error, entity) {
        (roxmltree::Error::DtdDetected, Some(at)) => {
            let line = text[..at].matches('\n').count() + 1;
            anyhow::anyhow!("line {line}: the DOCTYPE declares an entity, which is not read; expected none")
        }
        (error, _) => {
            anyhow::anyhow!("line {}: is no XML: {}", error.pos().row, error.to_string().replace('\n', " "))
        }
    })?;
    let root = document.root_element();
    let reader = Reader { keys: keys(&document), document: &document };
    ensure!(
        root.tag_name().name() == "graphml",
        "{}: the outermost element is {:?}, expected graphml",
        reader.line(root),
        root.tag_name().name()
    );
    let mut graphs = elements_of(root, "graph");
    let graph = graphs.next().context("there is no element graph")?;
    if let Some(second) = graphs.next() {
        return Err(reader.at(second, "there is a second element graph, expected one"));
    }
    reader.graph(graph, draft)
}

/// What data is called, and what it is where there is none; by id and what it is for.
struct Key<'a> {
    id: &'a str,
    name: &'a str,
    of: &'a str,
    default: Option<&'a str>,
}

fn keys<'a>(document: &'a Document<'_>) -> Vec<Key<'a>> {
    elements_of(document.root_element(), "key")
        .filter_map(|key| {
            let default = elements_of(key, "default").next().map(|default| default.text().unwrap_or_default().trim());
            let of = key.attribute("for").unwrap_or("all");
            Some(Key { id: key.attribute("id")?, name: key.attribute("attr.name").unwrap_or_default(), of, default })
        })
        .collect()
}

fn elements_of<'a, 'input>(of: Node<'a, 'input>, name: &'static str) -> impl Iterator<Item = Node<'a, 'input>> {
    of.children().filter(move |element| element.is_element() && element.tag_name().name() == name)
}

/// Elements of a graph and of the graphs in its vertices.
fn elements_within<'a, 'input>(graph: Node<'a, 'input>, name: &'static str) -> impl Iterator<Item = Node<'a, 'input>> {
    let is_of_graph = |element: &Node| element.parent().is_some_and(|parent| parent.tag_name().name() == "graph");
    graph.descendants().filter(move |element| element.tag_name().name() == name).filter(is_of_graph)
}

/// Values of `type` that make a vertex a node, whatever the others are.
const NODES: [&str; 3] = ["host", "endpoint", "nic"];
/// Values of `type` that make it a switch, as any other does.
const SWITCHES: [&str; 2] = ["switch", "router"];
/// The word that others have for anything: in the Topology Zoo vertices are of type `Core Node`, `Node` and so on.
const NODE: &str = "node";

/// What data `type` says of vertices.
///
/// `host`, `endpoint` and `nic` make a vertex a node. `node` does so only if `type` is ours: if it has no value in the file but these, `switch` and `router`.
/// And if there is none of the others it must be written so, since `Node` alone is likely to be somebody else's word.
struct Types<'a> {
    node_counts: bool,
    /// A value for which `node` does not count.
    foreign: Option<&'a str>,
}

fn is_one_of(kind: &str, words: &[&str]) -> bool {
    words.iter().any(|word| kind.eq_ignore_ascii_case(word))
}

impl<'a> Types<'a> {
    fn of(values: &[&'a str]) -> Types<'a> {
        let said = || values.iter().copied().filter(|kind| !kind.is_empty());
        let is_ours = |kind: &str| is_one_of(kind, &NODES) || is_one_of(kind, &SWITCHES);
        let alone = !said().any(is_ours);
        let is_node = |kind: &str| if alone { kind == NODE } else { kind.eq_ignore_ascii_case(NODE) };
        let foreign = said().find(|kind| !is_ours(kind) && !is_node(kind));
        Types { node_counts: foreign.is_none(), foreign }
    }

    fn is_node(&self, kind: &str) -> bool {
        is_one_of(kind, &NODES) || self.node_counts && kind.eq_ignore_ascii_case(NODE)
    }

    /// What the user should know if `node` does not count though so many vertices say it.
    fn remark(&self, vertices: usize) -> Option<String> {
        let foreign = self.foreign.filter(|_| vertices > 0)?;
        let short: String = foreign.chars().take(40).collect();
        Some(format!(
            "type: {short:?} is none of node, host, endpoint, nic, switch, router, so the data is of another kind, and {vertices} vertices of type node \
             are switches"
        ))
    }
}

/// A vertex.
struct Vertex<'a, 'input> {
    element: Node<'a, 'input>,
    id: &'a str,
    /// Of a node: its switch as a vertex, and the links to it.
    node: Option<(Option<usize>, usize)>,
    /// Of a switch: the nodes at it, if that is said.
    nodes: Option<usize>,
}

/// An edge between two vertices, and for how many cables it stands.
#[derive(Clone, Copy)]
struct Edge<'a, 'input> {
    element: Node<'a, 'input>,
    one: usize,
    other: usize,
    count: usize,
    directed: bool,
}

/// Places of vertices by id; none for a group.
type Known<'a> = HashMap<&'a str, Option<usize>>;

struct Reader<'a, 'input> {
    document: &'a Document<'input>,
    keys: Vec<Key<'a>>,
}

impl<'a, 'input> Reader<'a, 'input> {
    fn line(&self, element: Node) -> String {
        format!("line {}", self.document.text_pos_at(element.range().start).row)
    }

    fn at(&self, element: Node, message: impl std::fmt::Display) -> anyhow::Error {
        anyhow::anyhow!("{}: {message}", self.line(element))
    }

    /// A number that an element's data has.
    fn number(&self, element: Node<'a, 'input>, name: &str) -> Result<Option<usize>> {
        let Some(text) = self.data(element, name) else { return Ok(None) };
        // What tools keep as a double is written `2.0`.
        let digits = text.split_once('.').filter(|(_, zeros)| zeros.bytes().all(|byte| byte == b'0'));
        let digits = digits.map_or(text, |(digits, _)| digits);
        let number = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()));
        let short = || text.chars().take(40).collect::<String>();
        number.map(Some).ok_or_else(|| self.at(element, format!("{name}: {:?} is no whole number", short())))
    }

    /// An element's data of this name, or its default.
    fn data(&self, element: Node<'a, 'input>, name: &str) -> Option<&'a str> {
        let of = element.tag_name().name();
        let keys = self.keys.iter().filter(|key| key.name == name && (key.of == of || key.of == "all"));
        let said = |id: &str| elements_of(element, "data").find(|data| data.attribute("key") == Some(id));
        keys.filter_map(|key| said(key.id).map_or(key.default, |data| Some(data.text().unwrap_or_default().trim())))
            .next()
    }

    fn graph(&self, graph: Node<'a, 'input>, draft: &mut Draft) -> Result<()> {
        if let Some(count) = self.number(graph, "nodes")? {
            draft.nodes_at_every_switch(count).with_context(|| self.line(graph))?;
        }
        let (mut vertices, known) = self.vertices(graph, draft)?;
        if let Some(hyperedge) = elements_within(graph, "hyperedge").next() {
            return Err(self.at(hyperedge, "is a hyperedge; a cable has two ends"));
        }
        let edges = elements_within(graph, "edge").map(|edge| self.edge(edge, &known)).collect::<Result<Vec<_>>>()?;
        let mut cables = vec![];
        for edge in self.once(edges, draft)? {
            if !self.is_link(&edge, &mut vertices)? {
                cables.push(edge);
            }
        }
        self.finish(&vertices, &cables, draft)
    }

    fn vertices(&self, graph: Node<'a, 'input>, draft: &mut Draft) -> Result<(Vec<Vertex<'a, 'input>>, Known<'a>)> {
        let (mut vertices, mut known, mut kinds) = (vec![], HashMap::new(), vec![]);
        for element in elements_within(graph, "node") {
            let id = element.attribute("id").ok_or_else(|| self.at(element, "the vertex has no id"))?;
            let is_group = elements_of(element, "graph").next().is_some();
            if known.insert(id, (!is_group).then_some(vertices.len())).is_some() {
                return Err(self.at(element, format!("there are two vertices {id:?}")));
            }
            if !is_group {
                kinds.push(self.data(element, "type").unwrap_or_default());
                vertices.push(Vertex { element, id, node: None, nodes: None });
            }
        }
        let types = Types::of(&kinds);
        let named_node = kinds.iter().filter(|kind| kind.eq_ignore_ascii_case(NODE)).count();
        types.remark(named_node).into_iter().for_each(|line| draft.remark(line));
        for (vertex, kind) in vertices.iter_mut().zip(kinds) {
            if types.is_node(kind) {
                vertex.node = Some((None, 0));
            } else {
                vertex.nodes = self.number(vertex.element, "nodes")?;
            }
        }
        Ok((vertices, known))
    }

    fn edge(&self, edge: Node<'a, 'input>, known: &Known) -> Result<Edge<'a, 'input>> {
        let end = |name: &str| {
            let id = edge.attribute(name).ok_or_else(|| self.at(edge, format!("the edge has no {name}")))?;
            let vertex = known.get(id).ok_or_else(|| self.at(edge, format!("{name}: there is no vertex {id:?}")))?;
            let group = || format!("{name}: {id:?} is a group, since there is a graph in it; expected a vertex");
            vertex.ok_or_else(|| self.at(edge, group()))
        };
        let default = edge.parent().and_then(|graph| graph.attribute("edgedefault"));
        let directed = match edge.attribute("directed") {
            Some(said) => said == "true",
            None => default == Some("directed"),
        };
        let (one, other) = (end("source")?, end("target")?);
        let count = self.number(edge, "cables")?.unwrap_or(1);
        Ok(Edge { element: edge, one, other, count, directed })
    }

    /// The edges that stand for cables and links: of directed ones that are there both ways, those of one way.
    fn once(&self, mut edges: Vec<Edge<'a, 'input>>, draft: &mut Draft) -> Result<Vec<Edge<'a, 'input>>> {
        let directed: Vec<_> = edges.iter().filter(|edge| edge.directed).copied().collect();
        match directions(directed.iter().map(|edge| (edge.one, edge.other, edge.count))) {
            Directions::OneWay if directed.is_empty() => {}
            Directions::OneWay => draft.remark(format!(
                "directed: of {} edges none has one back, so each is taken for a cable, which has two directions",
                directed.len()
            )),
            Directions::BothWays => {
                let mut is_first = first_way();
                edges.retain(|edge| !edge.directed || is_first(edge.one, edge.other));
            }
            Directions::Mixed(place) => {
                let message = "a directed edge without one back, beside others that have one, leaves open what is a cable; expected both directions \
                               of each, or edgedefault=\"undirected\" if each edge is a cable";
                return Err(self.at(directed[place].element, message));
            }
        }
        Ok(edges)
    }

    /// Whether an edge is of a node, whose links are counted then.
    fn is_link(&self, edge: &Edge<'a, 'input>, vertices: &mut [Vertex<'a, 'input>]) -> Result<bool> {
        let (node, switch) = match (&vertices[edge.one].node, &vertices[edge.other].node) {
            (None, None) => return Ok(false),
            (Some(_), Some(_)) => {
                let (one, other) = (vertices[edge.one].id, vertices[edge.other].id);
                return Err(self.at(edge.element, format!("joins the nodes {one:?} and {other:?}; expected a switch")));
            }
            (Some(_), None) => (edge.one, edge.other),
            (None, Some(_)) => (edge.other, edge.one),
        };
        let (at, links) = vertices[node].node.unwrap_or_default();
        if let Some(at) = at.filter(|&at| at != switch) {
            let [node, at, switch] = [node, at, switch].map(|vertex| vertices[vertex].id);
            let message = format!("node {node:?} is at the switches {at:?} and {switch:?}; expected one");
            return Err(self.at(edge.element, message));
        }
        vertices[node].node = Some((Some(switch), links.saturating_add(edge.count)));
        Ok(true)
    }

    /// Numbers switches, then nodes, in the order of vertices.
    fn finish(&self, vertices: &[Vertex], cables: &[Edge], draft: &mut Draft) -> Result<()> {
        let mut switches = vec![0; vertices.len()];
        for (vertex, switch) in vertices.iter().zip(&mut switches).filter(|(vertex, _)| vertex.node.is_none()) {
            *switch = draft.switch(vertex.id).with_context(|| self.line(vertex.element))?;
        }
        for (vertex, &number) in vertices.iter().zip(&switches) {
            let added = match (vertex.node, vertex.nodes) {
                (None, None) => Ok(()),
                (None, Some(count)) => draft.nodes_of(number, count),
                (Some((None, _)), _) => bail!("{}: node {:?} is at no switch", self.line(vertex.element), vertex.id),
                (Some((Some(switch), links)), _) => {
                    let links = u8::try_from(links).unwrap_or(u8::MAX);
                    draft.node(vertex.id, switches[switch], links).map(|_| ())
                }
            };
            added.with_context(|| self.line(vertex.element))?;
        }
        for edge in cables {
            let added = draft.cables(switches[edge.one], switches[edge.other], edge.count);
            added.with_context(|| self.line(edge.element))?;
        }
        Ok(())
    }
}
