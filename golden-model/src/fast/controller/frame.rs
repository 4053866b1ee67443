//! The event-driven controller under the lock-step harness.

use super::{Inputs, PowerController};
use crate::fast::frame::Frame;
use crate::fast::power::{Around, ShownBuffers};
use crate::lock_step::take_behind_rst;
use crate::reference::controller::StepwiseInputs;
use crate::reference::power::Surroundings;
use powar_config::{CycleModel, Deterministic, Layout, Sees};

impl CycleModel for PowerController {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut [u64]) {
        let (rst, seen): (_, StepwiseInputs) = take_behind_rst((&self.config, self.sees()), inputs);
        let around = (self.sees() != Sees::default()).then(|| Around::from(&seen.around));
        let buffers = self.sees().buffers.then(|| ShownBuffers::from(&seen.around));
        self.observe(observed);
        self.step(&Inputs {
            rst,
            adaptive: seen.adaptive,
            deterministic: seen.deterministic,
            requesting: None,
            flit_valid: seen.flit_valid,
            flit_tail: seen.flit_tail,
            around: around.as_ref(),
            buffers: buffers.as_ref(),
            write: seen.write,
            read: seen.read,
        });
        // The grants are the only outputs that the arbiters decide within the cycle, and the first in the frame.
        let grant = &mut observed[..self.config.requesters()];
        grant.fill(0);
        for granted in &self.allocation.grants {
            grant[usize::from(granted.requester)] |= 1 << granted.port;
        }
    }
}

impl From<&Surroundings<'_>> for Around {
    fn from(seen: &Surroundings) -> Around {
        let mut around =
            Around { position: seen.position, stage: seen.stage, ring_in: seen.ring_in, ..Around::default() };
        for (port, &phase) in seen.neighbour_phase.iter().enumerate() {
            around.neighbours.phase.set(port, phase as u8);
        }
        around.neighbours.hint = seen.hint_in;
        around.lookup_row = seen.lookup_row.to_vec();
        around
    }
}

impl From<&Surroundings<'_>> for ShownBuffers {
    fn from(seen: &Surroundings) -> ShownBuffers {
        let flits = |row: &[u64]| std::array::from_fn(|port| row.get(port).map_or(0, |&flits| flits as u16));
        ShownBuffers {
            arriving: seen.arriving,
            leaving: seen.leaving,
            fill: flits(seen.fill),
            occupancy: flits(seen.occupancy),
        }
    }
}

impl PowerController {
    /// Fills in everything but the grants, in the order of [`crate::reference::controller`].
    ///
    /// Straight copies of arrays, because this is most of what a lock-step cycle costs.
    fn observe(&mut self, observed: &mut [u64]) {
        let (n, r) = (self.config.ports, self.config.requesters());
        let outputs = self.outputs();
        let mut frame = Frame::new(observed);
        frame.next(r);
        frame.put([outputs.transmit, outputs.held, outputs.grantable, outputs.preferred]);
        frame.put([outputs.ready, outputs.sideband.hint]);
        self.power.observe_phases(&mut frame);
        self.power.observe_ring(&mut frame);
        self.power.observe_lookup(&mut frame);
        self.power.observe_answer(&mut frame);

        self.power.observe(self.now, &mut frame, |_, _| ());
        let allocation = &self.allocation;
        frame.next(r).copy_from_slice(&allocation.choice[..r]);
        frame.fill(r, |requester| u64::from(allocation.is_adaptive(requester)));
        frame.next(r).copy_from_slice(&allocation.rrp[..r]);
        if self.config.deterministic == Deterministic::Set {
            frame.next(r).copy_from_slice(&allocation.drp[..r]);
        }
        frame.next(n).copy_from_slice(&allocation.pointer[..n]);
        frame.end();
    }
}
