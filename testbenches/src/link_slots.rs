//! Where the links of a switch lie in its frames.

use anyhow::Result;
use powar_config::{Layout, Role};

/// First slots of the signals of the links (docs/microarchitecture/switch.md): of `in_vc`, `in_phase`, `out_credit_vc`, `out_vc`,
/// `out_phase` and `in_credit_vc` one slot a port; of `in_flit` and `out_flit` one a port and word, the words of a port together;
/// of the others one, with a bit a port.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkSlots {
    pub rst: usize,
    pub position: usize,
    pub stage: usize,
    pub in_valid: usize,
    pub in_head: usize,
    pub in_vc: usize,
    pub in_phase: usize,
    pub in_hint: usize,
    pub in_flit: usize,
    pub out_credit_valid: usize,
    pub out_credit_vc: usize,
    pub out_valid: usize,
    pub out_head: usize,
    pub out_vc: usize,
    pub out_phase: usize,
    pub out_hint: usize,
    pub out_flit: usize,
    pub in_credit_valid: usize,
    pub in_credit_vc: usize,
    /// Words of the control ring, if there is one.
    pub ring: Option<RingSlots>,
}

/// First slots of `ring_in` and `ring_out`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RingSlots {
    pub ring_in: usize,
    pub ring_out: usize,
}

impl LinkSlots {
    /// # Errors
    /// A layout that is not that of a switch: the signal is named.
    pub fn new(layout: &Layout) -> Result<LinkSlots> {
        let input = |name: &str| layout.slot(Role::Input, name);
        let output = |name: &str| layout.slot(Role::Output, name);
        Ok(LinkSlots {
            rst: input("rst")?,
            position: input("position")?,
            stage: input("stage")?,
            in_valid: input("in_valid")?,
            in_head: input("in_head")?,
            in_vc: input("in_vc")?,
            in_phase: input("in_phase")?,
            in_hint: input("in_hint")?,
            in_flit: input("in_flit")?,
            out_credit_valid: input("out_credit_valid")?,
            out_credit_vc: input("out_credit_vc")?,
            out_valid: output("out_valid")?,
            out_head: output("out_head")?,
            out_vc: output("out_vc")?,
            out_phase: output("out_phase")?,
            out_hint: output("out_hint")?,
            out_flit: output("out_flit")?,
            in_credit_valid: output("in_credit_valid")?,
            in_credit_vc: output("in_credit_vc")?,
            ring: match (input("ring_in"), output("ring_out")) {
                (Ok(ring_in), Ok(ring_out)) => Some(RingSlots { ring_in, ring_out }),
                _ => None,
            },
        })
    }
}
