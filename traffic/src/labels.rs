//! What files of a user call the parts of a network: by number, or by the names that the network's own file has.

use anyhow::{Context, Result};
use std::collections::HashMap;

/// Parts of one kind, nodes or switches.
pub struct Labels<'a> {
    /// What errors call one of them.
    pub what: &'static str,
    count: u32,
    by_name: HashMap<&'a str, u32>,
}

impl<'a> Labels<'a> {
    /// So many parts with these names, which may be none.
    pub fn new(what: &'static str, count: u32, names: &'a [String]) -> Labels<'a> {
        Labels { what, count, by_name: names.iter().map(String::as_str).zip(0..).collect() }
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The number of the part that is called so; names count before numbers. None if there is no such part.
    pub fn find(&self, label: &str) -> Option<u32> {
        let number = || label.parse().ok().filter(|number| *number < self.count);
        self.by_name.get(label).copied().or_else(number)
    }

    /// The same, or why not.
    ///
    /// # Errors
    /// There is no such part.
    pub fn number(&self, label: &str) -> Result<u32> {
        self.find(label).with_context(|| {
            let names = if self.by_name.is_empty() { "" } else { ", or a name of the network's file" };
            format!("{} is `{}`, expected 0 to {}{names}", self.what, shown(label), self.count - 1)
        })
    }
}

/// A piece of a file for a line of text: short, and without what would be seen as something else.
pub fn shown(text: &str) -> String {
    const MOST: usize = 60;
    let short: String = text.chars().take(MOST).collect();
    let more = if short.len() < text.len() { ".." } else { "" };
    format!("{}{more}", short.escape_debug())
}
