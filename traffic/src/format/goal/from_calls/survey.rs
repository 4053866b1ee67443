//! What the ranks of a program send and which receives leave what open: known before the first operation is written.

use super::class::Class;
use crate::format::paged::PagedFile;
use crate::hash::FastMap;
use crate::options::Timing;
use crate::program::call::{CallSource, Wanted};
use crate::program::mpi::{Communicators, Lowering, Step, Wish};
use anyhow::Result;
use std::sync::Arc;

/// Messages that can take each other's place: source, destination, communicator and class.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Channel {
    pub source: u32,
    pub destination: u32,
    pub communicator: u32,
    pub class: Class,
}

/// What the ranks of a program send, and which receives leave what open.
pub(super) struct Survey {
    /// The first and the last message of each channel, in the order of sending.
    channels: FastMap<Channel, (u64, u64)>,
    /// Each message: its bytes and the number of the next one of its channel plus 1.
    messages: PagedFile,
    count: u64,
    receives: FastMap<u32, Receives>,
}

/// Which receives a communicator has.
#[derive(Clone, Copy, Default)]
struct Receives {
    /// Some name the tag.
    with_tag: bool,
    /// Some leave it open, and nobody knows what they got.
    any_tag: bool,
}

impl Survey {
    /// Reads all calls of all ranks.
    pub fn of(source: &Arc<dyn CallSource>, timing: &Timing, communicators: &mut Communicators) -> Result<Survey> {
        let messages = PagedFile::temporary()?;
        let mut survey = Survey { channels: FastMap::default(), messages, count: 0, receives: FastMap::default() };
        for rank in 0..source.ranks() {
            let mut steps = Lowering::as_recorded(rank, Arc::clone(source))?;
            while let Some(step) = steps.next(communicators, timing.algorithms)? {
                match step {
                    Step::Fork { mut next, .. } => {
                        while let Some(step) = next(&mut steps.next_operation) {
                            survey.note(rank, &step, true)?;
                        }
                    }
                    step => survey.note(rank, &step, false)?,
                }
            }
        }
        Ok(survey)
    }

    fn note(&mut self, rank: u32, step: &Step, beside: bool) -> Result<()> {
        match *step {
            Step::Send { to, bytes, communicator, kind, .. } => {
                let class = Class::of(kind, beside);
                self.push(Channel { source: rank, destination: to, communicator, class }, bytes)
            }
            Step::Receive { wish: Wish::Any(Wanted { tag, communicator, .. }), .. } => {
                let receives = self.receives.entry(communicator).or_default();
                receives.any_tag |= tag.is_none();
                receives.with_tag |= tag.is_some();
                Ok(())
            }
            Step::Receive { wish: Wish::Of(channel), .. } => {
                if let Class::Tag(_) = Class::of(channel.kind, beside) {
                    self.receives.entry(channel.communicator).or_default().with_tag = true;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn push(&mut self, channel: Channel, bytes: u64) -> Result<()> {
        let number = self.count;
        self.count += 1;
        self.messages.write(number, &[bytes, 0])?;
        match self.channels.get_mut(&channel) {
            None => {
                self.channels.insert(channel, (number, number));
            }
            Some((_, last)) => {
                let [bytes, _]: [u64; 2] = self.messages.read(*last)?;
                self.messages.write(*last, &[bytes, number + 1])?;
                *last = number;
            }
        }
        Ok(())
    }

    /// The bytes of the next message of a channel that a receive asks for; `None` if no more are sent.
    pub fn take(&mut self, channel: Channel) -> Result<Option<u64>> {
        let Some((first, _)) = self.channels.get_mut(&channel) else { return Ok(None) };
        let [bytes, next]: [u64; 2] = self.messages.read(*first)?;
        match next.checked_sub(1) {
            Some(next) => *first = next,
            None => {
                self.channels.remove(&channel);
            }
        }
        Ok(Some(bytes))
    }

    /// The class that messages of this one are written as; `None` if a receive leaves a tag open that others name.
    pub fn written(&self, communicator: u32, class: Class) -> Option<Class> {
        let Class::Tag(_) = class else { return Some(class) };
        match self.receives.get(&communicator).copied().unwrap_or_default() {
            Receives { any_tag: false, .. } => Some(class),
            Receives { any_tag: true, with_tag: false } => Some(Class::AnyTag),
            Receives { any_tag: true, with_tag: true } => None,
        }
    }
}
