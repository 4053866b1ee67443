//! Lists of what happens on ports in a cycle.

use std::fmt;
use std::ops::{Deref, DerefMut};

/// At most one entry a port, which is 64 at most: a slice that never has to ask for memory.
#[derive(Clone)]
pub struct List<T> {
    entries: Box<[T; 64]>,
    length: usize,
}

impl<T: Copy> List<T> {
    /// An empty list. Its memory holds `filler` before there is anything else.
    pub fn new(filler: T) -> List<T> {
        List { entries: Box::new([filler; 64]), length: 0 }
    }

    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Adds an entry at the end.
    ///
    /// # Panics
    /// If there are 64 already.
    pub fn push(&mut self, entry: T) {
        self.entries[self.length] = entry;
        self.length += 1;
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.entries[..self.length]
    }
}

impl<T> DerefMut for List<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.entries[..self.length]
    }
}

impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self[..].fmt(formatter)
    }
}

impl<T: PartialEq> PartialEq for List<T> {
    fn eq(&self, other: &List<T>) -> bool {
        self[..] == other[..]
    }
}

impl<T: Eq> Eq for List<T> {}

impl<T: PartialEq, const N: usize> PartialEq<[T; N]> for List<T> {
    fn eq(&self, other: &[T; N]) -> bool {
        self[..] == other[..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_what_has_been_added_since_it_was_cleared() {
        let mut list = List::new(0);
        (1..=64).for_each(|entry| list.push(entry));
        assert_eq!((list.len(), list[63]), (64, 64));
        list.clear();
        assert!(list.is_empty());
        list.push(7);
        assert_eq!(list, [7]);
        list.push(8);
        assert_eq!(list.into_iter().copied().collect::<Vec<i32>>(), [7, 8]);
        assert!(list == list.clone() && list != List::new(0));
    }
}
