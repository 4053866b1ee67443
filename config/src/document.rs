//! Files that users write in TOML: what they say, or in one line what is wrong with them and where.

use anyhow::{Result, anyhow};
use serde::de::DeserializeOwned;

/// What a text in TOML says.
///
/// # Errors
/// One line: text that is no TOML, with its line; a field that is unknown, missing or of the wrong type, with its line and its path.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T> {
    let place = |error: &toml::de::Error| match error.span() {
        Some(span) => format!("line {}: ", text[..span.start.min(text.len())].matches('\n').count() + 1),
        None => String::new(),
    };
    let one_line = |error: &toml::de::Error| error.message().replace('\n', " ");
    let document = toml::Deserializer::parse(text).map_err(|error| anyhow!("{}{}", place(&error), one_line(&error)))?;
    serde_path_to_error::deserialize(document).map_err(|error| {
        let (path, error) = (error.path().to_string(), error.into_inner());
        let path = if path == "." { path } else { format!("{path}: ") };
        anyhow!("{}{}{}", place(&error), path.trim_start_matches('.'), one_line(&error))
    })
}
