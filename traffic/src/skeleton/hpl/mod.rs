//! HPL 2.x (Linpack): LU factorisation with partial pivoting of a random matrix on a grid of P x Q ranks.
//!
//! Messages, partners, sizes, tags and their order are those of the program (Petitet, Whaley, Dongarra, Cleary: *HPL - A
//! Portable Implementation of the High-Performance Linpack Benchmark*; the source of HPL 2.x and of HPC Challenge), with
//! the transposed forms of L1 and U. Which rows are swapped depends on the matrix: see [`Pivots`]. What cannot be known
//! without running it is when a rank finds the panel that it forwards: see the parameter `probe`.
//!
//! Computation is flops over a rate: matrix products and triangular solves of the update over `rate`, everything within
//! a panel and in the last solve, which are bound by memory, over `panel-rate`.

mod broadcast;
mod check;
mod factor;
mod grid;
mod rank;
mod solve;
mod swap;
mod tree;
mod update;

use super::script::{Ranks, picoseconds};
use super::{MOST_RANKS, Parameter, Range, Skeleton, Values, draw};
use crate::program::call::CallSource;
use anyhow::{Result, ensure};
use broadcast::Broadcast;
use grid::Grid;
use rank::Rank;
use std::sync::Arc;
use swap::Plans;

pub const SKELETON: Skeleton = Skeleton {
    name: "hpl",
    about: "HPL 2.x: LU factorisation of a random matrix (Linpack)",
    parameters: PARAMETERS,
    build,
};

const PARAMETERS: &[Parameter] = &[
    Parameter { name: "n", default: "4096", range: Range::Whole(1, 10_000_000), meaning: "order of the matrix" },
    Parameter {
        name: "nb",
        default: "128",
        range: Range::Whole(1, 4096),
        meaning: "width of a panel and of the blocks",
    },
    Parameter { name: "p", default: "8", range: Range::Whole(1, 4096), meaning: "rows of the grid of ranks" },
    Parameter { name: "q", default: "8", range: Range::Whole(1, 65536), meaning: "columns of the grid of ranks" },
    Parameter {
        name: "pmap",
        default: "row",
        range: Range::Word(&["row", "column"]),
        meaning: "ranks count along rows or columns",
    },
    Parameter { name: "depth", default: "1", range: Range::Whole(0, 1), meaning: "panels of look-ahead" },
    Parameter {
        name: "bcast",
        default: "1rm",
        range: Range::Word(&["1rg", "1rm", "2rg", "2rm"]),
        meaning: "panel broadcast: one or two rings, rm: modified",
    },
    Parameter {
        name: "swap",
        default: "mix",
        range: Range::Word(&["exchange", "long", "mix"]),
        meaning: "row swap: binary exchange, spread and roll, or by `threshold`",
    },
    Parameter {
        name: "threshold",
        default: "64",
        range: Range::Whole(0, 10_000_000),
        meaning: "swap=mix: most columns of a binary exchange",
    },
    Parameter {
        name: "equil",
        default: "1",
        range: Range::Whole(0, 1),
        meaning: "long swap: even out the pieces before they are rolled",
    },
    Parameter {
        name: "nbmin",
        default: "4",
        range: Range::Whole(1, 4096),
        meaning: "columns at which the recursion in a panel ends",
    },
    Parameter {
        name: "ndiv",
        default: "2",
        range: Range::Whole(2, 64),
        meaning: "parts in each step of that recursion",
    },
    Parameter {
        name: "probe",
        default: "auto",
        range: Range::NumberOrAuto(0.0, 1.0),
        meaning: "share of an update before the next panel is expected; auto: what its root computes for it meanwhile",
    },
    Parameter {
        name: "check",
        default: "0",
        range: Range::Whole(0, 1),
        meaning: "with the check of the result (norms, residual)",
    },
    Parameter { name: "seed", default: "1", range: Range::Whole(0, u64::MAX), meaning: "of the pivot rows" },
    Parameter {
        name: "rate",
        default: "10g",
        range: Range::Number(1e3, 1e18),
        meaning: "flop/s of a rank in matrix products",
    },
    Parameter {
        name: "panel-rate",
        default: "auto",
        range: Range::NumberOrAuto(1e3, 1e18),
        meaning: "flop/s of a rank within panels and in the solve; auto: as rate",
    },
];

