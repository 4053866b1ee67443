//! GraphML of the Topology Zoo, yEd, igraph, Gephi and NetworKit.

use super::{any_text, counted, counts, error, read};

/// A graph whose vertices have these words as data `type`, with these edges between vertices by number.
fn typed(types: &[&str], edges: &[(usize, usize)]) -> String {
    let node = |(place, kind): (usize, &&str)| format!("<node id=\"{place}\"><data key=\"d1\">{kind}</data></node>\n");
    let nodes: String = types.iter().enumerate().map(node).collect();
    let edges: String =
        edges.iter().map(|(one, other)| format!("<edge source=\"{one}\" target=\"{other}\"/>\n")).collect();
    format!(
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n<key attr.name=\"type\" attr.type=\"string\" for=\"node\" id=\"d1\"/>\n\
         <graph edgedefault=\"undirected\">\n{nodes}{edges}</graph></graphml>"
    )
}

const PATH: [(usize, usize); 3] = [(0, 1), (0, 2), (1, 3)];
const RING: [(usize, usize); 4] = [(0, 1), (0, 2), (1, 3), (2, 3)];

#[test]
fn the_topology_zoo_has_types_of_its_own() {
    // A PoP is of type "Core Node" or "Node" there: all are switches.
    let zoo = ["Core Node", "Core Node", "Node", "Node"];
    for (edges, cables) in [(&PATH[..], 3), (&RING, 4)] {
        let (graph, _, remarks) = read(&typed(&zoo, edges));
        assert_eq!(counted(&graph), [4, 4, cables]);
        assert_eq!(
            remarks,
            [
                "type: \"Core Node\" is none of node, host, endpoint, nic, switch, router, so the data is of another kind, and 2 vertices of type node are \
              switches"
            ]
        );
    }
    // So are they if all are "Node", or some have none; words that nobody could take for ours are not worth a remark.
    assert_eq!(counted(&read(&typed(&["Node"; 4], &RING)).0), [4, 4, 4]);
    assert_eq!(counted(&read(&typed(&["Node", "", "Node", ""], &PATH)).0), [4, 4, 3]);
    assert_eq!(counts(&typed(&["NORDUNet", "", "PoP", ""], &RING)), [4, 4, 4]);
}

#[test]
fn our_own_types_count() {
    for types in [
        ["switch", "switch", "node", "node"],
        ["router", "switch", "host", "nic"],
        ["", "", "node", "node"],
        ["Switch", "Switch", "Node", "Host"],
        ["leaf", "spine", "host", "endpoint"],
    ] {
        assert_eq!(counts(&typed(&types, &PATH)), [2, 2, 1], "{types:?}");
    }
    assert!(
        error(typed(&["switch", "switch", "node", "node"], &RING))
            .starts_with("line 11: joins the nodes \"2\" and \"3\"")
    );
}

fn directed(edges: &str) -> String {
    format!(
        "<graphml><key id='c' for='edge' attr.name='cables'/><graph edgedefault='directed'><node id='a'/><node id='b'/><node id='c'/>\n{edges}</graph></graphml>"
    )
}

fn edge(ends: &str) -> String {
    format!("<edge source='{}' target='{}'/>\n", &ends[..1], &ends[1..])
}

fn edges(ends: &str) -> String {
    ends.split(' ').map(edge).collect()
}

#[test]
fn edges_of_directed_graphs() {
    // Each edge says that it is none.
    let mixed = "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\" directed=\"false\"/></graph></graphml>";
    assert_eq!(counts(mixed), [2, 2, 1]);
    // Each cable is there in both directions; trunks too, as edges or as data.
    assert_eq!(counts(&directed(&edges("ab ba bc cb"))), [3, 3, 2]);
    assert_eq!(counts(&directed(&edges("ab bc cb ab ba ba"))), [3, 3, 3]);
    let three = "<edge source='a' target='b'><data key='c'>3</data></edge>";
    assert_eq!(counts(&directed(&(edges("bc cb ba ba ba") + three))), [3, 3, 4]);
    // All one way: a drawing.
    let (graph, _, remarks) = read(&directed(&edges("ab bc ca ab")));
    assert_eq!(counted(&graph), [3, 3, 4]);
    assert_eq!(
        remarks,
        ["directed: of 4 edges none has one back, so each is taken for a cable, which has two directions"]
    );
    // Some this way and some that: it must be said which.
    let unclear = "a directed edge without one back, beside others that have one, leaves open what is a cable; expected both directions of each, \
                   or edgedefault=\"undirected\" if each edge is a cable";
    assert_eq!(error(directed(&edges("ab ba bc"))), format!("line 4: {unclear}"));
    assert_eq!(error(directed(&edges("ab ab ba bc cb"))), format!("line 2: {unclear}"));
    assert_eq!(counts(&directed(&edges("ab ba bc")).replace("'directed'", "'undirected'")), [3, 3, 3]);
    // One directed edge in an undirected graph.
    let one = directed("<edge source='a' target='b' directed='true'/><edge source='b' target='c'/>")
        .replace("'directed'", "'undirected'");
    assert_eq!(read(&one).2.len(), 1);
    assert!(error(directed(&edges("ab ba bc cb cc"))).ends_with("a cable leads from switch `c` to itself"));
}

