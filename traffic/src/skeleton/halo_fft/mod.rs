//! Molecular dynamics by domains and pencils, as Gromacs and NAMD do it: a step exchanges halos with the neighbours in a
//! grid of ranks, moves charges to a pencil decomposition, transforms them by a 3D FFT with Alltoalls in rows and columns
//! of ranks, and brings the forces back the same way. Every few steps all ranks sum up energies.
//!
//! The order of calls is that of Gromacs 2022 with x times y ranks and PME on all of them, eighth-shell halos
//! (`neighbors=3`). Sizes of halos and of what moves between pencils are the same for all ranks and steps, which those of
//! atoms that move are not.

mod rank;

use super::script::{Ranks, world};
use super::{MOST_RANKS, Parameter, Range, Skeleton, Values};
use crate::program::call::CallSource;
use anyhow::Result;
use rank::Rank;
use std::sync::{Arc, OnceLock};

pub const SKELETON: Skeleton = Skeleton {
    name: "halo-fft",
    about: "molecular dynamics: halos of a 3D grid, 3D FFT in pencils, now and then an Allreduce",
    parameters: PARAMETERS,
    build,
};

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "x",
        default: "8",
        range: Range::Whole(1, 4096),
        meaning: "ranks along x; also the major side of the pencils",
    },
    Parameter {
        name: "y",
        default: "8",
        range: Range::Whole(1, 4096),
        meaning: "ranks along y; y times z is the minor side",
    },
    Parameter { name: "z", default: "1", range: Range::Whole(1, 4096), meaning: "ranks along z" },
    Parameter { name: "steps", default: "10", range: Range::Whole(0, 1_000_000_000), meaning: "steps" },
    Parameter {
        name: "neighbors",
        default: "3",
        range: Range::Word(&["3", "6", "26"]),
        meaning: "halo: 3 positions one way and forces back (eighth shell), 6 faces, 26 faces, edges and corners",
    },
    Parameter { name: "pulses", default: "2", range: Range::Whole(1, 64), meaning: "messages through a face" },
    Parameter {
        name: "face",
        default: "4k",
        range: Range::Whole(0, 1 << 40),
        meaning: "bytes of a message through a face",
    },
    Parameter { name: "edge", default: "400", range: Range::Whole(0, 1 << 40), meaning: "bytes across an edge" },
    Parameter { name: "corner", default: "40", range: Range::Whole(0, 1 << 40), meaning: "bytes across a corner" },
    Parameter { name: "fx", default: "40", range: Range::Whole(1, 1_000_000), meaning: "points of the FFT along x" },
    Parameter { name: "fy", default: "40", range: Range::Whole(1, 1_000_000), meaning: "points along y" },
    Parameter {
        name: "fz",
        default: "40",
        range: Range::Whole(1, 1_000_000),
        meaning: "points along z, real to complex",
    },
    Parameter { name: "complex", default: "8", range: Range::Whole(1, 64), meaning: "bytes of a complex number" },
    Parameter {
        name: "moved",
        default: "120",
        range: Range::Whole(0, 1 << 40),
        meaning: "bytes of atoms that move to a neighbouring pencil; 0: none are exchanged",
    },
    Parameter {
        name: "overlap",
        default: "4k",
        range: Range::Whole(0, 1 << 40),
        meaning: "bytes of overlap of two pencils; 0: none is exchanged",
    },
    Parameter {
        name: "every",
        default: "10",
        range: Range::Whole(0, 1_000_000_000),
        meaning: "steps from one Allreduce to the next; 0: none",
    },
    Parameter { name: "reduced", default: "1088", range: Range::Whole(0, 1 << 40), meaning: "bytes of the Allreduce" },
    Parameter {
        name: "flops",
        default: "5m",
        range: Range::Number(0.0, 1e18),
        meaning: "flops of a rank in a step, without the FFT",
    },
    Parameter { name: "rate", default: "10g", range: Range::Number(1e3, 1e18), meaning: "flop/s of a rank" },
];

#[derive(Clone, Copy, PartialEq)]
enum Neighbors {
    EighthShell,
    Faces,
    All,
}

struct HaloFft {
    grid: [u32; 3],
    steps: u64,
    neighbors: Neighbors,
    pulses: u64,
    /// Bytes through a face, across an edge, across a corner.
    halo: [u64; 3],
    points: [u64; 3],
    complex: u64,
    moved: u64,
    overlap: u64,
    every: u64,
    reduced: u64,
    flops: f64,
    rate: f64,
    world: Arc<[u32]>,
    rows: Box<[OnceLock<Arc<[u32]>>]>,
    columns: Box<[OnceLock<Arc<[u32]>>]>,
}

fn build(values: &Values) -> Result<Box<dyn CallSource>> {
    let grid = ["x", "y", "z"].map(|name| values.whole(name));
    let ranks: u64 = grid.iter().product();
    values.check(ranks <= MOST_RANKS, "x times y times z", ranks, format!("at most {MOST_RANKS}"))?;
    let minor = grid[1] * grid[2];
    let cells = |count: u64| (0..count).map(|_| OnceLock::new()).collect();
    let shared = HaloFft {
        grid: grid.map(|side| side as u32),
        steps: values.whole("steps"),
        neighbors: match values.word("neighbors") {
            "3" => Neighbors::EighthShell,
            "6" => Neighbors::Faces,
            _ => Neighbors::All,
        },
        pulses: values.whole("pulses"),
        halo: ["face", "edge", "corner"].map(|name| values.whole(name)),
        points: ["fx", "fy", "fz"].map(|name| values.whole(name)),
        complex: values.whole("complex"),
        moved: values.whole("moved"),
        overlap: values.whole("overlap"),
        every: values.whole("every"),
        reduced: values.whole("reduced"),
        flops: values.number("flops"),
        rate: values.number("rate"),
        world: world(ranks as u32),
        rows: cells(grid[0]),
        columns: cells(minor),
    };
    Ok(Box::new(Ranks { skeleton: "halo-fft", ranks: ranks as u32, shared: Arc::new(shared), program: Rank::new }))
}

impl HaloFft {
    fn minor(&self) -> u32 {
        self.grid[1] * self.grid[2]
    }

    /// The rank `offset` away in the periodic grid.
    fn neighbor(&self, rank: u32, offset: [i64; 3]) -> u32 {
        let [x, y, z] = self.grid;
        let place = [rank / (y * z), rank / z % y, rank % z];
        let moved = |axis: usize| (i64::from(place[axis]) + offset[axis]).rem_euclid(i64::from(self.grid[axis])) as u32;
        debug_assert!(place[0] < x);
        (moved(0) * y + moved(1)) * z + moved(2)
    }

    /// Name, own place and ranks of the pencils' two sides: first the minor one, ranks in a row, then the major one.
    fn side(&self, rank: u32, side: Side) -> (u32, u32, Arc<[u32]>) {
        let (major, minor) = (self.grid[0], self.minor());
        let (row, column) = (rank / minor, rank % minor);
        match side {
            Side::Minor => {
                let members = self.rows[row as usize].get_or_init(|| (row * minor..(row + 1) * minor).collect());
                (1 + row, column, members.clone())
            }
            Side::Major => {
                let members =
                    self.columns[column as usize].get_or_init(|| (0..major).map(|row| row * minor + column).collect());
                (1 + major + column, row, members.clone())
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Side {
    Minor,
    Major,
}
