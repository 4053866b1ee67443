//! What a report has beside proofs: each part comes as a section, which every form of the report shows alike.

use serde::Serializer;

/// A part of a report beside the proofs.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its key in the report as JSON.
    pub name: &'static str,
    pub title: String,
    /// All of it in a sentence or two.
    pub summary: String,
    /// Nothing in it makes the report fail.
    pub holds: bool,
    pub tables: Vec<Table>,
    /// Everything in it, for programs.
    pub details: serde_json::Value,
}

/// A table of a section.
#[derive(Clone, Debug)]
pub struct Table {
    /// Stands above it; may be empty.
    pub caption: String,
    pub head: Vec<String>,
    /// As long as the head each; `code` in backquotes.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(caption: &str, head: &[&str]) -> Table {
        Table { caption: caption.to_owned(), head: head.iter().map(|name| (*name).to_owned()).collect(), rows: vec![] }
    }

    /// Adds a row.
    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        assert_eq!(N, self.head.len(), "a row is as long as the head");
        self.rows.push(cells.into());
    }

    /// As Markdown, without its caption.
    pub fn markdown(&self) -> String {
        let line =
            |cells: &[String]| format!("| {} |\n", cells.iter().map(|text| cell(text)).collect::<Vec<_>>().join(" | "));
        let rule = format!("|{}\n", " --- |".repeat(self.head.len()));
        format!("{}{rule}{}", line(&self.head), self.rows.iter().map(|row| line(row)).collect::<String>())
    }
}

impl Section {
    /// For the terminal: a line a row, cells two blanks apart.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for table in self.tables.iter().filter(|table| !table.rows.is_empty()) {
            let caption = if table.caption.is_empty() { String::new() } else { format!("{}:\n", table.caption) };
            let all: Vec<&Vec<String>> = std::iter::once(&table.head).chain(&table.rows).collect();
            let width = |column: usize| all.iter().map(|row| plain(&row[column]).chars().count()).max().unwrap_or(0);
            let widths: Vec<usize> = (0..table.head.len()).map(width).collect();
            text += &caption;
            for row in all {
                let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{:width$}", plain(cell)));
                text += cells.collect::<Vec<_>>().join("  ").trim_end();
                text += "\n";
            }
        }
        format!("{text}{}: {}\n", self.title, self.summary)
    }

    /// As Markdown, with a heading.
    pub(crate) fn markdown(&self) -> String {
        let mut text = format!("\n## {}\n\n{}\n", self.title, self.summary);
        for table in self.tables.iter().filter(|table| !table.rows.is_empty()) {
            let caption = if table.caption.is_empty() { String::new() } else { format!("{}:\n\n", table.caption) };
            text += &format!("\n{caption}{}", table.markdown());
        }
        text
    }
}

/// Sections in a report as JSON: by their names.
pub(crate) fn by_name<S: Serializer>(sections: &[Section], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(sections.iter().map(|section| (section.name, &section.details)))
}

/// Without the marks of code.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

/// What stands in a table's cell must not divide it.
pub(crate) fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
