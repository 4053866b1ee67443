//! What the files of a crate declare, import and name, by their syntax.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use syn::visit::{self, Visit};

/// The segments of a path.
pub type Names = Vec<String>;

/// A module; of those in one file all but the first are within braces.
#[derive(Default)]
pub struct Module {
    pub file: String,
    pub items: BTreeSet<String>,
    /// What `use` brings in, by the name that it has here.
    pub imports: BTreeMap<String, Names>,
    /// What `use PATH::*` brings in all of.
    pub globs: BTreeSet<Names>,
    /// Paths of two segments or more in code.
    pub paths: BTreeSet<Names>,
}

/// A crate: its modules, by their paths from its root.
#[derive(Default)]
pub struct Source {
    pub modules: BTreeMap<Names, Module>,
}

impl Source {
    /// Reads the files of a folder, whose path is from `root`.
    pub fn of_folder(root: &Path, folder: &str) -> Source {
        let mut files = Vec::new();
        read(root, folder, &mut files);
        let texts: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
        Source::of_texts(&texts)
    }

    /// The same from names of files and their texts.
    pub fn of_texts(files: &[(&str, &str)]) -> Source {
        let mut source = Source::default();
        let mut of_tests = Vec::new();
        let library = files.iter().any(|(name, _)| name.ends_with("src/lib.rs"));
        // Beside a library the program is a crate of its own.
        for (name, text) in files.iter().filter(|(name, _)| !(library && name.ends_with("src/main.rs"))) {
            let parsed = syn::parse_file(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            let mut reader =
                Reader { source: &mut source, of_tests: &mut of_tests, file: name, module: module_of(name) };
            reader.enter();
            reader.visit_file(&parsed);
        }
        source.modules.retain(|path, _| !of_tests.iter().any(|tests| path.starts_with(tests)));
        source
    }
}

fn read(root: &Path, folder: &str, files: &mut Vec<(String, String)>) {
    let mut entries: Vec<_> = std::fs::read_dir(root.join(folder)).unwrap().map(Result::unwrap).collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            read(root, &name, files);
        } else if name.ends_with(".rs") {
            files.push((name, std::fs::read_to_string(entry.path()).unwrap()));
        }
    }
}

/// The path of the module that a file is.
fn module_of(file: &str) -> Names {
    let below = file.split_once("src/").unwrap().1.trim_end_matches(".rs");
    let mut path: Names = below.split('/').map(str::to_owned).collect();
    if ["lib", "main", "mod"].contains(&&**path.last().unwrap()) {
        path.pop();
    }
    path
}

/// Writes down what one file says.
struct Reader<'a> {
    source: &'a mut Source,
    /// Modules for tests whose text is in files of their own.
    of_tests: &'a mut Vec<Names>,
    file: &'a str,
    module: Names,
}

impl Reader<'_> {
    fn enter(&mut self) {
        self.here().file = self.file.to_owned();
    }

    fn here(&mut self) -> &mut Module {
        self.source.modules.entry(self.module.clone()).or_default()
    }

    fn import(&mut self, mut before: Names, tree: &syn::UseTree) {
        match tree {
            syn::UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.import(before, &path.tree);
            }
            syn::UseTree::Group(group) => group.items.iter().for_each(|item| self.import(before.clone(), item)),
            syn::UseTree::Glob(_) => _ = self.here().globs.insert(before),
            syn::UseTree::Name(name) if name.ident == "self" => {
                let last = before.last().unwrap().clone();
                self.here().imports.insert(last, before);
            }
            syn::UseTree::Name(name) => {
                before.push(name.ident.to_string());
                self.here().imports.insert(name.ident.to_string(), before);
            }
            syn::UseTree::Rename(name) => {
                before.extend((name.ident != "self").then(|| name.ident.to_string()));
                // A trait that is brought in as `_` is named all the same.
                let here = if name.rename == "_" { before.join(" ") } else { name.rename.to_string() };
                self.here().imports.insert(here, before);
            }
        }
    }

    /// Paths among the tokens of a macro, whose syntax is its own.
    fn tokens(&mut self, tokens: TokenStream) {
        let (mut path, mut colons) = (Names::new(), 0);
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.path(std::mem::take(&mut path));
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                other => {
                    self.path(std::mem::take(&mut path));
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.tokens(group.stream());
                    }
                }
            }
        }
        self.path(path);
    }

    fn path(&mut self, path: Names) {
        if path.len() > 1 {
            self.here().paths.insert(path);
        }
    }
}

fn declared(item: &syn::Item) -> Option<&syn::Ident> {
    match item {
        syn::Item::Const(item) => Some(&item.ident),
        syn::Item::Enum(item) => Some(&item.ident),
        syn::Item::Fn(item) => Some(&item.sig.ident),
        syn::Item::Macro(item) => item.ident.as_ref(),
        syn::Item::Static(item) => Some(&item.ident),
        syn::Item::Struct(item) => Some(&item.ident),
        syn::Item::Trait(item) => Some(&item.ident),
        syn::Item::Type(item) => Some(&item.ident),
        syn::Item::Union(item) => Some(&item.ident),
        _ => None,
    }
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    })
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let for_tests = is_for_tests(attributes(item));
        match item {
            syn::Item::Mod(inner) => {
                self.module.push(inner.ident.to_string());
                if for_tests {
                    self.of_tests.push(self.module.clone());
                } else if inner.content.is_some() {
                    self.enter();
                    visit::visit_item(self, item);
                }
                self.module.pop();
            }
            _ if for_tests => {}
            _ => {
                if let Some(name) = declared(item) {
                    self.here().items.insert(name.to_string());
                }
                visit::visit_item(self, item);
            }
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !is_for_tests(&function.attrs) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.import(Names::new(), &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.path(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.tokens(call.tokens.clone());
        visit::visit_macro(self, call);
    }
}
