//! What a node has between its stream and its link, whatever simulates it.

use crate::network::net_packet::NetPacket;
use crate::reference::mechanisms::wake_hints::NodeHints;
use crate::reference::network_interface::NetworkInterface;
use crate::reference::network_interface::network_interface::NetworkInterfaceInputs;

/// A network interface that shows the registers of `network_interface` (`docs/microarchitecture/network_interface.md`) in the same cycles
/// as the golden one.
pub trait StreamInterface {
    /// What it shows in the cycle under way.
    fn show(&self, shown: &mut Shown);

    /// The cycle `now`, to the clock edge that ends it. If there were cycles since the one that was clocked before, it was idle, and
    /// nothing came in in them.
    fn clock(&mut self, now: u64, inputs: &NetworkInterfaceInputs);

    /// Nothing about it changes before something comes in.
    fn is_idle(&self) -> bool;

    /// It has to be clocked in every cycle, from the first on.
    fn is_clocked(&self) -> bool;

    /// The golden one in the same state.
    fn golden(&self) -> &NetworkInterface;
}

/// What a network interface shows in a cycle, whatever comes in in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// `s_axis_tready`.
    pub ready: bool,
    /// The link to the switch: `out_valid`, `out_head`, `out_vc`, `out_flit` and `out_hint`.
    pub valid: bool,
    pub head: bool,
    pub vc: u8,
    pub flit: Vec<u64>,
    pub hint: bool,
    /// `in_credit_vc`, if there is a credit.
    pub credit: Option<u8>,
    /// The stream to the node: `m_axis_tvalid`, `_tdata`, `_tkeep`, `_tlast`, `_tid` and `_tuser`.
    pub beat: bool,
    pub data: Vec<u64>,
    pub keep: u64,
    pub last: bool,
    pub source: u16,
    pub damaged: bool,
}

impl Shown {
    /// What the network carries of the flit on the link.
    pub(super) fn net_packet(&self) -> NetPacket {
        NetPacket { header: self.flit[0] as u32, packet: self.flit[1] as u32 }
    }
}

impl StreamInterface for NetworkInterface {
    fn show(&self, shown: &mut Shown) {
        let (injection, reception) = (&self.injection, &self.reception);
        shown.ready = self.queues.tready();
        (shown.valid, shown.head) = (injection.out_valid, injection.out_head);
        (shown.vc, shown.hint) = (injection.out_vc, injection.out_hint);
        shown.flit.clone_from(&injection.out_flit);
        shown.credit = reception.in_credit_valid.then_some(reception.in_credit_vc);
        shown.beat = reception.tvalid;
        shown.data.clear();
        shown.data.extend(reception.tdata());
        (shown.keep, shown.last) = (reception.tkeep(), reception.tlast);
        (shown.source, shown.damaged) = (reception.source, reception.tuser());
    }

    fn clock(&mut self, _: u64, inputs: &NetworkInterfaceInputs) {
        NetworkInterface::clock(self, false, inputs);
    }

    fn is_idle(&self) -> bool {
        let NetworkInterface { queues, injection, reception, .. } = self;
        let vcs = reception.flits.len();
        let mut headers = queues.headers.iter().chain(&reception.headers);
        let link = [injection.remaining != 0, injection.valid_early, injection.out_valid, injection.returned_valid];
        let early = [injection.hint_early, injection.out_hint, injection.head_early, injection.out_head];
        let marks = [injection.vc_early, injection.out_vc, reception.in_credit_vc];
        let stream = [queues.beat_valid, reception.tvalid, reception.tlast, reception.in_credit_valid];
        // A head flit that waits for the rest of its packet is in a buffer.
        let stored = (0..vcs).any(|v| queues.queues[v].count != 0 || reception.flits[v].some);
        let waiting = headers.any(|header| header.valid || header.fetching || header.places.some);
        let busy = [link, early, stream].as_flattened().contains(&true) || marks != [0; 3] || reception.remaining != 0;
        !busy && !stored && !waiting && self.hints.as_ref().is_none_or(NodeHints::is_idle)
    }

    fn is_clocked(&self) -> bool {
        false
    }

    fn golden(&self) -> &NetworkInterface {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lock_step::{Frames, LockStep};
    use crate::reference::network_interface::injection_queues::QueuesInputs;
    use crate::reference::network_interface::reception::ReceptionInputs;
    use powar_config::{CycleModel, presets};

    /// A packet into the stream and one from the link: the interface is idle when both are through, and then nothing about it changes.
    #[test]
    fn an_interface_that_says_it_is_idle_shows_the_same_for_ever() {
        let config = presets::by_name("fat-tree-4").unwrap();
        let words = config.switch.flit_words();
        let mut interface = NetworkInterface::new(&config);
        assert!(interface.is_idle());
        let (zero, data) = (vec![0; words], vec![3 << 16 | 9; words]);
        let clock = |interface: &mut NetworkInterface, beat: Option<bool>, flit: Option<bool>, credit: bool| {
            let of = |there: bool| if there { &data } else { &zero };
            let (start, read, tdest) = (0, 0, if beat.is_some() { 6 } else { 0 });
            let (tvalid, tlast) = (beat.is_some(), beat == Some(true));
            let tkeep = if tvalid { u64::MAX >> (64 - 4 * words) } else { 0 };
            let stream = QueuesInputs { tvalid, tdata: of(tvalid), tkeep, tlast, tdest, start, read };
            let (in_valid, in_head) = (flit.is_some(), flit == Some(true));
            let link = ReceptionInputs { in_valid, in_head, in_vc: 0, in_flit: of(in_valid), tready: true };
            let (address, clear, out_credit_vc) = (1, false, if credit { 2 } else { 0 });
            let inputs = NetworkInterfaceInputs {
                address,
                clear,
                stream,
                tuser: 0,
                link,
                out_credit_valid: credit,
                out_credit_vc,
            };
            StreamInterface::clock(interface, 0, &inputs);
        };
        // Two beats to node 6; a packet of three flits, that is with two beats.
        clock(&mut interface, Some(false), Some(true), false);
        clock(&mut interface, Some(true), Some(false), false);
        clock(&mut interface, None, Some(false), false);
        let mut busy = 0;
        while !interface.is_idle() {
            clock(&mut interface, None, None, false);
            busy += 1;
        }
        // The last beat is taken in cycle 1, the tail is on the link in 9.
        assert_eq!((busy, &interface.statistics[..4]), (7, &[1, 3, 1, 3][..]));
        for _ in 0..3 {
            clock(&mut interface, None, None, true);
        }
        assert!(!interface.is_idle());
        clock(&mut interface, None, None, false);
        assert!(interface.is_idle());
        let mut model = LockStep::new(interface);
        let mut frames = vec![vec![0; model.layout().observed_slots()]; 8];
        let mut inputs = vec![0; model.layout().input_slots()];
        inputs[model.layout().input("m_axis_tready").unwrap()] = 1;
        frames.iter_mut().for_each(|frame| model.cycle(&inputs, frame));
        assert!(frames.iter().all(|frame| *frame == frames[0]));
        assert!(model.block.signals().len() > 20);
    }
}
