//! A traffic matrix from a file: who sends how much to whom, between nodes, or between switches, whose nodes share what their switch sends and receives.
//!
//! The numbers of the matrix are rates in any unit: the mean over the nodes that send is the load asked for. A node whose row has nothing is silent.

mod read;
mod table;

pub use read::{Rates, read};

use super::{Pattern, PatternKind, PatternParameters};
use crate::labels::Labels;
use crate::synthetic::options::Level;
use crate::synthetic::random::Random;
use anyhow::{Context, Result, ensure};
use powar_config::document::bytes_of;
use powar_config::topology::graph::Names;
use std::path::Path;

pub const PATTERN: PatternKind = PatternKind {
    name: "matrix",
    about: "as the traffic matrix in a file says (matrix; --traffic-matrix FILE)",
    build,
};

/// Longest file that is read, bytes.
const MOST_BYTES: u64 = 256 << 20;

/// The parts of a network that a matrix may be of.
pub struct Parts<'a> {
    nodes: Labels<'a>,
    /// If it is known how many there are.
    switches: Option<Labels<'a>>,
    /// What the user says it is of.
    of: Option<Level>,
}

impl<'a> Parts<'a> {
    /// So many nodes, and switches if they are known.
    pub fn new(nodes: u32, switches: Option<u32>, names: Option<&'a Names>, of: Option<Level>) -> Parts<'a> {
        let (of_switches, of_nodes) = names.map_or((&[][..], &[][..]), |names| (&names.switches, &names.nodes));
        let switches = switches.map(|switches| Labels::new("switch", switches, of_switches));
        Parts { nodes: Labels::new("node", nodes, of_nodes), switches, of }
    }

    /// Those that a matrix may be of, the likeliest first.
    fn candidates(&self) -> Vec<(Level, &Labels<'a>)> {
        // A switch alone sends to nobody.
        let switches = self.switches.as_ref().filter(|switches| switches.count() > 1);
        let switches = switches.map(|switches| (Level::Switches, switches));
        let all = [Some((Level::Nodes, &self.nodes)), switches].into_iter().flatten();
        all.filter(|(level, _)| self.of.is_none_or(|of| of == *level)).collect()
    }
}

/// Nodes that send as a matrix says. A matrix of nodes is one of groups of one node.
struct Matrix {
    file: String,
    level: Level,
    /// The nodes of each row.
    groups: Vec<Vec<u32>>,
    /// By node.
    group_of: Vec<u32>,
    /// Of each row: where it sends to, and the sum of the rates up to there.
    rows: Vec<Vec<(u32, f64)>>,
    /// By row: what a node of it sends, as a multiple of the mean over the nodes that send.
    weights: Vec<f64>,
}

fn build(parameters: &PatternParameters) -> Result<Box<dyn Pattern>> {
    let options = parameters.options.matrix.as_ref();
    let options = options.context("matrix is missing, expected one with a file: --traffic-matrix FILE")?;
    let file = &options.file;
    let matrix = bytes_of(file, MOST_BYTES).and_then(|bytes| Matrix::new(file, options.of, &bytes, parameters));
    Ok(Box::new(matrix.with_context(|| format!("matrix: {}", file.display()))?))
}

impl Matrix {
    fn new(file: &Path, of: Option<Level>, bytes: &[u8], parameters: &PatternParameters) -> Result<Matrix> {
        let nodes = parameters.surroundings.nodes;
        let wiring = parameters.surroundings.wiring;
        let switches = wiring.map(|wiring| wiring.ends.len() as u32);
        let rates = read(bytes, &Parts::new(nodes, switches, parameters.surroundings.names, of))?;
        let group_of: Vec<u32> = match (rates.level, wiring) {
            // All links of a node lead to one switch.
            (Level::Switches, Some(wiring)) => wiring.nodes.iter().map(|links| links[0].0).collect(),
            _ => (0..nodes).collect(),
        };
        let mut groups = vec![vec![]; rates.rows.len()];
        (0..nodes).zip(&group_of).for_each(|(node, &group)| groups[group as usize].push(node));
        check_groups(&rates, &groups)?;
        let sum = |row: &Vec<(u32, f64)>| row.iter().map(|&(_, rate)| rate).sum::<f64>();
        let of_node = |(row, group): (&Vec<(u32, f64)>, &Vec<u32>)| sum(row) / group.len().max(1) as f64;
        let loads: Vec<f64> = rates.rows.iter().zip(&groups).map(of_node).collect();
        let senders = loads.iter().zip(&groups).filter(|(load, _)| **load > 0.0).map(|(_, group)| group.len());
        let mean = rates.rows.iter().map(sum).sum::<f64>() / senders.sum::<usize>() as f64;
        Ok(Matrix {
            file: file.display().to_string(),
            level: rates.level,
            groups,
            group_of,
            weights: loads.iter().map(|load| load / mean).collect(),
            rows: rates.rows.into_iter().map(cumulative).collect(),
        })
    }

    fn row(&self, node: u32) -> usize {
        self.group_of[node as usize] as usize
    }
}

/// Whether all that sends and receives has nodes, and others than itself to send to.
fn check_groups(rates: &Rates, groups: &[Vec<u32>]) -> Result<()> {
    for (source, row) in rates.rows.iter().enumerate() {
        for &(destination, rate) in row {
            let empty = [source, destination as usize].into_iter().find(|&part| groups[part].is_empty());
            ensure!(empty.is_none(), "switch {} has no nodes, expected rates of 0 for it", empty.unwrap_or_default());
            ensure!(
                source != destination as usize || groups[source].len() > 1,
                "the rate from {source} to itself is `{rate:?}`, expected 0"
            );
        }
    }
    Ok(())
}

/// Rates with the sum up to each.
fn cumulative(mut row: Vec<(u32, f64)>) -> Vec<(u32, f64)> {
    let mut sum = 0.0;
    for (_, rate) in &mut row {
        sum += *rate;
        *rate = sum;
    }
    row
}

impl Pattern for Matrix {
    fn sends(&self, source: u32) -> bool {
        !self.rows[self.row(source)].is_empty()
    }

    fn weight(&self, source: u32) -> f64 {
        self.weights[self.row(source)]
    }

    fn described(&self) -> Option<String> {
        let Matrix { file, level, rows, weights, .. } = self;
        let what = level.plural();
        let senders = rows.iter().filter(|row| !row.is_empty()).count();
        let most = weights.iter().fold(0.0_f64, |most, &weight| most.max(weight));
        Some(format!("{file}, {senders} of {} {what} send, a node {most:.3} times the load at most", rows.len()))
    }

    fn destination(&self, source: u32, random: &mut Random) -> u32 {
        let row = &self.rows[self.row(source)];
        let drawn = random.unit() * row.last().map_or(0.0, |&(_, sum)| sum);
        // Rounding may draw what is no less than the last sum.
        let place = row.partition_point(|&(_, sum)| sum <= drawn).min(row.len() - 1);
        let group = &self.groups[row[place].0 as usize];
        let own = group.iter().position(|&node| node == source);
        match (group.len() - usize::from(own.is_some()), own) {
            (1, None) => group[0],
            (others, own) => {
                let other = random.below(others as u32) as usize;
                group[other + usize::from(own.is_some_and(|own| other >= own))]
            }
        }
    }
}
