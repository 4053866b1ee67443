//! Files of other formats, for the line that says what a file is and what turns it into something readable.

/// A format that is not read.
pub(super) struct Foreign {
    name: &'static str,
    /// What to do.
    instead: &'static str,
    /// Whether bytes look like it; they are the beginning of a file.
    is_this: fn(&[u8]) -> bool,
}

/// Bytes of a file that are looked at.
const LOOKED_AT: usize = 4096;

const UNPACK: &str = "unpack it first";
const SAVE: &str = "save it as UTF-8";

/// Every one that is known.
static FOREIGN: [Foreign; 23] = [
    Foreign { name: "text in UTF-16", instead: SAVE, is_this: |bytes| begins(bytes, &[b"\xff\xfe", b"\xfe\xff"]) },
    Foreign { name: "a gzip file", instead: UNPACK, is_this: |bytes| begins(bytes, &[b"\x1f\x8b"]) },
    Foreign { name: "an xz file", instead: UNPACK, is_this: |bytes| begins(bytes, &[b"\xfd7zXZ"]) },
    Foreign { name: "a bzip2 file", instead: UNPACK, is_this: |bytes| begins(bytes, &[b"BZh"]) },
    Foreign { name: "a zstd file", instead: UNPACK, is_this: |bytes| begins(bytes, &[b"\x28\xb5\x2f\xfd"]) },
    Foreign { name: "a zip archive", instead: UNPACK, is_this: |bytes| begins(bytes, &[b"PK\x03\x04"]) },
    Foreign {
        name: "a picture",
        instead: NETWORKS,
        is_this: |bytes| begins(bytes, &[b"\x89PNG", b"\xff\xd8\xff", b"%PDF"]),
    },
    Foreign {
        name: "GEXF",
        instead: "networkx turns it into GraphML: write_graphml(read_gexf(FILE), OUT)",
        is_this: |bytes| is_xml_of(bytes, "gexf"),
    },
    Foreign { name: "a web page", instead: NETWORKS, is_this: |bytes| is_xml_of(bytes, "html") },
    Foreign {
        name: "a report of ibdiagnet",
        instead: "ibnetdiscover without options prints what is read",
        is_this: |bytes| first_line(bytes).starts_with("{ ") && has_line(bytes, |line| line.contains("Ports:")),
    },
    Foreign {
        name: "graph6 or sparse6",
        instead: "networkx turns it into GraphML: write_graphml(read_graph6(FILE), OUT), read_sparse6",
        is_this: |bytes| {
            let line = first_line(bytes);
            let is_code = line.bytes().all(|byte| (63..127).contains(&byte)) && text(bytes).lines().count() == 1;
            begins(bytes, &[b">>graph6<<", b">>sparse6<<"])
                || line.starts_with(':') && line[1..].bytes().all(|byte| (63..127).contains(&byte))
                || is_code && line.len() > 2 && !line.bytes().all(|byte| byte.is_ascii_alphabetic())
        },
    },
    Foreign {
        name: "JSON",
        instead: "networkx turns its own into GraphML: write_graphml(node_link_graph(json.load(open(FILE))), OUT)",
        is_this: |bytes| {
            let text = text(bytes);
            let text = text.trim_start();
            text.starts_with('{') || text.starts_with("[{") || text.starts_with("[[") || text.starts_with("[\n")
        },
    },
    Foreign {
        name: "GML",
        instead: "networkx turns it into GraphML: write_graphml(read_gml(FILE), OUT)",
        is_this: |bytes| {
            let lines = text(bytes).lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
            let opens = |pair: &[String]| pair[0] == "graph" && pair[1].starts_with('[');
            lines.iter().any(|line| line.starts_with("graph [") || line == "graph[") || lines.windows(2).any(opens)
        },
    },
    Foreign {
        name: "Graphviz' DOT",
        instead: "networkx turns it into GraphML: write_graphml(nx_agraph.read_dot(FILE), OUT)",
        is_this: |bytes| {
            let first = first_line(bytes);
            let begins =
                ["graph ", "digraph ", "strict ", "graph{", "digraph{"].iter().any(|word| first.starts_with(word));
            begins && text(bytes).contains('{')
        },
    },
    Foreign {
        name: "a multiline adjacency list of networkx",
        instead: "networkx turns it into GraphML: write_graphml(read_multiline_adjlist(FILE), OUT)",
        is_this: |bytes| is_adjacency(bytes) && has_line(bytes, |line| line.ends_with('}')),
    },
    Foreign {
        name: "an adjacency list of networkx",
        instead: "networkx turns it into GraphML: write_graphml(read_adjlist(FILE), OUT)",
        is_this: is_adjacency,
    },
    Foreign {
        name: "Pajek",
        instead: "networkx turns it into GraphML: write_graphml(Graph(read_pajek(FILE)), OUT)",
        is_this: |bytes| has_line(bytes, |line| line.to_ascii_lowercase().starts_with("*vertices")),
    },
    Foreign {
        name: "Matrix Market",
        instead: "networkx turns it into GraphML: write_graphml(from_scipy_sparse_array(scipy.io.mmread(FILE)), OUT)",
        is_this: |bytes| begins(bytes, &[b"%%MatrixMarket"]),
    },
    Foreign {
        name: "the output of iblinkinfo",
        instead: "ibnetdiscover without options prints what is read",
        is_this: |bytes| has_line(bytes, |line| line.contains("==(")),
    },
    Foreign {
        name: "the ports report of ibnetdiscover",
        instead: "without options (-p, -l, -S, -H) it prints what is read",
        is_this: |bytes| {
            let report = |line: &str| ["SW ", "CA ", "RT "].iter().any(|kind| line.starts_with(kind));
            let list =
                |line: &str| ["Switch", "Ca", "Rt"].iter().any(|kind| line.starts_with(kind)) && line.contains("ports");
            let first = first_line(bytes);
            first.contains("0x") && (report(&first) || list(&first))
        },
    },
    Foreign {
        name: "a configuration of BookSim",
        instead: "the network is in the file that its `network_file` names, or another topology of this program",
        is_this: |bytes| {
            has_line(bytes, |line| line.starts_with("topology") && line.contains('=') && line.ends_with(';'))
        },
    },
    Foreign {
        name: "a configuration or an experiment of this program",
        instead: "`--config FILE` reads configurations, `powar experiment FILE` experiments",
        is_this: |bytes| has_line(bytes, |line| line == "[topology]" || line == "[simulation]" || line == "[switch]"),
    },
    Foreign {
        name: "a program's trace",
        instead: "`--input FILE` reads traces",
        is_this: |bytes| begins(bytes, &[b"num_ranks ", b"VEF"]),
    },
];

