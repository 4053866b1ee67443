//! Stairs: a switch has both its candidates along one dimension, its neighbours along the other (Soteriou and Peh, III-A.2).

use super::Connectivity;

/// The line in the list of connectivity graphs.
pub const CONNECTIVITY: Connectivity = Connectivity {
    name: "staircase",
    doc: "switches with x + y even may turn off both links along y, the others both along x",
    may_be_off: |_, x, y, direction| direction.dimension == 1 - (x + y) % 2,
};
