//! The tables of `docs/verification.md` and of the pages of the microarchitecture.

use crate::library::{Library, Properties};
use crate::manifest::{Engine, Manifest};
use crate::section::cell;
use crate::without::WITHOUT;

/// What is proved of which block, and how far: a line a block.
pub fn proved(library: &Library) -> String {
    let mut text =
        String::from("| block | properties, covers | how far | proved in | form |\n| --- | --- | --- | --- | --- |\n");
    for properties in &library.blocks {
        let manifest = &properties.manifest;
        let (names, covers) = (properties.names().count(), properties.covers().count());
        let why = if manifest.reason.is_empty() { String::new() } else { format!(": {}", cell(&manifest.reason)) };
        let far = how_far(manifest) + &why;
        let (block, designs) = (&properties.block, manifest.designs.join(", "));
        let form = if manifest.long { "long" } else { "quick" };
        text += &format!(
            "| [`{block}`](microarchitecture/{}) | {names}, {covers} | {far} | {designs} | {form} |\n",
            manifest.page
        );
    }
    text
}

/// How far a block's properties are proved in its own configurations.
fn how_far(manifest: &Manifest) -> String {
    match manifest.engine {
        Engine::Pdr => "unbounded".into(),
        Engine::Induction => "unbounded, by induction".into(),
        Engine::Bounded => format!("first {} cycles", manifest.depth),
    }
}

/// The promises of the blocks on a page of the microarchitecture, and what says each; empty if no block of it has properties.
pub fn promises(library: &Library, page: &str) -> String {
    const HEAD: &str = "| block | promise | properties | proved |\n| --- | --- | --- | --- |\n";
    let blocks = library.blocks.iter().filter(|properties| properties.manifest.page == page);
    let mut lines = String::new();
    for Properties { block, manifest, .. } in blocks {
        for (promise, said) in &manifest.promises {
            let names: Vec<String> = said.properties().iter().map(|name| format!("`{name}`")).collect();
            let far = (!names.is_empty()).then(|| how_far(manifest));
            let missing = manifest.missing.get(promise).map(|why| format!("no: {}", cell(why)));
            let far = far.into_iter().chain(missing).collect::<Vec<_>>().join("; ");
            lines += &format!("| `{block}` | {} | {} | {far} |\n", cell(promise), names.join(", "));
        }
    }
    if lines.is_empty() { lines } else { HEAD.to_owned() + &lines }
}

/// What is not proved: blocks without properties, and promises that no property says.
pub fn not_proved(library: &Library) -> String {
    let mut text = String::from("| block | not proved | why |\n| --- | --- | --- |\n");
    for (block, why) in WITHOUT {
        text += &format!("| `{block}` | all of it | {why} |\n");
    }
    for Properties { block, manifest, .. } in &library.blocks {
        for (promise, why) in &manifest.missing {
            text += &format!("| `{block}` | {} | {} |\n", cell(promise), cell(why));
        }
    }
    text
}