const NETWORKS: &str = "a list of switches and cables is needed";

/// What a file looks like that is of no format that is read, and what to do; `None` if nothing is known.
pub(super) fn looks_like(bytes: &[u8]) -> Option<String> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let bytes = &bytes[..bytes.len().min(LOOKED_AT)];
    let known = FOREIGN.iter().find(|foreign| (foreign.is_this)(bytes))?;
    Some(format!("looks like {}, which is not read; {}", known.name, known.instead))
}

fn begins(bytes: &[u8], marks: &[&[u8]]) -> bool {
    marks.iter().any(|mark| bytes.starts_with(mark))
}

fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// The first line that is neither empty nor a comment.
fn first_line(bytes: &[u8]) -> String {
    let text = text(bytes);
    let mut lines = text.lines().map(str::trim);
    lines.find(|line| !line.is_empty() && !line.starts_with(['#', '/'])).unwrap_or_default().to_owned()
}

fn has_line(bytes: &[u8], is_this: impl Fn(&str) -> bool) -> bool {
    text(bytes).lines().any(|line| is_this(line.trim()))
}

/// Whether the first lines are those that networkx writes above adjacency lists, and above nothing else: the program, the
/// time, the graph's name.
fn is_adjacency(bytes: &[u8]) -> bool {
    let text = text(bytes);
    let mut lines = text.lines();
    lines.next().is_some_and(|line| line.starts_with('#'))
        && lines.next().is_some_and(|line| line.starts_with("# GMT "))
}

/// Whether the outermost element is probably this one.
fn is_xml_of(bytes: &[u8], element: &str) -> bool {
    let text = text(bytes).to_ascii_lowercase();
    let is_xml = text.trim_start().starts_with('<') && !text.contains("<graphml");
    is_xml && (text.contains(&format!("<{element}")) || text.contains(&format!("<!doctype {element}")))
}
