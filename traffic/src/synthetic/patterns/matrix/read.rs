//! The text of a traffic matrix.
//!
//! A square of rates, row by row: what each sends to each. A first line with names, and a name in front of each row, may be there or not. Or
//! lines `source,destination,rate`. Between values are commas, semicolons, tabs or blanks; `#` begins a comment.

use super::Parts;
use super::table::{Line, Table};
use crate::labels::{Labels, shown};
use crate::synthetic::options::Level;
use anyhow::{Context, Result, ensure};
use powar_config::document::text;
use std::collections::BTreeMap;

/// What each sends to each.
#[derive(Clone, Debug, PartialEq)]
pub struct Rates {
    pub level: Level,
    /// By source: destinations in rising order, with rates above 0.
    pub rows: Vec<Vec<(u32, f64)>>,
}

/// Words for a source, for a destination and for a rate in the line of names over lines of the three.
const SOURCES: [&str; 5] = ["source", "src", "from", "origin", "sender"];
const DESTINATIONS: [&str; 7] = ["destination", "dest", "dst", "to", "target", "sink", "receiver"];
const RATES: [&str; 9] = ["rate", "weight", "bytes", "flits", "packets", "messages", "value", "count", "load"];

/// Reads a matrix for a network of these parts.
///
/// # Errors
/// One line; with the number of the line and of the column that is wrong, where there is one.
pub fn read(bytes: &[u8], parts: &Parts) -> Result<Rates> {
    ensure!(!parts.candidates().is_empty(), "of is `switches`, expected `nodes`: no two switches are known");
    let mut table = Table::new(text(bytes)?);
    let first = table.next().transpose()?.context("the file has no numbers")?;
    let is_square = |size: u32| first.values.len() == 3 && (size == 2 || size == 3);
    let has = |words: &[&str]| first.values.iter().any(|value| is_one_of(words, value));
    let is_named = has(&SOURCES) && has(&DESTINATIONS);
    ensure!(!is_named || first.values.len() >= 3, "{}", wrong_columns(&first.values));
    let small = parts.candidates().iter().any(|(_, labels)| is_square(labels.count()));
    let rates = match is_named || first.values.len() == 3 && (has(&SOURCES) || !small) {
        true => triples(first, table, parts)?,
        false => square(first, table, parts)?,
    };
    ensure!(rates.rows.iter().any(|row| !row.is_empty()), "all rates are 0, expected one above 0");
    let sum: f64 = rates.rows.iter().flatten().map(|(_, rate)| rate).sum();
    ensure!(sum.is_finite(), "the sum of the rates is beyond all numbers, expected smaller rates");
    Ok(rates)
}

fn rate(line: usize, column: usize, value: &str) -> Result<f64> {
    let rate = value.parse().ok().filter(|rate: &f64| rate.is_finite() && *rate >= 0.0);
    rate.with_context(|| {
        format!("line {line}, column {}: rate is `{}`, expected a number of 0 or more", column + 1, shown(value))
    })
}

fn is_number(value: &str) -> bool {
    value.parse::<f64>().is_ok()
}

