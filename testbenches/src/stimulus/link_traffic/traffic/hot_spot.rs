//! Every second packet goes to one port; the others go anywhere.

use super::{Traffic, any, destinations};
use crate::expected_routing::ExpectedRouting;
use crate::random::Random;

pub(super) struct HotSpot {
    anywhere: Vec<Vec<u16>>,
    /// Those that lead to the hot port.
    hot: Vec<Vec<u16>>,
}

impl HotSpot {
    pub(super) fn new(routing: &ExpectedRouting, random: &mut Random) -> Self {
        let anywhere = destinations(routing);
        // A port that most inputs can reach: that of a destination of the first input.
        let first = any(&anywhere[0], random).and_then(|destination| routing.usual_route(destination));
        // Where the virtual channel decides on the way, a packet on the usual one may have none.
        let ports = first.map_or(0, |route| route.ports());
        let port = if ports == 0 { 1 } else { 1 << random.bit_of(ports) };
        let leads = |destination: u16| routing.usual_route(destination).is_some_and(|route| route.ports() & port != 0);
        let hot = anywhere.iter().map(|all| all.iter().copied().filter(|&one| leads(one)).collect()).collect();
        HotSpot { anywhere, hot }
    }
}

impl Traffic for HotSpot {
    fn destination(&mut self, input: usize, random: &mut Random) -> Option<u16> {
        let hot = random.one_in(2) && !self.hot[input].is_empty();
        any(if hot { &self.hot[input] } else { &self.anywhere[input] }, random)
    }
}
