//! Which file names items of which, and the circles that they form.

use super::source::{Module, Names, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// From each file to those whose items it names, with one such name.
type Graph = BTreeMap<String, BTreeMap<String, String>>;

/// Files each of which comes to every other by what they name.
pub struct Circle(Graph);

impl fmt::Display for Circle {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{} files:", self.0.len())?;
        for (from, to) in &self.0 {
            for (file, name) in to {
                writeln!(f, "  {from} names {name} of {file}")?;
            }
        }
        Ok(())
    }
}

/// `use` goes through no more lists than this; some go in circles by `*`.
const DEEPEST: usize = 8;

impl Source {
    /// The path from the crate's root that a path within a module stands for; none if it is of another crate, or starts
    /// with a name that only the function knows.
    fn whole(&self, module: &Names, path: &[String], depth: usize) -> Option<Names> {
        let first = path.first()?;
        let below = [&module[..], std::slice::from_ref(first)].concat();
        match &**first {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([&module[..], &path[1..]].concat()),
            "super" => {
                let up = path.iter().take_while(|name| *name == "super").count();
                Some([module.get(..module.len().checked_sub(up)?)?, &path[up..]].concat())
            }
            _ if self.modules.contains_key(&below) => Some([&module[..], path].concat()),
            _ => {
                let import = self.modules.get(module)?.imports.get(first)?;
                // `use anyhow;` and the like bring in a crate by its own name.
                let further = depth > 0 && import[0] != *first;
                let start = if further { self.whole(module, import, depth - 1)? } else { return None };
                Some([&start[..], &path[1..]].concat())
            }
        }
    }

    /// The module that declares what a path from the root names, by way of lists, and whether the name was found in it;
    /// none if the path is a module.
    fn declares(&self, path: &[String], depth: usize) -> Option<(&Names, bool)> {
        let deepest = (0..=path.len()).rev().find_map(|length| self.modules.get_key_value(&path[..length]));
        let (mut name, mut module) = deepest?;
        if name.len() == path.len() {
            // A function may have the name of its file, and be brought in with it.
            (name, module) = self.modules.get_key_value(&path[..path.len().checked_sub(1)?])?;
            let both = module.items.contains(path.last()?) || module.imports.contains_key(path.last()?);
            if !both {
                return None;
            }
        }
        let item = &path[name.len()];
        if module.items.contains(item) {
            return Some((name, true));
        }
        if depth == 0 {
            return Some((name, false));
        }
        let by_name = module.imports.get(item).and_then(|import| self.whole(name, import, depth));
        let by_glob = module.globs.iter().filter_map(|glob| {
            let mut start = self.whole(name, glob, depth)?;
            start.push(item.clone());
            self.declares(&start, depth - 1).filter(|(_, declared)| *declared)
        });
        let found = by_name.and_then(|path| self.declares(&path, depth - 1));
        found.or_else(|| by_glob.into_iter().next()).or(Some((name, false)))
    }

    /// What a module names, as paths from the root.
    fn named(&self, name: &Names, module: &Module) -> BTreeSet<Names> {
        let paths = module.imports.values().chain(&module.paths);
        paths.filter_map(|path| self.whole(name, path, DEEPEST)).collect()
    }

    fn graph(&self) -> Graph {
        let mut graph = Graph::new();
        for (name, module) in &self.modules {
            let named = self.named(name, module);
            let items = named.iter().filter_map(|path| Some((self.declares(path, DEEPEST)?.0, path.join("::"))));
            let all = module.globs.iter().filter_map(|path| {
                let path = self.whole(name, path, DEEPEST)?;
                let (declaring, _) = self.modules.get_key_value(&path)?;
                Some((declaring, path.join("::") + "::*"))
            });
            let names = graph.entry(module.file.clone()).or_default();
            for (declaring, path) in items.chain(all) {
                let file = &self.modules[declaring].file;
                if !declaring.starts_with(name) && *file != module.file {
                    names.entry(file.clone()).or_insert(path);
                }
            }
        }
        graph
    }
}

/// All files that can be come to from one.
fn reached<'a>(graph: &'a Graph, from: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut next: Vec<&str> = graph[from].keys().map(String::as_str).collect();
    while let Some(file) = next.pop() {
        if found.insert(file) {
            next.extend(graph[file].keys().map(String::as_str));
        }
    }
    found
}

pub fn circles(source: &Source) -> Vec<Circle> {
    let graph = source.graph();
    let reached: BTreeMap<&str, BTreeSet<&str>> = graph.keys().map(|file| (&**file, reached(&graph, file))).collect();
    let with = |file: &str| -> BTreeSet<&str> {
        reached[file].iter().copied().filter(|other| reached[other].contains(file)).collect()
    };
    let sets: BTreeSet<BTreeSet<&str>> =
        graph.keys().map(|file| with(file)).filter(|files| !files.is_empty()).collect();
    let within = |files: &BTreeSet<&str>, file: &str| {
        graph[file]
            .iter()
            .filter(|(to, _)| files.contains(to.as_str()))
            .map(|(to, name)| (to.clone(), name.clone()))
            .collect()
    };
    sets.iter()
        .map(|files| Circle(files.iter().map(|file| ((*file).to_owned(), within(files, file))).collect()))
        .collect()
}
