//! What is known of a collective that some member has entered and others have not left.

use crate::program::call::{Collective, CollectiveCall, Payload};
use anyhow::{Result, ensure};

/// A collective that some member has entered.
pub(super) struct OpenCollective {
    pub number: u32,
    /// Who was the first, and with what.
    pub first: u32,
    pub call: CollectiveCall,
    /// Members that have left it.
    pub left: usize,
}

impl OpenCollective {
    /// Another member's call is of the same collective: logs of two runs that lie in one folder are found by it.
    pub fn check(&self, call: &CollectiveCall) -> Result<()> {
        let OpenCollective { first, call: theirs, .. } = self;
        let (operation, theirs_is) = (call.operation, theirs.operation);
        ensure!(
            operation == theirs_is,
            "{operation:?} meets {theirs_is:?} of rank {first}: all members of a communicator must call the same"
        );
        let root = |call: &CollectiveCall| call.root.map_or_else(String::new, |root| root.to_string());
        ensure!(
            call.root == theirs.root,
            "{operation:?} has the root {}, and {} on rank {first}: all members must name the same",
            root(call),
            root(theirs)
        );
        if let (Collective::AllReduce, Payload::Each(bytes), Payload::Each(others)) =
            (operation, &call.payload, &theirs.payload)
        {
            ensure!(
                bytes == others,
                "{operation:?} is of {bytes} bytes, and of {others} on rank {first}: all members must give as much"
            );
        }
        Ok(())
    }
}
