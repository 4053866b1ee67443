//! Swap and broadcast of U by binary exchange (HPL_pdlaswp00T): few, long messages.

use super::super::Hpl;
use super::super::factor::Column;
use super::super::grid::GridPlace;
use super::super::tree::power_below;
use super::Plan;
use crate::skeleton::script::Script;

/// All messages of a rank for `columns` columns of the matrix.
///
/// Who has heard of the current row has U and sends it; the others send the rows they have collected, each with its place.
pub(in super::super) fn exchange(
    shared: &Hpl,
    me: GridPlace,
    panel: u64,
    plan: &Plan,
    columns: u64,
    script: &mut Script,
) {
    let grid = &shared.grid;
    let column = Column::new(shared, me, grid.row_of(grid.start(panel)));
    let (p, distance) = (grid.p, column.distance());
    let power = power_below(p);
    let whole = grid.width(panel) * columns;
    let outer = distance ^ power;
    let folds = power < p && outer < p;
    let rows_of = |at: u32| u64::from(plan.moving[at as usize]) * (columns + 1);
    if folds {
        match () {
            () if distance == 0 => column.exchange(script, outer, whole, rows_of(outer)),
            () if distance == power => column.exchange(script, outer, rows_of(distance), whole),
            () if distance > power => column.send(script, outer, rows_of(distance)),
            () => column.receive(script, outer, rows_of(outer)),
        }
    }
    if distance < power {
        for bit in 0..power.ilog2() {
            let peer = distance ^ 1 << bit;
            // Rows that a group of 2^bit members has collected, with what those beyond the power of two handed in.
            let collected = |member: u32| -> u64 {
                let group = member >> bit << bit;
                let members = group..group + (1 << bit);
                let handed_in = members.clone().filter(|&at| at > 0 && at + power < p).map(|at| rows_of(at + power));
                members.map(rows_of).sum::<u64>() + handed_in.sum::<u64>()
            };
            let (out, back) = match (distance >> (bit + 1), distance >> bit) {
                (0, 0) => (whole, collected(peer)),
                (0, _) => (collected(distance), whole),
                _ => (collected(distance), collected(peer)),
            };
            column.exchange(script, peer, out, back);
        }
    } else {
        column.spread_behind(script, power, whole);
    }
    if folds {
        if distance >= power {
            column.receive(script, outer, whole);
        } else {
            column.send(script, outer, whole);
        }
    }
}
