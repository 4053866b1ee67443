//! Values that somebody else has published, to compare with.

use super::legend::{Legend, Sample};
use crate::experiment::file::Figure;
use powar_drawing::{BLACK, Mark};

/// Of those that stand at a bar; at a line they have the line's.
pub const MARK: Mark = Mark::Diamond;

/// What hollow marks stand for, if there are some in the figure.
pub fn explain(legend: &mut Legend, figure: &Figure) {
    if !figure.published.is_empty() {
        legend.entries.push((Sample::Hollow(MARK), BLACK, "hollow: as published".into()));
    }
}
