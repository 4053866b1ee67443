//! A step of one rank.

use super::{HaloFft, Neighbors, Side};
use crate::program::call::{Collective, Payload};
use crate::skeleton::script::{Program, Script, WORLD, picoseconds};
use std::sync::Arc;

/// Shares of a step's flops: forces between atoms, spreading of charges, gathering of forces, integration. As the
/// recorded Gromacs divides its time.
const SHARES: [f64; 4] = [0.82, 0.05, 0.05, 0.08];

/// Parts of a step, in their order.
const PARTS: u32 = 13;

pub(super) struct Rank {
    shared: Arc<HaloFft>,
    rank: u32,
    step: u64,
    /// `None`: before the first step.
    part: Option<u32>,
}

impl Rank {
    pub fn new(shared: &Arc<HaloFft>, rank: u32) -> Rank {
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
