//! Whatever bytes a VEF trace holds, reading and replaying it ends with messages or one error.

use crate::common;
use common::vef_file;
use powar_traffic::{ReplayOptions, Trace, TrafficOptions};
use proptest::prelude::*;

/// Opens and replays to the end; checks that errors are one line and end the replay. Returns the
/// messages of a trace without errors. Collectives are those of textbooks, whose numbers of messages do not hang on sizes.
fn replay(bytes: &[u8]) -> Option<usize> {
    let textbook = ReplayOptions { collectives: "textbook".into(), ..ReplayOptions::default() };
    let options = TrafficOptions { replay: textbook, ..TrafficOptions::default() };
    let one_line = |error: anyhow::Error| {
        let message = format!("{error:#}");
        assert!(!message.contains('\n') && !message.is_empty(), "{message}");
    };
    let file = vef_file(bytes);
    let trace = Trace::open(file.path()).map_err(one_line).ok()?;
    let mut messages = trace.replay(&options, Box::new(|a, b| a.abs_diff(b))).map_err(one_line).ok()?;
    let mut count = 0;
    while let Some(now) = messages.now() {
        match messages.next() {
            Some(Ok(message)) => {
                assert!(message.start >= now);
                count += 1;
            }
            Some(Err(error)) => {
                one_line(error);
                assert!(messages.next().is_none());
                return None;
            }
            None => break,
        }
    }
    match messages.next() {
        None => Some(count),
        Some(Err(error)) => {
            one_line(error);
            None
        }
        Some(Ok(message)) => panic!("{message:?} after the end"),
    }
}

/// Words that occur in traces, good and bad.
fn word() -> impl Strategy<Value = String> {
    let known = ["VEF", "C0", "C1", "G0", "G1", "-1", "G", "C", "\u{0}"];
    prop_oneof![
        3 => (0..8u32).prop_map(|number| number.to_string()),
        1 => proptest::sample::select(known.map(str::to_owned).to_vec()),
        1 => any::<i64>().prop_map(|number| number.to_string()),
        1 => "\\PC{0,6}",
    ]
}

/// `Dep`, time, `IDdep`.
fn start() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => (0..300u32).prop_map(|time| format!("0 {time} -1")),
        3 => (1..4u32, 0..300u32, 0..5u32).prop_map(|(dep, time, id)| format!("{dep} {time} {id}")),
    ]
}

/// A barrier of three by recursive doubling, Open MPI's choice, has four messages.
#[test]
fn a_barrier_of_three_has_two_messages_a_task() {
    let parts: String = (0..3).map(|task| format!("G0 0 6 {task} 0 0 0 0 -1\n")).collect();
    assert_eq!(replay(format!("VEF 3 0 1 1 0 0\nC0 2 0 1\n{parts}").as_bytes()), Some(6));
}

proptest! {
    #[test]
    fn any_bytes_can_be_read(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        replay(&bytes);
        let mut behind_a_header = b"VEF 4 1 1 0 0 0\nC0 0 1 2 3\n".to_vec();
        behind_a_header.extend(&bytes);
        replay(&behind_a_header);
        let mut packed = b"\xfd7zXZ\0".to_vec();
        packed.extend(bytes);
        replay(&packed);
    }

    #[test]
    fn any_words_can_be_read(
        lines in proptest::collection::vec(proptest::collection::vec(word(), 0..10), 0..12)
    ) {
        let lines: Vec<String> = lines.iter().map(|words| words.join(" ")).collect();
        replay(format!("VEF 4 {} 1 0 0 0\nC0 0 1 2 3\n{}\n", lines.len(), lines.join("\n")).as_bytes());
    }

    // Well-formed lines; what they refer to and whether that can happen is left to chance.
    #[test]
    fn well_formed_traces_end_with_all_messages_or_one_error(
        messages in proptest::collection::vec((0..3u32, 0..3u32, 0..500u32, start()), 0..5),
        collectives in proptest::collection::vec((0..8u32, prop_oneof![Just(0), 0..200u32], 0..3u32, [start(), start(), start()]), 0..4),
    ) {
        let mut text = format!("VEF 3 {} 1 {} 0 0\nC0 2 0 1\n", messages.len(), collectives.len());
        for (id, (from, to, bytes, start)) in messages.iter().enumerate() {
            text += &format!("{id} {from} {to} {bytes} {start}\n");
        }
        for (id, (operation, bytes, root, starts)) in collectives.iter().enumerate() {
            for (task, start) in starts.iter().enumerate() {
                let own = *root == task as u32;
                let (send, receive) = match operation {
                    0 | 4 if own => (*bytes, 0),
                    0 | 4 => (0, *bytes),
                    1 | 3 if own => (0, *bytes),
                    1 | 3 => (*bytes, 0),
                    2 | 5 => (*bytes, *bytes),
                    6 => (0, 0),
                    _ => (*bytes, root % 2),
                };
                text += &format!("G{id} 0 {operation} {task} {send} {receive} {start}\n");
            }
        }
        if let Some(count) = replay(text.as_bytes()) {
            // Dissemination, Bruck and the pairs take at least two messages a task, the trees one an edge.
            // Only a barrier has messages if there is nothing to send.
            let inside: usize = collectives.iter().map(|(operation, bytes, ..)| match operation {
                0..=5 | 7 if *bytes == 0 => 0,
                0 | 1 | 3 | 4 => 2,
                2 => 4,
                _ => 6,
            }).sum();
            prop_assert_eq!(count, messages.len() + inside, "{}", text);
        }
    }

    // Every line waits for an earlier one, so the trace can finish and must.
    #[test]
    fn a_chain_of_messages_is_replayed_to_its_end(
        links in proptest::collection::vec((0..4u32, 0..300u32, any::<bool>()), 1..20)
    ) {
        let mut text = format!("VEF 4 {} 1 0 0 0\nC0 0 1 2 3\n", links.len());
        let (mut at, mut from) = (0, 0);
        for (id, (to, delay, sent)) in links.iter().enumerate() {
            let start = match (id.checked_sub(1), sent) {
                (None, _) => "0 5 -1".to_owned(),
                (Some(before), true) => format!("1 {delay} {before}"),
                (Some(before), false) => format!("2 {delay} {before}"),
            };
            let source = if *sent { from } else { at };
            text += &format!("{id} {source} {to} 64 {start}\n");
            (from, at) = (source, *to);
        }
        prop_assert_eq!(replay(text.as_bytes()), Some(links.len()), "{}", text);
    }
}
