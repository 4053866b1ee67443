//! The switch of a board.

use super::Boards;
use crate::topology::Topology;
use crate::topology::view::{PortSet, Sighting, SwitchView};
use anyhow::{Result, ensure};

/// The switch of a board. To another board a packet may take every wavelength, deterministically the one that the board has at first. Over which one it
/// has come in hangs on which boards have them, which a view does not know: the n-th packet of node s on wavelength (s + n) mod B.
#[derive(Clone, Copy, Debug)]
pub struct BoardsSwitch {
    boards: Boards,
    board: usize,
}

impl BoardsSwitch {
    /// The switch of the board with this number.
    ///
    /// # Errors
    /// Boards that are none, a board that there isn't.
    pub fn new(boards: &Boards, switch: u32) -> Result<BoardsSwitch> {
        boards.check()?;
        let last = boards.boards - 1;
        ensure!(switch as usize <= last, "switch is `{switch}`, expected 0 to {last}");
        Ok(BoardsSwitch { boards: *boards, board: switch as usize })
    }

    /// All wavelengths to the board that is so much further.
    fn wavelengths(&self, further: usize) -> PortSet {
        ((1 << self.boards.boards) - 1) << self.boards.port(further, 0)
    }
}

impl SwitchView for BoardsSwitch {
    fn ports(&self) -> u16 {
        self.boards.ports_of_a_switch() as u16
    }

    fn nodes(&self) -> u32 {
        (self.boards.boards * self.boards.nodes) as u32
    }

    fn hops(&self, source: u32, destination: u32) -> u32 {
        let [from, to] = [source, destination].map(|node| node as usize / self.boards.nodes);
        1 + u32::from(from != to)
    }

    fn observe(&self, source: u32, destination: u32, sequence: u64) -> Option<Sighting> {
        let Boards { boards, nodes } = self.boards;
        let [(from, own), (to, node)] =
            [source, destination].map(|node| (node as usize / nodes, node as usize % nodes));
        let seen = |input: usize, adaptive: PortSet, port: usize, hops_before: u32| {
            Some(Sighting { input: input as u16, adaptive, deterministic: 1 << port, hops_before })
        };
        if from == self.board {
            let further = self.boards.further(from, to);
            if further == 0 {
                return seen(own, 0, node, 0);
            }
            let assigned = self.boards.assigned_wavelength(further);
            return seen(own, self.wavelengths(further), self.boards.port(further, assigned), 0);
        }
        if to != self.board {
            return None;
        }
        let count = boards as u64;
        let wavelength = ((u64::from(source) + sequence % count) % count) as usize;
        seen(self.boards.port(self.boards.further(to, from), wavelength), 0, node, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Boards = Boards { boards: 4, nodes: 3 };

    fn switch(number: u32) -> BoardsSwitch {
        BoardsSwitch::new(&SMALL, number).unwrap()
    }

    #[test]
    fn between_boards_there_is_a_choice_of_wavelengths() {
        // Node 1 of board 3 to node 2 of board 1: two further, wavelength 2 of ports 7 to 10.
        let (source, destination) = (10, 5);
        let first = switch(3).observe(source, destination, 0).unwrap();
        assert_eq!((first.input, first.adaptive, first.deterministic, first.hops_before), (1, 0xf << 7, 1 << 9, 0));
        for sequence in 0..9 {
            let second = switch(1).observe(source, destination, sequence).unwrap();
            let input = 7 + (10 + sequence as u16) % 4;
            assert_eq!(
                (second.input, second.adaptive, second.deterministic, second.hops_before),
                (input, 0, 1 << 2, 1)
            );
        }
        assert!(
            switch(0).observe(source, destination, 0).is_none() && switch(2).observe(source, destination, 0).is_none()
        );
        assert!(switch(1).observe(source, destination, u64::MAX).is_some());
        let here = switch(3).observe(source, 9, 5).unwrap();
        assert_eq!((here.input, here.adaptive, here.deterministic, here.hops_before), (1, 0, 1, 0));
        assert_eq!((switch(0).nodes(), switch(0).ports()), (12, 15));
    }

    #[test]
    fn as_many_switches_see_a_packet_as_it_passes() {
        for source in 0..12 {
            for destination in (0..12).filter(|&destination| destination != source) {
                let sightings = (0..4).filter_map(|number| switch(number).observe(source, destination, 7));
                let mut seen: Vec<u32> = sightings.map(|sighting| sighting.hops_before).collect();
                seen.sort_unstable();
                assert_eq!(seen, (0..switch(0).hops(source, destination)).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn bad_parameters_are_named() {
        let error =
            |boards, nodes, switch| BoardsSwitch::new(&Boards { boards, nodes }, switch).unwrap_err().to_string();
        assert_eq!(error(1, 4, 0), "topology.boards: 1 is out of range 2..=8");
        assert_eq!(error(9, 4, 0), "topology.boards: 9 is out of range 2..=8");
        assert_eq!(error(8, 9, 0), "topology.nodes: 9 is out of range 1..=8 with 8 boards");
        assert_eq!(error(3, 0, 0), "topology.nodes: 0 is out of range 1..=58 with 3 boards");
        assert_eq!(error(4, 3, 4), "switch is `4`, expected 0 to 3");
    }
}
