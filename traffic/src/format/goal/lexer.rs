//! The words of a line of GOAL text.

/// First and last characters of a comment that may go over several lines.
const OPEN_COMMENT: &str = "/*";
const CLOSE_COMMENT: &str = "*/";
/// What begins a comment that ends with its line.
const LINE_COMMENT: &str = "//";

/// What a line is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Word(&'a str),
    Open,
    Close,
    Colon,
}

impl<'a> Token<'a> {
    /// Its text.
    pub fn text(self) -> &'a str {
        match self {
            Token::Word(text) => text,
            Token::Open => "{",
            Token::Close => "}",
            Token::Colon => ":",
        }
    }
}

/// Takes the tokens of a line from the left. Comments count as blanks.
#[derive(Clone)]
pub(super) struct Lexer<'a> {
    rest: &'a str,
    /// Whether what comes next is inside a comment.
    in_comment: bool,
}

impl<'a> Lexer<'a> {
    /// The tokens of a line that begins inside a comment, or not.
    pub fn new(line: &'a str, in_comment: bool) -> Lexer<'a> {
        Lexer { rest: line, in_comment }
    }

    /// Whether the next line begins inside a comment.
    pub fn in_comment(&self) -> bool {
        self.in_comment
    }

    /// The next token; `None` at the end of the line.
    pub fn next(&mut self) -> Option<Token<'a>> {
        loop {
            if self.in_comment {
                let Some(end) = self.rest.find(CLOSE_COMMENT) else {
                    self.rest = "";
                    return None;
                };
                self.rest = &self.rest[end + CLOSE_COMMENT.len()..];
                self.in_comment = false;
            }
            self.rest = self.rest.trim_ascii_start();
            if let Some(rest) = self.rest.strip_prefix(OPEN_COMMENT) {
                (self.rest, self.in_comment) = (rest, true);
                continue;
            }
            if self.rest.starts_with(LINE_COMMENT) {
                self.rest = "";
            }
            let token = match *self.rest.as_bytes().first()? {
                b'{' => Token::Open,
                b'}' => Token::Close,
                b':' => Token::Colon,
                _ => Token::Word(&self.rest[..self.word_length()]),
            };
            self.rest = &self.rest[token.text().len()..];
            return Some(token);
        }
    }

    /// Bytes up to the next blank, bracket, colon or comment.
    fn word_length(&self) -> usize {
        let bytes = self.rest.as_bytes();
        let ends = |at: usize| match bytes[at] {
            b'{' | b'}' | b':' => true,
            b'/' => matches!(bytes.get(at + 1), Some(b'/' | b'*')),
            other => other.is_ascii_whitespace(),
        };
        (1..bytes.len()).find(|&at| ends(at)).unwrap_or(bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str, in_comment: bool) -> (Vec<&str>, bool) {
        let mut lexer = Lexer::new(line, in_comment);
        let mut words = Vec::new();
        while let Some(token) = lexer.next() {
            words.push(token.text());
        }
        (words, lexer.in_comment())
    }

    #[test]
    fn brackets_colons_and_comments_end_words() {
        assert_eq!(words("rank 0{l1:calc 5}\r\n", false), (vec!["rank", "0", "{", "l1", ":", "calc", "5", "}"], false));
        assert_eq!(words("a/* b */c // d /* e", false), (vec!["a", "c"], false));
        assert_eq!(words("a/b /*/ c", false), (vec!["a/b"], true));
        assert_eq!(words("x */ é* / y", true), (vec!["é*", "/", "y"], false));
        assert_eq!(words("x * / y", true), (vec![], true));
        assert_eq!(words("/", false), (vec!["/"], false));
    }
}
