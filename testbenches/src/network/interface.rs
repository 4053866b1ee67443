//! The network interfaces of a network with RTL in it.

use super::looped::Looped;
use crate::lockstep::Difference;
use anyhow::{Context, Result};
use powar_config::{Config, Layout, Role};
use powar_golden::lock_step::LockStep;
use powar_golden::network::stream::{Shown, StreamInterface};
use powar_golden::reference::network_interface::NetworkInterface;
use powar_golden::reference::network_interface::network_interface::NetworkInterfaceInputs;
use std::path::Path;

/// A network interface: golden, or Verilog with the golden one beside it.
pub(super) enum LoopInterface {
    Golden(Box<NetworkInterface>),
    Rtl(Box<Rtl>),
}

/// A network interface as Verilog.
pub(super) struct Rtl {
    looped: Looped<LockStep<NetworkInterface>>,
    slots: Slots,
    words: usize,
}

/// First slots of the signals: of `tdata` and of flits one a word, of the others one.
struct Slots {
    address: usize,
    s_axis: [usize; 5],
    /// If the mechanism reads addresses.
    s_axis_tuser: Option<usize>,
    link_in: [usize; 4],
    m_axis_tready: usize,
    out_credit: [usize; 2],
    s_axis_tready: usize,
    m_axis: [usize; 6],
    in_credit: [usize; 2],
    link_out: [usize; 5],
}

impl Slots {
    fn new(layout: &Layout) -> Result<Slots> {
        let input = |name: &str| layout.slot(Role::Input, name);
        let output = |name: &str| layout.slot(Role::Output, name);
        Ok(Slots {
            address: input("address")?,
            s_axis: [
                input("s_axis_tvalid")?,
                input("s_axis_tdata")?,
                input("s_axis_tkeep")?,
                input("s_axis_tlast")?,
                input("s_axis_tdest")?,
            ],
            s_axis_tuser: input("s_axis_tuser").ok(),
            link_in: [input("in_valid")?, input("in_head")?, input("in_vc")?, input("in_flit")?],
            m_axis_tready: input("m_axis_tready")?,
            out_credit: [input("out_credit_valid")?, input("out_credit_vc")?],
            s_axis_tready: output("s_axis_tready")?,
            m_axis: [
                output("m_axis_tvalid")?,
                output("m_axis_tdata")?,
                output("m_axis_tkeep")?,
                output("m_axis_tlast")?,
                output("m_axis_tid")?,
                output("m_axis_tuser")?,
            ],
            in_credit: [output("in_credit_valid")?, output("in_credit_vc")?],
            link_out: [
                output("out_valid")?,
                output("out_head")?,
                output("out_vc")?,
                output("out_flit")?,
                output("out_hint")?,
            ],
        })
    }

    /// The input frame of a cycle.
    fn fill(&self, inputs: &NetworkInterfaceInputs, frame: &mut [u64]) {
        let NetworkInterfaceInputs { address, stream, tuser, link, out_credit_valid, out_credit_vc, .. } = inputs;
        frame.fill(0);
        frame[self.address] = (*address).into();
        let [tvalid, tdata, tkeep, tlast, tdest] = self.s_axis;
        frame[tvalid] = stream.tvalid.into();
        frame[tdata..tdata + stream.tdata.len()].copy_from_slice(stream.tdata);
        frame[tkeep] = stream.tkeep;
        frame[tlast] = stream.tlast.into();
        frame[tdest] = stream.tdest.into();
        if let Some(slot) = self.s_axis_tuser {
            frame[slot] = (*tuser).into();
        }
        let [valid, head, vc, flit] = self.link_in;
        frame[valid] = link.in_valid.into();
        frame[head] = link.in_head.into();
        frame[vc] = link.in_vc.into();
        frame[flit..flit + link.in_flit.len()].copy_from_slice(link.in_flit);
        frame[self.m_axis_tready] = link.tready.into();
        let [valid, vc] = self.out_credit;
        frame[valid] = (*out_credit_valid).into();
        frame[vc] = (*out_credit_vc).into();
    }

