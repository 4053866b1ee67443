//! Sends, receives and probes.

use super::block::Block;
use super::calls::{Outcome, Reader, outcome, wanted};
use super::request::{Persistent, Purpose};
use crate::program::call::Call;
use anyhow::Result;
use std::sync::Arc;

impl Reader {
    pub fn point_to_point(&mut self, block: &Block) -> Result<()> {
        let communicator = self.communicator(block, "comm")?;
        let members = Arc::clone(&communicator.members);
        match &*block.call {
            "MPI_Send" | "MPI_Bsend" | "MPI_Ssend" | "MPI_Rsend" => {
                if let Some(message) = self.outgoing(block, &communicator, ["count", "datatype", "tag"])? {
                    self.push(Call::Send { message: Some(message), request: None });
                }
            }
            "MPI_Isend" | "MPI_Ibsend" | "MPI_Issend" | "MPI_Irsend" => {
                let message = self.outgoing(block, &communicator, ["count", "datatype", "tag"])?;
                let purpose = if message.is_some() { Purpose::Send } else { Purpose::Nobody };
                let request = self.requests.open(one_request(block)?, purpose, block.line)?;
                if let Some(message) = message {
                    self.push(Call::Send { message: Some(message), request: Some(request) });
                }
            }
            "MPI_Send_init" | "MPI_Bsend_init" | "MPI_Ssend_init" | "MPI_Rsend_init" => {
                let message = self.outgoing(block, &communicator, ["count", "datatype", "tag"])?;
                let persistent = message.map_or(Persistent::Nobody, Persistent::Send);
                self.requests.keep(one_request(block)?, persistent)?;
            }
            "MPI_Recv" => {
                if let Some(wanted) = wanted(block, &communicator, "tag")? {
                    match outcome(block, &wanted, &members, block.status()?)? {
                        Outcome::Nobody => {}
                        Outcome::Unknown => self.push(Call::Receive { wanted: Some(wanted), got: None, request: None }),
                        Outcome::Message(got) => {
                            self.push(Call::Receive { wanted: Some(wanted), got: Some(got), request: None })
                        }
                    }
                }
            }
            "MPI_Irecv" => {
                let wanted = wanted(block, &communicator, "tag")?;
                let purpose = wanted.map_or(Purpose::Nobody, |wanted| Purpose::Receive(wanted, members));
                let request = self.requests.open(one_request(block)?, purpose, block.line)?;
                if let Some(wanted) = wanted {
                    self.push(Call::Receive { wanted: Some(wanted), got: None, request: Some(request) });
                }
            }
            "MPI_Recv_init" => {
                let wanted = wanted(block, &communicator, "tag")?;
                let persistent = wanted.map_or(Persistent::Nobody, |wanted| Persistent::Receive(wanted, members));
                self.requests.keep(one_request(block)?, persistent)?;
            }
            "MPI_Probe" | "MPI_Iprobe" => {
                let blocking = block.call == "MPI_Probe";
                let found = blocking || block.number("flag", i32::MIN, i32::MAX)? != 0;
                if let Some(wanted) = wanted(block, &communicator, "tag")?.filter(|_| found) {
                    match outcome(block, &wanted, &members, block.status()?)? {
                        Outcome::Nobody => {}
                        Outcome::Unknown => self.push(Call::Probe { wanted, got: None, blocking }),
                        Outcome::Message(got) => self.push(Call::Probe { wanted, got: Some(got), blocking }),
                    }
                }
            }
            // MPI_Sendrecv and MPI_Sendrecv_replace.
            call => {
                let [count, datatype] =
                    if call == "MPI_Sendrecv" { ["sendcount", "sendtype"] } else { ["count", "datatype"] };
                let message = self.outgoing(block, &communicator, [count, datatype, "sendtag"])?;
                let mut wanted = wanted(block, &communicator, "recvtag")?;
                let mut got = None;
                if let Some(asked) = wanted {
                    match outcome(block, &asked, &members, block.status()?)? {
                        Outcome::Nobody => wanted = None,
                        Outcome::Unknown => {}
                        Outcome::Message(message) => got = Some(message),
                    }
                }
                if message.is_some() || wanted.is_some() {
                    self.push(Call::SendReceive { message, wanted, got });
                }
            }
        }
        Ok(())
    }
}

/// The handle in the field `request`.
pub(super) fn one_request(block: &Block) -> Result<i32> {
    Ok(block.exactly("request", 1, i32::MIN, i32::MAX)?[0])
}
