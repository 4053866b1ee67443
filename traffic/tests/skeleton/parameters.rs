//! What users may write, and what they are told.

use powar_traffic::skeleton::{Range, SKELETONS, parse};
use proptest::prelude::*;

fn refused(text: &str) -> String {
    match parse(text) {
        Ok(_) => panic!("`{text}` is accepted"),
        Err(error) => {
            let line = format!("{error:#}");
            assert!(!line.contains('\n'), "{line}");
            line
        }
    }
}

#[test]
fn defaults_are_in_their_ranges() {
    for skeleton in SKELETONS {
        let source = parse(skeleton.name).unwrap_or_else(|error| panic!("{}: {error}", skeleton.name));
        assert!(source.ranks() > 1);
        let mut rank = source.calls(0).unwrap();
        assert!(rank.next().unwrap().is_some());
        assert!(rank.place().contains(skeleton.name), "{}", rank.place());
        assert!(
            !skeleton.about.is_empty() && skeleton.parameters.iter().all(|parameter| !parameter.meaning.is_empty())
        );
    }
}

#[test]
fn errors_name_parameter_value_and_range() {
    for (text, line) in [
        ("lu", "skeleton: `lu` is unknown; it must be one of all-reduce, graph500, halo-fft, hpl, random-access"),
        ("", "skeleton: `` is unknown; it must be one of all-reduce, graph500, halo-fft, hpl, random-access"),
        ("hpl:n=0", "skeleton hpl: parameter n is `0`, expected 1 to 10000000"),
        ("hpl:n=-5", "skeleton hpl: parameter n is `-5`, expected 1 to 10000000"),
        ("hpl:n=1.5", "skeleton hpl: parameter n is `1.5`, expected 1 to 10000000"),
        ("hpl:n=1,n=2", "skeleton hpl: parameter n is given twice"),
        ("hpl:n", "skeleton hpl: `n` is no parameter, expected name=value"),
        ("hpl:bcast=ring", "skeleton hpl: parameter bcast is `ring`, expected one of 1rg, 1rm, 2rg, 2rm"),
        ("hpl:rate=inf", "skeleton hpl: parameter rate is `inf`, expected 1e3 to 1e18"),
        ("hpl:rate=nan", "skeleton hpl: parameter rate is `nan`, expected 1e3 to 1e18"),
        ("hpl:probe=2", "skeleton hpl: parameter probe is `2`, expected 0e0 to 1e0 or auto"),
        ("hpl:p=4096,q=65536", "skeleton hpl: p times q is `268435456`, expected at most 1048576"),
        (
            "random-access:ranks=64,log-table=5",
            "skeleton random-access: log-table is `5`, expected at least 6, a word for each of 64 ranks",
        ),
        (
            "random-access:ranks=4,updates=68719476736",
            "skeleton random-access: updates times ranks is `274877906944`, expected at most 68719476736",
        ),
        ("halo-fft:x=4k,y=4k", "skeleton halo-fft: x times y times z is `16000000`, expected at most 1048576"),
        (
            "graph500:size=3",
            "skeleton graph500: parameter `size` is unknown; it must be one of ranks, scale, edge-factor, searches, \
             record, even, seed, rate",
        ),
    ] {
        let found = refused(text).replace("`4k`", "`4000`");
        assert_eq!(found, line);
    }
}

#[test]
fn all_ends_of_ranges_are_kept() {
    for skeleton in SKELETONS {
        for parameter in skeleton.parameters {
            let name = format!("{}:{}", skeleton.name, parameter.name);
            let outside = match parameter.range {
                Range::Whole(least, most) | Range::WholeOrAuto(least, most) => [
                    least.checked_sub(1).map(|value| value.to_string()),
                    most.checked_add(1).map(|value| value.to_string()),
                ],
                Range::Number(least, most) | Range::NumberOrAuto(least, most) => {
                    [Some(format!("{}", least * 0.99 - 0.01)), Some(format!("{}", most * 1.01))]
                }
                Range::Word(_) => [Some("nonsense".into()), None],
            };
            for value in outside.into_iter().flatten() {
                let line = refused(&format!("{name}={value}"));
                assert!(line.contains(&format!("parameter {} is `{value}`", parameter.name)), "{line}");
                assert!(line.contains(&parameter.range.to_string()), "{line}");
            }
        }
    }
}

/// Times that no clock holds are cut off, not wrapped.
#[test]
fn slow_ranks_of_large_matrices_compute_for_ever() {
    for text in ["hpl:n=10m,nb=4096,p=2,q=2,rate=1k,panel-rate=1k", "hpl:n=10m,nb=4096,p=1,q=2,rate=1k,depth=0"] {
        let source = parse(text).unwrap();
        for rank in 0..source.ranks() {
            let mut rank = source.calls(rank).unwrap();
            let made = (0..20_000).take_while(|_| rank.next().unwrap().is_some()).count();
            assert!(made > 2_000, "{text}: {made} calls");
        }
    }
}

#[test]
fn numbers_have_suffixes() {
    for text in ["hpl:rate=2.5g,n=4k", "hpl: rate = 2500000000 , n = 4000 ", "hpl:rate=2.5e9,n=4000,"] {
        assert_eq!(parse(text).unwrap().ranks(), 64, "{text}");
    }
    assert_eq!(parse("all-reduce:ranks=1k").unwrap().ranks(), 1000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn no_text_makes_it_panic(
        name in prop::sample::select(vec!["hpl", "random-access", "halo-fft", "graph500", "all-reduce", ""]),
        text in "\\PC{0,40}",
    ) {
        let _ = parse(&format!("{name}:{text}"));
    }

    #[test]
    fn no_values_make_it_panic(
        skeleton in 0..SKELETONS.len(),
        values in prop::collection::vec((any::<prop::sample::Index>(), "[0-9]{0,9}(\\.[0-9]{1,3})?[kmg]?|auto|-1|[a-z0-9]{1,3}"), 0..5),
    ) {
        let skeleton = &SKELETONS[skeleton];
        let names = skeleton.parameters.iter().map(|parameter| parameter.name).collect::<Vec<_>>();
        let given: Vec<_> = values.iter().map(|(index, value)| format!("{}={value}", index.get(&names))).collect();
        // What takes a time that grows with a parameter is not tried here: counting the updates of all ranks.
        if let Ok(source) = parse(&format!("{}:{}", skeleton.name, given.join(",")))
            && skeleton.name != "random-access"
        {
            let mut rank = source.calls(source.ranks() - 1).unwrap();
            for _ in 0..50 {
                if rank.next().unwrap().is_none() {
                    break;
                }
            }
        }
    }
}
