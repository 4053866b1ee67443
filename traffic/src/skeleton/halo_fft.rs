//! Molecular dynamics by domains and pencils, as Gromacs and NAMD do it: a step exchanges halos with the neighbours in a
//! grid of ranks, moves charges to a pencil decomposition, transforms them by a 3D FFT with Alltoalls in rows and columns
//! of ranks, and brings the forces back the same way. Every few steps all ranks sum up energies.
//!
//! The order of calls is that of Gromacs 2022 with x times y ranks and PME on all of them, eighth-shell halos
//! (`neighbors=3`). Sizes of halos and of what moves between pencils are the same for all ranks and steps, which those of
//! atoms that move are not.

use super::script::{Program, Ranks, Script, WORLD, picoseconds, world};
use super::{MOST_RANKS, Parameter, Range, Skeleton, Values};
use crate::program::call::{CallSource, Collective, Payload};
use anyhow::Result;
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

/// Shares of a step's flops: forces between atoms, spreading of charges, gathering of forces, integration. As the
/// recorded Gromacs divides its time.
const SHARES: [f64; 4] = [0.82, 0.05, 0.05, 0.08];

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

/// Parts of a step, in their order.
const PARTS: u32 = 13;

struct Rank {
    shared: Arc<HaloFft>,
    rank: u32,
    step: u64,
    /// `None`: before the first step.
    part: Option<u32>,
}

impl Rank {
    fn new(shared: &Arc<HaloFft>, rank: u32) -> Rank {
        Rank { shared: shared.clone(), rank, step: 0, part: None }
    }

    fn work(&self, flops: f64, script: &mut Script) {
        script.compute(picoseconds(flops, self.shared.rate));
    }

    /// A message to the rank `offset` away, one from the rank on the other side; none to itself.
    fn shift(&self, offset: [i64; 3], bytes: u64, script: &mut Script) {
        let to = self.shared.neighbor(self.rank, offset);
        if to != self.rank {
            let from = self.shared.neighbor(self.rank, offset.map(|step| -step));
            script.exchange(to, from, 0, WORLD, bytes);
        }
    }

    /// Positions to those who need them; `back`: forces the other way, of the eighth shell only.
    fn halo(&self, back: bool, script: &mut Script) {
        let shared = &self.shared;
        let along = |axis: usize, step: i64| {
            let mut offset = [0; 3];
            offset[axis] = step;
            offset
        };
        match shared.neighbors {
            Neighbors::EighthShell => {
                for number in 0..3 {
                    let offset = if back { along(2 - number, 1) } else { along(number, -1) };
                    (0..shared.pulses).for_each(|_| self.shift(offset, shared.halo[0], script));
                }
            }
            _ if back => (),
            Neighbors::Faces => {
                for (axis, step) in (0..3).flat_map(|axis| [(axis, -1), (axis, 1)]) {
                    (0..shared.pulses).for_each(|_| self.shift(along(axis, step), shared.halo[0], script));
                }
            }
            Neighbors::All => {
                for number in (0..27_i64).filter(|&number| number != 13) {
                    let offset = [number / 9 - 1, number / 3 % 3 - 1, number % 3 - 1];
                    let order = offset.iter().filter(|&&step| step != 0).count();
                    let messages = if order == 1 { shared.pulses } else { 1 };
                    (0..messages).for_each(|_| self.shift(offset, shared.halo[order - 1], script));
                }
            }
        }
    }

    /// To the next or the one before in a side of the pencils, from the other one.
    fn pass(&self, side: Side, forward: bool, bytes: u64, script: &mut Script) {
        let (name, place, members) = self.shared.side(self.rank, side);
        let count = members.len();
        if count > 1 {
            let (next, last) = ((place as usize + 1) % count, (place as usize + count - 1) % count);
            let (to, from) = if forward { (next, last) } else { (last, next) };
            script.exchange(members[to], members[from], i32::from(!forward), name, bytes);
        }
    }

    /// Atoms go to the pencil they are in: how many, then their indices and charges, each both ways.
    fn move_atoms(&self, side: Side, script: &mut Script) {
        let moved = self.shared.moved;
        if moved == 0 {
            return;
        }
        self.pass(side, true, 4, script);
        self.pass(side, false, 4, script);
        for forward in [true, false] {
            self.pass(side, forward, moved, script);
            self.pass(side, forward, moved / 3, script);
        }
    }

