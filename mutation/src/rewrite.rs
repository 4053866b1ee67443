//! The text with all its mutants: each place becomes a choice made at run time.

use crate::rules::{Rule, Site, sites};
use anyhow::Result;
use serde::Serialize;
use std::collections::BTreeSet;
use std::ops::Range;

/// One mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mutant {
    /// From 1 on, in the order of files and of places in them; the same as long as the sources are.
    pub number: usize,
    /// Relative to the workspace, with slashes.
    pub file: String,
    pub line: usize,
    pub rule: Rule,
    pub before: String,
    pub after: String,
    /// The line that its place begins in, without the spaces around it; the place is between « and ».
    pub text: String,
}

/// A file of the golden model with its places.
pub struct Source {
    pub file: String,
    text: String,
    sites: Vec<Site>,
    /// Number of the first mutant.
    first: usize,
}

/// The text of a file with its mutants, and where they lie in it.
pub struct Rewritten {
    pub text: String,
    /// Outer before inner.
    places: Vec<Place>,
}

struct Place {
    range: Range<usize>,
    numbers: Vec<(usize, Range<usize>)>,
}

impl Source {
    /// A file whose mutants are numbered from `first` on.
    ///
    /// # Errors
    /// It is not Rust.
    pub fn new(file: String, text: String, first: usize) -> Result<Source> {
        let sites = sites(&text)?;
        Ok(Source { file, text, sites, first })
    }

    /// Its mutants in the order of their numbers.
    pub fn mutants(&self) -> Vec<Mutant> {
        let all =
            self.sites.iter().flat_map(|site| site.alternatives.iter().map(move |alternative| (site, alternative)));
        all.zip(self.first..)
            .map(|((site, alternative), number)| Mutant {
                number,
                file: self.file.clone(),
                line: site.line,
                rule: alternative.rule,
                before: self.text[site.range.clone()].to_owned(),
                after: alternative.text.clone(),
                text: self.line_of(&site.range),
            })
            .collect()
    }

    /// The line in which a place begins, with the place marked as far as it is in that line.
    fn line_of(&self, place: &Range<usize>) -> String {
        let begin = self.text[..place.start].rfind('\n').map_or(0, |end| end + 1);
        let end = self.text[place.start..].find('\n').map_or(self.text.len(), |length| place.start + length);
        let place = place.start..place.end.min(end);
        let line = &self.text[begin..end];
        let (before, rest) = line.split_at(place.start - begin);
        let (marked, after) = rest.split_at(place.len());
        format!("{before}«{marked}»{after}").trim().to_owned()
    }

    /// The text with all mutants but those left out. Lines stay where they are.
    pub fn rewritten(&self, left_out: &BTreeSet<usize>) -> Rewritten {
        let mut number = self.first;
        let mut numbered = self.sites.iter().map(|site| {
            let kept = site.alternatives.iter().zip(number..).filter(|(_, number)| !left_out.contains(number));
            number += site.alternatives.len();
            Numbered { site, kept: kept.map(|(alternative, number)| (number, alternative.text.as_str())).collect() }
        });
        let mut numbered: Vec<Numbered> = numbered.by_ref().filter(|numbered| !numbered.kept.is_empty()).collect();
        // The same place once more, as the condition of an `if` is a comparison too, stays in the order in which it was found: outer first.
        numbered.sort_by_key(|numbered| (numbered.site.range.start, std::cmp::Reverse(numbered.site.range.end)));
        let mut rewritten = Rewritten { text: String::new(), places: vec![] };
        rewritten.write(&self.text, 0..self.text.len(), &numbered);
        rewritten
    }
}

/// A place with the mutants that are kept.
struct Numbered<'a> {
    site: &'a Site,
    kept: Vec<(usize, &'a str)>,
}

impl Rewritten {
    /// Writes a part of the text with the places in it.
    fn write(&mut self, text: &str, range: Range<usize>, places: &[Numbered]) {
        let mut done = range.start;
        let mut rest = places;
        while let [first, others @ ..] = rest {
            let outer = first.site.range.clone();
            let inside = others.iter().take_while(|other| other.site.range.start < outer.end).count();
            self.text += &text[done..outer.start];
            self.write_choice(text, first, &others[..inside]);
            done = outer.end;
            rest = &others[inside..];
        }
        self.text += &text[done..range.end];
    }

    fn write_choice(&mut self, text: &str, place: &Numbered, inside: &[Numbered]) {
        // A statement gives nothing; an expression may begin with something that would be taken for a statement.
        let [open, close] = if place.site.is_statement { ["", ""] } else { ["(", ")"] };
        let at = self.places.len();
        let begin = self.text.len();
        self.places.push(Place { range: begin..begin, numbers: vec![] });
        self.text += open;
        for (number, wrong) in &place.kept {
            self.text += &format!("if ::powar_mutant::is({number}) {{ {open}");
            let from = self.text.len();
            // On one line, so that those below keep their numbers.
            self.text += &wrong.lines().map(without_comment).collect::<Vec<_>>().join(" ");
            self.places[at].numbers.push((*number, from..self.text.len()));
            self.text += &format!("{close} }} else ");
        }
        self.text += &format!("{{ {open}");
        self.write(text, place.site.range.clone(), inside);
        self.text += &format!("{close} }}{close}");
        self.places[at].range.end = self.text.len();
    }

    /// The mutants that must be left out if the compiler objects to these bytes: those written there, or all of the innermost place around.
    pub fn blamed(&self, bytes: &Range<usize>) -> Vec<usize> {
        let overlaps = |range: &Range<usize>| range.start < bytes.end.max(bytes.start + 1) && bytes.start < range.end;
        let written = self.places.iter().flat_map(|place| &place.numbers);
        let there: Vec<usize> = written.filter(|(_, range)| overlaps(range)).map(|(number, _)| *number).collect();
        if !there.is_empty() {
            return there;
        }
        let around =
            self.places.iter().filter(|place| place.range.start <= bytes.start && bytes.end <= place.range.end);
        let innermost = around.min_by_key(|place| place.range.len());
        innermost.map(|place| place.numbers.iter().map(|(number, _)| *number).collect()).unwrap_or_default()
    }
}

/// A line without the comment at its end.
fn without_comment(line: &str) -> &str {
    line.split_once("//").map_or(line, |(code, _)| code).trim()
}

#[cfg(test)]
mod tests;
