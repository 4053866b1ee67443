//! Every destination is as likely as any other.

use super::{Traffic, any, destinations};
use crate::expected_routing::ExpectedRouting;
use crate::random::Random;

pub(super) struct Uniform {
    destinations: Vec<Vec<u16>>,
}

impl Uniform {
    pub(super) fn new(routing: &ExpectedRouting) -> Self {
        Uniform { destinations: destinations(routing) }
    }
}

impl Traffic for Uniform {
    fn destination(&mut self, input: usize, random: &mut Random) -> Option<u16> {
        any(&self.destinations[input], random)
    }
}
