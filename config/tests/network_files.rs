//! Networks from files: what each format says, what is refused and how, and that no text makes a reader panic.

use crate::mutation;
use mutation::{Mutator, little_memory, try_many};
use powar_config::topology::graph::{Graph, Names, format, name_of_file};
use powar_config::topology::wiring::{End, Wiring};
use powar_config::topology::{self, Topology};
use proptest::prelude::*;
use std::path::Path;

const RING: &str = "\
# Four switches in a ring, one cable of which is four.
a b
b c 4   # a trunk
c d
d a
node x c
node y a 2
node z c
";

/// What networkx 3 writes of a graph with integers as names, and `type` and `nodes` as attributes of some of its vertices.
const NETWORKX: &str = r#"<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
  <key id="d2" for="edge" attr.name="weight" attr.type="double" />
  <key id="d1" for="node" attr.name="nodes" attr.type="long" />
  <key id="d0" for="node" attr.name="type" attr.type="string" />
  <graph edgedefault="undirected">
    <node id="0">
      <data key="d1">2</data>
    </node>
    <node id="host 1">
      <data key="d0">host</data>
    </node>
    <node id="1" />
    <node id="2">
      <data key="d0">router</data>
    </node>
    <edge source="0" target="1">
      <data key="d2">1.5</data>
    </edge>
    <edge source="1" target="2" />
    <edge source="host 1" target="2" />
    <edge source="2" target="0" />
    <edge source="1" target="2" id="1" />
  </graph>
</graphml>
"#;

fn read(text: &str) -> (Graph, Names) {
    format::read(text.as_bytes(), None).unwrap()
}

fn error(text: impl AsRef<[u8]>, nodes: Option<usize>) -> String {
    let error = format::read(text.as_ref(), nodes).expect_err("must be refused");
    let line = format!("{error:#}");
    assert!(!line.contains('\n') && line.len() < 400, "{line:?}");
    line
}

#[test]
fn an_edge_list() {
    let (graph, names) = read(RING);
    assert_eq!(names.switches, ["a", "b", "c", "d"]);
    assert_eq!(names.nodes, ["x", "y", "z"]);
    assert_eq!(graph.nodes(), [(2, 1), (0, 2), (2, 1)]);
    assert_eq!(graph.cables(), [(0, 1), (1, 2), (1, 2), (1, 2), (1, 2), (2, 3), (3, 0)]);
    assert_eq!((graph.ports(), graph.switches()), (Some(7), 4));
    let wiring = Topology::cables(&graph, 7).unwrap();
    // Nodes first, then cables, in the file's order.
    let switch = |switch, port| End::Switch { switch, port };
    let node = |node, link| End::Node { node, link };
    assert_eq!(wiring.ends[0], [node(1, 0), node(1, 1), switch(1, 0), switch(3, 1), End::Open, End::Open, End::Open]);
    assert_eq!(
        wiring.ends[2],
        [node(0, 0), node(2, 0), switch(1, 1), switch(1, 2), switch(1, 3), switch(1, 4), switch(3, 0)]
    );
    assert_eq!(wiring.nodes, [vec![(2, 0)], vec![(0, 0), (0, 1)], vec![(2, 1)]]);
    assert!(wiring.places.iter().enumerate().all(|(switch, place)| usize::from(place.position) == switch));
    assert_eq!((graph.bases(7), graph.nodes().len(), graph.stages()), (vec![3], 3, 1));
}

#[test]
fn what_networkx_writes() {
    let (graph, names) = read(NETWORKX);
    assert_eq!(names.switches, ["0", "1", "2"]);
    assert_eq!(names.nodes, ["0.0", "0.1", "host 1"]);
    assert_eq!(graph.nodes(), [(0, 1), (0, 1), (2, 1)]);
    assert_eq!(graph.cables(), [(0, 1), (1, 2), (2, 0), (1, 2)]);
}

