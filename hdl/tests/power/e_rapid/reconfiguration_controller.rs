//! Who is given which wavelength, and how, stage by stage. The controller is board 1's.

use crate::power::bench::Bench;
use powar_config::mechanism::e_rapid::{Kind, RingWord};
use powar_hdl::mechanisms::e_rapid::ReconfigurationController;
use powar_hdl::mechanisms::e_rapid::reconfiguration_controller::Stage;

const ME: u8 = 1;

/// Wavelengths are given to who waits for more than 100 cycles of a window of 256.
fn controller(boards: usize) -> Bench {
    let mut bench = Bench::new(Box::new(ReconfigurationController::new(boards)));
    for (input, value) in
        [("by_bandwidth", 1), ("me", ME.into()), ("window", 256), ("b_con", 100), ("degree", 8), ("sent", 1)]
    {
        bench.set(input, 0, value);
    }
    bench
}

/// A request as it comes back: with a holder and how packets wait there, offered, with nobody, claimed.
fn used(holder: u8, wait: u16) -> RingWord {
    RingWord { lit: true, holder, wait, ..Default::default() }
}

fn offered(holder: u8) -> RingWord {
    RingWord { offered: true, ..used(holder, 4000) }
}

fn dark() -> RingWord {
    RingWord::default()
}

fn claimed(word: RingWord) -> RingWord {
    RingWord { claim: true, ..word }
}

/// What one reconfiguration did.
#[derive(Default)]
struct Seen {
    /// Stages and the cycles that they took.
    stages: Vec<(u64, usize)>,
    /// Messages of BoardRequest and of BoardResponse, whole.
    requests: Vec<RingWord>,
    responses: Vec<RingWord>,
}

/// A reconfiguration from the cycle behind `check` on. These requests come back by wavelength, one a cycle from the first of Collect on.
fn run(bench: &mut Bench, requests: &[Option<RingWord>]) -> Seen {
    bench.set("check", 0, 1);
    bench.cycle();
    bench.set("check", 0, 0);
    let mut seen = Seen::default();
    let mut back = requests.iter().enumerate().filter_map(|(wavelength, word)| {
        word.map(|word| RingWord { wavelength: wavelength as u8, owner: ME, kind: Kind::BoardRequest, ..word })
    });
    let sends = requests.len() * (requests.len() - 1) + requests.len();
    for cycle in 0..2000 {
        let word = (cycle >= sends).then(|| back.next()).flatten();
        bench.set("own", 0, word.is_some().into());
        bench.set("word", 0, word.map_or(0, |word| word.packed()));
        bench.cycle();
        let state = bench.see("state", 0);
        if state == Stage::Wait as u64 {
            return seen;
        }
        match seen.stages.last_mut() {
            Some((last, cycles)) if *last == state => *cycles += 1,
            _ => seen.stages.push((state, 1)),
        }
        if bench.see("send", 0) == 1 {
            let message = bench.see("message", 0);
            assert_eq!(message >> 41, 0, "its parity is the station's to give");
            let word = RingWord::unpacked(message | u64::from(message.count_ones() % 2) << 41).expect("a message");
            if state == Stage::BoardRequest as u64 { seen.requests.push(word) } else { seen.responses.push(word) }
        }
    }
    panic!("it does not end");
}

/// Who has each wavelength from now on, if all requests come back.
fn holders(bench: &mut Bench, requests: &[RingWord]) -> Vec<Option<u8>> {
    let requests: Vec<_> = requests.iter().copied().map(Some).collect();
    let responses = run(bench, &requests).responses;
    for (wavelength, word) in responses.iter().enumerate() {
        let RingWord { lit, holder, .. } = *word;
        let wavelength = wavelength as u8;
        let expected = RingWord { lit, holder, wavelength, owner: ME, kind: Kind::BoardResponse, ..Default::default() };
        assert_eq!(*word, expected, "nothing else is in it");
    }
    assert_eq!(responses.len(), requests.len());
    responses.into_iter().map(|word| word.lit.then_some(word.holder)).collect()
}

#[test]
fn stages_follow_each_other_and_take_the_cycles_of_their_links_and_messages() {
    let mut bench = controller(3);
    let requests = [Some(dark()), Some(used(2, 0)), Some(used(0, 0))];
    let seen = run(&mut bench, &requests);
    // Six links; three messages; three that come back, and one that all have; three wavelengths; three times three boards and a decision.
    assert_eq!(seen.stages, [(1, 6), (2, 3), (3, 4), (4, 3), (5, 12), (6, 3), (7, 6)]);
    let request = |wavelength| RingWord { wavelength, owner: ME, kind: Kind::BoardRequest, ..Default::default() };
    assert_eq!(seen.requests, [request(0), request(1), request(2)]);
    assert_eq!(bench.see("lost_messages", 0), 0);
    // Between reconfigurations it waits.
    assert_eq!(bench.history("state", 0, 50), vec![0; 50]);
}

#[test]
fn a_message_stays_until_it_goes_out() {
    let mut bench = controller(3);
    bench.set("sent", 0, 0);
    bench.set("check", 0, 1);
    bench.cycles(7);
    let history = |bench: &mut Bench, sent: u64| {
        bench.set("sent", 0, sent);
        bench.cycle();
        ["state", "send", "index"].map(|signal| bench.see(signal, 0))
    };
    let seen = [0, 0, 1, 0, 1, 0, 1, 0].map(|sent| history(&mut bench, sent));
    let turn = |index| [Stage::BoardRequest as u64, 1, index];
    let collect = [Stage::Collect as u64, 0, 0];
    assert_eq!(seen, [turn(0), turn(0), turn(0), turn(1), turn(1), turn(2), turn(2), collect]);
}

