//! Verilog identifiers.

/// Can `name` stand in Verilog as it is? Names that can't must be written `\name ` (with the blank).
pub(crate) fn is_simple(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}

/// `name` as it stands in Verilog text.
pub(crate) fn in_verilog(name: &str) -> String {
    if is_simple(name) { name.to_string() } else { format!("\\{name} ") }
}
