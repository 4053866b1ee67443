//! The columns of a point whose simulations were repeated: means, and behind each how far the runs are around it.

use super::column::Cell;
use super::confidence::{Estimate, Spread};

/// The columns of several runs of a point as those of one; the first `sweeps` are what the sweeps are at it, and equal.
///
/// A number is the mean of its runs, and none if one of them has none; behind it stands a column with half the width of its whiskers.
/// A yes is one of any run, and a text that of all if they agree. How programs are replayed is given, not
/// measured: those columns have no interval.
pub fn summary(runs: &[Vec<(String, Cell)>], sweeps: usize, spread: Spread) -> Vec<(String, Cell)> {
    let Some(first) = runs.first() else { return vec![] };
    let mut columns = vec![];
    for (place, (name, cell)) in first.iter().enumerate() {
        let cells: Vec<&Cell> = runs.iter().map(|run| &run[place].1).collect();
        let agreed = || if cells.iter().all(|other| *other == cell) { cell.clone() } else { Cell::None };
        let is_measured = place >= sweeps && !name.starts_with("replay.");
        match cell {
            Cell::Yes(_) => columns.push((name.clone(), Cell::Yes(cells.contains(&&Cell::Yes(true))))),
            Cell::None | Cell::Whole(_) | Cell::Number(_) if is_measured => {
                let numbers = cells.iter().map(|cell| cell.number()).collect::<Option<Vec<f64>>>();
                let estimate = numbers.and_then(|numbers| Estimate::of(&numbers, spread));
                let cell = |value: Option<f64>| value.map_or(Cell::None, Cell::Number);
                columns.push((name.clone(), cell(estimate.map(|estimate| estimate.mean))));
                columns.push((name.clone() + spread.suffix(), cell(estimate.map(|estimate| estimate.half_width))));
            }
            _ => columns.push((name.clone(), agreed())),
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_column_becomes_one() {
        let run = |whole, number, yes, text: &str| -> Vec<(String, Cell)> {
            let cells = [
                ("seed", Cell::Text("any".into())),
                ("whole", Cell::Whole(whole)),
                ("number", number),
                ("saturated", Cell::Yes(yes)),
                ("replay.gap_scale", Cell::Number(2.0)),
                ("text", Cell::Text(text.into())),
                ("same", Cell::Text("0".into())),
            ];
            cells.map(|(name, cell)| (name.to_string(), cell)).to_vec()
        };
        let runs = [run(3, Cell::None, false, "a"), run(5, Cell::Number(1.0), true, "b")];
        let summary = summary(&runs, 1, Spread::Confidence);
        // n = 2: the deviation of 3 and 5 is the root of 2.
        let Cell::Number(half_width) = summary[2].1 else { panic!("{summary:?}") };
        assert!((half_width - 12.706_204_74).abs() < 1e-6, "{half_width}");
        let rest: Vec<(&str, &Cell)> = summary.iter().map(|(name, cell)| (name.as_str(), cell)).collect();
        assert_eq!(
            [&rest[..2], &rest[3..]].concat(),
            [
                ("seed", &Cell::Text("any".into())),
                ("whole", &Cell::Number(4.0)),
                ("number", &Cell::None),
                ("number.ci95", &Cell::None),
                ("saturated", &Cell::Yes(true)),
                ("replay.gap_scale", &Cell::Number(2.0)),
                ("text", &Cell::None),
                ("same", &Cell::Text("0".into())),
            ]
        );
        assert_eq!(rest[2].0, "whole.ci95");
    }
}
