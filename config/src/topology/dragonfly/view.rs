//! A switch of a dragonfly.

use super::Dragonfly;
use crate::topology::Topology;
use crate::topology::view::{MAX_PORTS, Sighting, SwitchView};
use crate::topology::wiring::MOST_SWITCHES;
use anyhow::{Result, ensure};

/// A switch of a dragonfly. Which packets take a way round hangs on buffers that a view does not know, so it sees each packet on the shortest way,
/// where routing leaves no choice.
#[derive(Clone, Copy, Debug)]
pub struct DragonflySwitch {
    dragonfly: Dragonfly,
    switch: u32,
}

impl DragonflySwitch {
    /// The switch with this number.
    ///
    /// # Errors
    /// A dragonfly that is none, a switch that it does not have.
    pub fn new(dragonfly: &Dragonfly, switch: u32) -> Result<DragonflySwitch> {
        dragonfly.check()?;
        let ports = dragonfly.ports_of_a_switch();
        ensure!(ports <= MAX_PORTS as usize, "topology: its switches have {ports} ports, out of range 2..=64");
        let switches = dragonfly.a * dragonfly.groups_of_switches();
        ensure!(switches <= MOST_SWITCHES, "topology: {switches} switches are out of range 1..={MOST_SWITCHES}");
        ensure!((switch as usize) < switches, "switch is `{switch}`, expected 0 to {}", switches - 1);
        Ok(DragonflySwitch { dragonfly: *dragonfly, switch })
    }

    /// The next switch on the way to another one, the port to it, and the port at which a packet comes in there.
    fn step(&self, from: usize, to: usize) -> (usize, usize, usize) {
        let Dragonfly { a, h, .. } = self.dragonfly;
        let (group, last) = (from / a, to / a);
        let link = self.dragonfly.global_link(group, last);
        let towards = if group == last { to % a } else { link / h };
        let own = from % a;
        if own != towards {
            let port = self.dragonfly.local_port(own, towards);
            return (group * a + towards, port, self.dragonfly.local_port(towards, own));
        }
        let (back, first) = (self.dragonfly.global_link(last, group), self.dragonfly.first_global_port());
        (last * a + back / h, first + link % h, first + back % h)
    }
}

impl SwitchView for DragonflySwitch {
    fn ports(&self) -> u16 {
        self.dragonfly.ports_of_a_switch() as u16
    }

    fn nodes(&self) -> u32 {
        (self.dragonfly.p * self.dragonfly.a * self.dragonfly.groups_of_switches()) as u32
    }

    fn hops(&self, source: u32, destination: u32) -> u32 {
        let p = self.dragonfly.p;
        let (mut here, there) = (source as usize / p, destination as usize / p);
        let mut hops = 1;
        while here != there {
            here = self.step(here, there).0;
            hops += 1;
        }
        hops
    }

    fn observe(&self, source: u32, destination: u32, _sequence: u64) -> Option<Sighting> {
        let (p, own) = (self.dragonfly.p, self.switch as usize);
        let (mut here, there) = (source as usize / p, destination as usize / p);
        let mut input = source as usize % p;
        let mut hops_before = 0;
        while here != own {
            if here == there {
                return None;
            }
            (here, _, input) = self.step(here, there);
            hops_before += 1;
        }
        let output = if here == there { destination as usize % p } else { self.step(here, there).1 };
        Some(Sighting { input: input as u16, adaptive: 0, deterministic: 1 << output, hops_before })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Dragonfly = Dragonfly { p: 2, a: 4, h: 2 };

    fn switch(number: u32) -> DragonflySwitch {
        DragonflySwitch::new(&SMALL, number).unwrap()
    }

    #[test]
    fn at_most_one_link_between_groups() {
        // Group 0 to group 4 by link 3, at switch 1; back by link 4, at switch 2.
        let (source, destination) = (0, 2 * (4 * 4));
        let seen = |number: u32| {
            let seen = switch(number).observe(source, destination, 0);
            seen.map(|seen| (seen.hops_before, seen.input, seen.deterministic))
        };
        assert_eq!(seen(0), Some((0, 0, 1 << 2)));
        assert_eq!(seen(1), Some((1, 2, 1 << 6)));
        assert_eq!(seen(18), Some((2, 5, 1 << 2)));
        assert_eq!(seen(16), Some((3, 3, 1 << 0)));
        assert_eq!((0..36).filter(|&number| seen(number).is_some()).count(), 4);
        assert_eq!((switch(0).hops(source, destination), switch(0).hops(0, 1), switch(0).hops(0, 7)), (4, 1, 2));
        assert_eq!((switch(0).nodes(), switch(0).ports()), (72, 7));
    }

    #[test]
    fn as_many_switches_see_a_packet_as_it_passes() {
        for (source, destination) in [(0, 71), (5, 20), (17, 16), (33, 1), (64, 8)] {
            let sightings = (0..36).filter_map(|number| switch(number).observe(source, destination, 0));
            let mut seen: Vec<u32> = sightings.map(|sighting| sighting.hops_before).collect();
            seen.sort_unstable();
            assert_eq!(seen, (0..switch(0).hops(source, destination)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn bad_parameters_are_named() {
        let error = |p, a, h, switch| DragonflySwitch::new(&Dragonfly { p, a, h }, switch).unwrap_err().to_string();
        assert_eq!(error(0, 4, 2, 0), "topology.p: 0 is out of range 1..=62");
        assert_eq!(error(2, 1, 2, 0), "topology.a: 1 is out of range 2..=63");
        assert_eq!(error(2, 4, 63, 0), "topology.h: 63 is out of range 1..=62");
        assert_eq!(error(22, 22, 22, 0), "topology: its switches have 65 ports, out of range 2..=64");
        assert_eq!(error(2, 4, 2, 36), "switch is `36`, expected 0 to 35");
    }
}