/// Which row a column's largest element is in: data that no skeleton has.
#[derive(Clone, Debug)]
pub enum Pivots {
    /// Uniform over the rows that are left, from this seed: nearly true of the random matrices of HPL.
    Random(u64),
    /// Row of the pivot of every column, from a factorisation. Columns without one, or with one that is not left, keep
    /// their own row.
    Rows(Arc<[u32]>),
}

impl Pivots {
    /// Row of the pivot of a column, from that column to `n`.
    fn row(&self, column: u64, n: u64) -> u64 {
        match self {
            Pivots::Random(seed) => column + draw::below(*seed, column, n - column),
            Pivots::Rows(rows) => {
                let row = rows.get(column as usize).map_or(column, |&row| u64::from(row));
                if (column..n).contains(&row) { row } else { column }
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Swap {
    Exchange,
    Long,
    Mix,
}

/// What all ranks share.
struct Hpl {
    grid: Grid,
    ahead: bool,
    broadcast: Broadcast,
    swap: Swap,
    threshold: u64,
    equilibrate: bool,
    nbmin: u64,
    ndiv: u64,
    probe: Option<f64>,
    check: bool,
    rate: f64,
    panel_rate: f64,
    pivots: Pivots,
    plans: Plans,
}

impl Hpl {
    /// Time of flops in the update, ps.
    fn product(&self, flops: u64) -> u64 {
        picoseconds(flops as f64, self.rate)
    }

    /// Time of flops in a panel or in the solve, ps.
    fn panel_work(&self, flops: u64) -> u64 {
        picoseconds(flops as f64, self.panel_rate)
    }
}

fn build(values: &Values) -> Result<Box<dyn CallSource>> {
    let pivots = Pivots::Random(values.whole("seed"));
    source(values, pivots)
}

/// HPL with these parameters (`n=1024,nb=32,...`) and pivots.
///
/// # Errors
/// As of [`parse`](super::parse).
pub fn with_pivots(parameters: &str, pivots: Pivots) -> Result<Box<dyn CallSource>> {
    source(&Values::parse(SKELETON.name, PARAMETERS, parameters)?, pivots)
}

fn source(values: &Values, pivots: Pivots) -> Result<Box<dyn CallSource>> {
    let (p, q) = (values.whole("p"), values.whole("q"));
    ensure!(p * q <= MOST_RANKS, "skeleton hpl: p times q is `{}`, expected at most {MOST_RANKS}", p * q);
    let grid = Grid::new(values.whole("n"), values.whole("nb"), p as u32, q as u32, values.word("pmap") == "column");
    let rate = values.number("rate");
    let broadcast = match values.word("bcast") {
        "1rg" => Broadcast::Ring,
        "1rm" => Broadcast::RingModified,
        "2rg" => Broadcast::TwoRings,
        _ => Broadcast::TwoRingsModified,
    };
    let swap = match values.word("swap") {
        "exchange" => Swap::Exchange,
        "long" => Swap::Long,
        _ => Swap::Mix,
    };
    let shared = Hpl {
        // The program leaves look-ahead out where there is only one column.
        ahead: values.whole("depth") == 1 && q > 1,
        broadcast,
        swap,
        threshold: values.whole("threshold"),
        equilibrate: values.whole("equil") == 1,
        nbmin: values.whole("nbmin"),
        ndiv: values.whole("ndiv"),
        probe: values.chosen_number("probe"),
        check: values.whole("check") == 1,
        rate,
        panel_rate: values.chosen_number("panel-rate").unwrap_or(rate),
        pivots,
        plans: Plans::default(),
        grid,
    };
    let ranks = shared.grid.ranks();
    Ok(Box::new(Ranks { skeleton: "hpl", ranks, shared: Arc::new(shared), program: Rank::new }))
}