#[test]
fn other_graphml() {
    // Another order, a prefix, defaults, data of the graph and of edges, endpoints with several links.
    let text = r#"<!-- by hand --><g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns">
        <g:graph id="G" edgedefault="undirected">
          <g:edge source="n" target="b"/>
          <g:edge source="b" target="a"><g:data key="c"> 3 </g:data></g:edge>
          <g:node id="m"><g:data key="t">Endpoint</g:data></g:node>
          <g:node id="a"><g:data key="t">switch</g:data></g:node>
          <g:node id="b"><g:data key="t">SWITCH</g:data></g:node>
          <g:node id="n"><g:data key="t"/><g:data key="u">x</g:data></g:node>
          <g:edge source="b" target="n"/>
          <g:edge source="m" target="a"/>
        </g:graph>
        <g:key id="t" for="all" attr.name="type"><g:default>nic</g:default></g:key>
        <g:key id="c" for="edge" attr.name="cables" attr.type="int"/>
    </g:graphml>"#;
    let empty_is_a_switch = read(&text.replace("<g:data key=\"t\"/>", "<g:data key=\"t\">nic</g:data>"));
    assert_eq!(empty_is_a_switch.0.nodes(), [(0, 1), (1, 2)]);
    assert_eq!(read(&text.replace("<g:data key=\"t\"/>", "")).0, empty_is_a_switch.0);
    assert_eq!(empty_is_a_switch.1.nodes, ["m", "n"]);
    assert_eq!(empty_is_a_switch.0.cables(), [(1, 0); 3]);

    let everywhere = "<graphml><key id='k' for='graph' attr.name='nodes'/><graph><data key='k'>2</data>\
                      <node id='a'/><node id='b'/><edge source='a' target='b'/></graph></graphml>";
    let (graph, names) = read(everywhere);
    assert_eq!((graph.nodes(), names.nodes[3].as_str()), (&[(0, 1), (0, 1), (1, 1), (1, 1)][..], "b.1"));
}

#[test]
fn nodes_at_every_switch() {
    let each = |text: &str, nodes| format::read(text.as_bytes(), nodes).unwrap().0.nodes().to_vec();
    // Nothing is said of nodes: one at every switch.
    assert_eq!(each("a b\n", None), [(0, 1), (1, 1)]);
    assert_eq!(each("a b\n", Some(2)), [(0, 1), (0, 1), (1, 1), (1, 1)]);
    assert_eq!(each("nodes 2\na b\n", None), [(0, 1), (0, 1), (1, 1), (1, 1)]);
    assert_eq!(
        error("a b\nnodes 2\n", Some(2)),
        "nodes: the file says where its nodes are, expected nothing beside it"
    );
    assert_eq!(
        error("a b\nnode x a\n", Some(2)),
        "nodes: the file says where its nodes are, expected nothing beside it"
    );
    assert_eq!(
        error("a b\nnode x a\nnodes 3", None),
        "nodes: some at every switch beside others, expected one of them"
    );
    assert_eq!(error("nodes 2\na b\nnodes 2", None), "line 3: nodes: is there twice");
}

/// What is said of a third word that is no number of cables.
const THIRD: &str =
    "; a third word is how many cables there are in parallel, weights are not read (networkx: data=False)";

