//! Networks from files. A target of its own: its process may take little memory, whatever a file says.

#[path = "../../traffic/tests/common/mutation.rs"]
mod mutation;
mod network_files;
mod network_formats;