/// Board 2 waits and has wavelength 1; board 0 offers wavelength 2; wavelength 0 is the spare.
fn offers_of_board_0() -> [RingWord; 3] {
    [dark(), used(2, 101), offered(0)]
}

#[test]
fn what_nobody_uses_goes_to_who_waits() {
    assert_eq!(holders(&mut controller(3), &offers_of_board_0()), [Some(2), Some(2), Some(2)]);
}

#[test]
fn at_most_as_many_as_the_degree_of_reconfiguration() {
    for (degree, expected) in [(1, [None, Some(2), Some(0)]), (2, [Some(2), Some(2), Some(0)]), (3, [Some(2); 3])] {
        let mut bench = controller(3);
        bench.set("degree", 0, degree);
        assert_eq!(holders(&mut bench, &offers_of_board_0()), expected, "{degree}");
    }
}

#[test]
fn nobody_is_given_any_under_other_policies_or_without_need() {
    for (input, value) in [("by_bandwidth", 0), ("b_con", 101)] {
        let mut bench = controller(3);
        bench.set(input, 0, value);
        assert_eq!(holders(&mut bench, &offers_of_board_0()), [None, Some(2), Some(0)], "{input}");
    }
}

/// Boards 0, 2, 3, 4 have wavelengths 4, 1, 2, 3 to board 1.
#[test]
fn first_who_was_given_the_least_then_who_waits_most_then_the_lowest() {
    let mut bench = controller(5);
    let requests = [dark(), used(2, 150), used(3, 200), used(4, 200), used(0, 100)];
    assert_eq!(holders(&mut bench, &requests), [Some(3), Some(2), Some(3), Some(4), Some(0)], "lowest of equals");
    // Board 2 has given its wavelength; boards 3 and 4 wait, 4 more.
    let requests = [dark(), offered(2), used(3, 200), used(4, 201), offered(0)];
    assert_eq!(holders(&mut bench, &requests), [Some(4), Some(3), Some(3), Some(4), Some(4)], "in turns");
    // A board that waits most has been given one in this window; the others are next.
    let requests = [dark(), offered(2), used(3, 4000), used(4, 101), offered(0)];
    assert_eq!(holders(&mut bench, &requests), [Some(3), Some(4), Some(3), Some(4), Some(3)]);
}

#[test]
fn what_is_offered_tells_nothing_about_demand_and_the_board_itself_gets_none() {
    let mut bench = controller(3);
    assert_eq!(holders(&mut bench, &[dark(), offered(2), offered(0)]), [None, Some(2), Some(0)]);
    assert_eq!(holders(&mut bench, &[dark(), used(ME, 4000), offered(0)]), [None, Some(ME), Some(0)]);
    // Nor does one whose holder is no board.
    assert_eq!(holders(&mut bench, &[dark(), used(7, 4000), offered(0)]), [None, Some(7), Some(0)]);
}

#[test]
fn a_claim_comes_before_demand_and_takes_what_is_in_use_away() {
    let mut bench = controller(3);
    // Wavelength 1 belongs to board 2, wavelength 2 to board 0.
    let requests = [used(2, 200), claimed(offered(0)), claimed(dark())];
    assert_eq!(holders(&mut bench, &requests), [Some(2), Some(2), Some(0)]);
    let requests = [used(2, 200), used(2, 200), claimed(used(2, 200))];
    assert_eq!(holders(&mut bench, &requests), [Some(2), Some(2), None], "its holder is to leave it");
}

#[test]
fn what_has_no_holder_goes_back_to_whom_it_belongs() {
    let mut bench = controller(3);
    assert_eq!(holders(&mut bench, &[dark(), dark(), dark()]), [None, Some(2), Some(0)]);
    let mut bench = controller(8);
    let holders = holders(&mut bench, &[dark(); 8]);
    assert_eq!(holders, [None, Some(2), Some(3), Some(4), Some(5), Some(6), Some(7), Some(0)]);
}

#[test]
fn requests_that_do_not_come_back_are_given_up_in_half_a_window() {
    let mut bench = controller(3);
    bench.set("degree", 0, 2);
    // Wavelength 0 was offered in an earlier window. That it is not given now leaves one more for board 2.
    holders(&mut bench, &[offered(2), offered(2), offered(0)]);
    let seen = run(&mut bench, &[None, Some(used(2, 101)), Some(offered(0))]);
    assert_eq!(seen.stages[2], (Stage::Collect as u64, 256 / 2 + 1));
    let answers: Vec<_> = seen.responses.iter().map(|word| (word.wavelength, word.lit, word.holder)).collect();
    assert_eq!(answers, [(1, true, 2), (2, true, 2)]);
    assert_eq!(bench.see("lost_messages", 0), 1);
    let seen = run(&mut bench, &[None; 3]);
    assert!(seen.responses.is_empty());
    assert_eq!(seen.stages.last(), Some(&(Stage::LinkResponse as u64, 6)));
    assert_eq!(bench.see("lost_messages", 0), 4);
}
