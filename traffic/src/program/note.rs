//! What a replay tells whoever writes it down in another format.

use crate::program::call::CollectiveCall;
use crate::replay::message::Cause;

/// A message between two ranks, or a rank's entry into a collective, and what it waited for.
#[derive(Clone, Debug)]
pub(crate) enum Note {
    Message {
        number: u32,
        source: u32,
        destination: u32,
        bytes: u64,
        cause: Cause,
        /// Cycles from the cause to the call.
        delay: u64,
    },
    Enter {
        rank: u32,
        number: u32,
        call: CollectiveCall,
        cause: Cause,
        /// Cycles from the cause to the call.
        delay: u64,
    },
}
