//! Words of a command line.

/// A word for the shell, in quotes unless it is plain.
pub fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,=:@".contains(c);
    if text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_words_of_the_shell() {
        assert_eq!(shell_word("/home/a-b/x.toml"), "/home/a-b/x.toml");
        assert_eq!(shell_word("/a b/it's $HOME"), r"'/a b/it'\''s $HOME'");
    }
}
