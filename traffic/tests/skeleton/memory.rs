//! The memory of a rank does not grow with the length of its program, and little with the number of ranks.

use super::calls::parse;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Bytes that this thread has taken and not given back.
    static TAKEN: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: all work is left to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = TAKEN.try_with(|taken| taken.set(taken.get() + layout.size() as isize));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        let _ = TAKEN.try_with(|taken| taken.set(taken.get() - layout.size() as isize));
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Most bytes that a rank has at a time, in each tenth of at most so many calls.
fn most(text: &str, rank: u32, calls: usize) -> Vec<isize> {
    let source = parse(text);
    // What all ranks share is made on first use.
    drop(source.calls(rank).unwrap().next().unwrap());
    let before = TAKEN.get();
    let mut rank = source.calls(rank).unwrap();
    let mut most = vec![0; 10];
    let mut made = 0;
    while made < calls
        && let Some(entry) = rank.next().unwrap()
    {
        let tenth = made * 10 / calls;
        most[tenth] = most[tenth].max(TAKEN.get() - before);
        drop(entry);
        made += 1;
    }
    assert!(made == calls, "{text}: only {made} calls");
    most
}

#[test]
fn a_rank_of_4096_needs_no_more_memory_at_its_end() {
    for (text, calls, limit) in [
        // The plan of a swap, that all ranks of a column share, is among them.
        ("hpl:n=262144,nb=128,p=64,q=64", 400_000, 40_000),
        ("hpl:n=262144,nb=128,p=64,q=64,depth=0,swap=exchange", 110_000, 40_000),
        ("random-access:ranks=256,log-table=22", 31_000, 60_000),
        ("halo-fft:x=16,y=16,z=16,steps=10000", 200_000, 8_000),
        // Sizes for 4096 members are 32 KB, but only while the call lasts.
        ("graph500:ranks=4096,scale=30,searches=10", 100, 80_000),
        ("all-reduce:ranks=4096,steps=1000", 10_000, 4_000),
    ] {
        let most = most(text, 77, calls);
        println!("{text}: {most:?} bytes");
        assert!(most.iter().all(|&most| most <= limit), "{text}: {most:?} bytes, expected at most {limit}");
        let (early, late) = (most[..5].iter().max().unwrap(), most[5..].iter().max().unwrap());
        assert!(*late <= early * 12 / 10, "{text}: {early} bytes, later {late}");
    }
}

#[test]
fn all_of_4096_ranks_at_once() {
    for (text, limit) in [
        ("hpl:n=32768,nb=128,p=64,q=64", 4_000),
        ("random-access:ranks=4096,log-table=16,updates=20", 40_000),
        ("halo-fft:x=16,y=16,z=16", 8_000),
        ("graph500:ranks=4096,even=1", 2_000),
        ("all-reduce:ranks=4096", 2_000),
    ] {
        let before = TAKEN.get();
        let source = parse(text);
        assert_eq!(source.ranks(), 4096);
        let mut ranks: Vec<_> = (0..4096).map(|rank| source.calls(rank).unwrap()).collect();
        for rank in &mut ranks {
            (0..20).for_each(|_| drop(rank.next().unwrap()));
        }
        let each = (TAKEN.get() - before) / 4096;
        println!("{text}: {each} bytes a rank");
        assert!(each <= limit, "{text}: {each} bytes a rank, expected at most {limit}");
    }
}
