//! Topologies: the network around a switch, as one object each.
//!
//! To add one: a folder beside these with its [`Topology`], and one line in [`KINDS`]. How packets find their way through it is another part:
//! [`crate::routing`].

mod address;
pub mod boards;
pub mod connectivity;
pub mod dragonfly;
pub mod fat_tree;
pub mod graph;
pub mod mesh;
pub mod star;
pub mod torus;
pub mod view;
pub mod wiring;

pub use address::{ADDRESS_BITS, digit_bits, pack_address, unpack_address};
pub use boards::Boards;
pub use connectivity::Connectivity;
pub use dragonfly::Dragonfly;
pub use fat_tree::FatTree;
pub use graph::Graph;
pub use mesh::Mesh;
pub use star::Star;
pub use torus::Torus;
pub use view::SwitchView;
pub use wiring::Wiring;

use crate::group::Group;
use crate::nearest::nearest;
use anyhow::{Result, bail};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::any::Any;
use std::fmt::Debug;

/// A network around a switch: how many switches, what is at their ports, how nodes are addressed. `ports` are those of the configuration's
/// switch; only a topology whose [`Topology::ports`] is `None` looks at them.
pub trait Topology: Any + CloneTopology + Debug + Send + Sync {
    /// The entry in the list of topologies.
    fn kind(&self) -> &'static TopologyKind;

    /// Checks its parameters.
    ///
    /// # Errors
    /// A value out of range, by its name.
    fn check(&self) -> Result<()>;

    /// Ports of its switches, 2..=64; `None` if any number will do.
    fn ports(&self) -> Option<usize>;

    /// Bases of the digits of a packed node address, lowest digit first.
    fn bases(&self, ports: usize) -> Vec<usize>;

    /// Stages of switches; 1 if all are alike.
    fn stages(&self) -> usize {
        1
    }

    /// Runs of ports that lead the same way, whose selectability a mechanism may manage.
    fn groups(&self, ports: usize) -> Vec<Group>;

    /// Nodes along each dimension, the one in which neighbours have consecutive numbers first; one dimension if there are none.
    fn dimensions(&self, ports: usize) -> Vec<usize> {
        vec![self.bases(ports).iter().product()]
    }

    /// Its switches, cables and nodes; addresses of nodes need not be filled in.
    ///
    /// # Errors
    /// Parameters that no network can be built of, more switches than [`wiring::MOST_SWITCHES`].
    fn cables(&self, ports: usize) -> Result<Wiring>;

    /// What one of its switches sees of the traffic between all nodes.
    ///
    /// # Errors
    /// A switch that the network does not have.
    fn view(&self, ports: usize, switch: u32) -> Result<Box<dyn SwitchView>>;

    /// What the user should know of how it was read from a file, a line each.
    fn remarks(&self) -> &[String] {
        &[]
    }

    /// The parameters as in TOML, without the kind.
    fn table(&self) -> toml::Table;

    /// Whether another is the same network; one with long parameters need not write them to know.
    fn equals(&self, other: &dyn Topology) -> bool {
        self.kind().name == other.kind().name && self.table() == other.table()
    }
}

/// A copy behind a box; what can be cloned has it.
pub trait CloneTopology {
    fn clone_box(&self) -> Box<dyn Topology>;
}

impl<T: Topology + Clone> CloneTopology for T {
    fn clone_box(&self) -> Box<dyn Topology> {
        Box::new(self.clone())
    }
}

/// A topology and the ports of its switches.
pub type Named = (Box<dyn Topology>, usize);

/// A kind of topology.
pub struct TopologyKind {
    /// `topology.kind` in a configuration.
    pub name: &'static str,
    /// The forms of its networks' names, for help texts and errors.
    pub forms: &'static str,
    /// Names of its parameters, in the order in which they are written.
    pub parameters: &'static [&'static str],
    /// The network of a name and the ports of its switches; `None` if the name has another form, an error if it has this one but names none.
    of_name: fn(&str) -> Option<Result<Named>>,
    /// The path in a name, of networks that are read from files.
    file: fn(&str) -> Option<&str>,
    /// Reads the parameters.
    parse: fn(toml::Table) -> Result<Box<dyn Topology>>,
}

/// Every kind of topology.
pub static KINDS: [&TopologyKind; 7] =
    [&star::KIND, &fat_tree::KIND, &mesh::KIND, &torus::KIND, &dragonfly::KIND, &boards::KIND, &graph::KIND];

