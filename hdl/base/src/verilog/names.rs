//! Which identifiers are legal in the generated text, and how Rust names become Verilog names.

use super::reserved;
use anyhow::{Result, bail};

/// Fails unless `name` can stand in the generated text as it is.
pub(crate) fn check_identifier(name: &str) -> Result<()> {
    let mut letters = name.chars();
    let first_is_letter = letters.next().is_some_and(|c| c.is_ascii_alphabetic());
    if !first_is_letter || !letters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        bail!("`{name}` is not a Verilog identifier: letters, digits and `_`, first a letter");
    }
    if let Some(language) = reserved::inside(name) {
        bail!("`{name}` is a reserved word of {language}; choose another name");
    }
    if name.ends_with("self") {
        bail!("`{name}` ends in `self`, which rust-hdl's kernel parser would cut out of the name");
    }
    Ok(())
}

/// `EnteringSleep` -> `ENTERING_SLEEP`, `idle_max` -> `IDLE_MAX`.
pub(crate) fn upper_snake(name: &str) -> String {
    let mut text = String::new();
    let mut after_lower = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && after_lower {
            text.push('_');
        }
        after_lower = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        text.push(letter.to_ascii_uppercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_variants_become_upper_case_words() {
        assert_eq!(upper_snake("EnteringSleep"), "ENTERING_SLEEP");
        assert_eq!(upper_snake("idle_max"), "IDLE_MAX");
        assert_eq!(upper_snake("S3"), "S3");
    }
}
