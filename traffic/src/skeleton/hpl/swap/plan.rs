//! How many rows go from where to where: the same in all columns of the grid, so that their ranks share it.

use super::super::grid::Grid;
use super::super::{Hpl, Pivots};
use super::balance::{Shares, Spreading, balance};
use crate::hash::FastMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The row swaps of one panel.
pub(in super::super) struct Plan {
    /// Rows that each row of the grid has of those that move (HPL_plindx0), by distance from the current row.
    pub moving: Box<[u32]>,
    /// The rows of the grid in the order in which pieces of U are spread (HPL_logsort), as distances.
    pub order: Box<[u32]>,
    /// Where each of them is in that order.
    pub position: Box<[u32]>,
    /// First row of U of each piece, in that order; one more at the end.
    pub pieces: Box<[u64]>,
    /// How pieces are evened out before they are rolled; `None`: they stay as they are.
    pub balance: Option<(Shares, Box<[Spreading]>)>,
}

/// The plans in use, for those who come later.
#[derive(Default)]
pub(in super::super) struct Plans(Mutex<Vec<(u64, Weak<Plan>)>>);

impl Plans {
    /// The plan of a panel. It lives as long as somebody uses it.
    pub fn get(&self, shared: &Hpl, panel: u64) -> Arc<Plan> {
        // A panic elsewhere leaves the list as it is: whole.
        let mut plans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = plans.iter().find(|plan| plan.0 == panel).and_then(|plan| plan.1.upgrade()) {
            return plan;
        }
        let plan = Arc::new(Plan::new(&shared.grid, &shared.pivots, panel, shared.equilibrate));
        plans.retain(|(other, plan)| *other != panel && plan.strong_count() > 0);
        plans.push((panel, Arc::downgrade(&plan)));
        plan
    }
}

impl Plan {
    fn new(grid: &Grid, pivots: &Pivots, panel: u64, equilibrate: bool) -> Plan {
        let (start, width) = (grid.start(panel), grid.width(panel));
        let block = start..start + width;
        let current = grid.row_of(start);
        let distance = |row| (grid.row_of(row) + grid.p - current) % grid.p;
        // What is where after all swaps, of the rows that one of them touched.
        let mut content: FastMap<u64, u64> = block.clone().map(|row| (row, row)).collect();
        for row in block.clone() {
            let pivot = pivots.row(row, grid.n);
            let here = content[&row];
            let there = *content.get(&pivot).unwrap_or(&pivot);
            content.insert(row, there);
            content.insert(pivot, here);
        }
        let mut moving = vec![0; grid.p as usize];
        let mut pieces = vec![0; grid.p as usize];
        for (&to, &from) in &content {
            let (to_row, from_row) = (distance(to), distance(from));
            moving[from_row as usize] += 1;
            if from_row == 0 && (to_row != 0 || block.contains(&to)) {
                pieces[to_row as usize] += 1;
            }
        }
        let order = sort_for_spreading(&mut pieces);
        let mut position = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &row)| position[row as usize] = at as u32);
        let starts: Box<[u64]> = starts(&pieces);
        let balance = if equilibrate { balance(&starts) } else { None };
        Plan { moving: moving.into(), order: order.into(), position: position.into(), pieces: starts, balance }
    }
}

/// Where pieces of these lengths start; the end is the last one.
fn starts(lengths: &[u64]) -> Box<[u64]> {
    let mut at = 0;
    let ends = lengths.iter().map(|length| {
        at += length;
        at
    });
    std::iter::once(0).chain(ends).collect()
}

/// Orders the rows of the grid, but the first, so that large pieces are forwarded seldom (HPL_logsort): a position's
/// number of ones is how often its piece is sent on. `pieces` is ordered with them.
fn sort_for_spreading(pieces: &mut [u64]) -> Vec<u32> {
    let count = pieces.len();
    let mut order: Vec<u32> = (0..count as u32).collect();
    let most = (0..count).map(|at| at.count_ones()).max().unwrap_or(0);
    for hops in 1..=most {
        for near in (1..count).filter(|at| at.count_ones() == hops) {
            for far in (2..count).filter(|at| at.count_ones() > hops) {
                if pieces[near] < pieces[far] {
                    pieces.swap(near, far);
                    order.swap(near, far);
                }
            }
        }
    }
    order
}
