//! Every stored flit comes out exactly once, unaltered, in order within its packet, on a legal port and virtual channel; packets
//! do not mix on an output port; malformed ones do not come out.
//!
//! `docs/microarchitecture/switch.md`: a flit that is read in cycle t gives its credit in t+1 and is on the output link in t+3. So the flits on the output links
//! of a cycle are those, and no others, whose credits were seen two cycles before.
//!
//! Head flits of the same words are taken for each other. Where flits have one word, the header, and a packet may take several
//! ports, two such packets that start in one cycle can be mistaken, and what follows is reported as altered: use two words there.

use super::intake::{Intake, Leaving};
use super::{Monitor, ObservedCycle, Violations};
use powar_config::Config;

pub(super) struct Delivery {
    /// By output port: input port and virtual channel of the packet that is being sent, and its output virtual channel.
    sending: Vec<Option<(usize, usize, u64)>>,
}

impl Delivery {
    pub(super) fn new(config: &Config) -> Self {
        Delivery { sending: vec![None; config.ports] }
    }

    /// The flit that belongs on this port by what it sends, or by its words if it starts a packet.
    fn find<'a>(
        &self,
        frame: &ObservedCycle,
        port: usize,
        awaited: &[Option<&'a Leaving>],
    ) -> Option<(usize, &'a Leaving)> {
        let vc = frame.observed[frame.signals.links.out_vc + port] as usize;
        let mut flits = awaited.iter().enumerate().filter_map(|(index, flit)| Some((index, (*flit)?)));
        match self.sending[port] {
            Some((input, input_vc, _)) => {
                flits.find(|(_, flit)| !flit.first && (flit.input, flit.vc) == (input, input_vc))
            }
            // Of flits with the same words any will do, if it may go there.
            None => flits.find(|(_, flit)| {
                flit.first
                    && flit.words == frame.flit_out(port)
                    && flit.route.is_some_and(|route| route.allows(port, vc))
            }),
        }
    }

    /// What is wrong with a flit that nobody awaits.
    fn explain(&self, frame: &ObservedCycle, port: usize, awaited: &[Option<&Leaving>]) -> String {
        let vc = frame.observed[frame.signals.links.out_vc + port] as usize;
        let words = frame.flit_out(port);
        let same = awaited.iter().flatten().find(|flit| flit.words == words);
        match (self.sending[port], same) {
            (Some((input, input_vc, _)), Some(flit)) => format!(
                "output port {port}: a flit of input port {} VC {} within the packet of input port {input} VC {input_vc}",
                flit.input, flit.vc
            ),
            (None, Some(flit)) if flit.first => format!(
                "output port {port}: the packet of input port {} VC {} may not go there on VC {vc}",
                flit.input, flit.vc
            ),
            (None, Some(flit)) => format!(
                "output port {port}: a flit of input port {} VC {} whose packet has not begun there",
                flit.input, flit.vc
            ),
            (_, None) => format!("output port {port}: flit {words:x?} has left no input buffer three cycles before"),
        }
    }
}

impl Monitor for Delivery {
    fn cycle(&mut self, frame: &ObservedCycle, intake: &Intake, violations: &mut Violations) {
        let mut awaited: Vec<Option<&Leaving>> =
            intake.left().iter().map(|flit| (!flit.dropped).then_some(flit)).collect();
        for port in 0..frame.signals.ports {
            if !frame.bit(frame.signals.links.out_valid, port) {
                continue;
            }
            let vc = frame.observed[frame.signals.links.out_vc + port];
            let Some((index, flit)) = self.find(frame, port, &awaited) else {
                violations.add(frame, self.explain(frame, port, &awaited));
                continue;
            };
            awaited[index] = None;
            let Leaving { input, vc: input_vc, first, last, .. } = *flit;
            // Made into text only where something is wrong.
            let of = format_args!("flit of input port {input} VC {input_vc}");
            if flit.words != frame.flit_out(port) {
                let (words, shown) = (&flit.words, frame.flit_out(port));
                violations.add(frame, format_args!("output port {port}: {of} altered from {words:x?} to {shown:x?}"));
            }
            if frame.bit(frame.signals.links.out_head, port) != first {
                violations.add(frame, format_args!("output port {port}: {of} has a wrong head mark"));
            }
            if let Some((_, _, begun)) = self.sending[port].filter(|sending| sending.2 != vc) {
                violations
                    .add(frame, format_args!("output port {port}: {of} on VC {vc}, its packet began on VC {begun}"));
            }
            self.sending[port] = (!last).then_some((input, input_vc, vc));
        }
        for flit in awaited.into_iter().flatten() {
            let Leaving { input, vc, .. } = flit;
            violations.add(
                frame,
                format_args!(
                    "input port {input}: a flit of VC {vc} was read three cycles before and is on no output link"
                ),
            );
        }
    }

    fn reset(&mut self) {
        self.sending.fill(None);
    }
}
