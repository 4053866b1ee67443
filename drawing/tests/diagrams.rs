//! Diagrams of the documentation: each `docs/images/NAME.dot` is drawn as the `NAME.svg` beside it, and that of the crates says what their
//! manifests say.

use layout::backends::svg::SVGWriter;
use layout::gv::{DotParser, GraphBuilder};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The name of the package of the command line; those of the others have it, and a hyphen, in front.
const TOP: &str = "powar";
/// Room below the lowest box of a diagram, as above the highest.
const MARGIN: f64 = 30.0;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The value of an attribute of an element; 0 if it has none.
fn attribute(element: &str, name: &str) -> f64 {
    let value = element.split(&format!(" {name}=\"")).nth(1).and_then(|rest| rest.split('"').next());
    value.and_then(|value| value.parse().ok()).unwrap_or(0.0)
}

/// The picture cut off a little below its lowest box: layout-rs leaves as much room for more than that.
fn cut(svg: &str) -> String {
    let bottom = |element: &str| {
        let box_ = attribute(element, "y") + attribute(element, "height");
        box_.max(attribute(element, "cy") + attribute(element, "ry"))
    };
    let boxes = svg.split('<').filter(|element| element.starts_with("rect x") || element.starts_with("ellipse"));
    let height = attribute(svg, "height");
    let lower = (boxes.map(bottom).fold(0.0, f64::max) + MARGIN).min(height);
    svg.replacen(&format!("height=\"{height}\""), &format!("height=\"{lower}\""), 1).replacen(
        &format!(" {height}\" xmlns"),
        &format!(" {lower}\" xmlns"),
        1,
    )
}

/// The drawing of a graph in DOT, on white, so that its black lines can be seen where pages are dark.
fn drawn(dot: &str) -> String {
    let graph = DotParser::new(dot).process().expect("a graph in DOT");
    let mut builder = GraphBuilder::new();
    builder.visit_graph(&graph);
    let mut svg = SVGWriter::new();
    builder.get().do_it(false, false, false, &mut svg);
    // Lines of one label would touch where one has an underscore and the next an ascender.
    let changes = [
        ("</defs>", "</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"),
        ("font-size: 14px", "font-size: 13px"),
        ("dy=\"1.0em\"", "dy=\"1.2em\""),
    ];
    let apart_on_white = changes.iter().fold(svg.finalize(), |text, (from, to)| {
        assert!(text.contains(from), "{from} is no longer how layout-rs writes it");
        text.replace(from, to)
    });
    cut(&apart_on_white).lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

#[test]
fn each_is_what_its_source_gives() {
    let mut sources: Vec<PathBuf> = std::fs::read_dir(root().join("docs/images"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "dot"))
        .collect();
    sources.sort();
    assert!(sources.len() >= 2, "{sources:?}");
    for source in sources {
        let svg = drawn(&std::fs::read_to_string(&source).unwrap());
        let picture = source.with_extension("svg");
        if std::env::var_os("POWAR_WRITE").is_some() {
            std::fs::write(&picture, &svg).unwrap();
        }
        let current = std::fs::read_to_string(&picture).unwrap_or_default() == svg;
        assert!(
            current,
            "{} is not current; POWAR_WRITE=1 cargo test -p powar-drawing --test diagrams",
            picture.display()
        );
    }
}

type Graph = BTreeMap<String, BTreeSet<String>>;

/// All that can be come to from each node.
fn reached(graph: &Graph) -> Graph {
    let mut all = graph.clone();
    loop {
        let further: Graph = all
            .iter()
            .map(|(from, to)| (from.clone(), to.iter().chain(to.iter().flat_map(|next| &all[next])).cloned().collect()))
            .collect();
        if further == all {
            return all;
        }
        all = further;
    }
}

/// Which crates of this repository each crate uses, tests left out, by its manifest. Names are those of the diagram.
fn in_manifests() -> Graph {
    let manifest = |folder: &str| std::fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
    let listed = manifest(".");
    let members = listed.split("members = [").nth(1).and_then(|rest| rest.split(']').next()).unwrap();
    let folders = members.split(',').map(|member| member.trim().trim_matches('"')).filter(|member| !member.is_empty());
    // It tries the tests, and nothing uses it.
    let folders = folders.filter(|folder| !folder.starts_with("mutation"));
    let uses = |folder: &str| {
        let text = manifest(folder);
        let dependencies = text.split("\n[dependencies]\n").nth(1).unwrap_or_default();
        let own = dependencies.lines().take_while(|line| !line.starts_with('['));
        own.filter_map(|line| line.split(['.', ' ', '=']).next()?.strip_prefix("powar-")).map(str::to_owned).collect()
    };
    // A crate is called by its package in dependencies, and `golden-model` is its folder alone; `hdl-base` is in the folder `hdl/base`.
    folders
        .map(|folder| (folder.trim_end_matches("-model").replace('/', "-"), uses(folder)))
        .chain([(TOP.to_owned(), uses("."))])
        .collect()
}

#[test]
fn that_of_the_crates_says_what_manifests_say() {
    let dot = std::fs::read_to_string(root().join("docs/images/crates.dot")).unwrap();
    let name = |text: &str| text.trim().trim_end_matches(';').trim_end_matches("_model").replace('_', "-");
    let mut shown = Graph::new();
    for (from, to) in dot.lines().filter_map(|line| line.split_once("->")) {
        shown.entry(name(to)).or_default();
        shown.entry(name(from)).or_default().insert(name(to));
    }
    let reachable = reached(&shown);
    assert_eq!(reachable, reached(&in_manifests()));
    for (from, to) in &shown {
        let by_way_of_another = to.iter().find(|next| to.iter().any(|other| reachable[other].contains(*next)));
        assert_eq!(by_way_of_another, None, "an arrow from {from} that says nothing new");
    }
}
