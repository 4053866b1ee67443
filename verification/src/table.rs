//! The tables of `docs/verification.md`.

use crate::library::{Library, Properties};
use crate::manifest::Engine;
use crate::report_markdown::cell;
use crate::without::WITHOUT;

/// What is proved of which block, and how far: a line a block.
pub fn proved(library: &Library) -> String {
    let mut text =
        String::from("| block | properties, covers | how far | proved in | form |\n| --- | --- | --- | --- | --- |\n");
    for properties in &library.blocks {
        let manifest = &properties.manifest;
        let (names, covers) = (properties.names().count(), properties.covers().count());
        let far = match manifest.engine {
            Engine::Pdr => "unbounded".to_owned(),
            Engine::Induction => "unbounded, by induction".to_owned(),
            Engine::Bounded => format!("first {} cycles: {}", manifest.depth, cell(&manifest.reason)),
        };
        let (block, designs) = (&properties.block, manifest.designs.join(", "));
        let form = if manifest.long { "long" } else { "quick" };
        text += &format!(
            "| [`{block}`](microarchitecture/{}) | {names}, {covers} | {far} | {designs} | {form} |\n",
            manifest.page
        );
    }
    text
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
