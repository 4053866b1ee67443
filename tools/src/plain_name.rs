//! Names that users gave, as names of files, folders and jobs.

/// A name in letters, digits, `-`, `_` and `.`: with `_` for all else, and for a dot in front. So a folder of this name is within the one that it is
/// made in, whatever a file calls it, and it is one word for whoever reads it.
pub fn plain_name(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    let name: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    if name.starts_with('.') { name.replacen('.', "_", 1) } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_nowhere_else_and_is_one_word() {
        for (name, plain) in [
            ("fat-tree-8", "fat-tree-8"),
            ("../evil", "_._evil"),
            ("..", "_."),
            ("/tmp/x", "_tmp_x"),
            ("a b=c", "a_b_c"),
            ("größer", "größer"),
        ] {
            assert_eq!(plain_name(name), plain);
        }
    }
}
