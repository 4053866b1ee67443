//! Parameters of the traffic model `tasks` on the command line.

use powar_traffic::synthetic::TasksOptions;
use serde::Deserialize;

/// Parses `concurrent=25,duration=2us`: fields of [`TasksOptions`], each as in an experiment's file; those left out have their defaults.
pub fn tasks(text: &str) -> Result<TasksOptions, String> {
    let mut table = toml::Table::new();
    for part in text.split(',').filter(|part| !part.trim().is_empty()) {
        let (name, value) = part.split_once('=').ok_or_else(|| format!("`{part}` is no NAME=VALUE"))?;
        let (name, value) = (name.trim(), value.trim());
        let number = value.parse().map(toml::Value::Integer).or_else(|_| value.parse().map(toml::Value::Float));
        let value = number.unwrap_or_else(|_| toml::Value::String(value.to_owned()));
        if table.insert(name.to_owned(), value).is_some() {
            return Err(format!("`{name}` is there twice"));
        }
    }
    for (name, value) in &table {
        // One by one, so that an error has the name of what it is about.
        let alone: toml::Table = [(name.clone(), value.clone())].into_iter().collect();
        TasksOptions::deserialize(alone).map_err(|error| format!("{name}: {}", error.message().replace('\n', ", ")))?;
    }
    TasksOptions::deserialize(table).map_err(|error| error.message().to_owned())
}
