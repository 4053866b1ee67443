//! Links of the pages that commands write: beside a design, beside proofs, beside an experiment's results.

use super::links::dead_links;
use super::{POWAR, pages_in, root};
use powar_tools::tools_or_skip;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Runs a command in a folder; it must succeed.
fn powar(folder: &Path, line: &str) {
    let output = Command::new(POWAR).args(line.split(' ')).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "powar {line}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Where the attributes of HTML lead that are in its text; scripts make others.
fn html_targets(text: &str) -> Vec<&str> {
    let of = |attribute: &str| -> Vec<&str> {
        let begin = format!(" {attribute}=\"");
        let behind = text.split(&begin).skip(1);
        behind.filter_map(|rest| rest.split('"').next()).filter(|target| !target.contains('$')).collect()
    };
    [of("href"), of("src")].concat()
}

/// The page's links that lead nowhere.
fn dead_in_html(page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page).unwrap();
    let is_here = |target: &&str| !["data:", "http", "mailto:", "#"].iter().any(|start| target.starts_with(start));
    let dead = |target: &&str| !page.parent().unwrap().join(target.split('#').next().unwrap()).exists();
    html_targets(&text).into_iter().filter(is_here).filter(dead).map(|target| format!("{page:?}: {target}")).collect()
}

#[track_caller]
fn has_no_dead_links(folder: &Path, least_pages: usize) {
    let pages = pages_in(folder, "");
    let (dead, _) = dead_links(folder, &pages);
    assert!(dead.is_empty(), "links that lead nowhere:\n{}", dead.join("\n"));
    assert!(pages.len() >= least_pages, "{} pages", pages.len());
}

#[test]
fn those_of_emitted_designs_lead_somewhere() {
    let folder = TempDir::with_prefix("powar-emitted-").unwrap();
    let network = root().join("experiments/networks/random-40.edges");
    std::fs::copy(network, folder.path().join("random.edges")).unwrap();
    powar(folder.path(), "emit --top switch --preset fat-tree-2 --testbench 50 --out switch");
    powar(folder.path(), "emit --top demonstrator --preset demonstrator-4 --tables --out demonstrator");
    powar(folder.path(), "emit --network random.edges --out random");
    powar(folder.path(), "host --preset fat-tree-2 list --out maps");
    has_no_dead_links(folder.path(), 4);
}

#[test]
fn those_of_an_experiment_lead_somewhere() {
    let folder = TempDir::with_prefix("powar-emitted-").unwrap();
    let file = "title = \"t\"\n[simulation]\ntopology = \"2-ary-2-tree\"\n\
                traffic = { kind = \"synthetic\", cycles = 2000 }\n\
                [[sweep]]\nname = \"load\"\nkey = \"traffic.load\"\nvalues = [0.1, 0.2]\n";
    std::fs::write(folder.path().join("e.toml"), file).unwrap();
    powar(folder.path(), "experiment e.toml --out results --page");
    has_no_dead_links(folder.path(), 1);
    assert_eq!(dead_in_html(&folder.path().join("results/index.html")), Vec::<String>::new());
}

#[test]
fn those_of_proofs_lead_somewhere() {
    if tools_or_skip("those_of_proofs_lead_somewhere").is_none() {
        return;
    }
    let folder = TempDir::with_prefix("powar-emitted-").unwrap();
    powar(folder.path(), "verify --block vc_arbiter --quick --out proofs");
    has_no_dead_links(folder.path(), 1);
    assert_eq!(dead_in_html(&folder.path().join("proofs/verify.html")), Vec::<String>::new());
}

#[test]
fn dead_ones_of_either_kind_are_found() {
    let folder = TempDir::with_prefix("powar-emitted-").unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("a.md", "# A\n[b](b.md) [c](#c) [self](a.md#a)\n");
    write("a.html", "<a href=\"a.md\"></a><img src=\"x.png\"><a href=\"https://example.org\"></a>");
    assert_eq!(dead_links(folder.path(), &pages_in(folder.path(), "")).0.len(), 2);
    assert_eq!(dead_in_html(&folder.path().join("a.html")).len(), 1);
}