/// The forms of networks' names.
pub fn forms() -> String {
    KINDS.map(|kind| kind.forms).join(", ")
}

/// The names of all kinds.
pub fn kinds() -> String {
    KINDS.map(|kind| kind.name).join(", ")
}

/// The network of a name and the ports of its switches; neither is checked.
///
/// # Errors
/// A name of another form than [`forms`], a file that can't be read.
pub fn by_name(name: &str) -> Result<Named> {
    match KINDS.iter().find_map(|kind| (kind.of_name)(name)) {
        Some(found) => found,
        None => {
            bail!("topology: `{name}` is unknown; {}it must have one of the forms {}", guess_of_form(name), forms())
        }
    }
}

/// The form that was meant, by the words of the name; empty if no word is near one of a form.
fn guess_of_form(name: &str) -> String {
    let words = |text: &'static str| text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() > 2);
    let known: Vec<&str> = KINDS.iter().flat_map(|kind| words(kind.forms)).collect();
    let written = name.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() > 2);
    let meant = written.flat_map(|word| nearest(word, known.iter().copied())).next();
    let kind = KINDS.iter().find(|kind| meant.is_some_and(|meant| words(kind.forms).any(|word| word == meant)));
    kind.map(|kind| format!("did you mean {}? ", kind.forms)).unwrap_or_default()
}

/// The path of the file that a name is of; `None` if the network is not in a file.
pub fn file_of(name: &str) -> Option<&str> {
    KINDS.iter().find_map(|kind| (kind.file)(name))
}

/// The name with another path in it, if it is of a file.
pub fn with_file(name: &str, other: impl FnOnce(&str) -> String) -> String {
    let Some(path) = file_of(name) else { return name.to_owned() };
    // A part of the name, so it begins there.
    let at = path.as_ptr() as usize - name.as_ptr() as usize;
    format!("{}{}{}", &name[..at], other(path), &name[at + path.len()..])
}

/// Of a kind whose networks are in no files.
pub(super) fn no_file(_: &str) -> Option<&str> {
    None
}

impl dyn Topology {
    /// The topology as one of its own type, if it is.
    pub fn of<T: Topology>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }

    /// Nodes of the network.
    pub fn nodes(&self, ports: usize) -> usize {
        self.bases(ports).iter().product()
    }
}

impl Clone for Box<dyn Topology> {
    fn clone(&self) -> Self {
        self.clone_box()
    }
}

impl PartialEq for dyn Topology {
    fn eq(&self, other: &dyn Topology) -> bool {
        self.equals(other)
    }
}

impl Serialize for dyn Topology {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, mut table) = (self.kind(), self.table());
        let parameters = kind.parameters.iter().filter_map(|&name| Some((name, table.remove(name)?)));
        serializer.collect_map([("kind", kind.name.into())].into_iter().chain(parameters))
    }
}

impl<'de> Deserialize<'de> for Box<dyn Topology> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut table = toml::Table::deserialize(deserializer)?;
        let Some(kind) = table.remove("kind") else { return Err(D::Error::missing_field("kind")) };
        let Some(entry) = KINDS.iter().find(|entry| Some(entry.name) == kind.as_str()) else {
            return Err(D::Error::custom(format!("kind: {kind} is unknown; it must be one of {}", kinds())));
        };
        (entry.parse)(table).map_err(|error| D::Error::custom(format!("{error:#}")))
    }
}

/// A number in a network's name: digits without a sign or a leading zero.
fn number(text: &str) -> Option<usize> {
    text.parse().ok().filter(|_| !text.starts_with(['+', '0']))
}

/// A name and the number behind `mark` at its end; 1 without one, `None` if what is there is no number.
fn with_number<'a>(text: &'a str, mark: &str) -> Option<(&'a str, usize)> {
    match text.split_once(mark) {
        Some((rest, digits)) => Some((rest, number(digits)?)),
        None => Some((text, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_is_written_in_its_order() {
        for name in
            ["star-4", "4-ary-2-tree", "k4-n2", "mesh-3x4", "torus-3x3-trunk2-nodes4", "dragonfly-p2a4h2", "boards-3x2"]
        {
            let (topology, _) = by_name(name).unwrap();
            let names: Vec<String> = topology.table().keys().cloned().collect();
            assert_eq!(names.len(), topology.kind().parameters.len(), "{name}");
            assert!(names.iter().all(|written| topology.kind().parameters.contains(&written.as_str())), "{name}");
        }
    }
}
