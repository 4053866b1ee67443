//! What stands before every name of an emitted design, so that two designs can live in one project.

use crate::Config;
use anyhow::{Result, ensure};

/// Most characters of a prefix: with the longest name behind it, a file name that every system takes.
const LONGEST: usize = 64;

/// Empty, or an identifier of Verilog and C that ends in `_`.
///
/// ```
/// use powar_config::Prefix;
/// assert_eq!(Prefix::of_name("fat-tree-8").before("powar_switch"), "fat_tree_8_powar_switch");
/// assert_eq!(Prefix::given("left").unwrap().macro_before("POWAR_PDT"), "LEFT_POWAR_PDT");
/// assert_eq!(Prefix::NONE.before("powar_switch"), "powar_switch");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prefix(String);

impl Prefix {
    /// Names as the pages have them, for a design that is alone.
    pub const NONE: Prefix = Prefix(String::new());

    /// That of a configuration, made of its name.
    ///
    /// # Errors
    /// A name that is too long for it, or has nothing that could stand in one: two such designs could not be told from each other.
    pub fn of(config: &Config) -> Result<Prefix> {
        ensure!(
            config.name.contains(|c: char| c.is_ascii_alphanumeric()),
            "name: `{}` has no letter of a to z and no digit to begin the names of modules with; give a --prefix",
            config.name
        );
        let prefix = Prefix::of_name(&config.name);
        let length = prefix.0.len();
        ensure!(
            length <= LONGEST,
            "name: of {length} characters, `{}...` is too long to stand before others, which takes {LONGEST}; give a --prefix",
            &prefix.0[..16]
        );
        Ok(prefix)
    }

    /// That of a name: letters and digits stay, all between them becomes one `_`; before a digit, which can't be first, an `n`.
    pub fn of_name(name: &str) -> Prefix {
        let words: Vec<&str> =
            name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let joined = words.join("_");
        match joined.chars().next() {
            None => Prefix("n_".into()),
            Some(first) if first.is_ascii_digit() => Prefix(format!("n{joined}_")),
            Some(_) => Prefix(format!("{joined}_")),
        }
    }

    /// One that a user writes, with or without the `_` at its end; empty is [`Prefix::NONE`].
    ///
    /// # Errors
    /// What is no identifier.
    pub fn given(text: &str) -> Result<Prefix> {
        if text.is_empty() {
            return Ok(Prefix::NONE);
        }
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        ensure!(
            text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(is_word) && text.len() < LONGEST,
            "`{text}` can't begin names; expected up to {} letters, digits and _, first a letter, or nothing",
            LONGEST - 1
        );
        Ok(Prefix(format!("{}_", text.trim_end_matches('_'))))
    }

    /// A name with the prefix before it.
    pub fn before(&self, name: &str) -> String {
        format!("{}{name}", self.0)
    }

    /// A name of a C macro with the prefix before it, in capitals.
    pub fn macro_before(&self, name: &str) -> String {
        format!("{}{name}", self.0.to_ascii_uppercase())
    }

    /// Without the `_` at its end.
    pub fn stem(&self) -> &str {
        self.0.trim_end_matches('_')
    }

    /// It is [`Prefix::NONE`].
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_a_configuration_makes_an_identifier() {
        let cases = [
            ("fat-tree-8", "fat_tree_8_"),
            ("8-ary-2-tree", "n8_ary_2_tree_"),
            ("my: \"switch\", größer", "my_switch_gr_er_"),
            (" _a__b_ ", "a_b_"),
            ("端口", "n_"),
            ("endmodule", "endmodule_"),
        ];
        for (name, prefix) in cases {
            assert_eq!(Prefix::of_name(name).0, prefix);
            // It is one that a user could have written.
            assert_eq!(Prefix::given(prefix).unwrap(), Prefix::of_name(name));
        }
    }

    #[test]
    fn a_name_of_other_scripts_makes_none() {
        let of = |name: &str| Prefix::of(&Config { name: name.into(), ..crate::presets::ALL[0].config() });
        assert!(of("端口").unwrap_err().to_string().starts_with("name: `端口` has no letter of a to z"));
        assert_eq!(of("端口 2").unwrap().0, "n2_");
    }

    #[test]
    fn what_is_no_identifier_is_refused() {
        for text in ["8a", "_a", "a-b", "a b", "ä", "a.b", "$a", "\\a", "__", &"a".repeat(64)] {
            let error = Prefix::given(text).unwrap_err().to_string();
            assert!(error.contains(text) && error.contains("first a letter"), "{error}");
        }
        assert_eq!(Prefix::given("a").unwrap(), Prefix::given("a___").unwrap());
        assert_eq!(Prefix::given(&"a".repeat(63)).unwrap().0.len(), 64);
        assert!(Prefix::given("").unwrap().is_none());
    }
}