#[test]
fn bad_edge_lists() {
    let many_cables = (0..70).map(|other| format!("hub s{other}\n")).collect::<String>();
    let many_nodes = (0..1041).map(|other| format!("s{} s{other}\n", other + 1)).collect::<String>() + "nodes 63\n";
    let too_many_nodes =
        (0..1041).map(|other| format!("s{} s{other}\n", other + 1)).collect::<String>() + "nodes 62\nnodes";
    for (text, wanted) in [
        ("", "the file is empty"),
        (" \n\t\n", "the file is empty"),
        ("# nothing\n", "there are no switches in it"),
        (
            "a b\nb a a\n",
            "line 2: `a` is no whole number; a third word is how many cables there are in parallel, a name with blanks in \
             it must be in quotes",
        ),
        (
            "a b\na,nodes=2\n",
            "line 2: `nodes=2` is an attribute, which edge lists do not have, expected a name (in quotes if there is a = \
             in it); nodes are said by lines `nodes NUMBER` or `node NODE SWITCH`, cables in parallel by a third word",
        ),
        ("a b\n\na a\n", "line 3: a cable leads from switch `a` to itself"),
        ("a b 0\n", &format!("line 1: 0 cables are out of range 1..=64{THIRD}")),
        ("a b 65\n", &format!("line 1: 65 cables are out of range 1..=64{THIRD}")),
        ("a b 99999999999999999999999\n", &format!("line 1: `99999999999999999999999` is no whole number{THIRD}")),
        ("a b -1\n", &format!("line 1: `-1` is no whole number{THIRD}")),
        (
            "a\n",
            "line 1: `a` is none of `SWITCH SWITCH`, `SWITCH SWITCH CABLES`, `node NODE SWITCH`, `nodes NUMBER`; formats that are read: GraphML, ibnetdiscover, anynet, edge list",
        ),
        (
            "a b 1 2 3\n",
            "line 1: `a b 1 2 3` is none of `SWITCH SWITCH`, `SWITCH SWITCH CABLES`, `node NODE SWITCH`, `nodes NUMBER`; formats that are read: GraphML, ibnetdiscover, anynet, edge list",
        ),
        ("node x\n", "line 1: `node x` is none of `node NODE SWITCH`, `node NODE SWITCH LINKS`, `nodes NUMBER`"),
        ("nodes two\n", "line 1: `two` is no whole number"),
        ("nodes 0\n", "line 1: nodes: 0 is out of range 1..=63"),
        ("nodes 64\n", "line 1: nodes: 64 is out of range 1..=63"),
        ("a b\nc d\n", "it is in pieces: no way leads from switch `a` to `c`"),
        ("a b\nnode x c\nnode y a\n", "it is in pieces: no way leads from switch `a` to `c`"),
        ("a b\nnode x a\n", "nodes: 1 is out of range 2..=65536"),
        ("a b\nnode x a\nnode x b\n", "line 3: there are two nodes `x`"),
        ("a b\nnode x a\nnode x a\n", "line 3: there are two nodes `x`"),
        ("a b\nnode a b\n", "line 2: `a` is a switch, expected a node"),
        ("a b\nnode x b\nb x\n", "line 3: `x` is a node, expected a switch"),
        ("a b\nnode x a 0\n", "line 2: links: 0 is out of range 1..=64"),
        ("a b\nnode x a 300\n", "line 2: links: 255 is out of range 1..=64"),
        (&many_cables, "switch `hub` has 71 ports, 1 to nodes and 70 to switches, out of range 2..=64"),
        (&many_nodes, "there are more than 65536 nodes, the most there can be"),
        (&too_many_nodes, "line 1043: `nodes` is none of `node NODE SWITCH`, `node NODE SWITCH LINKS`, `nodes NUMBER`"),
    ] {
        assert_eq!(error(text, None), wanted, "{text:.80}");
    }
    for line in ["nodes=2 a", "node nodes=2 a", "node x nodes=2", "a type=switch 2"] {
        let said = error(format!("a b\n{line}\n"), None);
        assert!(said.starts_with("line 2: `") && said.contains("is an attribute, which edge lists do not"), "{said}");
    }
    assert_eq!(format::read(b"a 'nodes=2'\na 2=c\n", None).unwrap().1.switches, ["a", "nodes=2", "2=c"]);
    assert_eq!(error(b"a b\nb \xff\n", None), "line 2: the text is not UTF-8");
    assert_eq!(error("a b\nb \u{7}\n", None), "line 2: the name \"\\u{7}\" must be a line of text");
    assert_eq!(error(format!("a {}", "b".repeat(300)), None), "line 1: a name has 300 bytes, out of range 1..=255");
    assert!(error(format!("{} b c d e f g", "a".repeat(3000)), None).starts_with("line 1: `aaaa"));
    // A mark of the byte order, and ends of lines of another system.
    assert_eq!(format::read("\u{feff}a b\r\nb c\r\n".as_bytes(), None).unwrap().1.switches, ["a", "b", "c"]);
}

