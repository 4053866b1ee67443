//! GraphML (Brandes et al., *GraphML progress report*, Graph Drawing 2001), as networkx and others write it.
//!
//! A vertex is a switch, or a node if its data `type` is `node`, `host`, `endpoint` or `nic`. Data `nodes` of a switch is how many nodes are at it, data
//! `nodes` of the graph how many are at every switch. An edge between switches is a cable, or as many as its data `cables` says; edges from a node are its
//! links to its switch. Parallel edges are parallel cables. Cables have two directions, so directed graphs are refused. All other data is passed over.
//! Names are the vertices' ids; switches and nodes are numbered in the order of the file's vertices.

use super::Format;
use crate::topology::graph::Draft;
use anyhow::{Context, Result, bail, ensure};
use roxmltree::{Document, Node};
use std::collections::HashMap;

pub(super) static FORMAT: Format = Format {
    name: "GraphML",
    doc: "vertices are switches, or nodes if their data `type` is node, host, endpoint or nic; data `nodes`: how many at a switch",
    is_this: |text| text.trim_start().starts_with('<'),
    read,
};

/// Values of `type` that make a vertex a node.
const NODE_TYPES: [&str; 4] = ["node", "host", "endpoint", "nic"];

fn read(text: &str, draft: &mut Draft) -> Result<()> {
    let document = Document::parse(text).map_err(|error| {
        let line = error.pos().row;
        anyhow::anyhow!("line {line}: is no XML: {}", error.to_string().replace('\n', " "))
    })?;
    let reader = Reader { keys: keys(&document), document: &document };
    let root = document.root_element();
    ensure!(
        root.tag_name().name() == "graphml",
        "line 1: the outermost element is {:?}, expected graphml",
        root.tag_name().name()
    );
    let mut graphs = elements(root).filter(|element| element.tag_name().name() == "graph");
    let graph = graphs.next().context("there is no element graph")?;
    if let Some(second) = graphs.next() {
        return Err(reader.at(second, "there is a second element graph, expected one"));
    }
    let default = graph.attribute("edgedefault").unwrap_or("undirected");
    if default != "undirected" {
        return Err(
            reader.at(graph, format!("edgedefault is {default:?}, expected undirected: cables have two directions"))
        );
    }
    reader.graph(graph, draft)
}

fn elements<'a, 'input>(of: Node<'a, 'input>) -> impl Iterator<Item = Node<'a, 'input>> {
    of.children().filter(Node::is_element)
}

/// What data is called, and what it is where there is none; by id and what it is for.
struct Key<'a> {
    id: &'a str,
    name: &'a str,
    of: &'a str,
    default: Option<&'a str>,
}

fn keys<'a>(document: &'a Document<'_>) -> Vec<Key<'a>> {
    let elements = elements(document.root_element()).filter(|element| element.tag_name().name() == "key");
    elements
        .filter_map(|key| {
            let default = elements_of(key, "default").next().map(|default| default.text().unwrap_or_default().trim());
            let of = key.attribute("for").unwrap_or("all");
            Some(Key { id: key.attribute("id")?, name: key.attribute("attr.name").unwrap_or_default(), of, default })
        })
        .collect()
}

fn elements_of<'a, 'input>(of: Node<'a, 'input>, name: &'static str) -> impl Iterator<Item = Node<'a, 'input>> {
    elements(of).filter(move |element| element.tag_name().name() == name)
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
        let number = text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
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
        let (mut vertices, mut known) = (vec![], HashMap::new());
        for element in elements_of(graph, "node") {
            let vertex = self.vertex(element)?;
            if known.insert(vertex.id, vertices.len()).is_some() {
                return Err(self.at(element, format!("there are two vertices {:?}", vertex.id)));
            }
            vertices.push(vertex);
        }
        if let Some(hyperedge) = elements_of(graph, "hyperedge").next() {
            return Err(self.at(hyperedge, "is a hyperedge; a cable has two ends"));
        }
        let mut cables = vec![];
        for edge in elements_of(graph, "edge") {
            if edge.attribute("directed") == Some("true") {
                return Err(self.at(edge, "the edge is directed, expected undirected: cables have two directions"));
            }
            let end = |name: &str| {
                let id = edge.attribute(name).ok_or_else(|| self.at(edge, format!("the edge has no {name}")))?;
                known.get(id).copied().ok_or_else(|| self.at(edge, format!("{name}: there is no vertex {id:?}")))
            };
            let (one, other) = (end("source")?, end("target")?);
            let count = self.number(edge, "cables")?.unwrap_or(1);
            let (node, switch) = match (&vertices[one].node, &vertices[other].node) {
                (None, None) => {
                    cables.push((edge, one, other, count));
                    continue;
                }
                (Some(_), Some(_)) => {
                    let ids = (vertices[one].id, vertices[other].id);
                    return Err(
                        self.at(edge, format!("joins the nodes {:?} and {:?}; expected a switch", ids.0, ids.1))
                    );
                }
                (Some(_), None) => (one, other),
                (None, Some(_)) => (other, one),
            };
            let (at, links) = vertices[node].node.unwrap_or_default();
            if let Some(at) = at.filter(|&at| at != switch) {
                let [node, at, switch] = [node, at, switch].map(|vertex| vertices[vertex].id);
                return Err(
                    self.at(edge, format!("node {node:?} is at the switches {at:?} and {switch:?}; expected one"))
                );
            }
            vertices[node].node = Some((Some(switch), links.saturating_add(count)));
        }
        self.finish(&vertices, &cables, draft)
    }

    fn vertex(&self, element: Node<'a, 'input>) -> Result<Vertex<'a, 'input>> {
        let id = element.attribute("id").ok_or_else(|| self.at(element, "the vertex has no id"))?;
        if elements_of(element, "graph").next().is_some() {
            return Err(self.at(element, format!("there is a graph in vertex {id:?}; expected none")));
        }
        let kind = self.data(element, "type").unwrap_or_default();
        let is_node = NODE_TYPES.iter().any(|node| kind.eq_ignore_ascii_case(node));
        let nodes = if is_node { None } else { self.number(element, "nodes")? };
        Ok(Vertex { element, id, node: is_node.then_some((None, 0)), nodes })
    }

    /// Numbers switches, then nodes, in the order of vertices.
    fn finish(
        &self,
        vertices: &[Vertex<'a, 'input>],
        cables: &[(Node<'a, 'input>, usize, usize, usize)],
        draft: &mut Draft,
    ) -> Result<()> {
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
        for &(edge, one, other, count) in cables {
            draft.cables(switches[one], switches[other], count).with_context(|| self.line(edge))?;
        }
        Ok(())
    }
}