    /// The forces on them come back.
    fn move_forces(&self, side: Side, script: &mut Script) {
        if self.shared.moved > 0 {
            self.pass(side, false, self.shared.moved / 2, script);
            self.pass(side, true, self.shared.moved / 2, script);
        }
    }

    fn overlap(&self, forward: bool, script: &mut Script) {
        if self.shared.overlap > 0 {
            self.pass(Side::Minor, forward, self.shared.overlap, script);
            self.pass(Side::Major, forward, self.shared.overlap, script);
        }
    }

    /// One direction of the transform of a third of the axes, 5 n log2 n flops an axis of n points (half for real data).
    fn transform(&self, axis: usize, script: &mut Script) {
        let points = self.shared.points;
        let all = points.iter().map(|&points| points as f64).product::<f64>();
        let ranks = f64::from(self.shared.minor() * self.shared.grid[0]);
        self.work(2.5 * all * (points[axis] as f64).log2() / ranks, script);
    }

    /// A transposition among the ranks of a side: the block of the largest share goes to each.
    fn transpose(&self, side: Side, script: &mut Script) {
        let HaloFft { grid, points, complex, .. } = &*self.shared;
        let (name, _, members) = self.shared.side(self.rank, side);
        if members.len() == 1 {
            return;
        }
        let (major, minor) = (u64::from(grid[0]), u64::from(self.shared.minor()));
        let half = points[2] / 2 + 1;
        let x = points[0].div_ceil(major);
        let block = match side {
            Side::Minor => x * points[1].div_ceil(minor) * half.div_ceil(minor),
            Side::Major => {
                // Their common share of z, as it came from the transposition before.
                let place = u64::from(self.rank % self.shared.minor());
                let z = half * (place + 1) / minor - half * place / minor;
                x * points[1].div_ceil(major) * z
            }
        };
        script.collective(Collective::AllToAll, name, Payload::Each(block * complex));
    }

    fn part(&self, part: u32, script: &mut Script) {
        let shared = &self.shared;
        let share = |index: usize| shared.flops * SHARES[index];
        match part {
            0 => {
                self.halo(false, script);
                self.work(share(0), script);
            }
            1 => self.move_atoms(Side::Minor, script),
            2 => self.move_atoms(Side::Major, script),
            3 => {
                self.work(share(1), script);
                self.overlap(true, script);
            }
            4 => {
                self.transform(2, script);
                self.transpose(Side::Minor, script);
            }
            5 => {
                self.transform(1, script);
                self.transpose(Side::Major, script);
            }
            6 => {
                self.transform(0, script);
                self.transform(0, script);
                self.transpose(Side::Major, script);
            }
            7 => {
                self.transform(1, script);
                self.transpose(Side::Minor, script);
            }
            8 => {
                self.transform(2, script);
                self.overlap(false, script);
            }
            9 => {
                self.work(share(2), script);
                self.move_forces(Side::Major, script);
            }
            10 => self.move_forces(Side::Minor, script),
            11 => {
                self.halo(true, script);
                self.work(share(3), script);
            }
            _ => {
                if shared.every > 0 && (self.step + 1).is_multiple_of(shared.every) {
                    script.collective(Collective::AllReduce, WORLD, Payload::Each(shared.reduced));
                }
            }
        }
    }
}

impl Program for Rank {
    fn step(&mut self, script: &mut Script) -> bool {
        let Some(part) = self.part else {
            script.communicator(WORLD, &self.shared.world);
            for side in [Side::Minor, Side::Major] {
                let (name, _, members) = self.shared.side(self.rank, side);
                script.communicator(name, &members);
            }
            self.part = Some(0);
            return self.shared.steps > 0;
        };
        self.part(part, script);
        self.part = Some((part + 1) % PARTS);
        self.step += u64::from(part + 1 == PARTS);
        self.step < self.shared.steps
    }

    fn place(&self) -> String {
        format!("step {}", self.step + 1)
    }
}
