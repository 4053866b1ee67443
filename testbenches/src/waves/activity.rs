//! What happened in a run, so that the viewers open where there is something to see.

use powar_config::{Layout, Meaning, Owner, Phase, Role, SignalDecl};

/// Events of a run, noted cycle by cycle.
pub struct Activity {
    first_cycle: Option<u64>,
    last_cycle: u64,
    first_mismatch: Option<Mismatch>,
    ports: Vec<PortActivity>,
    /// First slot of the ports' phases in the observed frame, if the block shows any.
    phases: Option<usize>,
}

/// The first cycle in which the models differed, and where.
#[derive(Clone, Debug)]
pub struct Mismatch {
    pub cycle: u64,
    /// For each slot of the observed frame, the bits that differed.
    differences: Vec<u64>,
}

impl Mismatch {
    /// The bits of a slot that differed.
    pub fn bits(&self, slot: usize) -> u64 {
        self.differences[slot]
    }
}

/// A port's changes of phase, as the RTL shows them.
#[derive(Clone, Debug, Default)]
struct PortActivity {
    last: Option<u64>,
    changes: u64,
    /// First cycle of the latest sleep.
    slept: Option<u64>,
    first_wake_up: Option<WakeUp>,
    /// The first wake-up out of `Off`, and not straight out of `GoingOff`.
    first_full_sleep: Option<WakeUp>,
}

/// A port's way from sleep to `On`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WakeUp {
    /// First cycle in `GoingOff`, or in `Off` if it went off at once; the first of the run if it began asleep.
    pub slept: u64,
    /// First cycle in `ComingOn`.
    pub woke: u64,
    /// First cycle in `On` again, once it has come.
    pub active: Option<u64>,
}

impl Activity {
    /// Nothing yet, for a block with these signals.
    pub fn new(layout: &Layout) -> Activity {
        // What a port shows to its neighbour on a link comes a little later.
        let is_phase = |signal: &&SignalDecl| {
            let (role, owner) = (signal.role, signal.owner);
            signal.meaning == Meaning::Phase && role == Role::Output && matches!(owner, Owner::Port | Owner::Block)
        };
        let signal = layout.observed.iter().find(is_phase);
        let rows = signal.map_or(0, |signal| signal.rows);
        Activity {
            first_cycle: None,
            last_cycle: 0,
            first_mismatch: None,
            ports: vec![PortActivity::default(); rows],
            phases: signal.and_then(|signal| layout.observed(signal.role, &signal.name)),
        }
    }

    /// Notes a cycle.
    pub fn cycle(&mut self, cycle: u64, golden: &[u64], dut: &[u64]) {
        self.first_cycle.get_or_insert(cycle);
        self.last_cycle = cycle;
        if self.first_mismatch.is_none() && golden != dut {
            let differences = golden.iter().zip(dut).map(|(golden, dut)| golden ^ dut).collect();
            self.first_mismatch = Some(Mismatch { cycle, differences });
        }
        let Some(first) = self.phases else { return };
        for (port, &phase) in self.ports.iter_mut().zip(&dut[first..]) {
            if port.last != Some(phase) {
                port.enter(phase, cycle);
            }
        }
    }

    /// First and last cycle; `None` for an empty run.
    pub fn cycles(&self) -> Option<(u64, u64)> {
        self.first_cycle.map(|first| (first, self.last_cycle))
    }

    /// The first difference.
    pub fn mismatch(&self) -> Option<&Mismatch> {
        self.first_mismatch.as_ref()
    }

    /// The first cycle in which the models differed.
    pub fn first_mismatch(&self) -> Option<u64> {
        self.first_mismatch.as_ref().map(|mismatch| mismatch.cycle)
    }

    /// The first wake-up of any port.
    pub fn first_wake_up(&self) -> Option<WakeUp> {
        self.ports.iter().filter_map(|port| port.first_wake_up).min_by_key(|wake_up| wake_up.woke)
    }

    /// The first sleep of any port that went all the way to `Off`.
    pub fn first_full_sleep(&self) -> Option<WakeUp> {
        self.ports.iter().filter_map(|port| port.first_full_sleep).min_by_key(|wake_up| wake_up.woke)
    }

    /// A port has changed its phase.
    pub fn has_changed(&self, port: usize) -> bool {
        self.ports[port].changes > 0
    }

    /// Ports, those first that woke from `Off` first and then those that changed their phase most often.
    pub fn ports_by_activity(&self) -> Vec<usize> {
        let mut ports: Vec<usize> = (0..self.ports.len()).collect();
        ports.sort_by_key(|&port| {
            let PortActivity { first_full_sleep, changes, .. } = self.ports[port];
            (first_full_sleep.map_or(u64::MAX, |wake_up| wake_up.woke), std::cmp::Reverse(changes))
        });
        ports
    }
}

impl PortActivity {
    fn enter(&mut self, code: u64, cycle: u64) {
        let before = self.last.replace(code);
        self.changes += u64::from(before.is_some());
        match Phase::by_code(code as u8) {
            Some(Phase::GoingOff) => self.slept = Some(cycle),
            // It may go off at once; a refresh is no end of a sleep.
            Some(Phase::Off) if before != Some(Phase::GoingOff as u64) && before != Some(Phase::Refreshing as u64) => {
                self.slept = Some(cycle);
            }
            Some(Phase::ComingOn) => {
                let wake_up = WakeUp { slept: self.slept.unwrap_or(cycle), woke: cycle, active: None };
                self.first_wake_up.get_or_insert(wake_up);
                let off = [Phase::Off, Phase::Refreshing].map(|phase| Some(phase as u64));
                if off.contains(&before) {
                    self.first_full_sleep.get_or_insert(wake_up);
                }
            }
            Some(Phase::On) => {
                for wake_up in [&mut self.first_wake_up, &mut self.first_full_sleep].into_iter().flatten() {
                    wake_up.active.get_or_insert(cycle);
                }
            }
            _ => (),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::signal::phase;

    #[test]
    fn the_first_wake_up_is_found_with_its_sleep() {
        let layout = Layout::new([phase("phase").rows(Owner::Port, 2).declare(Role::Output)]);
        let mut activity = Activity::new(&layout);
        // Port 0 is woken before it is asleep, port 1 after.
        let run = [[0, 0], [1, 0], [1, 1], [3, 2], [3, 2], [0, 3], [1, 3], [1, 0]];
        for (cycle, phases) in run.into_iter().enumerate() {
            activity.cycle(100 + cycle as u64, &phases, &phases);
        }
        assert_eq!(activity.cycles(), Some((100, 107)));
        assert_eq!(activity.first_wake_up(), Some(WakeUp { slept: 101, woke: 103, active: Some(105) }));
        assert_eq!(activity.first_full_sleep(), Some(WakeUp { slept: 102, woke: 105, active: Some(107) }));
        assert_eq!(activity.ports_by_activity(), [1, 0]);
        assert_eq!(activity.first_mismatch(), None);
    }

    #[test]
    fn only_the_first_mismatch_is_kept() {
        let layout = Layout::new([SignalDecl::new(Role::Output, "grant", 3, 4)]);
        let mut activity = Activity::new(&layout);
        activity.cycle(7, &[0, 0, 0], &[0, 0, 0]);
        activity.cycle(8, &[0, 1, 1], &[0, 0, 2]);
        activity.cycle(9, &[1, 1, 1], &[0, 0, 0]);
        let mismatch = activity.mismatch().unwrap();
        assert_eq!((mismatch.cycle, [0, 1, 2].map(|slot| mismatch.bits(slot))), (8, [0, 1, 3]));
    }
}
