//! The labels of one rank's block, and the dependencies that name labels before they are defined.

use super::index::Id;
use super::parse::Until;
use crate::format::paged::PagedFile;
use anyhow::Result;
use std::collections::HashMap;

/// The labels of one block: what opening a trace needs memory for.
pub(super) struct Labels {
    places: HashMap<Box<str>, u32>,
    labels: Vec<Label>,
    /// Dependencies with a label that was not known: both labels, then the line and what it waits for.
    early: PagedFile,
    earlies: u64,
}

#[derive(Clone, Copy)]
struct Label {
    operation: Option<Id>,
    /// Line of the operation.
    line: u64,
}

/// A dependency between two labels.
pub(super) struct Early {
    pub line: u64,
    pub until: Until,
    pub dependent: u32,
    pub required: u32,
}

/// Bit of the line number that says `irequires`.
const STARTED: u64 = 1 << 63;

impl Labels {
    pub fn new() -> Result<Labels> {
        Ok(Labels { places: HashMap::new(), labels: Vec::new(), early: PagedFile::temporary()?, earlies: 0 })
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.places.clear();
        self.labels.clear();
        self.earlies = 0;
    }

    /// The place of a label, which may be new.
    pub fn place(&mut self, text: &str) -> u32 {
        if let Some(&place) = self.places.get(text) {
            return place;
        }
        let place = self.labels.len() as u32;
        self.places.insert(text.into(), place);
        self.labels.push(Label { operation: None, line: 0 });
        place
    }

    /// A label is that of an operation. Returns the line of the operation that has it already, if one has.
    pub fn define(&mut self, text: &str, operation: Id, line: u64) -> Option<u64> {
        let place = self.place(text);
        let label = &mut self.labels[place as usize];
        if label.operation.is_some() {
            return Some(label.line);
        }
        *label = Label { operation: Some(operation), line };
        None
    }

    /// The operation of a label, if it is known.
    pub fn operation(&self, place: u32) -> Option<Id> {
        self.labels[place as usize].operation
    }

    /// The text of a label.
    pub fn text(&self, place: u32) -> &str {
        self.places.iter().find(|(_, other)| **other == place).map_or("", |(text, _)| text)
    }

    /// Keeps a dependency until the end of the block.
    pub fn keep(&mut self, early: &Early) -> Result<()> {
        let started = if early.until == Until::Started { STARTED } else { 0 };
        let ends = u64::from(early.dependent) | u64::from(early.required) << 32;
        self.early.write(self.earlies, &[ends, early.line | started])?;
        self.earlies += 1;
        Ok(())
    }

    /// How many are kept.
    pub fn kept(&self) -> u64 {
        self.earlies
    }

    /// One of those that are kept.
    pub fn early(&mut self, number: u64) -> Result<Early> {
        let [ends, line]: [u64; 2] = self.early.read(number)?;
        let until = if line & STARTED != 0 { Until::Started } else { Until::Finished };
        Ok(Early { line: line & !STARTED, until, dependent: ends as u32, required: (ends >> 32) as u32 })
    }
}