#[test]
fn bad_graphml() {
    let graph = |inside: &str| {
        format!(
            "<graphml>\n<key id='t' for='node' attr.name='type'/>\n<key id='n' for='node' attr.name='nodes'/>\n<graph edgedefault='undirected'>\n{inside}\n</graph></graphml>"
        )
    };
    let two = "<node id='a'/><node id='b'/>";
    let host = "<data key='t'>host</data>";
    for (text, wanted) in [
        ("<graphml>".to_owned(), "line 1: is no XML: "),
        ("<svg/>".into(), "line 1: the outermost element is \"svg\", expected graphml"),
        ("<graphml/>".into(), "there is no element graph"),
        ("<graphml><graph/>\n<graph/></graphml>".into(), "line 2: there is a second element graph, expected one"),
        (
            "<!DOCTYPE graphml [\n<!ENTITY a 'aaaa'>]><graphml><graph/></graphml>".into(),
            "line 2: the DOCTYPE declares an entity, which is not read; expected none",
        ),
        ("<graphml>\n<graph edgedefault='directed'/></graphml>".into(), "there are no switches in it"),
        (graph(""), "there are no switches in it"),
        (graph("<node/>"), "line 5: the vertex has no id"),
        (graph(&format!("{two}\n<node id='a'/>")), "line 6: there are two vertices \"a\""),
        (graph(&format!("{two}\n<edge source='a'/>")), "line 6: the edge has no target"),
        (graph(&format!("{two}\n<edge source='a' target='c'/>")), "line 6: target: there is no vertex \"c\""),
        (graph(&format!("{two}\n<edge source='a' target='a'/>")), "line 6: a cable leads from switch `a` to itself"),
        (graph(&format!("{two}\n<hyperedge/>")), "line 6: is a hyperedge; a cable has two ends"),
        (
            graph(&format!("{two}<node id='g'><graph/></node>\n<edge source='a' target='g'/>")),
            "line 6: target: \"g\" is a group, since there is a graph in it; expected a vertex",
        ),
        (graph("<node id='a'><data key='n'>2.5</data></node>"), "line 5: nodes: \"2.5\" is no whole number"),
        (graph("<node id='a'><data key='n'>0</data></node>"), "nodes: 0 is out of range 2..=65536"),
        (graph(&format!("{two}\n<node id='x'>{host}</node>")), "line 6: node \"x\" is at no switch"),
        (
            graph(&format!(
                "{two}<node id='x'>{host}</node><edge source='a' target='x'/>\n<edge source='x' target='b'/>"
            )),
            "line 6: node \"x\" is at the switches \"a\" and \"b\"; expected one",
        ),
        (
            graph(&format!("<node id='x'>{host}</node><node id='y'>{host}</node>\n<edge source='x' target='y'/>")),
            "line 6: joins the nodes \"x\" and \"y\"; expected a switch",
        ),
        (graph("<node id=''/>"), "line 5: a name is empty"),
        (graph("<node id='a&#10;b'/>"), "line 5: the name \"a\\nb\" must be a line of text"),
    ] {
        let said = error(&text, None);
        assert!(said.starts_with(wanted) && (wanted.ends_with(": ") || said == wanted), "{said} instead of {wanted}");
    }
    // Deep nesting does not overflow the stack.
    let deep = format!("{}{}", "<a>".repeat(200_000), "</a>".repeat(200_000));
    error(deep, None);
}

#[test]
fn files_and_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net,nodes=2.edges");
    std::fs::write(&path, "a b\nb c\n").unwrap();
    let path = path.display().to_string();
    let name = name_of_file(&path, Some(3));
    assert_eq!(name, format!("file:{path},nodes=3"));
    let (topology, ports) = topology::by_name(&name).unwrap();
    assert_eq!((topology.nodes(ports), ports, topology.kind().name), (9, 5, "graph"));
    assert_eq!(topology::file_of(&name), Some(path.as_str()));
    // What stands in the path is no number of nodes.
    let name = name_of_file(&path, None);
    let (topology, ports) = topology::by_name(&name).unwrap();
    assert_eq!((topology.nodes(ports), topology::file_of(&name)), (3, Some(path.as_str())));
    assert_eq!(name_of_file("a.edges", None), "file:a.edges");
    assert_eq!(topology::file_of("torus-4x4"), None);
    assert_eq!(topology::with_file("file:f", |path| format!("nets/{path}")), "file:nets/f");
    assert_eq!(topology::with_file("file:f,nodes=2", |path| format!("nets/{path}")), "file:nets/f,nodes=2");
    assert_eq!(topology::with_file("torus-4x4", |_| unreachable!()), "torus-4x4");
    let error = |name: &str| format!("{:#}", topology::by_name(name).unwrap_err());
    assert!(error("file:/none").starts_with("topology: /none: can't be read: "));
    assert!(error(&format!("file:{}", folder.path().display())).contains("can't be read"));
    assert_eq!(error("file:"), "topology: the path of a network's file is needed: file:PATH");
    assert_eq!(error(&format!("file:{path},nodes=x")), "topology: nodes: `x` is no number in 1..=63");
    assert_eq!(error(&format!("file:{path},nodes=64")), "topology: nodes: 64 is out of range 1..=63");
    std::fs::write(folder.path().join("bad"), "a b\na a\n").unwrap();
    let bad = folder.path().join("bad").display().to_string();
    assert_eq!(
        error(&format!("file:{bad}")),
        format!("topology: {bad}: line 2: a cable leads from switch `a` to itself")
    );
    assert!(Graph::from_file(Path::new(&bad), None).is_err());
}

