//! Files of a crate form no circle: what is below can be read, tested and changed without what is above it. A file
//! points to the files whose items it names, by way of lists too. Neither tests count nor what a file names of those in
//! its own folder, since a list names its entries, and they may use what it declares.

#[path = "modules/circles.rs"]
mod circles;
#[path = "modules/source.rs"]
mod source;

use circles::{Circle, circles};
use source::Source;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The folders of sources of all crates, by the manifest of the workspace.
fn folders() -> Vec<String> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let members = manifest.split("members = [").nth(1).and_then(|rest| rest.split(']').next()).unwrap();
    let members = members.split(',').map(|member| member.trim().trim_matches('"')).filter(|member| !member.is_empty());
    members.map(|member| format!("{member}/src")).chain(["src".to_owned()]).collect()
}

fn circles_of(folder: &str) -> Vec<Circle> {
    circles(&Source::of_folder(&root(), folder))
}

#[test]
fn files_of_a_crate_form_no_circle() {
    let all: Vec<Circle> = folders().iter().flat_map(|folder| circles_of(folder)).collect();
    let all: Vec<String> = all.iter().map(Circle::to_string).collect();
    assert!(all.is_empty(), "{} circles:\n{}", all.len(), all.join("\n"));
}

/// The circles of a crate of these files, as the test above writes them.
fn of_texts(files: &[(&str, &str)]) -> Vec<String> {
    circles(&Source::of_texts(files)).iter().map(Circle::to_string).collect()
}

#[test]
fn a_circle_is_named_with_what_closes_it() {
    let files = [
        ("src/lib.rs", "pub mod a; pub mod b; mod c; pub use c::C;"),
        ("src/a.rs", "use super::b::B; pub struct A(B);"),
        ("src/b.rs", "use crate::C; pub struct B(C);"),
        ("src/c.rs", "use super::a; pub struct C(Vec<a::A>);"),
    ];
    let shown =
        "  src/a.rs names b::B of src/b.rs\n  src/b.rs names C of src/c.rs\n  src/c.rs names a::A of src/a.rs\n";
    assert_eq!(of_texts(&files), [format!("3 files:\n{shown}")]);
    let opened = [files[0], files[1], files[2], ("src/c.rs", "pub struct C;")];
    assert!(of_texts(&opened).is_empty());
}

#[test]
fn names_in_bodies_macros_and_types_count() {
    for text in [
        "pub fn b() { crate::a::a() }",
        "pub fn b() { println!(\"{}\", super::a::A); }",
        "pub fn b() { use super::a; vec![a::A] }",
        "pub type B = super::a::A;",
        "pub mod inner { pub use super::super::a::A; }",
        "macro_rules! b { () => { $crate::a::A } }",
        "use super::a as other; pub fn b(_: other::A) {}",
        "use super::a::*; pub fn b(_: A) {}",
    ] {
        let a = ("src/a.rs", "use super::b; pub struct A; pub fn a() { b::b() }");
        assert_eq!(of_texts(&[("src/lib.rs", "mod a; mod b;"), a, ("src/b.rs", text)]).len(), 1, "{text}");
    }
}

#[test]
fn lists_tests_and_what_only_goes_by_way_of_a_list_do_not_count() {
    let list = ("src/list.rs", "pub mod entry; pub mod other; pub use other::Other; pub struct Entry(entry::E);");
    let entry = "use super::{Entry, Other}; pub struct E; fn e(_: Entry, _: Other) {}";
    let files = [
        ("src/lib.rs", "pub mod list; pub mod user;"),
        list,
        ("src/list/entry.rs", entry),
        ("src/list/other.rs", "pub struct Other; #[cfg(test)] mod tests { use crate::list::entry::E; }"),
        ("src/user.rs", "use crate::list::Other; #[cfg(test)] mod unit_tests;"),
        ("src/user/unit_tests.rs", "use crate::user::*;"),
    ];
    assert!(of_texts(&files).is_empty());
}
