//! Every destination is as likely as any other.

use super::{Traffic, any, destinations};
use crate::place::Place;
use crate::random::Random;

pub(super) struct Uniform {
    destinations: Vec<Vec<u16>>,
}

impl Uniform {
    pub(super) fn new(place: &Place) -> Self {
        Uniform { destinations: destinations(place) }
    }
}

impl Traffic for Uniform {
    fn destination(&mut self, input: usize, random: &mut Random) -> Option<u16> {
        any(&self.destinations[input], random)
    }
}
