//! A board's place on the ring.

use crate::power::bench::Bench;
use powar_config::mechanism::e_rapid::{Kind, RING, RingWord};
use powar_hdl::mechanisms::e_rapid::RingStation;

/// Board 1 of three.
fn station() -> Bench {
    let mut bench = Bench::new(Box::new(RingStation::new(3)));
    bench.set("me", 0, 1);
    bench
}

/// A request of board 2 for its wavelength 0.
const REQUEST: RingWord = RingWord {
    wait: 0,
    busy: 0,
    level: 0,
    holder: 0,
    claim: false,
    offered: false,
    lit: false,
    wavelength: 0,
    owner: 2,
    kind: Kind::BoardRequest,
};

/// What goes out for a word that comes in, two cycles later.
fn through(bench: &mut Bench, word: u64) -> u64 {
    bench.set("ring_in", 0, word);
    bench.cycle();
    bench.set("ring_in", 0, 0);
    bench.cycle();
    assert_eq!(bench.see("ring_out", 0), 0);
    bench.cycle();
    bench.see("ring_out", 0)
}

#[test]
fn words_of_other_boards_pass_unchanged_in_two_cycles() {
    let mut bench = station();
    let response = RingWord { lit: true, holder: 1, kind: Kind::BoardResponse, ..REQUEST };
    for word in [REQUEST, response, RingWord { owner: 0, wavelength: 2, wait: 77, ..response }] {
        assert_eq!(through(&mut bench, word.packed()), word.packed(), "{word:?}");
    }
    // What this board has to say is for requests.
    bench.set("fills", 0, 1);
    bench.set("claims", 0, 1);
    bench.set("filled", 0, 0x1F_FFFF);
    assert_eq!(through(&mut bench, response.packed()), response.packed());
}

#[test]
fn a_change_of_any_single_bit_is_found_and_counted() {
    let mut bench = station();
    let word = RingWord { wait: 0xABC, level: 5, holder: 2, lit: true, ..REQUEST }.packed();
    for bit in 0..RING.bits {
        assert_eq!(through(&mut bench, word ^ 1 << bit), 0, "bit {bit}");
        assert_eq!(bench.see("ring_errors", 0), bit as u64 + 1);
    }
}

#[test]
fn what_makes_no_sense_is_thrown_away_and_is_no_error_of_the_ring() {
    let mut bench = station();
    let even = |word: u64| word | u64::from(word.count_ones() % 2) << 41;
    let fields = REQUEST.packed() & !(1 << 41);
    for word in [
        RingWord { owner: 3, ..REQUEST }.packed(),
        RingWord { wavelength: 3, ..REQUEST }.packed(),
        RingWord { kind: Kind::None, ..REQUEST }.packed(),
        even(fields | 3 << 39),
    ] {
        assert_eq!(through(&mut bench, word), 0, "{word:#x}");
    }
    assert_eq!(bench.see("ring_errors", 0), 0);
}

#[test]
fn the_holder_fills_a_request_in_and_the_claimant_its_claim() {
    let mut bench = station();
    bench.set("waited", 0, 0x123);
    // Lit, offered, a place for the claim, holder 1, level 4, busy 0x5A5.
    bench.set("filled", 0, 0b1_1100_1100 << 12 | 0x5A5);
    assert_eq!(through(&mut bench, REQUEST.packed()), REQUEST.packed(), "not the holder");
    bench.set("fills", 0, 1);
    let filled = RingWord { wait: 0x123, busy: 0x5A5, level: 4, holder: 1, offered: true, lit: true, ..REQUEST };
    assert_eq!(through(&mut bench, REQUEST.packed()), filled.packed());
    // What another has filled in is replaced, but for the claim.
    let other = RingWord { wait: 0xFFF, busy: 0xFFF, level: 7, holder: 6, claim: true, ..REQUEST };
    assert_eq!(through(&mut bench, other.packed()), RingWord { claim: true, ..filled }.packed());
    bench.set("claims", 0, 1);
    assert_eq!(through(&mut bench, REQUEST.packed()), RingWord { claim: true, ..filled }.packed());
    bench.set("fills", 0, 0);
    assert_eq!(through(&mut bench, REQUEST.packed()), RingWord { claim: true, ..REQUEST }.packed());
}

#[test]
fn a_message_goes_out_where_nothing_passes_and_comes_off_where_it_began() {
    let mut bench = station();
    let mine = RingWord { owner: 1, ..REQUEST };
    let message = mine.packed() & !(1 << 41);
    // Its parity is the station's to give, whatever stands in its place.
    bench.set("message", 0, message);
    bench.set("send", 0, 1);
    bench.set("ring_in", 0, REQUEST.packed());
    let seen = |bench: &mut Bench| {
        bench.cycle();
        ["own", "passes", "sent", "ring_out"].map(|signal| bench.see(signal, 0))
    };
    assert_eq!(seen(&mut bench), [0, 0, 1, 0]);
    assert_eq!(seen(&mut bench), [0, 1, 0, mine.packed()], "others have the way");
    bench.set("ring_in", 0, mine.packed());
    assert_eq!(seen(&mut bench), [0, 1, 0, REQUEST.packed()]);
    assert_eq!(seen(&mut bench), [1, 0, 1, REQUEST.packed()]);
    bench.set("send", 0, 0);
    bench.set("ring_in", 0, 0);
    assert_eq!(seen(&mut bench), [1, 0, 0, mine.packed()], "the board's next message took its place");
    assert_eq!(seen(&mut bench), [0, 0, 0, 0], "and this one's is free");
}
