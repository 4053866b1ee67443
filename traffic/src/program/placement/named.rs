//! Placements as options and files of a user say them: by name, or as a file.

use super::{NodeChoice, Order, Placement, PlacementOptions, file};
use crate::labels::Labels;
use anyhow::{Context, Result, ensure};
use powar_config::document::bytes_of;
use powar_config::nearest::is_unknown;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A placement that can be asked for by name.
pub struct PlacementKind {
    pub name: &'static str,
    /// One line for a help text.
    pub about: &'static str,
    /// Whether a seed makes a difference.
    pub has_seed: bool,
    /// How it orders ranks and chooses nodes, with this seed.
    options: fn(u64) -> (Order, NodeChoice),
}

/// All placements by name; the first is the usual one.
pub const PLACEMENTS: &[PlacementKind] = &[
    PlacementKind {
        name: "linear",
        about: "neighbouring ranks together, on the first nodes",
        has_seed: false,
        options: |_| (Order::Block, NodeChoice::Linear),
    },
    PlacementKind {
        name: "round-robin",
        about: "one rank after the other on the next of the first nodes, as many as are needed",
        has_seed: false,
        options: |_| (Order::RoundRobin, NodeChoice::Linear),
    },
    PlacementKind {
        name: "spread",
        about: "neighbouring ranks together, on nodes as far apart as their numbers allow",
        has_seed: false,
        options: |_| (Order::Block, NodeChoice::Spread),
    },
    PlacementKind {
        name: "random",
        about: "neighbouring ranks together, on any nodes in any order; random:SEED for another one than that of seed 1",
        has_seed: true,
        options: |seed| (Order::Block, NodeChoice::Random(seed)),
    },
];

/// Where the ranks of a program run: a name of [`PLACEMENTS`], such as `random:7`, or else the path of a file with a node a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct RankPlacement(PathBuf);

impl Default for RankPlacement {
    fn default() -> Self {
        RankPlacement(PLACEMENTS[0].name.into())
    }
}

impl<P: Into<PathBuf>> From<P> for RankPlacement {
    fn from(said: P) -> Self {
        RankPlacement(said.into())
    }
}

impl RankPlacement {
    /// The placement that is named, and what is behind its colon; none if it is a file.
    fn named(&self) -> Option<(&'static PlacementKind, Option<&str>)> {
        let said = self.0.to_str()?;
        let (name, seed) = said.split_once(':').map_or((said, None), |(name, seed)| (name, Some(seed)));
        Some((PLACEMENTS.iter().find(|kind| kind.name == name)?, seed))
    }

    /// The file, if it is one.
    pub fn file(&self) -> Option<&Path> {
        self.named().is_none().then_some(&*self.0)
    }

    /// The same with another path, if it is a file.
    pub fn with_file<P: Into<PathBuf>>(&self, other: impl FnOnce(&Path) -> P) -> RankPlacement {
        RankPlacement(self.file().map_or_else(|| self.0.clone(), |file| other(file).into()))
    }

    /// Places `ranks` ranks on a network of `nodes` nodes with these names, which may be none.
    ///
    /// # Errors
    /// The ranks don't fit; a file that can't be read or that makes no sense.
    pub fn place(&self, ranks: u32, ranks_per_node: u32, nodes: u32, names: &[String]) -> Result<Placement> {
        let (order, choice) = match self.named() {
            Some((kind, seed)) => (kind.options)(kind.seed(seed)?),
            None => {
                let read =
                    |bytes: Vec<u8>| file::read(&bytes, &Labels::new("node", nodes, names), ranks, ranks_per_node);
                let said = bytes_of(&self.0, file::MOST_BYTES).and_then(read);
                (Order::Block, NodeChoice::Each(said.with_context(|| self.described())?))
            }
        };
        Placement::new(ranks, nodes, &PlacementOptions { ranks_per_node, order, choice })
    }

    /// What errors about its file begin with.
    fn described(&self) -> String {
        let said = self.0.display();
        if self.0.exists() {
            return format!("placement: {said}");
        }
        let known = PLACEMENTS.iter().map(|kind| kind.name);
        format!("placement: {} or a file", is_unknown(&said.to_string(), known))
    }
}

impl PlacementKind {
    fn seed(&self, said: Option<&str>) -> Result<u64> {
        let Some(said) = said else { return Ok(1) };
        ensure!(self.has_seed, "placement is `{}:{said}`, expected `{0}`, which has no seed", self.name);
        said.parse()
            .ok()
            .with_context(|| format!("placement is `{}:{said}`, expected a whole number as seed", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(said: &str) -> RankPlacement {
        RankPlacement::from(said)
    }

    #[test]
    fn names_are_what_they_say() {
        let placed =
            |said, ranks, per_node, nodes| of(said).place(ranks, per_node, nodes, &[]).unwrap().node_of().to_vec();
        assert_eq!(placed("linear", 5, 2, 8), [0, 0, 1, 1, 2]);
        assert_eq!(placed("round-robin", 5, 2, 8), [0, 1, 2, 0, 1]);
        assert_eq!(placed("spread", 4, 2, 8), [0, 0, 4, 4]);
        assert_eq!(placed("random", 64, 1, 64), placed("random:1", 64, 1, 64));
        assert_ne!(placed("random:2", 64, 1, 64), placed("random:1", 64, 1, 64));
        let error = |said: &str| format!("{:#}", of(said).place(4, 1, 4, &[]).unwrap_err());
        assert_eq!(error("linear:2"), "placement is `linear:2`, expected `linear`, which has no seed");
        assert_eq!(error("random:x"), "placement is `random:x`, expected a whole number as seed");
        let unknown = error("lineal");
        assert!(unknown.starts_with(
            "placement: `lineal` is unknown; did you mean `linear`? it must be one of linear, round-robin, spread, random \
             or a file: can't"
        ));
        assert!(of("random:x").file().is_none() && of("./linear").file().is_some());
    }
}