/// What yEd writes of two racks and a switch outside: groups are vertices with a graph in them, and edges stand where their ends' common group is.
const YED: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:java="http://www.yworks.com/xml/yfiles-common/1.0/java" xmlns:y="http://www.yworks.com/xml/graphml" xmlns:yed="http://www.yworks.com/xml/yed/3">
  <!--Created by yEd 3.23-->
  <key attr.name="Description" attr.type="string" for="graph" id="d0"/>
  <key for="port" id="d1" yfiles.type="portgraphics"/>
  <key for="node" id="d6" yfiles.type="nodegraphics"/>
  <key for="edge" id="d10" yfiles.type="edgegraphics"/>
  <graph edgedefault="directed" id="G">
    <data key="d0" xml:space="preserve"/>
    <node id="n0" yfiles.foldertype="group">
      <data key="d6"><y:ProxyAutoBoundsNode><y:Realizers active="0"><y:GroupNode><y:NodeLabel>rack 1</y:NodeLabel></y:GroupNode></y:Realizers></y:ProxyAutoBoundsNode></data>
      <graph edgedefault="directed" id="n0:">
        <node id="n0::n0"><data key="d6"><y:ShapeNode><y:NodeLabel>sw0</y:NodeLabel></y:ShapeNode></data></node>
        <node id="n0::n1"><port name="p"/></node>
        <edge id="n0::e0" source="n0::n0" target="n0::n1"/>
      </graph>
    </node>
    <node id="n1"/>
    <edge id="e0" source="n0::n0" sourceport="p" target="n1"><data key="d10"><y:PolyLineEdge><y:Arrows source="none" target="standard"/></y:PolyLineEdge></data></edge>
    <edge id="e1" source="n1" target="n0::n1"/>
  </graph>
  <data key="d7"><y:Resources/></data>
</graphml>"#;

#[test]
fn what_yed_writes() {
    let (graph, names, remarks) = read(YED);
    assert_eq!(names.switches, ["n0::n0", "n0::n1", "n1"]);
    assert_eq!((counted(&graph), remarks.len()), ([3, 3, 3], 1));
    let to_group = YED.replace("target=\"n1\"", "target=\"n0\"");
    assert_eq!(error(to_group), "line 19: target: \"n0\" is a group, since there is a graph in it; expected a vertex");
}

#[test]
fn doctypes() {
    let graph = "<graphml><graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\"/></graph></graphml>";
    for doctype in [
        "<!DOCTYPE graphml SYSTEM \"http://graphml.graphdrawing.org/dtds/graphml.dtd\">",
        "<!DOCTYPE graphml PUBLIC \"-//GRAPHML\" \"file:///etc/passwd\" []>",
        "<!DOCTYPE graphml [<!ELEMENT graphml ANY> <!ATTLIST node id CDATA #REQUIRED>]>",
    ] {
        assert_eq!(counts(&format!("<?xml version=\"1.0\"?>\n{doctype}\n{graph}")), [2, 2, 1]);
    }
    // A billion laughs, and what would be fetched.
    let laughs: String =
        (1..10).map(|n| format!("<!ENTITY l{n} \"{}\">\n", format!("&l{};", n - 1).repeat(10))).collect();
    for entities in
        [format!("<!ENTITY l0 \"lol\">\n{laughs}"), "<!ENTITY % x SYSTEM \"file:///etc/passwd\">\n%x;".into()]
    {
        let text = format!("<!DOCTYPE graphml [\n{entities}]>{}", graph.replace("\"a\"", "\"&l9;\""));
        assert_eq!(error(text), "line 2: the DOCTYPE declares an entity, which is not read; expected none");
    }
}

#[test]
fn mutated_graphml_of_others() {
    let words = [
        "directed=\"true\"",
        "directed=\"false\"",
        "<graph>",
        "</graph>",
        "<node id=\"x\">",
        "</node>",
        "n1",
        "n0",
        "<!DOCTYPE graphml>",
        "<!ENTITY a \"b\">",
        "&a;",
        "undirected",
        "<port/>",
        "y:",
        "Node",
    ];
    any_text("mutated_graphml_of_others", YED, &words);
}
