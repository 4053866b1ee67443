//! GOAL has one number that tells the messages of two ranks apart; MPI has communicators, tags and collectives.

use super::super::parse::MAX_TAG;
use crate::hash::FastMap;
use crate::program::mpi::{Communicators, MessageKind};
use anyhow::{Result, ensure};

/// How many collectives of one communicator a rank may have open beside its own work.
pub(super) const MOST_BESIDE: u32 = 4096;
/// First tag that is no tag of the world.
const FIRST: u32 = 1 << 31;

/// What messages of one communicator have in common that must not meet others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Class {
    Tag(i32),
    /// Of a communicator in which receives leave the tag open, and all do.
    AnyTag,
    /// Of the collectives that ranks are inside of: all members go through them in the same order, so one class is enough.
    Inside,
    /// Of a collective beside the ranks: its number, modulo [`MOST_BESIDE`].
    Beside(u32),
}

impl Class {
    /// The class of a message of this kind that is sent beside the rank or not.
    pub fn of(kind: MessageKind, beside: bool) -> Class {
        match kind {
            MessageKind::Tag(tag) => Class::Tag(tag),
            MessageKind::Collective(number) if beside => Class::Beside(number % MOST_BESIDE),
            MessageKind::Collective(_) => Class::Inside,
        }
    }
}

/// The tags of classes. Those of `MPI_COMM_WORLD` stay as they are; the others are numbered from 2^31 on, above all that MPI has.
pub(super) struct Tags {
    ranks: u32,
    /// The first communicator of all ranks in their order.
    world: Option<u32>,
    numbers: FastMap<(u32, Class), u32>,
}

impl Tags {
    /// Of a program of so many ranks.
    pub fn new(ranks: u32) -> Tags {
        Tags { ranks, world: None, numbers: FastMap::default() }
    }

    /// The tag of a class; the same on all ranks.
    pub fn of(&mut self, communicator: u32, class: Class, communicators: &Communicators) -> Result<u32> {
        if self.world.is_none() && self.is_world(communicator, communicators) {
            self.world = Some(communicator);
        }
        if let Class::Tag(tag) = class
            && self.world == Some(communicator)
            && let Ok(tag) = u32::try_from(tag)
        {
            return Ok(tag);
        }
        let next = u64::from(FIRST) + self.numbers.len() as u64;
        ensure!(next <= u64::from(MAX_TAG), "more than {} tags of communicators, expected less", MAX_TAG - FIRST);
        Ok(*self.numbers.entry((communicator, class)).or_insert(next as u32))
    }

    fn is_world(&self, communicator: u32, communicators: &Communicators) -> bool {
        communicators.named(communicator).is_ok_and(|communicator| {
            let members = communicator.members.iter().copied();
            communicator.members.len() == self.ranks as usize && members.eq(0..self.ranks)
        })
    }
}