    /// What an observed frame shows, with so many words a flit.
    fn read(&self, frame: &[u64], words: usize, shown: &mut Shown) {
        let bit = |slot: usize| frame[slot] == 1;
        let copy = |first: usize, to: &mut Vec<u64>| {
            to.clear();
            to.extend_from_slice(&frame[first..first + words]);
        };
        shown.ready = bit(self.s_axis_tready);
        let [valid, head, vc, flit, hint] = self.link_out;
        (shown.valid, shown.head, shown.hint) = (bit(valid), bit(head), bit(hint));
        shown.vc = frame[vc] as u8;
        copy(flit, &mut shown.flit);
        let [valid, vc] = self.in_credit;
        shown.credit = bit(valid).then_some(frame[vc] as u8);
        let [valid, data, keep, last, source, damaged] = self.m_axis;
        (shown.beat, shown.last, shown.damaged) = (bit(valid), bit(last), bit(damaged));
        copy(data, &mut shown.data);
        (shown.keep, shown.source) = (frame[keep], frame[source] as u16);
    }
}

impl LoopInterface {
    pub fn golden(config: &Config) -> LoopInterface {
        LoopInterface::Golden(Box::new(NetworkInterface::new(config)))
    }

    /// The compiled Verilog beside a golden interface.
    pub fn rtl(config: &Config, (library, fault): (&Path, Option<u64>)) -> Result<LoopInterface> {
        let twin = LockStep::new(NetworkInterface::new(config));
        let slots =
            Slots::new(powar_config::CycleModel::layout(&twin)).context("the signals of the network interface")?;
        let looped = Looped::new(Box::new(twin), library, fault)?;
        Ok(LoopInterface::Rtl(Box::new(Rtl { looped, slots, words: config.switch.flit_words() })))
    }

    /// The first difference between Verilog and golden interface.
    pub fn difference(&self) -> Option<&Difference> {
        match self {
            LoopInterface::Golden(_) => None,
            LoopInterface::Rtl(rtl) => rtl.looped.difference(),
        }
    }
}

impl StreamInterface for LoopInterface {
    fn show(&self, shown: &mut Shown) {
        match self {
            LoopInterface::Rtl(rtl) if rtl.shows_the_same() => {
                let frame = rtl.looped.shown().expect("it shows something");
                rtl.slots.read(frame, rtl.words, shown);
            }
            // After a difference the network goes on as the golden one does, so that the report shows what the Verilog does with it.
            _ => self.golden().show(shown),
        }
    }

    fn clock(&mut self, now: u64, inputs: &NetworkInterfaceInputs) {
        match self {
            LoopInterface::Golden(golden) => StreamInterface::clock(&mut **golden, now, inputs),
            LoopInterface::Rtl(rtl) if rtl.looped.is_retired() => {
                StreamInterface::clock(&mut rtl.looped.twin_mut().block, now, inputs);
            }
            LoopInterface::Rtl(rtl) => {
                let same = rtl.shows_the_same();
                rtl.slots.fill(inputs, &mut rtl.looped.inputs);
                rtl.looped.cycle(now);
                assert!(same || rtl.looped.difference().is_some(), "what links and streams show is compared");
            }
        }
    }

    fn is_idle(&self) -> bool {
        !self.is_clocked() && self.golden().is_idle()
    }

    fn is_clocked(&self) -> bool {
        matches!(self, LoopInterface::Rtl(rtl) if !rtl.looped.is_retired())
    }

    fn golden(&self) -> &NetworkInterface {
        match self {
            LoopInterface::Golden(golden) => golden,
            LoopInterface::Rtl(rtl) => &rtl.looped.twin().block,
        }
    }
}

impl Rtl {
    /// Links and streams of the Verilog show in the cycle that follows what those of the golden interface do.
    fn shows_the_same(&self) -> bool {
        let [mut golden, mut verilog] = [Shown::default(), Shown::default()];
        self.looped.twin().block.show(&mut golden);
        let Some(frame) = self.looped.shown() else { return false };
        self.slots.read(frame, self.words, &mut verilog);
        golden == verilog
    }
}
