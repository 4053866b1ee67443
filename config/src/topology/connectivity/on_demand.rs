//! All links: for ports that are on as soon as somebody wants them (Soteriou and Peh, III-A.3).

use super::Connectivity;

/// The line in the list of connectivity graphs.
pub const CONNECTIVITY: Connectivity = Connectivity {
    name: "on-demand",
    doc: "every link may be off; nothing is sure to be on but what is wanted",
    may_be_off: |_, _, _, _| true,
};
