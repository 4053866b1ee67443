//! What all readers of a DUMPI trace share.

use super::communicator::Communicators;
use super::datatype::PrintedSizes;
use super::stamp::TimeBase;
use crate::format::rank_files::RankFile;
use std::sync::Arc;

/// What all readers of a trace share.
pub(crate) struct Content {
    pub name: String,
    pub files: Vec<RankFile>,
    pub communicators: Communicators,
    pub sizes: Vec<Arc<PrintedSizes>>,
    pub time_base: TimeBase,
}