/// A table as in a configuration's `[topology]`.
fn from_table(table: toml::Table) -> Result<Box<dyn Topology>, String> {
    toml::Value::Table(table).try_into().map_err(|error: toml::de::Error| error.message().to_owned())
}

fn to_table(topology: &dyn Topology) -> toml::Table {
    toml::Table::try_from(topology).unwrap()
}

#[test]
fn a_configuration_has_the_network_in_it() {
    let (graph, _) = read(RING);
    let table = to_table(&graph);
    let text = toml::to_string(&graph as &dyn Topology).unwrap();
    assert_eq!(
        text,
        "kind = \"graph\"\nswitches = 4\nnodes = \"2 0:2 2\"\ncables = \"\"\"\n0: 1\n1: 2*4\n2: 3\n3: 0\"\"\"\n"
    );
    let again = from_table(table).unwrap();
    assert_eq!(&*again, &graph as &dyn Topology);
    let (torus, _) = topology::by_name("torus-4x4").unwrap();
    assert!(*again != *torus);
    assert!(*torus != *again);
    for (key, value, wanted) in [
        ("switches", toml::Value::from(0), "switches: 0 is out of range 1..=65536"),
        ("switches", 3.into(), "cables: switch 3 is out of range 0..=2"),
        ("nodes", "4".into(), "nodes: switch 4 is out of range 0..=3"),
        ("nodes", "2..1".into(), "nodes: `2..1`: 2 is above 1"),
        ("nodes", "0..x".into(), "nodes: `0..x`: expected a whole number for `x`"),
        ("nodes", "0*0".into(), "nodes: `0*0`: 0 is out of range 1.."),
        ("nodes", "0:300".into(), "nodes: `0:300`: 300 links are too many"),
        ("nodes", "0*99999999".into(), "nodes: there are more than 65536 nodes, the most there can be"),
        ("nodes", "".into(), "nodes: 0 is out of range 2..=65536"),
        ("nodes", "1".into(), "nodes: 1 is out of range 2..=65536"),
        ("cables", "1".into(), "cables: `1`: expected `SWITCH:` before it"),
        ("cables", "0: 0".into(), "cables: a cable leads from switch 0 to itself"),
        ("cables", "0: 1 2".into(), "it is in pieces: no way leads from switch 0 to 3"),
        ("cables", "0: 1 2 3*63".into(), "switch 0 has 67 ports, 2 to nodes and 65 to switches, out of range 2..=64"),
        ("cables", "0: 1*0".into(), "cables: 0 cables are out of range 1..=64"),
        ("wires", "".into(), "wires: unknown field `wires`, expected one of `switches`, `nodes`, `cables`"),
    ] {
        let mut table = to_table(&graph);
        table.insert(key.into(), value);
        assert_eq!(from_table(table).unwrap_err(), wanted);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    /// The text of a configuration says the same, however nodes and cables are spread.
    #[test]
    fn any_network_is_read_back(
        nodes in prop::collection::vec((0usize..6, 1usize..=2), 2..=20),
        more in prop::collection::vec((0usize..6, 0usize..6, 1usize..=3), 0..=10),
    ) {
        let mut text = String::from("s0 s1\ns1 s2\ns2 s3\ns3 s4\ns4 s5\n");
        for (one, other, count) in more.into_iter().filter(|(one, other, _)| one != other) {
            text += &format!("s{one} s{other} {count}\n");
        }
        for (number, (switch, links)) in nodes.into_iter().enumerate() {
            text += &format!("node n{number} s{switch} {links}\n");
        }
        let Ok((graph, _)) = format::read(text.as_bytes(), None) else { return Ok(()) };
        let table = toml::to_string(&to_table(&graph)).unwrap().parse::<toml::Table>().unwrap();
        prop_assert_eq!(&*from_table(table).unwrap(), &graph as &dyn Topology);
    }
}

/// What one switch sees of packets: those that pass, each once, on the same way.
#[test]
fn views_of_all_switches_agree() {
    let (graph, _) = read("a b\nb c 2\nc d\nd a\na c\nnodes 2\n");
    let ports = graph.ports().unwrap();
    let views: Vec<_> = (0..4).map(|switch| graph.view(ports, switch).unwrap()).collect();
    let wiring: Wiring = Topology::cables(&graph, ports).unwrap();
    for source in 0..8 {
        for destination in (0..8).filter(|&destination| destination != source) {
            let mut seen: Vec<_> =
                (0..4).filter_map(|switch| Some((views[switch].observe(source, destination, 0)?, switch))).collect();
            seen.sort_by_key(|(sighting, _)| sighting.hops_before);
            assert_eq!(seen.len() as u32, views[0].hops(source, destination));
            let (mut switch, mut input) = wiring.nodes[source as usize][0];
            for (hops, (sighting, at)) in seen.iter().enumerate() {
                assert_eq!((*at as u32, sighting.input, sighting.hops_before), (switch, input.into(), hops as u32));
                let port = sighting.deterministic.trailing_zeros() as usize;
                match wiring.ends[*at][port] {
                    End::Switch { switch: next, port } => (switch, input) = (next, port),
                    end => {
                        assert_eq!(end, End::Node { node: destination, link: 0 });
                        assert_eq!((sighting.adaptive, hops + 1), (0, seen.len()));
                    }
                }
            }
        }
    }
    assert!(graph.view(ports, 4).is_err());
}

const WORDS: &[&str] = &[
    "0",
    "1",
    "-1",
    "65",
    "99999999999999999999",
    "node",
    "nodes",
    "a",
    "b",
    "#",
    "\u{feff}",
    "host",
    "<",
    ">",
    "/>",
    "\"",
    "'",
    "&#10;",
    "&amp;",
    "<graph>",
    "</graph>",
    "<data key=\"d0\">",
    "</data>",
    "directed",
    "id=",
    "source=",
    "<!--",
    "<![CDATA[",
    "<!DOCTYPE x [",
    "<?x",
];

fn any_text(target: &str, good: &str) {
    try_many(target, |seed| {
        let [bytes] = Mutator::new(seed, WORDS).mutated([good.to_owned()]);
        match format::read(&bytes, None) {
            Ok((graph, names)) => {
                // What is accepted is a network that a configuration can hold.
                assert_eq!((names.switches.len(), names.nodes.len()), (graph.switches(), graph.nodes().len()));
                let ports = graph.ports().unwrap();
                assert!((2..=64).contains(&ports) && Topology::cables(&graph, ports).is_ok());
                assert_eq!(&*from_table(to_table(&graph)).unwrap(), &graph as &dyn Topology);
                true
            }
            Err(error) => {
                let line = format!("{error:#}");
                assert!(!line.contains('\n') && line.len() < 1000, "{line:?}");
                false
            }
        }
    });
    little_memory();
}

#[test]
fn mutated_edge_lists() {
    any_text("mutated_edge_lists", RING);
}

#[test]
fn mutated_graphml() {
    any_text("mutated_graphml", NETWORKX);
}

#[test]
fn mutated_configurations() {
    let (graph, _) = read(RING);
    let good = toml::to_string(&to_table(&graph)).unwrap();
    try_many("network_files::mutated_configurations", |seed| {
        let words = &["0", "4", "-1", ":", "*", "..", "99999999999", "0..3*2:2", "\"", "=", "0:", "x"];
        let [bytes] = Mutator::new(seed, words).mutated([good.clone()]);
        let table = String::from_utf8(bytes).ok().and_then(|text| text.parse::<toml::Table>().ok());
        let Some(topology) = table.and_then(|table| from_table(table).ok()) else { return false };
        let ports = topology.ports().unwrap_or(2);
        topology.check().is_ok() && ports <= 64 && topology.cables(ports).is_ok()
    });
}
