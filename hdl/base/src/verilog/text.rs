//! Indented lines.

/// One level of indentation.
pub(crate) const INDENT: &str = "    ";

/// A text under construction.
#[derive(Default)]
pub(crate) struct Text {
    lines: Vec<String>,
    /// Levels of indentation of the next line.
    pub depth: usize,
}

impl Text {
    pub(crate) fn line(&mut self, text: &str) {
        match text.is_empty() {
            true => self.lines.push(String::new()),
            false => self.lines.push(format!("{}{text}", INDENT.repeat(self.depth))),
        }
    }

    /// An empty line, unless there is one already or nothing before it.
    pub(crate) fn blank(&mut self) {
        if self.lines.last().is_some_and(|line| !line.is_empty()) {
            self.line("");
        }
    }

    /// Removes the empty lines at the end.
    pub(crate) fn trim_end(&mut self) {
        while self.lines.last().is_some_and(String::is_empty) {
            self.lines.pop();
        }
    }

    pub(crate) fn lines(&self) -> &[String] {
        &self.lines
    }

    pub(crate) fn into_string(self) -> String {
        self.lines.join("\n") + "\n"
    }
}
