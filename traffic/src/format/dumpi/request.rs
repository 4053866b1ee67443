//! The requests of one rank.
//!
//! An MPI library may give one handle to several sends at a time, those that were over at once: a handle stands for
//! a queue of them. It may also give a handle anew once its request is complete.

use crate::program::call::{Outgoing, Wanted};
use anyhow::{Context, Result, bail, ensure};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// Number of the request that stands for none.
const NULL: i32 = 1;

/// What a request is for.
#[derive(Clone, Debug)]
pub(crate) enum Purpose {
    /// `MPI_PROC_NULL`: nothing moves.
    Nobody,
    Send,
    /// With the members of its communicator.
    Receive(Wanted, Arc<[u32]>),
}

/// An open request.
#[derive(Debug)]
struct Open {
    /// Different from that of all others of the rank, counted from 1.
    number: u64,
    purpose: Purpose,
    /// Line that opened it.
    line: u64,
}

/// A request that is complete, and what has become of it before.
#[derive(Debug)]
pub(crate) struct Closed {
    pub number: u64,
    pub purpose: Purpose,
    /// The program has asked for it before.
    pub polled: bool,
    /// `MPI_Cancel` was called.
    pub cancelling: bool,
}

/// What `MPI_Start` opens.
#[derive(Clone, Debug)]
pub(crate) enum Persistent {
    Nobody,
    Send(Outgoing),
    Receive(Wanted, Arc<[u32]>),
}

#[derive(Default)]
struct Handle {
    open: VecDeque<Open>,
    persistent: Option<Persistent>,
    /// Those with numbers up to this one have been asked for.
    asked: u64,
    /// Those with numbers up to this one are being cancelled.
    cancelled: u64,
}

#[derive(Default)]
pub(crate) struct Requests {
    handles: HashMap<i32, Handle>,
    opened: u64,
}

impl Requests {
    /// Opens a request; its number.
    pub fn open(&mut self, handle: i32, purpose: Purpose, line: u64) -> Result<u64> {
        check(handle)?;
        let requests = self.handles.entry(handle).or_default();
        // A receive never shares its handle.
        let receives = |purpose: &Purpose| matches!(purpose, Purpose::Receive(..));
        let other = requests.open.front().filter(|other| receives(&other.purpose) || receives(&purpose));
        if let Some(other) = other {
            bail!("request `{handle}` is opened again, expected its completion: line {} has opened it", other.line);
        }
        self.opened += 1;
        requests.open.push_back(Open { number: self.opened, purpose, line });
        Ok(self.opened)
    }

    pub fn keep(&mut self, handle: i32, persistent: Persistent) -> Result<()> {
        check(handle)?;
        let requests = self.handles.entry(handle).or_default();
        ensure!(requests.open.is_empty(), "request `{handle}` is made again, expected its completion");
        requests.persistent = Some(persistent);
        Ok(())
    }

    /// What starting a persistent request does.
    pub fn start(&mut self, handle: i32, line: u64) -> Result<(Persistent, u64)> {
        let persistent = self.handles.get(&handle).and_then(|requests| requests.persistent.clone());
        let persistent = persistent
            .with_context(|| format!("request `{handle}` is started, expected one of a persistent operation"))?;
        let other = self.handles[&handle].open.front();
        if let Some(other) = other {
            bail!("request `{handle}` is started again, expected its completion: line {} has started it", other.line);
        }
        let purpose = match &persistent {
            Persistent::Nobody => Purpose::Nobody,
            Persistent::Send(_) => Purpose::Send,
            Persistent::Receive(wanted, members) => Purpose::Receive(*wanted, Arc::clone(members)),
        };
        let number = self.open(handle, purpose, line)?;
        Ok((persistent, number))
    }

    /// Takes the request that is complete now; `None` of a null request or of a persistent one that is not started.
    pub fn complete(&mut self, handle: i32) -> Result<Option<Closed>> {
        let Some(requests) = self.found(handle)? else { return Ok(None) };
        let closed = requests.open.pop_front().map(|open| Closed {
            number: open.number,
            purpose: open.purpose,
            polled: open.number <= requests.asked,
            cancelling: open.number <= requests.cancelled,
        });
        if requests.open.is_empty() && requests.persistent.is_none() {
            self.handles.remove(&handle);
        }
        Ok(closed)
    }

    /// The program has asked in vain, or without completing it.
    pub fn asked(&mut self, handle: i32) -> Result<()> {
        let opened = self.opened;
        if let Some(requests) = self.found(handle)? {
            requests.asked = opened;
        }
        Ok(())
    }

    pub fn cancel(&mut self, handle: i32) -> Result<()> {
        let opened = self.opened;
        if let Some(requests) = self.found(handle)? {
            requests.cancelled = opened;
        }
        Ok(())
    }

    /// The program gives a request up: an open one goes on, but nobody learns of its completion.
    pub fn free(&mut self, handle: i32) -> Result<()> {
        if let Some(requests) = self.found(handle)? {
            requests.open.pop_front();
            requests.persistent = None;
            if requests.open.is_empty() {
                self.handles.remove(&handle);
            }
        }
        Ok(())
    }

    fn found(&mut self, handle: i32) -> Result<Option<&mut Handle>> {
        if handle == NULL {
            return Ok(None);
        }
        check(handle)?;
        let found = self.handles.get_mut(&handle);
        found
            .map(Some)
            .with_context(|| format!("request `{handle}` is not open, expected one that a recorded call has opened"))
    }
}

fn check(handle: i32) -> Result<()> {
    ensure!(handle > NULL, "request `{handle}`, expected {} or more", NULL + 1);
    Ok(())
}