fn is_one_of(words: &[&str], value: &str) -> bool {
    words.iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// The places of source, destination and rate by their names, in a line that has some; in that order if it has not.
///
/// # Errors
/// A column whose name is known stands where another is expected, and those of the others are not known.
fn places(names: &[String]) -> Result<[usize; 3]> {
    let place = |words: &[&str]| names.iter().position(|name| is_one_of(words, name));
    let known = [place(&SOURCES), place(&DESTINATIONS), place(&RATES)];
    // Of three columns the one that is left has the rates, whatever it is called.
    let left = |ends: [usize; 2]| (0..3).find(|place| names.len() == 3 && !ends.contains(place));
    if let [Some(source), Some(destination), rate] = known
        && let Some(rate) = rate.or_else(|| left([source, destination]))
    {
        return Ok([source, destination, rate]);
    }
    let is_in_order = known.iter().enumerate().all(|(own, place)| place.is_none_or(|place| place == own));
    ensure!(is_in_order && names.len() == 3, "{}", wrong_columns(names));
    Ok([0, 1, 2])
}

fn wrong_columns(names: &[String]) -> String {
    let names = names.join(",");
    format!(
        "the columns are `{}`, expected source, destination and rate, in this order or by these names",
        shown(&names)
    )
}

/// Lines of source, destination and rate. What is there twice is added.
fn triples(first: Line, table: Table, parts: &Parts) -> Result<Rates> {
    let (level, labels) = parts.candidates()[0];
    let mut sums: BTreeMap<(u32, u32), f64> = BTreeMap::new();
    let is_part = |value: &String| labels.find(value).is_some();
    let is_data = is_number(&first.values[2]) || first.values[..2].iter().any(is_part);
    let [source, destination, sent] = if is_data { [0, 1, 2] } else { places(&first.values)? };
    let columns = first.values.len();
    for line in is_data.then_some(Ok(first)).into_iter().chain(table) {
        let Line { number, values } = line?;
        ensure!(
            values.len() == columns,
            "line {number}: there are {} values, expected {columns}: source, destination and rate",
            values.len()
        );
        let part = |label: &str| labels.number(label).with_context(|| format!("line {number}"));
        let (from, to, rate) =
            (part(&values[source])?, part(&values[destination])?, rate(number, sent, &values[sent])?);
        ensure!(
            from != to || level == Level::Switches || rate == 0.0,
            "line {number}: the rate from {from} to itself is `{rate:?}`, expected 0"
        );
        *sums.entry((from, to)).or_default() += rate;
    }
    let mut rows = vec![vec![]; labels.count() as usize];
    for ((from, to), rate) in sums.into_iter().filter(|(_, rate)| *rate > 0.0) {
        rows[from as usize].push((to, rate));
    }
    Ok(Rates { level, rows })
}

/// A square as it stands in the file, in which sources and destinations may be in any order.
struct Square {
    columns: usize,
    /// The number of each row's line, and its rates above 0 by column.
    rows: Vec<(usize, Vec<(usize, f64)>)>,
    /// Names above the columns, and in front of the rows.
    above: Option<Vec<String>>,
    in_front: Option<Vec<String>>,
}

fn square(first: Line, table: Table, parts: &Parts) -> Result<Rates> {
    let square = Square::read(first, table, parts)?;
    let size = square.rows.len();
    let fits = parts.candidates().into_iter().find(|(_, labels)| labels.count() as usize == size);
    let (level, labels) = fits.with_context(|| {
        let sizes =
            parts.candidates().into_iter().map(|(level, labels)| format!("{} ({})", labels.count(), level.plural()));
        format!("the matrix has {size} rows, expected {}", sizes.collect::<Vec<_>>().join(" or "))
    })?;
    let order = |names: &Option<Vec<String>>| names.as_deref().map_or(Ok(None), |names| order(names, labels));
    let (above, in_front) = (order(&square.above)?, order(&square.in_front)?);
    if let (Some(above), Some(in_front), None, None) = (&square.above, &square.in_front, &above, &in_front) {
        let differs = above.iter().zip(in_front).find(|(above, in_front)| above != in_front);
        if let Some((above, in_front)) = differs {
            anyhow::bail!("a row is named `{}` and its column `{}`, expected one order", shown(in_front), shown(above));
        }
    }
    let (of_column, of_row) = (above.as_ref().or(in_front.as_ref()), in_front.as_ref().or(above.as_ref()));
    let part = |order: Option<&Vec<u32>>, place: usize| order.map_or(place as u32, |order| order[place]);
    let mut rows = vec![vec![]; size];
    for (place, (line, rates)) in square.rows.into_iter().enumerate() {
        let source = part(of_row, place);
        let mut row: Vec<(u32, f64)> =
            rates.into_iter().map(|(column, rate)| (part(of_column, column), rate)).collect();
        row.sort_by_key(|&(destination, _)| destination);
        let own = row.iter().find(|(destination, _)| *destination == source && level == Level::Nodes);
        if let Some((_, rate)) = own {
            anyhow::bail!("line {line}: the rate from {source} to itself is `{rate:?}`, expected 0");
        }
        rows[source as usize] = row;
    }
    Ok(Rates { level, rows })
}

/// The number of the part that each name is of; none if the network knows none of the names, so that their order counts.
fn order(names: &[String], labels: &Labels) -> Result<Option<Vec<u32>>> {
    if names.iter().all(|name| labels.find(name).is_none()) {
        return Ok(None);
    }
    let mut seen = vec![false; labels.count() as usize];
    let mut numbers = vec![];
    for name in names {
        let number = labels.number(name)?;
        let again = std::mem::replace(&mut seen[number as usize], true);
        ensure!(!again, "{} `{}` is named twice, expected each once", labels.what, shown(name));
        numbers.push(number);
    }
    Ok(Some(numbers))
}

/// Whether a first line is one of names, in view of the next.
fn is_of_names(first: &[String], next: Option<&[String]>) -> bool {
    let words = first.iter().filter(|value| !is_number(value)).count();
    // One word in front of numbers: a row with its name, unless no row below has one.
    let corner = || first[0].is_empty() || next.is_some_and(|next| is_number(&next[0]));
    words > 1 || words == 1 && !is_number(&first[0]) && corner()
}

impl Square {
    fn read(first: Line, table: Table, parts: &Parts) -> Result<Square> {
        let mut rest = table.peekable();
        let next = match rest.peek() {
            Some(Ok(line)) => Some(line.values.clone()),
            _ => None,
        };
        let has_above = is_of_names(&first.values, next.as_deref());
        let below = next.filter(|_| has_above).unwrap_or_else(|| first.values.clone());
        let (names, width) = (first.values.len(), below.len());
        let fits = |size: usize| parts.candidates().iter().any(|(_, labels)| labels.count() as usize == size);
        let has_corner = has_above && names == width && is_number(&below[0]) && !is_number(&first.values[0]);
        let in_a_corner = has_corner || has_above && names + 1 == width;
        let looks_named = !is_number(&below[0]) || in_a_corner && !fits(width);
        let has_front = width > 1 && (looks_named || !fits(width) && fits(width - 1));
        let columns = width - usize::from(has_front);
        let mut square = Square { columns, rows: vec![], above: None, in_front: has_front.then(Vec::new) };
        let row = if has_above {
            ensure!(
                names == columns || names == width,
                "line {}: there are {names} names, expected {columns}, one for each column",
                first.number
            );
            square.above = Some(first.values[names - columns..].to_vec());
            None
        } else {
            Some(Ok(first))
        };
        for line in row.into_iter().chain(rest) {
            square.push(line?)?;
        }
        square.take_numbers_for_names();
        let size = square.rows.len();
        ensure!(size == columns, "the matrix has {size} rows of {columns} values, expected a square");
        Ok(square)
    }

    fn push(&mut self, Line { number, values }: Line) -> Result<()> {
        let front = usize::from(self.in_front.is_some());
        let (seen, width) = (values.len(), self.columns + front);
        ensure!(seen == width, "line {number}: there are {seen} values, expected {width} as in the lines before");
        ensure!(self.rows.len() <= self.columns, "line {number}: there are more rows than columns, expected a square");
        let mut row = vec![];
        for (column, value) in values.iter().enumerate().skip(front) {
            let rate = rate(number, column, value)?;
            if rate > 0.0 {
                row.push((column - front, rate));
            }
        }
        self.in_front.iter_mut().for_each(|names| names.push(values[0].clone()));
        self.rows.push((number, row));
        Ok(())
    }

    /// A first line 0, 1, 2 .. is one of names if there is a row too many.
    fn take_numbers_for_names(&mut self) {
        let is_counting = |row: &[(usize, f64)]| {
            let counts = row.iter().all(|&(column, rate)| rate == column as f64);
            counts && row.len() + 1 == self.columns
        };
        let one_too_many = self.above.is_none() && self.in_front.is_none() && self.rows.len() == self.columns + 1;
        if one_too_many && is_counting(&self.rows[0].1) {
            self.rows.remove(0);
        }
    }
}
