//! Waiting and testing, starting and giving up.

use super::block::Block;
use super::calls::{Outcome, Reader, outcome};
use super::point_to_point::one_request;
use super::request::{Persistent, Purpose};
use super::value::Status;
use crate::program::call::{Call, Completion};
use anyhow::{Result, bail, ensure};

impl Reader {
    pub fn request(&mut self, block: &Block) -> Result<()> {
        let flag = || Ok::<_, anyhow::Error>(block.number("flag", i32::MIN, i32::MAX)? != 0);
        match &*block.call {
            "MPI_Wait" => self.complete(block, one_request(block)?, block.status()?, false),
            "MPI_Test" => match flag()? {
                true => self.complete(block, one_request(block)?, block.status()?, true),
                false => self.requests.asked(one_request(block)?),
            },
            "MPI_Waitall" => self.complete_all(block, false),
            "MPI_Testall" => match flag()? {
                true => self.complete_all(block, true),
                false => self.asked(&requests(block)?),
            },
            "MPI_Waitany" => self.complete_any(block, false),
            "MPI_Testany" => match flag()? {
                true => self.complete_any(block, true),
                false => self.asked(&requests(block)?),
            },
            "MPI_Waitsome" => self.complete_some(block, false),
            "MPI_Testsome" => self.complete_some(block, true),
            "MPI_Start" => self.start(block, one_request(block)?),
            "MPI_Startall" => requests(block)?.into_iter().try_for_each(|handle| self.start(block, handle)),
            "MPI_Cancel" => self.requests.cancel(one_request(block)?),
            "MPI_Request_free" => self.requests.free(one_request(block)?),
            // MPI_Request_get_status: the program knows, whatever the answer is.
            _ => self.requests.asked(one_request(block)?),
        }
    }

    fn asked(&mut self, handles: &[i32]) -> Result<()> {
        handles.iter().try_for_each(|&handle| self.requests.asked(handle))
    }

    fn complete_all(&mut self, block: &Block, tested: bool) -> Result<()> {
        let handles = requests(block)?;
        let statuses = statuses(block, handles.len())?;
        for (index, &handle) in handles.iter().enumerate() {
            self.complete(block, handle, statuses.as_ref().map(|statuses| statuses[index]), tested)?;
        }
        Ok(())
    }

    fn complete_any(&mut self, block: &Block, tested: bool) -> Result<()> {
        let handles = requests(block)?;
        let index = block.number("index", i32::MIN, i32::MAX)?;
        // MPI_UNDEFINED is negative everywhere: all requests are null or not started.
        let Ok(index) = usize::try_from(index) else { return Ok(()) };
        let handle = handle_at(block, "index", &handles, index)?;
        self.complete(block, handle, block.status()?, tested)
    }

    fn complete_some(&mut self, block: &Block, tested: bool) -> Result<()> {
        let handles = requests(block)?;
        let count = block.number("outcount", i64::from(i32::MIN), handles.len() as i64)?.max(0) as usize;
        let indices = block.exactly("indices", count, 0, u32::MAX)?;
        let statuses = statuses(block, count)?;
        for (position, &index) in indices.iter().enumerate() {
            let handle = handle_at(block, "indices", &handles, index as usize)?;
            self.complete(block, handle, statuses.as_ref().map(|statuses| statuses[position]), tested)?;
        }
        if tested {
            let mut done = vec![false; handles.len()];
            indices.iter().for_each(|&index| done[index as usize] = true);
            let left: Vec<i32> =
                handles.iter().zip(&done).filter(|(_, done)| !**done).map(|(&handle, _)| handle).collect();
            self.asked(&left)?;
        }
        Ok(())
    }

    fn complete(&mut self, block: &Block, handle: i32, status: Option<Status>, tested: bool) -> Result<()> {
        let Some(closed) = self.requests.complete(handle)? else { return Ok(()) };
        // Statuses of what was not cancelled may hold anything there.
        let gone = closed.cancelling && status.is_none_or(|status| status.cancelled);
        let (cancelled, got) = match closed.purpose {
            Purpose::Nobody => return Ok(()),
            Purpose::Send => {
                let kept = !closed.cancelling || status.is_none_or(|status| !status.cancelled);
                ensure!(kept, "the send of request `{handle}` was cancelled, which can't be replayed");
                (false, None)
            }
            Purpose::Receive(..) if gone => (true, None),
            Purpose::Receive(wanted, members) => match outcome(block, &wanted, &members, status)? {
                Outcome::Unknown => (false, None),
                Outcome::Message(got) => (false, Some(got)),
                // It was posted as if from anybody, but no message comes for it.
                Outcome::Nobody => (true, None),
            },
        };
        let polled = tested || closed.polled;
        self.push(Call::Complete(Completion { request: closed.number, polled, got, cancelled }));
        Ok(())
    }

    fn start(&mut self, block: &Block, handle: i32) -> Result<()> {
        let (persistent, number) = self.requests.start(handle, block.line)?;
        match persistent {
            Persistent::Nobody => {}
            Persistent::Send(message) => self.push(Call::Send { message: Some(message), request: Some(number) }),
            Persistent::Receive(wanted, _) => {
                self.push(Call::Receive { wanted: Some(wanted), got: None, request: Some(number) });
            }
        }
        Ok(())
    }
}

/// The handles in the field `requests`.
fn requests(block: &Block) -> Result<Vec<i32>> {
    let count: u32 = block.number("count", 0, i32::MAX as u32)?;
    block.exactly("requests", count as usize, i32::MIN, i32::MAX)
}

/// The statuses, `None` where they are not recorded.
fn statuses(block: &Block, count: usize) -> Result<Option<Vec<Status>>> {
    let statuses = block.statuses("statuses")?;
    if let Some(found) = statuses.as_ref().map(Vec::len).filter(|&found| found != count) {
        bail!("field `statuses` holds {found} statuses, expected {count}");
    }
    Ok(statuses)
}

fn handle_at(block: &Block, field: &str, handles: &[i32], index: usize) -> Result<i32> {
    let Some(&handle) = handles.get(index) else {
        let expected = format!("one of the {} requests, counted from 0", handles.len());
        bail!("{}", block.wrong(field, &index.to_string(), &expected));
    };
    Ok(handle)
}
