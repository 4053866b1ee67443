//! The buckets of MPIRandomAccess: one for each destination, the fullest on top of a heap. Which of several equally full
//! ones is on top decides who gets a message: the heap moves its entries as that of HPC Challenge (heap.c) does.

/// Updates that wait to be sent.
pub(super) struct Buckets {
    /// Updates and destination, in the order of a binary heap.
    heap: Vec<(u16, u32)>,
    /// Place of each destination in the heap; meaningless without one.
    place: Box<[u16]>,
    filled: Box<[bool]>,
}

impl Buckets {
    /// For so many destinations; at most 65535 updates may wait at a time.
    pub fn new(destinations: u32) -> Buckets {
        let count = destinations as usize;
        Buckets { heap: Vec::new(), place: vec![0; count].into(), filled: vec![false; count].into() }
    }

    fn put(&mut self, at: usize, entry: (u16, u32)) {
        self.heap[at] = entry;
        self.place[entry.1 as usize] = at as u16;
    }

    /// One update more.
    pub fn add(&mut self, destination: u32) {
        let at = destination as usize;
        let mut here = if self.filled[at] {
            usize::from(self.place[at])
        } else {
            self.filled[at] = true;
            self.heap.push((0, destination));
            self.heap.len() - 1
        };
        let entry = (self.heap[here].0 + 1, destination);
        while here > 0 && self.heap[(here - 1) / 2].0 < entry.0 {
            let parent = (here - 1) / 2;
            self.put(here, self.heap[parent]);
            here = parent;
        }
        self.put(here, entry);
    }

    /// Empties the fullest: destination and number of updates.
    pub fn take(&mut self) -> Option<(u32, u32)> {
        let &(updates, destination) = self.heap.first()?;
        self.filled[destination as usize] = false;
        let last = self.heap.len() - 1;
        let entry = self.heap[last];
        let mut here = 0;
        let mut child = 1;
        // The last entry is compared with itself too: it does not move past itself.
        while child <= last {
            if child < last && self.heap[child].0 < self.heap[child + 1].0 {
                child += 1;
            }
            if entry.0 >= self.heap[child].0 {
                break;
            }
            self.put(here, self.heap[child]);
            here = child;
            child = 2 * child + 1;
        }
        self.put(here, entry);
        self.heap.pop();
        Some((destination, u32::from(updates)))
    }
}
