//! Next group: some node of the next group, each with the same probability: d = (g + 1) mod G in the last dimension of G groups, uniform in all others.
//! The adversary of shortest ways in a dragonfly, where all of a group's packets want one link (Kim et al. 2008, section 4.2: "worst-case").

use super::{Pattern, PatternKind, PatternParameters};
use crate::synthetic::Surroundings;
use crate::synthetic::random::Random;
use anyhow::{Result, ensure};

pub const PATTERN: PatternKind = PatternKind {
    name: "next-group",
    about: "any node of the next group (of a dragonfly; one further in the last dimension)",
    build,
};

struct NextGroup {
    nodes: u32,
    /// Nodes of a group.
    size: u32,
}

fn build(parameters: &PatternParameters) -> Result<Box<dyn Pattern>> {
    let Surroundings { nodes, dimensions, .. } = *parameters.surroundings;
    let groups = dimensions.last().copied().unwrap_or(1);
    ensure!(
        dimensions.len() >= 2 && groups >= 2,
        "pattern is `next-group` with dimensions of {dimensions:?} nodes, expected two or more, the last of 2 or more"
    );
    Ok(Box::new(NextGroup { nodes, size: nodes / groups }))
}

impl Pattern for NextGroup {
    fn destination(&self, source: u32, random: &mut Random) -> u32 {
        let next = (source / self.size + 1) * self.size % self.nodes;
        next + random.below(self.size)
    }
}
