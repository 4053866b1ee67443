//! Configurations and registers as users and their tools meet them.

mod bad_configurations;
mod control_words;
mod demonstrator_registers;
mod demonstrator_site;
mod registers;
