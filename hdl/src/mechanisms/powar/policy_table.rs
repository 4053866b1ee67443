//! The table of policies as constants that blocks look properties up in, by policy code.

use powar_config::mechanism::powar::policy::{self, Policy};
use rust_hdl::prelude::*;

/// Bit c is the property of the policy with code c.
pub fn property(of: fn(&Policy) -> bool) -> Bits<4> {
    let bits = policy::ALL.iter().filter(|policy| of(policy)).fold(0u64, |bits, policy| bits | 1 << policy.code);
    bits.into()
}
