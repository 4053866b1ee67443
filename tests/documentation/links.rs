//! Links between pages, and to other files.

use super::{Page, pages_below, root};
use pulldown_cmark::{Event, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// Where a page's links and pictures lead.
fn targets(page: &Page) -> Vec<String> {
    let target = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    };
    page.events().filter_map(target).collect()
}

/// What links to a page's headings call them, as GitHub does: lower case, hyphens for spaces, no other signs; a number behind the second of one name.
fn anchors(page: &Page) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut heading: Option<String> = None;
    for event in page.events() {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    *heading += &text;
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let text = heading.take().expect("a heading was begun").to_lowercase();
                let kept = text.chars().filter(|sign| sign.is_alphanumeric() || " -_".contains(*sign));
                let anchor: String = kept.map(|sign| if sign == ' ' { '-' } else { sign }).collect();
                let count = counts.entry(anchor.clone()).or_default();
                anchors.insert(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
                *count += 1;
            }
            _ => {}
        }
    }
    anchors
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, component| {
        match component {
            Component::ParentDir => assert!(plain.pop(), "{path:?} leads out of the repository"),
            Component::CurDir => {}
            other => plain.push(other),
        }
        plain
    })
}

/// The file that a link of a page leads to, below the root, and the heading of it; none of a link to elsewhere.
fn resolved(page: &Page, target: &str) -> Option<(PathBuf, String)> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let folder = page.path.parent().unwrap();
    let path = if file.is_empty() { page.path.clone() } else { plain(&folder.join(file)) };
    Some((path, heading.to_owned()))
}

/// Links of some pages below a root that lead nowhere, and how many there are in all.
pub fn dead_links(root: &Path, pages: &[Page]) -> (Vec<String>, usize) {
    let headings: BTreeMap<&Path, BTreeSet<String>> =
        pages.iter().map(|page| (page.path.as_path(), anchors(page))).collect();
    let mut dead = vec![];
    let mut seen = 0;
    for page in pages {
        for target in targets(page) {
            let Some((path, heading)) = resolved(page, &target) else { continue };
            seen += 1;
            let there = root.join(&path).exists();
            let known = heading.is_empty() || headings.get(path.as_path()).is_some_and(|all| all.contains(&heading));
            if !there || !known {
                dead.push(format!("{}: {target}", page.path.display()));
            }
        }
    }
    (dead, seen)
}

#[test]
fn every_one_leads_to_a_file_and_a_heading_that_there_are() {
    let (dead, seen) = dead_links(root(), &pages_below(""));
    assert!(dead.is_empty(), "links that lead nowhere:\n{}", dead.join("\n"));
    assert!(seen > 500, "{seen} links are too few to be all");
}

#[test]
fn every_page_of_docs_is_in_the_index() {
    let index = Page::read("docs/README.md");
    let listed: BTreeSet<PathBuf> =
        targets(&index).iter().filter_map(|target| resolved(&index, target)).map(|(path, _)| path).collect();
    let missing: Vec<PathBuf> = pages_below("docs")
        .into_iter()
        .map(|page| page.path)
        .filter(|path| *path != index.path && !listed.contains(path))
        .collect();
    assert!(missing.is_empty(), "docs/README.md has no link to {missing:?}");
}

#[test]
fn every_experiment_is_in_the_table() {
    let table = Page::read("experiments/README.md").text;
    let files = std::fs::read_dir(super::root().join("experiments")).unwrap().map(|file| file.unwrap().file_name());
    let experiments = files.filter_map(|name| name.into_string().ok()).filter(|name| name.ends_with(".toml"));
    let missing: Vec<String> = experiments.filter(|name| !table.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "experiments/README.md does not say what {missing:?} show");
}

#[test]
fn headings_are_called_as_they_are_on_github() {
    let text = "# The `power mechanism`: it\n## A, b & c\n## A, b & c\n".to_owned();
    let page = Page { path: "docs/page.md".into(), text };
    let expected = ["the-power-mechanism-it", "a-b--c", "a-b--c-1"];
    assert_eq!(anchors(&page), expected.map(str::to_owned).into());
    assert_eq!(resolved(&page, "#it"), Some(("docs/page.md".into(), "it".into())));
    assert_eq!(resolved(&page, "../README.md#start"), Some(("README.md".into(), "start".into())));
    assert_eq!(resolved(&page, "https://example.org/#x"), None);
}
